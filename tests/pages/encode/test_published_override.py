"""The pages that encode, with a published tokenizer in place of their own: its steps, its ids."""

import re
from urllib.parse import parse_qs

import pytest

from lessons.models import MODELS, open_model
from lessons.texts import TEXTS
from lessons.trained import SIZE, open_trained, tokenizer_json
from pages.encode import published_override
from pages.real import alternatives as ways_
from pages.shared.controls.url_state import FILE_NOT_KEPT
from pages.shared.drawing.display_text import show_spaces
from pages.shared.training.words import words_of
from tests.pages.opening import HOSTILE, checked, html_of, markdown_of, opened, unpacked
from tests.pages.opening import texts_of as said_in
from tests.pages.real.test_real_pages import (
    VOCAB,
    drop,
    ids_in_panel,
    ids_shown,
    row_of,
    word_shown,
)
from tests.pages.test_shared_text import by_menu
from tokenizers import bpe
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.runtime.sentencepiece.unigram import SentencePieceUnigram
from tokenizers.text.corpus import Corpus, Pipeline

PAGES = {
    "bpe_encode": published_override.BPE,
    "wordpiece_encode": published_override.WORDPIECE,
    "unigram_lattice": published_override.UNIGRAM,
}
EACH = [(page, name) for page, names in PAGES.items() for name in names]
TEXT = "Unbelievably naïve lowest 123"


def link_of(app) -> dict[str, str]:
    (link,) = [p.proto for p in app.get("page_link") if "What is inside" in p.proto.label]
    return {name: value for name, (value,) in parse_qs(link.query_string).items()}


def test_every_tokenizer_of_the_pack_is_on_the_page_of_its_kind():
    assert sorted(name for names in PAGES.values() for name in names) == sorted(MODELS)


@pytest.mark.parametrize(("page", "name"), EACH)
def test_the_steps_and_ids_are_those_of_the_file(page, name):
    app = opened(page, tokenizer=name, say=TEXT)
    assert not app.error
    assert not app.toast
    assert app.query_params["tokenizer"] == name
    assert ids_shown(app) == [str(id_) for id_ in open_model(name).encode(TEXT).ids]
    query = link_of(app)
    assert re.sub("[▁#]", "", word_shown(app)).lower() == "unbelievably"
    assert query == {"model": name, "say": TEXT, "word": str(row_of(app)["state"][1])}
    there = opened("real", **query)
    assert not there.toast
    assert ids_shown(there) == ids_shown(app)
    films = [_film(one) for one in (app, there)]
    assert films[0] == films[1] != b""


def _film(app) -> bytes:
    """The film that the player was given, without the message that says where it is shown."""
    sent = [unpacked(part.proto.bytes) for part in app.get("bidi_component") if part.proto.bytes]
    (film,) = [b"".join(blobs) for header, blobs in sent if "recording" in header]
    return film


def control_of(app):
    """Return the list of tokenizers, or the buttons where there are few."""
    (control,) = [
        *[box for box in app.segmented_control if box.key == "tokenizer"],
        *[box for box in app.selectbox if box.key == "tokenizer_box"],
    ]
    return control


@pytest.mark.parametrize("page", PAGES)
def test_the_pages_tokenizer_comes_first_and_comes_back(page):
    app = opened(page)
    assert "tokenizer" not in app.query_params
    assert not [p for p in app.get("page_link") if "What is inside" in p.proto.label]
    first = app.text_area(key="say").value
    control_of(app).set_value(PAGES[page][0])
    app = checked(app.run())
    assert app.text_area(key="say").value == first
    control_of(app).set_value(published_override.TRAINED_HERE)
    app = checked(app.run())
    assert app.text_area(key="say").value == first
    app.text_area(key="say").set_value("hug pug")
    app = checked(app.run())
    control_of(app).set_value(PAGES[page][0])
    app = checked(app.run())
    assert app.text_area(key="say").value == "hug pug"
    control_of(app).set_value(published_override.TRAINED_HERE)
    app = checked(app.run())
    assert "tokenizer" not in app.query_params
    assert not [part for part in app.get("bidi_component") if "token_row" in part.proto.id]
    assert app.text_area(key="say").value == "hug pug"


def test_the_pieces_of_an_example_bring_along_a_text_of_their_own():
    app = opened("unigram_lattice", pieces_from="u1")
    assert app.text_area(key="say").value == "hello"
    app = checked(control_of(app).set_value("unigram-english").run())
    assert app.text_area(key="say").value == "unbelievably"


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("nonsense", ["gpt5", "", "bert-uncased,gpt2"])
def test_invalid_names_mean_the_pages_tokenizer(page, nonsense):
    app = opened(page, tokenizer=nonsense)
    assert not app.error
    assert "That isn't possible here" in app.toast[0].value
    assert "tokenizer" not in app.query_params


@pytest.mark.parametrize(("page", "name"), [(page, names[0]) for page, names in PAGES.items()])
@pytest.mark.parametrize("text", [*HOSTILE, "", " ", "a" * 400])
def test_hostile_texts(page, name, text):
    app = opened(page, tokenizer=name, say=text)
    assert not app.error
    assert "<script" not in html_of(app)
    assert "](http" not in markdown_of(app)


def test_the_link_passes_the_reading_of_special_tokens():
    app = opened("bpe_encode", tokenizer="gpt2", say="a <|endoftext|>", special="text")
    assert "50256" not in ids_shown(app)
    assert link_of(app)["special"] == "text"
    assert "special" not in link_of(opened("bpe_encode", tokenizer="gpt2", say="a <|endoftext|>"))


def test_what_the_file_lacks_is_listed():
    app = opened("unigram_lattice", tokenizer="unigram-english")
    assert any("Used by" in text for text in said_in(app.caption))
    assert "What the file doesn’t say" in [
        fold.label for fold in opened("bpe_encode", tokenizer="o200k").expander
    ]


# --- The visitor's own ---------------------------------------------------------------------------


def offered(app) -> list[str]:
    return list(control_of(app).options)


def user_tokenizer_name(app) -> str:
    return app.session_state["own_tokenizers"][0].name


@pytest.mark.parametrize(
    ("page", "file", "content"),
    [
        ("bpe_encode", "bytes.json", tokenizer_json("bytes")),
        ("wordpiece_encode", "*mine* [x](http://e.x).txt", VOCAB),
        ("unigram_lattice", "tokenizer.json", tokenizer_json("unigram")),
    ],
)
def test_a_file_that_was_dropped_is_on_the_page_of_its_kind(page, file, content):
    app = drop(opened("real", say="lower lowest"), (file, content))
    ids = ids_shown(app)
    for other in PAGES.keys() - {page}:
        assert len(offered(by_menu(app, other))) == 1 + len(PAGES[other])
    app = by_menu(app, page)
    assert len(offered(app)) == 2 + len(PAGES[page])
    assert "](http" not in offered(app)[-1]
    app = checked(control_of(app).set_value(user_tokenizer_name(app)).run())
    assert not app.error
    assert ids_shown(app) == ids
    assert any("Your file" in text for text in said_in(app.caption))
    assert "](http" not in markdown_of(app)
    assert link_of(app)["model"] == user_tokenizer_name(app)
    assert ids_shown(by_menu(app, "real")) == ids


def test_a_link_to_an_absent_file_means_the_pages_tokenizer():
    app = opened("bpe_encode", tokenizer="own")
    assert said_in(app.toast) == [FILE_NOT_KEPT]
    assert "tokenizer" not in app.query_params


# --- Trained ahead --------------------------------------------------------------------------------

AHEAD = {
    "bpe": ("bpe_encode", {"corpus": "python"}),
    "bytes": ("bpe_encode", {"corpus": "python", "base": "bytes", "split": "gpt2"}),
    "wordpiece": ("wordpiece_encode", {"corpus": "python"}),
    "unigram": ("unigram_lattice", {"pieces_from": "python"}),
}


@pytest.mark.parametrize("kind", AHEAD)
def test_pretrained_tokenizers_are_stepped_without_training(kind, monkeypatch):
    def refuse(*_: object) -> None:
        raise AssertionError("nothing may be trained here")

    monkeypatch.setattr(Trace, "record", refuse)
    monkeypatch.setattr(UnigramTrace, "record", refuse)
    page, query = AHEAD[kind]
    text = "unbelievably"
    app = opened(page, say=text, **query)
    assert not app.error
    assert not app.toast
    assert {name: app.query_params.get(name) for name in query} == query
    found = open_trained(kind).encode(text)
    if kind == "unigram":
        notes = [m.value for m in app.markdown if m.value.startswith("**Trained on Python's help")]
        assert [f"{SIZE:,} pieces" in one for one in notes] == [True]
        listed = list(app.dataframe[0].value["segmentation"])
        assert listed[0] == "|".join(found.pieces)
    else:
        assert ids_in_panel(app) == [str(id_) for id_ in found.ids]


def test_with_other_settings_it_is_trained_on_the_page():
    app = opened("bpe_encode", corpus="python", merges="20", say="the")
    assert not app.error
    text = TEXTS["python"].text or ""
    corpus = Corpus.from_text(text, Pipeline((), "punctuation"))
    settings = bpe.Settings("end_of_word", num_merges=20)
    ids = Trace.record(corpus, settings).model().encode("the").ids
    assert ids_in_panel(app) == [str(id_) for id_ in ids]


def test_another_text_has_another_rule_and_limits():
    app = opened("wordpiece_encode", corpus="python")
    assert app.session_state["rule"] == "hugging_face"
    app.selectbox(key="corpus").set_value("w1").run()
    assert not app.error
    assert app.session_state["rule"] == "score"
    assert app.session_state["pieces"] == 0
    app.selectbox(key="corpus").set_value("python").run()
    assert app.session_state["rule"] == "hugging_face"
    assert "rule" not in app.query_params


# --- Other ways, of Unigram -----------------------------------------------------------------------


def segmentations_listed(app) -> list[str]:
    body = next(part for part in html_of(app).split("\n") if "The best ways to split" in part)
    cells = re.findall("<td[^>]*>(.*?)</td>", body)
    return [text for cell in cells if "|" in (text := re.sub("<[^>]*>", "", cell))]


@pytest.mark.parametrize("name", published_override.UNIGRAM)
def test_the_best_segmentations_are_in_the_order_of_the_library(name):
    text = {"unigram-english": "internationalizations", "unigram-japanese": "金閣寺は京都にある"}[
        name
    ]
    app = opened("unigram_lattice", tokenizer=name, say=text)
    assert not app.error
    loaded = open_model(name)
    (word,) = [one for one in words_of(loaded, text, "control") if one.text]
    assert isinstance(loaded.model, SentencePieceUnigram)
    found = loaded.model.n_best(word.text, ways_.NUM_LISTED)
    assert 2 <= len(found) <= ways_.NUM_LISTED
    shown = [tuple(way.split("|")) for way in segmentations_listed(app)]
    cut = [tuple(word.text[p.start : p.end] for p in way) for way in found]
    assert [tuple(show_spaces(p) for p in way) for way in cut] == shown
    assert found[0] == loaded.model.cut(word.text)


def test_segmentations_are_sampled_and_the_address_keeps_how():
    how = {"tokenizer": "unigram-english", "panel": "Draw at random", "alpha": "0.5"}
    app = opened("unigram_lattice", say="low", **how)
    assert not app.error
    assert not app.toast
    assert app.query_params["alpha"] == "0.5"
    assert "1,000 draws gave" in markdown_of(app)
    assert len(app.get("plotly_chart")) == 1


def test_other_models_have_no_alternatives():
    assert "The best ways" not in html_of(opened("bpe_encode", tokenizer="gpt2", say="low"))
