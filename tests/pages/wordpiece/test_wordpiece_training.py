"""WordPiece · Train agrees with the run in sentences and tables; nothing breaks the page."""

import re
from fractions import Fraction
from typing import cast

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from lessons.texts import TEXTS
from pages.shared.recording.frame_types import Frame, NoteFrame, TableFrame, TableRow, plain_text
from pages.wordpiece.top_down_frames import TopDownFrames
from pages.wordpiece.training_frames import WordPieceFrames, record_wordpiece_training
from tests.call_counts import examples
from tests.pages.opening import HOSTILE, at, opened, rests
from tokenizers import wordpiece
from tokenizers.merging.queue import TIE_RULES
from tokenizers.merging.state import Pair
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus
from tokenizers.wordpiece import top_down

PAGE = "wordpiece_train"
RULES = ("score", "hugging_face", "top_down")

corpora = st.dictionaries(st.text("abc", min_size=1, max_size=6), st.integers(1, 9), min_size=1)
asked = st.builds(
    wordpiece.Settings,
    num_merges=st.integers(0, 12),
    min_count=st.sampled_from([1, 1, 2, 3]),
    ties=st.sampled_from(TIE_RULES),
    convention=st.sampled_from(wordpiece.CONVENTIONS),
)


def rows_of(frame: Frame) -> tuple[TableRow, ...]:
    table = frame.parts[0]
    assert isinstance(table, TableFrame)
    return table.rows


def note_of(frame: Frame) -> str:
    note = frame.parts[2]
    assert isinstance(note, NoteFrame)
    return plain_text(note.text)


slowly = examples(80, suppress_health_check=[HealthCheck.too_slow])


@slowly
@given(corpora, asked)
def test_the_table_is_that_of_the_state_before(counts, chosen):
    trace = Trace.record(Corpus.from_counts(counts), chosen)
    for k, frame in enumerate(list(WordPieceFrames(trace, None))[1:], start=1):
        before, step = trace.state(k - 1), trace.step(k)
        rows = rows_of(frame)
        assert (rows[0].cells[0], rows[0].mark) == (step.pair, "now")
        for row in rows:
            pair, figures = cast("Pair", row.cells[0]), list(row.cells[1:5])
            first, second = (before.token_counts[symbol] for symbol in pair)
            count = before.pair_counts[pair]
            assert figures == [count, first, second, pytest.approx(count / (first * second))]
        tied = {row.cells[0] for row in rows if row.mark in ("now", "tied")}
        assert tied <= set(wordpiece.tied_pairs(before, step.pair, chosen))
        # The last row may be the most frequent pair.
        passed_over = max(before.pair_counts.values()) > step.count and rows[-1].mark != "tied"
        assert len(tied) == min(step.num_tied, len(rows) - passed_over)


@slowly
@given(corpora, asked)
def test_the_most_frequent_pair_has_its_row_and_its_reason(counts, chosen):
    trace = Trace.record(Corpus.from_counts(counts), chosen)
    for k, frame in enumerate(list(WordPieceFrames(trace, None))[1:], start=1):
        most = max(trace.state(k - 1).pair_counts.values())
        assert max(row.cells[1] for row in rows_of(frame)) == most
        passed_over = most > trace.counts[k - 1]
        assert ("Why not the most frequent pair" in note_of(frame)) == passed_over


@slowly
@given(corpora, asked)
def test_every_answer_that_ties_is_right(counts, chosen):
    trace = Trace.record(Corpus.from_counts(counts), chosen)
    for k, frame in enumerate(list(WordPieceFrames(trace, None))[1:], start=1):
        if frame.question:
            as_good = wordpiece.tied_pairs(trace.state(k - 1), trace.pairs[k - 1], chosen)
            right = {frame.question.options[n] for n in frame.question.correct}
            assert right == set(as_good) & set(frame.question.options)
            assert trace.pairs[k - 1] in right


@slowly
@given(corpora, asked)
def test_a_question_offers_three_pairs_at_most_and_the_counts_beside_them_decide(counts, chosen):
    trace = Trace.record(Corpus.from_counts(counts), chosen)
    for k, frame in enumerate(list(WordPieceFrames(trace, None))[1:], start=1):
        question = frame.question
        if question is None:
            continue
        assert len(question.correct) < len(question.options) <= 3
        count_of = trace.state(k - 1).pair_counts
        offered = [count_of[cast("Pair", pair)] for pair in question.options]
        wrong = [n for i, n in enumerate(offered) if i not in question.correct]
        others = [row for row in rows_of(frame) if not row.mark]
        assert max(wrong) == max(row.cells[1] for row in others)  # chosen by mistake
        values = list(map(Fraction, offered))
        if chosen.convention != "hugging_face":
            terms = [re.findall(r"[\d,]+", plain_text(hint)) for hint in question.hints]
            values = [Fraction(int(a), int(b) * int(c)) for a, b, c in terms]
        right = [n for n, value in enumerate(values) if value == max(values)]
        assert tuple(right) == question.correct


def test_the_published_example():
    trace = Trace.record(Corpus.from_counts(TEXTS["w1"].counts or {}), wordpiece.Settings())
    sentence = [plain_text(frame.sentence) for frame in WordPieceFrames(trace, None)]
    assert sentence[1].startswith("Merge s and ##u into su: 3 / (3 × 3) = 0.3333. No other pair")
    assert sentence[2].startswith(
        "Merge ##e and ##r into ##er: 3 / (4 × 3) = 0.25. 1 other pair is tied"
    )
    assert record_wordpiece_training(trace).last == len(trace)


def test_the_course_s_third_merge():
    trace = Trace.record(Corpus.from_counts(TEXTS["course"].counts or {}), wordpiece.Settings())
    assert trace.pairs[2] == ("hu", "##gs")
    rows = {row.cells[0]: row.cells[4] for row in rows_of(list(WordPieceFrames(trace, None))[3])}
    assert rows["hu", "##gs"] == pytest.approx(1 / 15)
    assert rows["hu", "##g"] == pytest.approx(2 / 45)


def test_the_top_down_frames_give_the_result_of_each_threshold():
    corpus = Corpus.from_counts(TEXTS["b2"].counts or {})
    chosen = top_down.TopDownSettings(25, min_threshold=1)
    steps = list(top_down.train(corpus, chosen))
    frames = list(
        TopDownFrames(top_down.training_words(corpus, chosen), chosen, steps, "it is found")
    )
    assert len(frames) == len(steps) + 1
    for step, frame in zip(steps, frames[1:], strict=True):
        sentence = plain_text(frame.sentence)
        assert sentence.startswith(f"Threshold {step.threshold:,}")
        if isinstance(step, top_down.ThresholdRound):
            kept = sum(candidate.kept for candidate in step.candidates)
            assert f"{kept:,} are kept" in sentence
        else:
            assert f"{len(step.vocab):,} pieces" in sentence
    assert "we take this vocabulary" in plain_text(frames[-1].sentence)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("corpus", TEXTS)
def test_every_corpus_by_every_rule(corpus, rule):
    app = opened(PAGE, corpus=corpus, rule=rule)
    assert not app.error


@pytest.mark.parametrize("text", [*HOSTILE, "", " ", "x", "a" * 3000])
@pytest.mark.parametrize("rule", RULES)
def test_any_text_by_every_rule(text, rule):
    app = opened(PAGE, corpus="own", text=text, rule=rule)
    assert not app.error


@pytest.mark.parametrize(
    "panel",
    [
        "The score, with its numbers",
        "All scores",
        "The other rule beside it",
        "Vocabulary",
        "The code",
    ],
)
@pytest.mark.parametrize("rule", ["score", "hugging_face"])
def test_every_panel_at_the_start_and_at_a_step(panel, rule):
    app = opened(PAGE, corpus="course", rule=rule, panel=panel)
    assert not app.error
    assert at(rests(app, "train_wordpiece", 3), "train_wordpiece") == 3
