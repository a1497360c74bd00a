"""Side by side with any text and any set: never an exception, nothing but text on the page.

The pages run in Streamlit's AppTest, as in test_pages.py.
"""

import re
from html import unescape
from urllib.parse import parse_qsl

import pytest

from lessons.models import MODELS, open_model
from lessons.texts import COMPARISONS
from lessons.trained import open_trained
from pages.compare import blocks
from pages.compare.panels import LOOKS
from pages.compare.selection import CORPORA, DEFAULT, MAX_TOKENIZERS, PUBLISHED, serialize
from pages.shared.aligned.side_by_side import NamedTokenizer
from pages.shared.controls.panels import ON_SCREEN
from pages.shared.corpus.corpus_picker import CORPUS_TITLES
from pages.shared.drawing.charts import Chart
from pages.shared.export.document.blocks import Document, Heading, Html
from pages.shared.export.document.document_html import build_document_html
from pages.shared.export.menu import with_open_panel
from pages.shared.training.published import SHORT_NAMES
from pages.shared.training.tokenizer_kinds import KINDS
from tests.pages.opening import (
    HOSTILE,
    checked,
    html_of,
    notes_of,
    opened,
    sent_to,
    texts_of,
)

PAGE = "compare"
HALVES = [" ".join(HOSTILE[n::2]) for n in range(2)]  # few pages to open, every text in one


def sent(app) -> dict:
    """The message of the aligned view."""
    return sent_to(app, "chunks")


def tokens(app, row: int) -> list[str]:
    return [tile[0] for chunk in sent(app)["chunks"] for cell in chunk[1][row] for tile in cell[2]]


def unknown(app, row: int) -> list[bool]:
    return [tile[3] for chunk in sent(app)["chunks"] for cell in chunk[1][row] for tile in cell[2]]


def drawn(app) -> str:
    """The text above the tokens, spaces as dots."""
    return "".join(part[2] for chunk in sent(app)["chunks"] for part in chunk[0])


def names(app) -> list[str]:
    return [name for name, _ in sent(app)["names"]]


OF_PROSE = "words.prose,characters.prose,bpe.prose.600,wordpiece.prose.600,unigram.prose.600"


def test_the_page_opens_with_published_models():
    app = opened(PAGE)
    assert not app.error
    assert not app.toast
    assert dict(app.query_params) == {}
    assert names(app) == [SHORT_NAMES[entry.published] for entry in PUBLISHED]
    assert sent(app)["finding"].startswith("The five tokenizers agree on 22 of the 24 words.")
    app.selectbox(key="ready").set_value(next(iter(COMPARISONS))).run()
    assert checked(app).query_params["with"] == serialize(PUBLISHED)


def test_a_link_with_other_parameters_means_the_tokenizers_that_are_trained_here():
    app = opened(PAGE, width="512")
    assert not app.error
    assert not app.toast
    assert dict(app.query_params) == {"width": "512"}
    learned = ["BPE 4,000", "BPE on bytes 4,000", "WordPiece 4,000", "Unigram 4,000"]
    assert names(app) == ["Words", "Characters", *learned]
    for row, kind in enumerate(DEFAULT[2:], start=2):
        found = open_trained(kind.kind).encode("The lower the tide,").pieces
        assert tokens(app, row)[: len(found) - 1] == list(found[:-1])
    (note,) = [note for note in notes_of(app) if "All of them were" in note]
    assert note == (
        "All of them were trained on Python's help pages: 513,872 characters. WordPiece merges "
        "the most frequent pair there, as Hugging Face's trainer does."
    )


def test_a_set_of_another_text_is_trained_on_it():
    app = opened(PAGE, **{"with": OF_PROSE})
    assert not app.error
    assert not app.toast
    assert names(app) == ["Words", "Characters", "BPE 600", "WordPiece 600", "Unigram 600"]
    assert drawn(app).startswith("The·lower·the·tide,")
    assert tokens(app, 0)[:4] == ["The", "lower", "the", "tide,"]
    assert [unknown(app, 0)[n] for n in range(4)] == [False, False, False, True]
    assert "All of them were trained on The tide table." in notes_of(app)
    assert sent(app)["finding"].startswith("The three tokenizers agree on 1 of the 24 words.")
    assert html_of(app).count('class="pp-compare"') == 3


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("text", ["1 2 3", *HALVES, "नमस्ते 👩🏽‍🚀 مرحبا\n\n漢字"])
def test_every_look_at_every_text(look, text):
    app = opened(PAGE, look=look, text=text)
    assert not app.error
    assert not app.toast
    assert "<script" not in html_of(app)
    assert "<img" not in html_of(app)


@pytest.mark.parametrize("example", COMPARISONS)
def test_every_sample_text(example):
    app = opened(PAGE, ready=example)
    assert app.text_area(key="text_box").value == COMPARISONS[example].text
    assert not app.error
    assert not app.toast


def test_the_choice_of_a_text_does_not_name_a_sample_while_the_box_has_ones_own():
    app = opened(PAGE, text="my own words")
    assert app.selectbox(key="ready").options[0] == "Your own text"
    app.selectbox(key="ready").set_value(next(iter(COMPARISONS))).run()
    assert checked(app).selectbox(key="ready").options[0] == "Words of one family"
    app.text_area(key="text_box").input("my own").run()
    names = checked(app).selectbox(key="ready").options
    assert names[:2] == ["Words of one family", "Your own text"]
    assert app.query_params["ready"] == next(iter(COMPARISONS)), "only its name has changed"


def test_a_link_names_the_set():
    query = "bpe.own.300,bpe.prose.100,words.languages"
    app = opened(PAGE, text="low lower lowest", **{"with": query})
    assert not app.toast
    assert app.query_params["with"] == query
    assert [source for _, source in sent(app)["names"]] == [
        "this very text", "The tide table", CORPORA["languages"],
    ]  # fmt: skip
    assert names(app) == ["BPE 17", "BPE 100", "Words"], "the size that was reached"
    assert tokens(app, 0) == ["low</w>", "lower</w>", "lowest</w>"]
    assert tokens(app, 2) == ["low", "lower", "lowest"]
    assert unknown(app, 2) == [True] * 3
    assert not any("All of them were trained on" in note for note in notes_of(app))


@pytest.mark.parametrize("corpus", [corpus for corpus in CORPORA if corpus != "languages"])
def test_every_kind_learns_from_every_text(corpus):
    query = ",".join(f"{kind}.{corpus}" for kind in KINDS)
    app = opened(PAGE, look="seen", **{"with": query})
    assert not app.error
    assert len(names(app)) == len(KINDS)


@pytest.mark.parametrize("nonsense", ["nonsense", "bpe.prose.1", "", ",,,", "<b>.prose"])
def test_nonsense_in_the_set_falls_back_with_a_sentence(nonsense):
    app = opened(PAGE, **{"with": nonsense})
    assert "with" not in app.query_params
    assert len(names(app)) == len(DEFAULT)
    assert "That isn't possible here" in app.toast[0].value


def test_invalid_rows_of_a_set_are_dropped():
    app = opened(PAGE, **{"with": "bpe.prose.300,magic.prose.300"})
    assert app.query_params["with"] == "bpe.prose.300"
    assert "That isn't possible here" in app.toast[0].value


@pytest.mark.parametrize("name", MODELS)
def test_a_published_tokenizer_is_a_row_with_the_ids_of_its_file(name):
    text = "Unbelievably naïve: 12345 🦊 [SEP] 漢字"
    app = opened(PAGE, text=text, **{"with": f"bpe.prose.300,real.{name}"})
    assert not app.toast
    assert app.query_params["with"] == f"bpe.prose.300,real.{name}"
    assert sent(app)["names"][1] == [SHORT_NAMES[name], MODELS[name].owner]
    found = open_model(name).encode(text, add_special_tokens=False)
    ids = [tile[2] for chunk in sent(app)["chunks"] for cell in chunk[1][1] for tile in cell[2]]
    assert ids == list(found.ids)
    assert set(sent(app)["tooltips"][1]) == set(map(str, ids))
    assert sent(app)["tooltips"][0] == {}
    assert f"<td>{len(found.ids)}</td>" in html_of(app) or f"<b>{len(found.ids)}</b>" in html_of(
        app
    )


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("query", [serialize(PUBLISHED), "words.own,real.bert-uncased,real.gpt2"])
def test_every_look_at_published_tokenizers(look, query):
    app = opened(PAGE, look=look, text="नमस्ते low <|endoftext|>", **{"with": query})
    assert not app.error
    assert not app.toast
    if look == "seen":
        assert html_of(app).count("not known") == query.count("real.") * 2
        assert "does not say which words" in " ".join(notes_of(app))


def test_tokens_of_a_published_model_are_read_as_text():
    app = opened(PAGE, text="naïve 漢", **{"with": "real.gpt2"})
    assert "".join(tokens(app, 0)).startswith("naïve·⟨E6⟩")
    assert "⟨E2⟩: a byte of a character" in sent(app)["legend"]
    assert "⟨E2⟩" not in sent(opened(PAGE, **{"with": OF_PROSE}))["legend"]


@pytest.mark.parametrize("nonsense", ["real.gpt5", "real.gpt2.600", "real.", "real", "gpt2.prose"])
def test_unknown_published_names_are_dropped_from_a_set(nonsense):
    app = opened(PAGE, **{"with": f"{nonsense},real.gpt2"})
    assert names(app) == ["GPT-2"]
    assert app.query_params["with"] == "real.gpt2"
    assert "That isn't possible here" in app.toast[0].value


def test_a_row_becomes_a_published_model_and_back():
    app = opened(PAGE, **{"with": "bpe.prose.300"})
    kind = next(box for box in app.selectbox if box.label == "Tokenizer 1")
    kind.select("real.o200k").run()
    assert names(checked(app)) == ["GPT-4o (o200k)"]
    size = next(box for box in app.number_input if box.label == "pieces")
    assert (size.disabled, size.placeholder) == (True, "200,000")
    corpus = next(box for box in app.selectbox if box.label == "trained on")
    assert (corpus.disabled, corpus.value) == (True, "its file does not say")
    next(box for box in app.selectbox if box.label == "Tokenizer 1").select("bpe").run()
    assert names(checked(app)) == ["BPE 300"]
    next(b for b in app.button if b.label == "Published models").click().run()
    assert names(checked(app)) == [SHORT_NAMES[entry.published] for entry in PUBLISHED]
    assert app.query_params["with"] == serialize(PUBLISHED)


def test_the_reading_of_special_tokens_is_a_choice_for_published_models():
    query = {"with": "real.bert-uncased", "text": "a [SEP] b"}
    assert tokens(opened(PAGE, **query), 0) == ["a", "[SEP]", "b"]
    assert tokens(opened(PAGE, added="true", **query), 0) == ["[CLS]", "a", "[SEP]", "b", "[SEP]"]
    app = opened(PAGE, special="text", **query)
    assert not app.toast
    assert tokens(app, 0) == ["a", "[", "sep", "]", "b"]
    trained = opened(PAGE, **query | {"with": "bpe.own.300"})
    assert not [c for c in trained.get("button_group") if c.key == "special"]


def test_a_text_that_a_file_rejects_gets_a_message(monkeypatch):
    def refuse(*_: object) -> str:
        return open_model("gpt2").token_of(-1)

    monkeypatch.setattr(NamedTokenizer, "encode", refuse)
    app = opened(PAGE, text="something new here", **{"with": "real.gpt2"})
    assert ["has no id -1" in text for text in texts_of(app.error)] == [True]


def test_rows_are_added_changed_and_removed():
    app = opened(PAGE, **{"with": OF_PROSE})
    button = {button.label: button for button in app.button}
    button["Add a tokenizer"].click().run()
    assert names(checked(app))[-1] == "BPE on bytes 4,000"
    assert app.query_params["with"] == f"{OF_PROSE},bytes.python.4000"
    kind = next(box for box in app.selectbox if box.label == "Tokenizer 6")
    kind.select("unigram").run()
    assert names(checked(app))[-1] == "Unigram 4,000"
    corpus = [box for box in app.selectbox if box.label == "trained on"][-1]
    corpus.select("prose").run()
    size = [box for box in app.number_input if box.label == "pieces"][-1]
    size.set_value(300).run()
    assert names(checked(app))[-1] == "Unigram 300"
    next(b for b in app.button if b.label == "Remove").click().run()
    assert names(checked(app))[0] == "Characters"
    next(b for b in app.button if b.label == "The six trained here").click().run()
    assert "with" not in checked(app).query_params


def test_there_is_room_for_so_many_and_the_last_one_stays():
    app = opened(PAGE, **{"with": ",".join(["bpe.prose.300"] * MAX_TOKENIZERS)})
    assert next(b for b in app.button if b.label == "Add a tokenizer").disabled
    app = opened(PAGE, **{"with": "bpe.prose.300"})
    assert next(b for b in app.button if b.label == "Remove").disabled


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_an_empty_box_is_a_sentence(text):
    app = opened(PAGE, text=text)
    assert any("no text to split" in info.value for info in app.info)


def test_a_long_text_is_drawn_from_any_word():
    app = opened(PAGE)
    app.text_area(key="text_box").input("tide and time " * 2000).run()
    checked(app)
    assert any("the first 20,000 are compared" in text for text in texts_of(app.info))
    app.number_input(key="from_word").set_value(1001).run()
    assert any(
        "the picture shows words 1,001 to 1,100 of 4,286" in t
        for t in texts_of(checked(app).caption)
    )


def test_costs_have_the_chosen_width_and_format():
    app = opened(PAGE, width="4096", precision="float16", **{"with": "bpe.prose.300"})
    assert "in a model of width 4,096, in float16" in html_of(app)
    assert f"{301 * 4096:,}" in html_of(app)


def test_the_start_page_links_here_with_its_text_and_sizes():
    app = opened("start", text="low lower lowest", **{"from": "own"})
    (link,) = [part.proto for part in app.get("page_link") if "side by side" in part.proto.label]
    assert "text=low+lower+lowest" in link.query_string
    assert "with=words.own%2Ccharacters.own%2Cbpe.own" in link.query_string


@pytest.mark.parametrize("learned", CORPUS_TITLES)
def test_the_start_page_cuts_a_text_as_this_page_does(learned):
    app = opened("start", text="The lowest_tide, at 5 £: नमस्ते!", **{"from": learned})
    tile = re.compile(r'<bdi class="t\d(?: unk)?"[^>]*>((?:[^<]|<bdi>[^<]*</bdi>)*)</bdi>')
    found = [tile.findall(part.proto.body) for part in app.get("html")]
    (link,) = [part.proto for part in app.get("page_link") if "side by side" in part.proto.label]
    beside = opened(PAGE, **dict(parse_qsl(link.query_string)))
    assert not beside.toast
    on_start = [[unescape(re.sub("</?bdi>", "", one)) for one in row] for row in found if row]
    assert on_start == [tokens(beside, row) for row in range(len(names(beside)))]


@pytest.mark.parametrize("look", ["seen", "scripts", "wishes"])
def test_the_file_has_the_closer_look_that_is_open(look):
    title = LOOKS[look][0]
    shown = opened(PAGE, look=look).session_state[ON_SCREEN][1]
    document = with_open_panel(Document("", left_out=blocks.LEFT_OUT), shown)
    assert title not in document.left_out
    assert document.blocks[0] == Heading(title)
    names = [block.name for block in document.blocks if isinstance(block, Chart)]
    assert names == (["The chart of lengths"] if look == "scripts" else [])
    tables = [block.html for block in document.blocks if isinstance(block, Html)]
    assert tables
    assert [table for table in tables if table not in build_document_html(document)] == []


def test_one_text_lies_on_one_axis():
    text = "Zoë walked to the island at the end of the day."
    app = opened(PAGE, look="axis", text=text)
    assert not app.error
    table = html_of(app)
    expected = {"Bytes (ByT5)": 48, "Characters": 47, "Words between spaces": 11}
    for title, count in expected.items():
        assert re.search(rf"{re.escape(title)}.*?>{count}<", table)
    assert "From 48 (Bytes (ByT5)) to 8 (Superwords (of our page))" in table
    assert "H-Net" in table
