"""The page of the race with any corpus and size: never an exception, nothing but text on it."""

import re

import pytest

from lessons.texts import TEXTS
from tests.pages.opening import (
    HOSTILE,
    NO_WORDS,
    checked,
    html_of,
    markdown_of,
    notes_of,
    opened,
    rests,
)
from tests.pages.opening import texts_of as said_in

PAGE = "race"
HALVES = [" ".join(HOSTILE[n::2]) for n in range(2)]  # few pages to open, every text in one
SHORT = [name for name in TEXTS if name != "languages"]
PANELS = ("Who has which piece", "Words cut alike", "The code")


def at(app) -> int:
    return app.session_state["race.step"].current


def test_the_page_opens_with_an_example():
    app = opened(PAGE)
    assert not app.error
    assert not app.toast
    assert dict(app.query_params) == {}
    assert at(app) == 0
    assert "they are shown and compared here as ▁low and est" in " ".join(notes_of(app))


@pytest.mark.parametrize("panel", PANELS)
def test_a_deep_link_to_a_step_and_a_panel(panel):
    app = opened(PAGE, step="40", panel=panel, size="120", corpus="prose")
    assert not app.toast
    assert at(app) == 40
    assert app.query_params["step"] == "40"


@pytest.mark.parametrize("corpus", [*SHORT, "own", "table"])
def test_every_corpus(corpus):
    app = opened(PAGE, corpus=corpus, step="9999")
    assert not app.error
    assert at(app) == app.session_state["race.step"].server_value
    where = "At the end" if corpus == "table" else "Where they meet"  # four words have few pairs
    assert f"## {where}\n" in markdown_of(app)


def test_the_end_describes_what_is_shared():
    app = opened(PAGE, size="150", step="9999")
    (text,) = [text for text in said_in(app.markdown) if "Where they meet, " in text]
    assert "are in all three vocabularies" in text
    assert "BPE and Unigram are closest" in text
    app = rests(app, "race", 3)
    assert "At position 3" in markdown_of(app)


def test_the_pieces_of_a_row_and_a_search():
    app = opened(PAGE, size="150", step="9999", who="02", find="ing")
    (row,) = re.findall(r'aria-label="pieces">(.*?)</div>', html_of(app))
    assert "ing" in row
    app.text_input(key="find").set_value("zzz").run()
    assert "There are none." in said_in(checked(app).caption)


def test_words_of_one_kind():
    app = opened(PAGE, panel="Words cut alike", alike="0", size="150")
    (table,) = app.dataframe
    assert set(table.value["split the same way by"]) == {"all three"}


@pytest.mark.parametrize("size", ["1", "5000"])
@pytest.mark.parametrize("corpus", ["prose", "b4"])
def test_sizes_that_cannot_be_met_are_explained(corpus, size):
    app = opened(PAGE, corpus=corpus, size=size, step="9999")
    assert not app.error
    captions = " ".join(notes_of(app))
    assert "ends at" in captions or "cannot have fewer than" in captions


def test_the_rule_of_wordpiece():
    app = opened(PAGE, rule="hugging_face")
    assert not app.toast
    assert app.query_params["rule"] == "hugging_face"
    assert not opened(PAGE, rule="top_down").exception


@pytest.mark.parametrize("text", HALVES)
def test_hostile_text_stays_text(text):
    for panel in PANELS[:2]:
        app = opened(PAGE, corpus="own", text=f"{text} {text} low", panel=panel, step="9999")
        assert not app.error
        inside = re.sub(r"<style>.*?</style>", "", html_of(app), flags=re.DOTALL)
        assert not re.search(r"<(?:script|img)\b", inside)
        assert "\u202e" not in inside
        for part in ("http:", "](", "![", "**b**", "<script", "$x^2$"):
            assert part not in markdown_of(app)


@pytest.mark.parametrize("text", ["", " ", "\n\t"])
def test_no_words(text):
    assert said_in(opened(PAGE, corpus="own", text=text).error) == [NO_WORDS]


@pytest.mark.parametrize("text", ["x", "▁", "##", "a▁b ##c", "👩🏽‍🚀", "مرحبا بالعالم", "a" * 500])
def test_any_text(text):
    app = opened(PAGE, corpus="own", text=text, step="9999")
    assert not app.error
    assert not app.exception


@pytest.mark.parametrize(
    ("name", "value"),
    [("size", "inf"), ("size", "-3"), ("size", "x"), ("step", "zz"), ("who", "9"),
     ("alike", "x"), ("rule", "x"), ("corpus", "x")],
)  # fmt: skip
def test_nonsense_in_the_address_means_the_default(name, value):
    app = opened(PAGE, **{name: value})
    assert not app.error
    assert at(app) == 0
