"""What if: two runs of one corpus side by side, as a recording and on the pages.

The pages run in Streamlit's AppTest, as in test_pages.py.
"""

import json
import re
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.bpe import runs as bpe_runs
from pages.shared.recording.side_by_side import DIFFERS
from pages.shared.training.source import CorpusSource
from pages.shared.training.what_if import BranchChange, CountChange, TieRuleChange, rerun
from pages.unigram.what_if import train_twice
from pages.wordpiece import runs as wordpiece_runs
from tests.call_counts import examples
from tests.pages.opening import checked, html_of, markdown_of, opened, rests
from tokenizers import bpe, wordpiece
from tokenizers.merging.queue import TIE_RULES
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.unigram.settings import convention_settings

WORDS = st.text("abc", min_size=1, max_size=5)
CORPORA = st.dictionaries(WORDS, st.integers(1, 9), min_size=1, max_size=6)
CHANGES = st.builds(CountChange, WORDS, st.integers(0, 20)) | st.builds(
    TieRuleChange, st.sampled_from(TIE_RULES)
)
KINDS = [bpe.Settings(), bpe.Settings("end_of_word"), wordpiece.Settings()]


def never(done, total):
    return False


def twice(words, settings, change):
    source = CorpusSource(counts=words)
    if isinstance(settings, bpe.Settings):
        return bpe_runs.what_if(never, source, Pipeline(), settings, change)
    return wordpiece_runs.what_if(never, source, Pipeline(), settings, change)


def unpack_recording(recording):
    head = json.loads(zlib.decompress(recording.head))
    frames = [f for window in recording.windows for f in json.loads(zlib.decompress(window))]
    return head, frames


@examples(60)
@given(CORPORA, st.sampled_from(KINDS), CHANGES)
def test_both_runs_stand_at_the_same_step(words, settings, change):
    two = twice(words, settings, change)
    whole = Trace.record(Corpus(words), settings)
    changed = rerun(never, whole, change)
    assert (two.whole.pairs, two.changed.pairs) == (whole.pairs, changed.pairs)
    head, frames = unpack_recording(two.recording)
    sides = [part["side"] for part in head["parts"]]
    assert sides == ["across", "left", "left", "right", "right"]
    assert two.recording.last == max(len(whole), len(changed))

    def texts(numbers):
        return tuple(head["tokens"][n][0] for n in numbers)

    for k, frame in enumerate(frames):
        _, left, left_words, right, right_words = frame["parts"]
        for trace, table, strips in ((whole, left, left_words), (changed, right, right_words)):
            at = min(k, len(trace))
            assert ("ended" in table["caption"]) == (k > len(trace))
            if at:
                assert texts(table["lines"][0][0][0]) == trace.pairs[at - 1]
            counts = trace.corpus.word_counts
            splits = [trace.split(n, at) for n in range(len(trace.words))]
            shown = [texts(strip[2] or strip[1]) for strip in strips["lines"]]
            assert shown == splits
            for word, strip in zip(counts, strips["lines"], strict=True):
                other = changed if trace is whole else whole
                places = list(other.words)
                differs = word in places and (
                    other.split(places.index(word), min(k, len(other)))
                    != trace.split(list(counts).index(word), at)
                )
                assert strip[0].startswith(DIFFERS) == differs
                assert strip[0].removeprefix(DIFFERS) == f"{counts[word]} ×"


@examples(40)
@given(CORPORA, st.sampled_from(KINDS), CHANGES)
def test_the_first_difference_is_marked_and_described(words, settings, change):
    two = twice(words, settings, change)
    head, frames = unpack_recording(two.recording)
    ((name, positions, is_tick), *_) = head["jumpTargets"]
    assert (name, is_tick) == ("the runs first differ", True)
    assert positions == ([two.first] if two.first else [])
    said = [
        k
        for k, frame in enumerate(frames)
        if ["tie", "The first difference. "] in frame["sentence"]
    ]
    assert said == positions


def test_a_tie_can_take_another_branch():
    words = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    two = twice(words, bpe.Settings("end_of_word", num_merges=10), BranchChange(1, ("s", "t")))
    assert (two.first, two.changed.pairs[0]) == (1, ("s", "t"))


@examples(20)
@given(
    CORPORA,
    st.builds(CountChange, WORDS, st.integers(0, 20)) | st.builds(TieRuleChange, st.just("first")),
)
def test_two_unigram_runs_differ_first_where_their_pieces_do(words, change):
    settings = convention_settings("textbook", 8)
    two = train_twice(never, CorpusSource(counts=words), Pipeline(), settings, change)
    head, frames = unpack_recording(two.recording)
    assert len(frames) == max(len(two.whole), len(two.changed)) + 1
    (_, positions, _), *_ = head["jumpTargets"]
    first = positions[0] if positions else None
    assert len(positions) <= 1
    for k in range(1, min(len(two.whole), len(two.changed), first or 10**6) + 1):
        pieces = [set(trace.state(k)) for trace in (two.whole, two.changed)]
        assert (pieces[0] == pieces[1]) == (k != first)


# ---- the pages ----

PAGES = ("bpe_train", "wordpiece_train", "unigram_train")
WAYS = (
    {"if": "count", "if_word": "lower", "if_count": "20"},
    {"if": "count", "if_word": "slower", "if_count": "20"},
    {"if": "count", "if_word": "low", "if_count": "0"},
    {"if": "ties"},
    {"if": "branch"},
)


def params_of(app) -> dict[str, str]:
    """Return the URL parameters, whose values AppTest keeps as given, or in lists."""
    told = dict(app.query_params).items()
    return {name: value if isinstance(value, str) else value[0] for name, value in told}


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(way.values()))
def test_every_change_on_every_page(page, way):
    if page == "unigram_train" and way["if"] == "branch":
        return
    app = opened(page, corpus="b2", **way)
    assert not app.error
    assert not app.toast
    assert params_of(app).items() >= way.items()
    visit = app.session_state["train_twice.step"]
    rests(app, "train_twice", 3)
    assert app.session_state["train_twice.step"].recording_key == visit.recording_key
    assert params_of(app)["step"] == "3"


def test_the_consequences_are_described():
    told = re.sub(r"<[^>]*>", "", html_of(opened("bpe_train", corpus="b2", **WAYS[0])))
    assert "With the change, merge 1 is w + e (26) instead of e + s (9)." in told
    assert "Before: 9 &gt; 8, so e + s. Now: 26 &gt; 9, so w + e." in told


def test_the_settings_and_the_corpus_stay_and_back_works():
    app = opened("bpe_train", corpus="b2", merges="4", **WAYS[0])
    assert app.session_state["train_twice.step"].recording_key
    app = checked(app.selectbox(key="if").set_value("").run())
    assert app.session_state["merges"] == 4
    assert "if" not in app.query_params
    assert app.session_state["train.step"].recording_key


def test_no_tie_no_branch():
    table = {"corpus": "table", "text": "word,count\nab,1\n", "base": "characters"}
    app = opened("bpe_train", **table, **{"if": "branch"})
    assert "No step of this run is a tie" in markdown_of(app)


@pytest.mark.parametrize("page", PAGES)
def test_invalid_parameters(page):
    app = opened(page, **{"if": "pigs fly", "if_count": "-3", "if_step": "x", "if_pair": "99"})
    assert not app.error
    app = opened(page, corpus="b2", **{"if": "count", "if_word": "a" * 200, "if_count": "9" * 16})
    assert not app.exception
    app = opened(page, **{"if": "branch", "if_step": "999", "if_pair": "99"})
    assert not app.error


def test_a_change_that_cannot_be_is_a_sentence():
    asked = {"if": "count", "if_word": "a" * 100, "if_count": "1" + "0" * 15}
    app = opened("bpe_train", corpus="b2", **asked)
    assert "Divide them all by the same number" in " ".join(one.value for one in app.error)


@pytest.mark.parametrize(("page", "plain"), [("bpe_train", "count_pairs"),
                                             ("wordpiece_train", "scores"),
                                             ("unigram_train", "expected_counts")])  # fmt: skip
def test_the_panel_of_the_code_has_it_twice_and_a_script(page, plain):
    app = opened(page, panel="The code")
    shown = [block.value for block in app.code]
    assert any(f"def {plain}(" in block for block in shown)
    assert shown[-1].startswith('"""')
    assert "for " in shown[-1]
    assert "The plain way" in markdown_of(app)
    assert "The fast way" in markdown_of(app)


def test_a_run_of_another_convention_notes_the_differences_of_its_script():
    app = opened("unigram_train", panel="The code", convention="sentencepiece")
    (said,) = [one.value for one in app.info]
    assert "Your run differs in: " in said
    assert ", First pieces, " in said
