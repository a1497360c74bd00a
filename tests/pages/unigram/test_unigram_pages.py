"""Unigram · Train with any text, convention and setting: never an exception.

The pages run in Streamlit's AppTest, as in test_pages.py.
"""

import itertools
import re

import pytest
from streamlit.testing.v1 import AppTest

from lessons.texts import TEXTS
from pages.shared.controls.unigram_settings import CONTROLS
from pages.shared.drawing.display_text import show_spaces
from pages.unigram import results
from pages.unigram import results as unigram_results
from pages.unigram.frames.flow import format_count
from pages.unigram.frames.tables import leading_change, probabilities
from pages.unigram.frames.training_frames import UnigramFrames
from pages.unigram.frames.words import BestSegmentations
from pages.unigram.runs import UnigramRun
from tests.pages.opening import HOSTILE, NO_WORDS, at, html_of, markdown_of, opened, rests
from tests.pages.opening import texts_of as said_in
from tokenizers.lattice import Lattice, expected_counts
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.unigram.settings import CONVENTIONS
from tokenizers.unigram.steps import Maximization

PAGE, KEY = "unigram_train", "train_unigram"
PANELS = (
    "The numbers", "All pieces", "What pruning costs", "Losses side by side",
    "Hard and soft EM", "Another convention", "The lattice of a word", "The code",
)  # fmt: skip
QUICK = {"corpus": "b1"}


STARTED: list[UnigramRun] = []
"""The runs that pages have started, the newest last."""


@pytest.fixture(autouse=True)
def note_started_runs(monkeypatch):
    """Note which runs the page starts."""
    STARTED.clear()
    run = results.unigram_run

    def noted(*arguments):
        key, found = run(*arguments)
        STARTED.append(found)
        return key, found

    monkeypatch.setattr(unigram_results, "unigram_run", noted)


def trace_of(app: AppTest) -> UnigramTrace:
    """The run that the page shows: the newest with the player's recording."""
    recording = app.session_state[f"{KEY}.rule"].content
    return next(run.trace for run in reversed(STARTED) if run.recording.key == recording)


def test_the_page_opens_with_an_example():
    app = opened(PAGE)
    assert not app.error
    assert not app.toast
    assert dict(app.query_params) == {}
    trace = trace_of(app)
    assert trace.settings.convention == "textbook"
    assert len(trace.steps[-1].log_probs) == trace.settings.vocab_size


def test_the_words_of_the_first_example_are_cut_anew_within_two_rounds():
    app = opened(PAGE)
    trace = trace_of(app)
    words = BestSegmentations(trace.word_counts, trace.seed.pieces.names)
    splits = [words.splits(step.log_probs) for step in trace.steps]
    changes = [k for k in range(1, len(splits)) if splits[k] != splits[k - 1]]
    assert changes[0] <= 2  # the first M step
    assert len([k for k in changes if trace.steps[k].round <= 2]) >= 2
    assert ("hat", "s") in splits[-1]


def test_a_corpus_brings_the_seeds_that_suit_it_and_takes_them_away_again():
    app = opened(PAGE)
    assert trace_of(app).settings.seed == "strict_substrings"
    app.selectbox("corpus").set_value("u4").run()
    assert trace_of(app).settings.seed == "substrings"
    app.selectbox("corpus").set_value("hats").run()
    assert trace_of(app).settings.seed == "strict_substrings"
    assert "seeds" not in app.query_params
    app.selectbox("convention").set_value("slides").run()
    app.selectbox("convention").set_value("hf_course").run()
    assert trace_of(app).settings.seed == "substrings"


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_a_convention_brings_all_its_choices(convention):
    app = opened(PAGE, convention=convention, **QUICK)
    chosen, usual = trace_of(app).settings, CONVENTIONS[convention]
    assert not app.error
    for control in CONTROLS:
        if control.field != "seed_size":  # which may be reduced
            assert getattr(chosen, control.field) == getattr(usual, control.field), control.field


def test_a_convention_chosen_by_hand_brings_its_choices_too():
    app = opened(PAGE, **QUICK, m_step="digamma", keep_characters="false", prunings="3")
    assert trace_of(app).settings.m_step == "digamma"
    app.selectbox(key="convention").select("slides").run()
    app.selectbox(key="convention").select("textbook").run()
    chosen = trace_of(app).settings
    assert (chosen.m_step, chosen.keep_characters, chosen.prunings) == (
        "maximum_likelihood",
        True,
        8,
    )
    assert set(app.query_params) == {"corpus"}


def test_every_choice_can_be_switched_alone():
    app = opened(PAGE, **QUICK, loss="best_alternative", restore="true")
    for control in CONTROLS:
        if control.options:
            *_, last = control.options
            app.selectbox(key=control.key).select(last).run()
            assert not app.exception, [e.message for e in app.exception]
            assert not [error.value for error in app.error], control
            assert getattr(trace_of(app).settings, control.field) == last


def test_numbers_and_switches_reach_the_run():
    app = opened(
        PAGE, **QUICK, least_expected="50", coverage="9000", overshoot="150", em_rounds="3",
        keep_characters="false", renormalise="false", rounds="2", longest_piece="3",
    )  # fmt: skip
    chosen = trace_of(app).settings
    assert not app.error
    assert (chosen.min_expected, chosen.character_coverage, chosen.overshoot) == (0.5, 0.9, 1.5)
    assert (chosen.sub_iterations, chosen.max_rounds, chosen.max_piece_length) == (3, 2, 3)
    assert not chosen.keep_characters
    assert not chosen.renormalise
    assert "Minimum expected count, in hundredths: 0.5" in " ".join(said_in(app.markdown))


@pytest.mark.parametrize(
    ("panel", "convention"),
    list(zip(PANELS, itertools.cycle(["textbook", "slides", "hugging_face", "sentencepiece"])))
    + list(zip(PANELS[:4], ["sentencepiece", "textbook", "textbook", "hf_course"], strict=True)),
)
def test_every_panel_at_every_kind_of_step(panel, convention):
    app = opened(PAGE, **QUICK, panel=panel, convention=convention)
    kinds = {type(step): k for k, step in enumerate(trace_of(app).steps, start=1)}
    for k in sorted(kinds.values()):
        app = rests(app, KEY, k)
        assert at(app, KEY) == k
        assert not app.error


@pytest.mark.parametrize("loss", ["exact", "likelihood", "viterbi", "expected_count"])
def test_the_numbers_of_every_loss(loss):
    app = opened(PAGE, **QUICK, loss=loss)
    k = next(k for k, s in enumerate(trace_of(app).steps, start=1) if type(s).__name__ == "Prune")
    app = rests(app, KEY, k)
    assert "\\text{loss}(x)" in app.latex[0].value
    assert not app.error


def test_the_numbers_are_those_of_the_piece_that_the_sentence_names():
    app = opened(PAGE, corpus="prose", panel="The numbers")
    trace = trace_of(app)
    frames = UnigramFrames(trace, "")
    k = next(  # where another piece, which is not drawn, changed more
        k
        for k, step in enumerate(trace.steps, start=1)
        if isinstance(step, Maximization)
        and leading_change(probabilities(step.before), probabilities(step.after))[0]
        != frames.named_piece(step)
    )
    app = rests(app, KEY, k)
    named = next(part[1] for part in frames.frame(k).sentence if part[0] == "token")
    assert any(f"x is {show_spaces(named)};" in caption.value for caption in app.caption)


@pytest.mark.parametrize("corpus", [id_ for id_ in TEXTS if id_ not in ("prose", "languages")])
def test_every_small_corpus(corpus):
    app = opened(PAGE, corpus=corpus, step="3")
    assert not app.error


TEXTS_OF_NOTHING = ["", " ", "\u3000"]
ODD_TEXTS = ["x", "x x", "\0", "👩🏽‍🚀", "▁", "a" * 300]


@pytest.mark.parametrize(
    ("text", "convention"),
    list(zip([*TEXTS_OF_NOTHING, *ODD_TEXTS], itertools.cycle(CONVENTIONS))),
)
def test_any_text_by_every_convention(text, convention):
    app = opened(PAGE, corpus="own", text=text, convention=convention, size="20")
    assert not [error.value for error in app.error]
    marks_a_word = "metaspace" in str(app.session_state["cut_at"])
    if text in TEXTS_OF_NOTHING and not marks_a_word:
        assert NO_WORDS in said_in(app.info)


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_a_vocabulary_larger_than_the_text_can_give(convention):
    app = opened(PAGE, corpus="b1", size="5000", convention=convention)
    assert not app.error
    assert "only" in trace_of(app).stop_reason


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_a_vocabulary_smaller_than_the_alphabet(convention):
    app = opened(PAGE, corpus="b1", size="1", convention=convention)
    assert not app.exception
    assert app.error or trace_of(app).stop_reason


@pytest.mark.parametrize(
    ("panel", "text"),
    list(zip(PANELS[:-1], itertools.cycle(HOSTILE))) + [(PANELS[0], text) for text in HOSTILE],
)
def test_hostile_text_stays_text(text, panel):
    app = opened(
        PAGE, corpus="own", text=f"{text} {text} x", panel=panel, word=text.split()[0],
        piece=text[:50], step="4", size="30",
    )  # fmt: skip
    assert not app.error
    html = html_of(app)
    inside = re.sub(r"<style>.*?</style>|<bdi[^>]*>[^<]*</bdi>", "", html, flags=re.DOTALL)
    assert not re.search(r"<(?:script|img|b)\b(?!>[^<]*</b>)", inside)
    for part in ("evil", "smile", "x^2", "**b**", "frac{1}{2}", "\u202e", "\0"):
        assert part not in markdown_of(app)


def test_a_table_of_counts():
    app = opened(PAGE, corpus="table", text="word,count\nlow,5\nlower,2\n", size="8")
    assert not app.error
    assert trace_of(app).word_counts == {"low": 5, "lower": 2}


def test_a_broken_table_gets_a_sentence():
    app = opened(PAGE, corpus="table", text="word,count\nlow,many\n")
    assert app.error


@pytest.mark.parametrize("convention", ["sentencepiece", "hugging_face"])
def test_the_words_of_the_libraries_begin_with_a_mark(convention):
    app = opened(PAGE, corpus="b3", convention=convention, size="40")
    assert app.session_state["cut_at"] == "metaspace"
    assert all(word.startswith("▁") for word in trace_of(app).word_counts)
    app.selectbox(key="convention").select("textbook").run()
    assert not any("▁" in word for word in trace_of(app).word_counts)


def test_a_word_is_followed_whether_it_stands_in_the_text_or_not():
    for word in ("cats", "tabs"):
        app = opened(PAGE, **QUICK, word=word)
        assert not app.error


def test_the_lattice_of_a_word_is_a_link_that_names_the_model():
    app = opened(
        PAGE, **QUICK, panel="The lattice of a word", step="5", word="cats", m_step="digamma"
    )
    (link,) = (one for one in app.get("page_link") if "say=" in one.proto.query_string)
    assert not app.error
    query = link.proto.query_string
    for part in ("pieces_from=learned", "round=5", "say=cats", "corpus=b1", "m_step=digamma"):
        assert part in query
    assert "step=5" not in query.replace("m_step", "")


def test_the_lattice_of_a_word_has_its_shares_times_the_count_of_the_word():
    app = opened(PAGE, panel="The lattice of a word", step="1", word="hats")
    assert not app.error
    trace = trace_of(app)
    expected = recount("hats", trace.seed.pieces.dict(), 4)
    table = html_of(app)
    assert expected["hat"] == pytest.approx(4 * 0.2121, abs=0.001)
    for piece in ("hat", "s", "h"):
        assert f"<bdi>{piece}</bdi>" in table
        assert f"<bdi>{format_count(expected[piece])}</bdi>" in table
    assert '<th scope="col" class="n">share × 4</th>' in table


def recount(word: str, log_probs: dict[str, float], count: int) -> dict[str, float]:
    """The counts of an E step in a word, by piece."""
    lattice = Lattice.build(word, log_probs)
    return {piece: count * share for piece, share in expected_counts(lattice).items()}


@pytest.mark.parametrize("name", ["hf_course", "sentencepiece"])
def test_another_convention_compared_with_the_textbook(name):
    app = opened(PAGE, **QUICK, panel="Another convention", beside=name)
    assert not app.error
    assert "They first differ" in markdown_of(app)
