"""Pipeline with any text, any stages, any model: never an exception, nothing but text on the page.

The pages run in Streamlit's AppTest, as in test_pages.py.
"""

import json
import re
from html import unescape

import pytest

from lessons.texts import PIPELINES
from pages.pipeline.stage_trace import MODEL, WORDS
from pages.shared.controls.settings import NORMALIZERS, PRE_TOKENIZERS
from pages.shared.training.published import PACK
from pages.shared.training.tokenizer_kinds import KINDS
from tests.pages.opening import (
    HOSTILE,
    NO_WORDS,
    checked,
    html_of,
    markdown_of,
    notes_of,
    opened,
    paste,
    sent_to,
)
from tests.pages.opening import texts_of as said_in

PAGE = "pipeline"
HALVES = [" ".join(HOSTILE[n::2]) for n in range(2)]  # few pages to open, every text in one
EYES = "नमस्ते 👩🏽‍🚀 ﬁancée résumé"


def sent(app) -> dict:
    """The message of the stage table."""
    return sent_to(app, "tiles")


def tokens(app) -> list[str]:
    return [tile[0] for tile in sent(app)["tiles"]]


def rows(app) -> dict[str, str]:
    """The text of every stage after it, without what is gone."""
    shown = [*sent(app)["rows"], sent(app)["back"]]
    return {
        name: "".join(part[0] for part in parts if part[1] != "gone") for name, _, parts in shown
    }


def test_the_page_opens_with_an_example():
    app = opened(PAGE)
    assert not app.error
    assert not app.toast
    assert dict(app.query_params) == {}
    assert tokens(app) == ["hmm..,", "i", "know", "i", "don't", "know", "my", "resume"]
    assert rows(app)["Remove HTML tags"] == "Hmm..,··I·know·I·Don't·know·my·résumé"
    assert rows(app)["Pre-tokens"] == "hmm..,iknowidon'tknowmyresume"


@pytest.mark.parametrize("example", PIPELINES)
def test_every_example_and_every_stage_off(example):
    app = opened(PAGE, example=example)
    assert app.text_area(key="text_box").value == PIPELINES[example].text
    assert not app.error
    assert not app.toast
    for stage in (*PIPELINES[example].stages["normalizers"], WORDS, MODEL):
        app = opened(PAGE, example=example, off=stage)
        assert not app.error
        assert not app.toast
        assert app.query_params["off"] == stage
        damaged = tokens(app), sent(app)["rows"]
        assert damaged != (tokens(opened(PAGE, example=example)), None)


@pytest.mark.parametrize("example", PIPELINES)
def test_an_example_has_its_note_while_its_stages_are_unchanged(example):
    note = PIPELINES[example].note
    assert note in said_in(opened(PAGE, example=example).caption)
    for changed in ({"model": "real.bert-uncased"}, {"off": MODEL}, {"learned": "prose"}):
        if changed != {"learned": PIPELINES[example].stages["learned"]}:
            assert note not in said_in(opened(PAGE, example=example, **changed).caption)


def test_what_the_examples_are_there_for():
    assert tokens(opened(PAGE, example="p3")) == [
        "[UNK]", "[UNK]", "the", "movie", "[UNK]", "[UNK]", "[UNK]",
    ]  # fmt: skip
    assert tokens(opened(PAGE, example="p3_unspaced")) == ["[UNK]"]
    assert tokens(opened(PAGE, example="p4")) == list("movie")
    assert {"Smith", "'", "@", "00"} < set(tokens(opened(PAGE, example="p2")))
    assert (
        sent(opened(PAGE, example="b6"))["back"][1] == "exactly the original text: nothing is lost"
    )
    assert "Ġload" not in tokens(opened(PAGE, example="v5"))


def stages_on(app) -> list[str]:
    return list(app.session_state["stages_on"])


def test_a_chip_is_lit_while_its_stage_is_on():
    app = opened(PAGE)
    assert stages_on(app) == ["html", "accents", "lower", "spaces", WORDS, MODEL]
    assert "Switch a stage off to see the damage." in said_in(app.caption)
    app.session_state["stages_on"] = ["html", "accents", WORDS, MODEL]
    app = checked(app.run())
    assert app.query_params["off"] == "lower,spaces"
    assert "The model was trained with all stages on." in said_in(app.caption)
    app.session_state["normalize"] = ["html", "lower", "nfc"]
    app = checked(app.run())
    assert stages_on(app) == ["html", "nfc", WORDS, MODEL], "a stage that was just added is on"
    app.selectbox(key="example").select("p4").run()
    assert stages_on(checked(app)) == [WORDS, MODEL]
    assert "off" not in app.query_params


def test_a_stage_switched_off_does_damage():
    whole, off = opened(PAGE), opened(PAGE, off="lower")
    assert "[UNK]" not in tokens(whole)
    assert tokens(off) == ["[UNK]", "[UNK]", "know", "[UNK]", "[UNK]", "know", "my", "resume"]
    assert ["Lowercase", "switched off", []] in sent(off)["rows"]
    assert tokens(opened(PAGE, off="words")) == ["[UNK]"]
    message = sent(opened(PAGE, example="b6", off=MODEL))["model"][1]
    assert message == "switched off, so each word is looked up whole: 7 tokens, 7 unknown"


@pytest.mark.parametrize(
    ("model", "split"),
    [(m, "none") for m in (*KINDS, *PACK)] + [("unigram", s) for s in PRE_TOKENIZERS],
)
def test_every_model_and_way_of_splitting(model, split):
    app = opened(
        PAGE, model=model, split_at=split, text=EYES, normalize="nfkc,accents", learned="own"
    )
    assert not app.error
    assert not app.toast
    assert tokens(app)
    app = opened(PAGE, model=model, split_at=split, text=EYES, off=MODEL, learned="own")
    assert not app.error


@pytest.mark.parametrize("name", NORMALIZERS)
def test_every_normalizer(name):
    app = opened(PAGE, normalize=name, text=EYES)
    assert not app.toast
    assert [row[0] for row in sent(app)["rows"]] == ["Raw text", NORMALIZERS[name], "Pre-tokens"]


@pytest.mark.parametrize("learned", ["own", "prose"])
@pytest.mark.parametrize("model", ["words", "bpe", "bytes", "wordpiece", "unigram"])
def test_every_model_learns_from_every_text(model, learned):
    app = opened(PAGE, model=model, learned=learned, text="the lowest tide zzz", split_at="spaces")
    unknown = sum(tile[3] for tile in sent(app)["tiles"])
    knows = learned == "own" or model not in ("words", "wordpiece")
    assert unknown == (0 if knows else 1), "the prose has z, but no word zzz and no ##z"
    assert not app.error


# ---- the chosen token ----


def test_the_token_of_the_address_is_chosen():
    app = opened(PAGE, at="3")
    assert sent(app)["state"][1] == 2
    assert app.query_params["at"] == "3"
    assert "Token 3 of 8 is “know”, with the id 3. It stands for “know”" in sent(app)["tiles"][2][4]


def test_the_token_that_is_clicked_is_kept():
    app = opened(PAGE)
    app.session_state["stage_table"] = {"token": [4, sent(app)["state"][0]]}
    app = checked(app.run())
    assert app.query_params["at"] == "5"
    assert '<span class="t' in html_of(app)
    assert " on" in html_of(app).split("don&#39;t")[0].rsplit("<span", 1)[1]
    app.session_state["stage_table"] = {"token": [6, 99]}
    assert checked(app.run()).query_params["at"] == "5"


@pytest.mark.parametrize("at", ["0", "-1", "x", "99999999", "999999999999", "", "٣", "1e3"])
def test_a_token_that_is_not_there(at):
    app = opened(PAGE, at=at)
    assert 0 <= sent(app)["state"][1] < 8
    assert not app.error


def test_another_example_begins_at_its_first_token():
    app = opened(PAGE, at="3")
    app.selectbox(key="example").select("p4").run()
    assert tokens(checked(app)) == list("movie")
    assert sent(app)["state"][1] == 0
    assert "at" not in app.query_params
    assert app.query_params["example"] == "p4"


def test_the_users_text_is_kept_until_an_example_is_chosen():
    app = opened(PAGE, text="my own")
    assert app.text_area(key="text_box").value == "my own"
    assert "Your own text" in app.selectbox(key="example").options
    app.selectbox(key="model").select("characters").run()
    assert tokens(checked(app)) == list("my·own")
    app.selectbox(key="example").select("p4").run()
    assert checked(app).text_area(key="text_box").value == "movie"
    assert "Your own text" not in app.selectbox(key="example").options
    assert "text" not in app.query_params


def test_a_model_brings_its_way_of_splitting():
    app = opened(PAGE)
    app.selectbox(key="model").select("bytes").run()
    assert checked(app).selectbox(key="split_at").value == "gpt2"
    assert app.query_params["split_at"] == "gpt2"


# ---- any text ----


@pytest.mark.parametrize("model", ["bytes", "unigram"])
@pytest.mark.parametrize(
    "text", ["x", "\0", "a\0b", "👩🏽‍🚀", EYES, "مرحبا بالعالم", "ก็", "é" * 300]
)
def test_any_text_is_followed(model, text):
    app = opened(PAGE, text=text, model=model, learned="own")
    assert not app.error
    assert tokens(app)


@pytest.mark.parametrize("text", [" ", "\n\t", "\u3000"])
def test_a_text_without_words(text):
    app = opened(PAGE, text=text)
    assert tokens(app) == []
    assert "There is no token here." in said_in(app.caption)
    assert NO_WORDS in said_in(opened(PAGE, text=text, model="bpe", split_at="spaces").info)


def test_an_empty_box_gets_a_sentence():
    app = opened(PAGE, text="")
    assert said_in(app.info) == ["There is no text to follow. Type or paste one into the box."]


@pytest.mark.parametrize("text", HALVES)
@pytest.mark.parametrize("model", ["words", "bytes"])
def test_hostile_text_stays_text(text, model):
    app = opened(PAGE, text=f"{text} {text}", model=model, normalize="lower", learned="prose")
    assert not app.error
    ours = r"<style>.*?</style>|<bdi[^>]*>[^<]*</bdi>"
    inside = re.sub(ours, "", html_of(app), flags=re.DOTALL)
    assert not re.search(r"<(?:script|img)\b", inside)
    for part in ("alert", "evil", "smile", "x^2", "**b**", "frac{1}{2}", "\u202e", "\0"):
        assert part not in markdown_of(app)
        assert part not in inside
    assert "\u202e" not in json.dumps(sent(app), ensure_ascii=False)


@pytest.mark.parametrize("model", ["words", "bytes"])
def test_20_kb_are_shown_in_part(model):
    app = paste(
        opened(PAGE, model=model, normalize="", learned="prose"), "tide and времени " * 1_200
    )
    assert not app.error
    assert 100 < len(tokens(app)) <= 151
    assert said_in(app.info) == ["The text has 20,400 characters; the first 20,000 are followed."]
    app.number_input(key="from_token").set_value(2_001).run()
    assert sent(checked(app))["first"] in range(1_980, 2_001)
    assert re.match(r"2,0\d\d to 2,1\d\d of \d+,\d{3} tokens|1,9", sent(app)["model"][1])


def test_one_word_of_20_kb_and_one_token():
    app = paste(opened(PAGE, model="words", normalize="lower", learned="prose"), "Ab" * 10_000)
    assert tokens(app) == ["[UNK]"]
    assert len(json.dumps(sent(app))) < 20_000


@pytest.mark.parametrize(
    ("name", "value"),
    [("off", "nonsense"), ("model", "gpt"), ("split_at", "x"), ("learned", "example"),
     ("example", "zz"), ("normalize", "zz"), ("from_token", "inf"), ("presenter", "maybe")],
)  # fmt: skip
def test_nonsense_in_the_address_means_the_default(name, value):
    app = opened(PAGE, **{name: value})
    assert tokens(app)[:3] == ["hmm..,", "i", "know"]
    assert not app.error


# ---- the sentences ----


def test_the_characters_that_tokens_split_are_described():
    app = opened(PAGE, example="b6", learned="prose", at="20")
    (message,) = [text for text in said_in(app.markdown) if "looks like one character" in text]
    assert "8 characters of this text are split between tokens." in message
    assert "👩🏽‍🚀 looks like one character: 4 code points, 15 bytes, and 15 tokens hold" in message
    assert 'class="big cut"' in html_of(app)


def test_what_does_not_come_back_is_named():
    app = opened(PAGE)
    message = " ".join(notes_of(app))
    assert "Remove HTML tags (4 places)" in message
    assert "Lowercase (4 places)" in message
    cells = '<th scope="row"><bdi>characters 1 to 3</bdi></th><td><bdi>&lt;p&gt;</bdi></td>'
    assert cells in html_of(app)
    assert "9 more places" in [fold.label for fold in app.expander]
    app = opened(PAGE, example="b6")
    assert "Everything comes back: the decoded ids are exactly the original text." in notes_of(app)


# ---- what a model is given ----


def cells(app) -> list[list[tuple[str, str]]]:
    table = re.search(r'<div class="pp-xy".*?</div>', html_of(app))
    rows = re.findall(r"<tr>(.*?)</tr>", table[0] if table else "")
    found = [re.findall(r"<bdi[^>]*>([^<]*)</bdi><small>([\d,]+)", row) for row in rows[1:]]
    return [[(unescape(token), id_) for token, id_ in row] for row in found]


def test_y_is_x_moved_by_one():
    app = opened(PAGE, block="4")
    given = [(tile[0], tile[2]) for tile in sent(app)["tiles"]]
    assert cells(app) == [given[:4], given[1:5]]
    assert "[B, T] = [1, 4]" in html_of(app)
    assert f"[B, T, V] = [1, 4, {len(set(tokens(app))) + 1}]" in html_of(app)
    message = markdown_of(app).replace("\\", "")
    assert "the model has read “hmm..,” “i” “know”. Next comes “i”." in message


def test_a_model_that_fills_gaps_is_not_given_the_next_token():
    app = opened(PAGE, model="real.bert-uncased")
    assert not cells(app)
    assert any("not trained to predict the next token" in one for one in said_in(app.caption))
    assert cells(opened(PAGE, model="real.gpt2"))


@pytest.mark.parametrize(("text", "block"), [("one", ""), ("a b", "64"), ("<b>a _b_", "1")])
def test_short_texts_have_short_sequences(text, block):
    app = opened(PAGE, text=text, block=block, model="words", normalize="", split_at="spaces")
    assert not app.error
    assert [len(row) for row in cells(app)] == ([1, 1] if " " in text else [])
