"""Unigram · Lattice with any text, any pieces, any address: never an exception.

The pages run in Streamlit's AppTest, as in test_pages.py.
"""

import re

import pytest

from lessons.texts import VOCABULARIES
from pages.lattice.filling import record_filling
from pages.lattice.listing import record_listing
from pages.lattice.runs import LatticeInput
from tests.pages.opening import HOSTILE, at, checked, html_of, markdown_of, opened, rests, texts_of
from tests.recordings import unpacked

PAGE, KEY = "unigram_lattice", "lattice"
MODES = ("filling", "building", "backward", "listing", "sampling")
PANELS = ("The numbers", "Number of pieces", "The pieces", "The code")


def listed(app):
    (table,) = (frame.value for frame in app.dataframe if "segmentation" in frame.value)
    return table


def words_of(app) -> str:
    return "\n".join(texts_of(app.markdown) + texts_of(app.caption))


def test_the_page_opens_with_an_example():
    app = opened(PAGE, pieces_from="u1")
    assert not app.error
    assert not app.toast
    assert dict(app.query_params) == {"pieces_from": "u1"}
    assert app.text_area(key="say").value == "hello"
    assert list(listed(app)["segmentation"][:2]) == ["hell|o", "he|l|lo"]
    assert "9 pieces; their probabilities sum to 1" in words_of(app)
    assert "**9 ways to split it**" in words_of(app)


def test_notes_explain_which_characters_are_counted_where():
    """The sentence counts the first 240 characters, the line below all: both must tell."""
    text = "hello" * 60
    app = opened(PAGE, say=text)
    markdown = words_of(app)
    assert "to split all 300 characters**" in markdown
    assert "shows and counts only the first 240 characters" in markdown
    for record in (record_filling, record_listing):
        pieces = dict.fromkeys(["hell", "he", "lo", "l", "o", "h", "e"], -2.0)
        assert "The first 240 characters, " in first_sentence(
            record(LatticeInput(text, pieces, -20.0).truncated().lattice())
        )
        short = LatticeInput("hello", pieces, -20.0).lattice()
        assert "The first" not in first_sentence(record(short))


def first_sentence(recording) -> str:
    return str(unpacked(recording)[1][0]["sentence"])


@pytest.mark.parametrize("show", MODES)
@pytest.mark.parametrize("pieces", VOCABULARIES)
def test_every_mode_of_every_example(pieces, show):
    app = opened(PAGE, pieces_from=pieces, show=show, step="2")
    assert not app.error
    assert not app.toast
    assert at(app, KEY) == 2
    assert app.text_area(key="say").value == VOCABULARIES[pieces].text
    assert len(listed(app)) >= 2


def test_other_pieces_bring_a_text_with_them():
    app = opened(PAGE, cut="hell|o", odds="lo 0.5")
    app.selectbox(key="pieces_from").select("u2")
    app = checked(app.run())
    assert app.text_area(key="say").value == "hat"
    assert app.text_input(key="cut").value == app.text_input(key="odds").value == ""
    assert list(listed(app)["segmentation"]) == ["ha|t", "h|at", "h|a|t"]


def test_pieces_can_be_those_that_a_training_has_learned():
    app = opened(PAGE, pieces_from="learned", corpus="b2", say="lowest newest")
    assert not app.error
    assert "Trained on a text" in words_of(app)
    learned = len(listed(app))
    app = opened(PAGE, pieces_from="learned", corpus="b2", say="lowest newest", round="1")
    assert len(listed(app)) > learned  # the seeds are far more pieces


def test_probabilities_that_do_not_sum_to_one_have_a_note():
    assert "sum to 1.188, not to 1" in words_of(opened(PAGE, pieces_from="u3"))


def test_the_step_and_the_rule_are_kept():
    app = opened(PAGE, step="4", sum="1", panel="The numbers")
    assert at(app, KEY) == 4
    assert r"\alpha[4] &=" in app.latex[-1].value
    assert app.query_params["sum"] == "1"
    assert at(rests(app, KEY, 2), KEY) == 2
    assert r"\alpha[2] &=" in app.latex[-1].value
    app = opened(PAGE, step="4", panel="The numbers")
    assert r"\text{best}[4] &=" in app.latex[-1].value


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("show", MODES)
def test_every_panel_in_every_mode(panel, show):
    app = opened(PAGE, panel=panel, show=show, step="3")
    assert not app.error


# ---- one's own path ----


def test_a_user_path_has_a_rank_and_its_gaps():
    app = opened(PAGE, cut="he|l|lo")
    assert "log p = **−5.81**" in words_of(app)
    assert "rank 2 of 9 · 0.55 nats behind the best" in words_of(app)
    html = html_of(app)
    assert "Where it falls behind" in html
    assert '<td class="n">5</td><td><bdi>o</bdi></td>' in html


@pytest.mark.parametrize(
    ("cut", "sentence"),
    [
        ("hell|o", "it is the best"),
        ("hel|lo", "“hel” is not in the vocabulary. Split it further, or click other pieces."),
        ("hullo", "That is a different text. Type this one, with bars where you split it."),
        ("", "How probable is it, how far is it behind the best, and where did it fall behind?"),
    ],
)
def test_a_user_path_may_be_anything(cut, sentence):
    app = opened(PAGE, cut=cut)
    assert not app.error
    assert sentence in words_of(app)


def test_a_path_clicked_in_the_picture_becomes_the_users():
    app = opened(PAGE, pieces_from="u1")
    path = app.session_state[f"{KEY}.path"]
    app.session_state[KEY] = {"path": [[1, 6], path.revision]}  # he, ll
    app = checked(app.run())
    assert app.text_input(key="cut").value == "he|ll|o"
    assert "rank 3 of 9" in words_of(app)
    assert app.session_state[f"{KEY}.path"].current == (1, 6, 9)


# ---- changes by hand ----


def test_probabilities_can_be_changed_and_pieces_added_and_removed():
    app = opened(PAGE, odds="hell 0 hello 1/2")
    assert list(listed(app)["segmentation"][:2]) == ["hello", "he|l|lo"]
    assert max(listed(app)["share"]) > 90
    assert "9 pieces; their probabilities sum to 1.46, not to 1" in words_of(app)


@pytest.mark.parametrize(
    ("odds", "sentence"),
    [
        ("hell", "“hell” has no probability after it. Write: piece 0.2"),
        ("hell 2", "“2” is not a probability for “hell”. Write a number from 0 to 1, or 3/16."),
        ("hell -1", "“-1” is not a probability"),
        ("hell nan", "“nan” is not a probability"),
        ("hell 1/0", "“1/0” is not a probability"),
        ("hell 1e999999999", "is not a probability"),
    ],
)
def test_a_change_with_a_mistake_gets_a_sentence_and_loses_nothing(odds, sentence):
    app = opened(PAGE, odds=odds)
    (error,) = texts_of(app.error)
    assert sentence in error
    assert app.text_input(key="odds").value == odds
    assert list(listed(app)["segmentation"][:1]) == ["hell|o"]


def test_a_prior_on_the_number_of_pieces_breaks_a_tie():
    app = opened(PAGE, pieces_from="u10", panel="Number of pieces")
    assert app.text_input(key="prior").value == "1 0.9 3 0.1"
    assert "Without a prior, cat and c|a|t tie. With it, **cat** wins." in words_of(app)
    app = opened(PAGE, pieces_from="u10", panel="Number of pieces", prior="1 0.1 3 0.9")
    assert "With it, **c|a|t** wins." in words_of(app)
    app = opened(PAGE, pieces_from="u10", panel="Number of pieces", prior="x 1")
    assert "“x” is not a number of pieces. Write: 1 0.9 3 0.1" in texts_of(app.error)
    app = opened(PAGE, pieces_from="u10", panel="Number of pieces", prior="2 1")
    assert "With this prior, nothing is possible" in words_of(app)


# ---- drawing ----


def test_the_draws_follow_alpha_and_are_compared_with_another_library():
    app = opened(PAGE, show="sampling", alpha="1.0")
    assert "the two are 0.000 apart" in words_of(app)
    app = opened(PAGE, show="sampling", alpha="0.5", drawn_by="hugging_face", seed="7")
    apart = re.search(r"α = 0.5 the two are (0\.\d+) apart", words_of(app))
    assert apart
    assert float(apart[1]) > 0.05


@pytest.mark.parametrize("alpha", ["0", "5", "99", "-1", "nan", "x"])
def test_any_alpha(alpha):
    assert not opened(PAGE, show="sampling", alpha=alpha).error


# ---- any text ----

TEXTS = ["", " ", "x", "zzz", "hello world", "हैलो", "👩🏽‍🚀", "\0", "مرحبا", "o" * 300, "|", "a|b"]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("show", MODES)
def test_any_text_can_be_cut(text, show):
    app = opened(PAGE, say=text, show=show, step="1", cut=text)
    assert not app.error


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("panel", PANELS[:3])
def test_hostile_text_and_pieces_stay_text(text, panel):
    first = text.split()[0]
    app = opened(PAGE, say=text, odds=f"{first} 0.5", cut=text, panel=panel)
    html = html_of(app)
    inside = re.sub(r"<style>.*?</style>|<bdi[^>]*>[^<]*</bdi>", "", html, flags=re.DOTALL)
    assert not re.search(r"<(?:script|img|b)\b", inside)
    assert not re.search(r"(?<!\\)<", markdown_of(app))
    for part in ("](http", ":smile:", "$x^2$", "**b**", "\u202e", "\0"):
        assert part not in markdown_of(app)  # where it is shown, it is escaped
        assert part not in inside


@pytest.mark.parametrize(
    "query",
    [
        {"pieces_from": "nowhere"},
        {"show": "everything"},
        {"step": "99999"},
        {"sum": "perhaps"},
        {"seed": "inf"},
        {"panel": "none"},
    ],
)
def test_an_address_with_nonsense_opens_all_the_same(query):
    assert not opened(PAGE, **query).error
