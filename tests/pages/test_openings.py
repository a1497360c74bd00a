"""What a page opened at a bare URL shows, and what older URLs mean."""

import json
import math
from itertools import islice

import pytest

from lessons.texts import VOCABULARIES
from lessons.trained import SIZE, open_trained
from pages.shared.routes import START
from tests.pages.opening import at, checked, opened
from tests.pages.sizes.test_sizes_pages import names, sent
from tests.pages.test_shared_text import by_menu, put_in
from tokenizers import unigram
from tokenizers.lattice.n_best import segmentations
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace

LATTICE_TEXT = "simplest"
KEYS = {"bpe_encode": "encode", "wordpiece_encode": "match", "unigram_lattice": "lattice"}
BEFORE = {
    "bpe_encode": ("corpus", "b2", "lowest newcomer"),
    "wordpiece_encode": ("corpus", "w1", "fused funny sunflowers"),
    "unigram_lattice": ("pieces_from", "u1", VOCABULARIES["u1"].text),
}
"""The meaning of a URL without source and text."""
IMPLICIT = ["unigram_lattice"]
"""The pages that open with another source, which their URL names once it has a parameter."""


@pytest.fixture
def untrained(monkeypatch):
    """Fail if anything is trained."""

    def refuse(*_: object) -> None:
        raise AssertionError("nothing may be trained here")

    monkeypatch.setattr(Trace, "record", refuse)
    monkeypatch.setattr(UnigramTrace, "record", refuse)


def is_plain(app) -> bool:
    assert dict(app.query_params) == {}
    return not app.error and not app.toast


# ---- what they begin with ----


@pytest.mark.parametrize("page", ["bpe_encode", "wordpiece_encode"])
def test_encoding_pages_open_at_the_first_step_of_a_small_corpus(page):
    key, source, text = BEFORE[page]
    app = opened(page)
    assert is_plain(app)
    assert app.selectbox(key=key).value == source
    assert app.text_area(key="say").value == text
    assert at(app, KEYS[page]) == 0


@pytest.mark.usefixtures("untrained")
def test_the_lattice_opens_with_pretrained_pieces():
    app = opened("unigram_lattice")
    assert is_plain(app)
    assert app.text_area(key="say").value == LATTICE_TEXT
    text_shown = " ".join(row.value for row in app.markdown)
    assert f"{SIZE:,} pieces" in text_shown
    assert "© Python Software Foundation" in text_shown
    found = open_trained("unigram").encode(LATTICE_TEXT)
    assert next(iter(app.dataframe[0].value["segmentation"])) == "|".join(found.pieces)


@pytest.mark.usefixtures("untrained")
def test_vocabulary_size_opens_with_pretrained_tokenizers():
    app = opened("sizes")
    assert is_plain(app)
    assert names(app) == ["BPE on characters", "WordPiece", "Unigram"]
    assert {film["sizes"][-1] for film in sent(app)["films"]} == {SIZE}
    assert "© Python Software Foundation" in " ".join(row.value for row in app.caption)
    app.button_group(key="resized").set_value(["bytes"]).run()
    assert names(checked(app)) == ["BPE on bytes"]


# ---- the examples teach ----


def test_the_first_lattice_has_two_near_ways():
    model = open_trained("unigram")
    assert isinstance(model, unigram.Model)
    lattice = model.lattice(f"▁{LATTICE_TEXT}")
    best, second = (
        sum(lattice.edges[n].log_prob for n in path) for path in islice(segmentations(lattice), 2)
    )
    assert 0.3 < math.exp(second - best) < 1


# ---- addresses of before ----


@pytest.mark.parametrize("page", BEFORE)
@pytest.mark.parametrize("params", [{"presenter": "true"}, {"step": "2"}, {"say": "low"}])
def test_a_url_without_a_source_means_the_old_default(page, params):
    key, source, text = BEFORE[page]
    app = opened(page, **params)
    assert not app.toast
    assert app.selectbox(key=key).value == source
    assert app.text_area(key="say").value == params.get("say", text)
    if page != "unigram_lattice":
        assert at(app, KEYS[page]) == int(params.get("step", "0"))


@pytest.mark.parametrize("params", [{"width": "1024"}, {"resized": "bpe"}, {"at_size": "400"}])
def test_the_same_for_vocabulary_size(params):
    assert opened("sizes", **params).selectbox(key="learned").value == "prose"


@pytest.mark.parametrize(
    ("page", "text"),
    [("bpe_encode", "lowest newcomer"), ("wordpiece_encode", "fused funny sunflowers")],
)
def test_a_link_to_the_large_text_alone_has_the_text_it_had(page, text):
    app = opened(page, corpus="python")
    assert app.text_area(key="say").value == text
    assert at(app, KEYS[page]) == 0


def test_a_link_to_the_pieces_of_the_large_text_has_the_word_it_had():
    app = opened("unigram_lattice", pieces_from="python")
    assert app.text_area(key="say").value == "unbelievably"


# ---- the address of what was opened ----


@pytest.mark.parametrize("page", IMPLICIT)
def test_any_parameter_adds_the_implicit_source(page):
    key = BEFORE[page][0]
    app = put_in(opened(page), "handwriting", "say")
    params = dict(app.query_params)
    assert (params[key], params["say"]) == ("python", "handwriting")
    again = opened(page, **params)
    assert not again.toast
    assert again.session_state[f"{KEYS[page]}.rule"].content == (
        app.session_state[f"{KEYS[page]}.rule"].content
    )


def test_so_it_is_for_a_setting_that_the_browser_writes():
    app = opened("sizes")
    app.number_input(key="width").set_value(1024).run()
    app.query_params["width"] = "1024"  # which a browser does by itself
    checked(app.run())
    assert dict(app.query_params) == {"width": "1024", "learned": "ahead"}


@pytest.mark.parametrize("page", IMPLICIT)
def test_the_player_gets_the_implicit_params(page):
    key = BEFORE[page][0]
    app = opened(page)
    text = app.text_area(key="say").value
    assert sent_to_player(app)["implicitParams"] == {key: "python", "say": text}
    assert sent_to_player(opened(page, **{key: "python", "say": "low"}))["implicitParams"] == {}


def sent_to_player(app) -> dict:
    for part in app.get("bidi_component"):
        data = part.proto.bytes
        if data and b'"implicitParams"' in data:
            return json.loads(data[4 : 4 + int.from_bytes(data[:4], "little")])
    raise AssertionError("there is no player")


@pytest.mark.parametrize("page", IMPLICIT)
def test_a_chosen_source_is_in_the_url_even_the_old_default(page):
    key, source, text = BEFORE[page]
    app = opened(page)
    checked(app.selectbox(key=key).set_value(source).run())
    assert app.query_params[key] == source
    assert app.text_area(key="say").value == text
    assert "say" not in app.query_params


@pytest.mark.parametrize("page", IMPLICIT)
def test_a_reload_shows_it_again_and_makes_it_nobodys_text(page):
    key = BEFORE[page][0]
    text = opened(page).text_area(key="say").value
    app = opened(page, **{key: "python", "say": text})
    assert app.text_area(key="say").value == text
    assert by_menu(app, START).text_area(key="text_box").value != text
    assert by_menu(app, page).text_area(key="say").value == text


# ---- from page to page ----


def test_other_pages_learn_from_what_they_did():
    app = opened("bpe_encode")
    assert by_menu(app, "bpe_train").selectbox(key="corpus").value == "b2"
    assert "corpus" not in app.query_params
    assert by_menu(app, "wordpiece_train").selectbox(key="corpus").value == "w1"
    assert by_menu(app, "race").selectbox(key="corpus").value == "prose"


def test_one_opening_follows_another_and_comes_back():
    app = opened("bpe_encode")
    for page in ("wordpiece_encode", "bpe_encode", "unigram_lattice", "wordpiece_encode"):
        app = by_menu(app, page)
        assert not app.toast
        assert set(app.query_params) <= {"panel"}  # the one that the page before had open
        expected = LATTICE_TEXT if page in IMPLICIT else BEFORE[page][2]
        assert app.text_area(key="say").value == expected


def test_who_has_set_up_a_training_encodes_by_it():
    app = opened("bpe_train")
    checked(app.number_input(key="merges").set_value(5).run())
    app = by_menu(app, "bpe_encode")
    assert app.selectbox(key="corpus").value == "b2"
    assert app.number_input(key="merges").value == 5
    assert app.text_area(key="say").value == "lowest newcomer"


def test_so_does_who_has_chosen_a_source():
    app = opened("bpe_train")
    checked(app.selectbox(key="corpus").set_value("prose").run())
    checked(app.selectbox(key="corpus").set_value("b2").run())
    assert by_menu(app, "bpe_encode").selectbox(key="corpus").value == "b2"


def test_a_published_tokenizer_splits_the_text_of_the_opening():
    app = opened("unigram_lattice")
    (control,) = [box for box in app.segmented_control if box.key == "tokenizer"]
    app = checked(control.set_value("unigram-english").run())
    assert app.text_area(key="say").value == LATTICE_TEXT
