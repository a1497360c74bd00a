"""The picture of the E step agrees with the trace: flows, bars, the curve, and the hidden parts.

The flows are worked out anew here: from all segmentations of a word, listed one by one.
"""

import math
import re
from decimal import Decimal

import pytest
from hypothesis import given

from lessons import LESSONS, lesson
from lessons.facts.unigram import UnigramFacts
from lessons.pictures.plan import Plan
from lessons.pictures.planning import plan_for
from pages.lesson.pictures.build_pictures import build_picture
from pages.shared.drawing.phrasing import read_formatted
from pages.shared.recording.flow import FlowFrame, pack_flow, pack_flow_frame
from pages.shared.recording.frame_types import Frame, TableFrame, plain_text
from pages.unigram.frames.flow import format_count
from pages.unigram.frames.flow_layout import LONGEST_REQUESTED, ROWS, WORDS, FlowLayout
from pages.unigram.frames.tables import e_steps
from pages.unigram.frames.training_frames import UnigramFrames, record_unigram_training
from pages.unigram.frames.ways import MOST_WAYS
from pages.unigram.numbers import probability
from tests.pages.unigram.test_unigram_figures import (
    COURSE,
    SLIDES,
    asked,
    corpora,
    course,
    recorded,
    slowly,
)
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.unigram.settings import convention_settings
from tokenizers.unigram.steps import Expectation, Maximization, Prune

FROM_SUPERSCRIPT = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
FEW = {"hat": 6, "cat": 5, "hats": 4, "cats": 3, "that": 8}


def flow_of(frame: Frame) -> FlowFrame:
    flow = frame.parts[0]
    assert isinstance(flow, FlowFrame)
    return flow


def steps_and_flows(trace: UnigramTrace) -> list[tuple]:
    frames = list(UnigramFrames(trace, ""))
    return list(zip(trace.steps, map(flow_of, frames[1:]), strict=True))


def segmentations_of(word: str, pieces: dict[str, float]) -> list[tuple[tuple[str, ...], float]]:
    """Every segmentation of a word, with its probability."""
    if not word:
        return [((), 1.0)]
    return [
        ((word[:end], *rest), math.exp(pieces[word[:end]]) * p)
        for end in range(1, len(word) + 1)
        if word[:end] in pieces
        for rest, p in segmentations_of(word[end:], pieces)
    ]


def em(counts=FEW, size=8, **changes) -> UnigramTrace:
    settings = convention_settings("textbook", size, seed="strict_substrings", **changes)
    return recorded(counts, settings)


def test_a_flow_is_the_share_of_segmentations_with_the_arc_times_the_count():
    trace = em()
    layout = FlowLayout(trace)
    assert len(layout.words) == len(FEW)
    for step, flow in steps_and_flows(trace):
        if not isinstance(step, Expectation):
            continue
        pieces = step.log_probs.dict()
        for word, arcs in zip(layout.words, flow.arcs, strict=True):
            every = segmentations_of(word.text, pieces)
            whole = sum(p for _, p in every)
            for span, arc in zip(word.spans, arcs, strict=True):
                using = sum(p for way, p in every if span in spans(way))
                assert arc.share == pytest.approx(using / whole, abs=1e-9)
                assert arc.amount == pytest.approx(FEW[word.text] * using / whole, abs=1e-9)


def spans(way: tuple[str, ...]) -> set[tuple[int, int]]:
    ends = [sum(map(len, way[: n + 1])) for n in range(len(way))]
    return set(zip([0, *ends], ends, strict=False))


def test_a_share_is_the_quotient_of_the_segmentations_with_the_arc_and_all():
    """Also as written: the listed probabilities and the rest add up to the total."""
    trace = em({**FEW, "thatthat": 2})
    layout = FlowLayout(trace)
    is_cut = set()
    for step, flow in steps_and_flows(trace):
        if not isinstance(step, Expectation):
            continue
        pieces = step.log_probs.dict()
        for word, arcs, ways in zip(layout.words, flow.arcs, flow.ways, strict=True):
            assert ways
            every = dict(segmentations_of(word.text, pieces))
            power = 10.0 ** int(ways.unit.removeprefix("× 10").translate(FROM_SUPERSCRIPT) or 0)
            assert 0 < len(ways.ways) <= MOST_WAYS
            hidden = int(ways.rest[0].split()[0]) if ways.rest else 0
            assert len(ways.ways) + hidden == len(every)
            for numbers, way, p in ways.ways:
                assert {word.spans[n] for n in numbers} == spans(way)
                assert float(p) * power == pytest.approx(every[way], abs=1e-4 * power)
            listed = [p for *_, p in ways.ways]
            listed += [ways.rest[1].removeprefix("≈ ")] if ways.rest else []
            assert sum(map(Decimal, listed)) == Decimal(ways.total)
            is_cut.add(bool(ways.rest))
            for arc in arcs:
                if arc.quotient:
                    lit, whole, share = re.split(" [/=] ", arc.quotient)
                    assert whole == ways.total
                    assert float(lit) / float(whole) == pytest.approx(arc.share, abs=2e-4)
                    decimals = len(share.partition(".")[2])
                    quotient = f"{float(lit) / float(whole):.{decimals}f}"
                    assert quotient == share.removeprefix("≈ ")
    assert is_cut == {False, True}


def test_hard_em_has_one_way_and_no_quotient():
    trace = recorded(FEW, convention_settings("textbook", 8, e_step="max"))
    for _, flow in steps_and_flows(trace):
        assert not any(flow.ways)
        assert not any(arc.quotient for arcs in flow.arcs for arc in arcs)


@slowly
@given(corpora, asked)
def test_the_bars_hold_the_recorded_numbers(counts, chosen):
    trace = recorded(counts, chosen)
    pieces = UnigramFrames(trace, "").flows.layout.pieces
    for step, flow in steps_and_flows(trace):
        for piece, bar in zip(pieces, flow.bars, strict=True):
            if isinstance(step, Expectation) and piece in step.expected_counts:
                count, whole = step.expected_counts[piece], step.expected_counts.array.sum()
                assert bar.number == format_count(count)
                assert bar.length == pytest.approx(count / (whole or 1))
            elif piece in step.log_probs:
                assert bar.length == pytest.approx(math.exp(step.log_probs[piece]))
                assert not bar.state
            else:
                assert bar.state in ("gone", "removed")
                assert (bar.state == "removed") == (
                    isinstance(step, Prune) and piece in step.removed
                )


@slowly
@given(corpora, asked)
def test_what_flows_into_a_bar_is_its_count(counts, chosen):
    trace = recorded(counts, chosen)
    layout = FlowLayout(trace)
    if trace.settings.arithmetic != "double" or layout.others:
        return
    for step, found in zip(e_steps(trace), layout.shares_by_step, strict=True):
        for piece in layout.pieces:
            if piece in step.expected_counts:
                flows = [n * share for n, share in layout.terms(piece, found)]
                first = piece == step.log_probs.names[int(step.log_probs.ids[0])]
                extra = step.unknown if first and chosen.unknown == "first_piece" else 0.0
                recorded_count = step.expected_counts[piece] - extra
                assert sum(flows) == pytest.approx(recorded_count, rel=1e-6, abs=1e-6)


@slowly
@given(corpora, asked)
def test_an_m_step_divides_what_the_e_step_counted_as_it_is_written(counts, chosen):
    trace = recorded(counts, chosen)
    for step, flow in steps_and_flows(trace):
        if isinstance(step, Maximization):
            assert len({bar.subtext.split(" / ")[1] for bar in flow.bars if bar.subtext}) <= 1
            for bar in flow.bars:
                if bar.subtext:
                    count, whole = map(read_formatted, bar.subtext.split(" / "))
                    assert count / whole == pytest.approx(bar.length, rel=0.02)
                    if trace.settings.arithmetic == "double":
                        near = (1 - 1e-9, 1.0, 1 + 1e-9)  # half a digit is rounded up or down
                        assert bar.number in [probability(count / whole * one) for one in near]
                    assert bar.before is not None


@slowly
@given(corpora, asked)
def test_a_count_is_the_sum_that_is_written(counts, chosen):
    for step, flow in steps_and_flows(recorded(counts, chosen)):
        for bar in flow.bars if isinstance(step, Expectation) else ():
            for text in plain_text(bar.reason).split(" = ")[:-1]:
                text = re.sub("from what is not drawn|,|≈", "", text)
                terms = [math.prod(map(float, term.split("×"))) for term in text.split("+")]
                assert format_count(sum(terms)) == bar.number, plain_text(bar.reason)


def test_equal_shares_are_grouped_as_in_the_lesson():
    """11.82 is 26 × 0.4545: three words with the same shares."""
    trace = em(SLIDES, 13)
    layout = FlowLayout(trace)
    first = next(flow for step, flow in steps_and_flows(trace) if isinstance(step, Expectation))
    why = plain_text(first.bars[layout.pieces.index("un")].reason)
    assert why == "13 × 0.4545 + 10 × 0.4545 + 3 × 0.4545 = 26 × 0.4545 = 11.82"


def test_the_curve_is_known_as_far_as_the_run_has_come():
    trace = course()
    layout = FlowLayout(trace)
    values = [step.log_likelihood for step in trace.steps if isinstance(step, Expectation)]
    assert [value for _, value in layout.flow.curve] == values
    known = 0
    for step, flow in steps_and_flows(trace):
        known += isinstance(step, Expectation)
        assert flow.num_known == known
        assert flow.value == (f"{values[known - 1]:,.2f}".replace("-", "−") if known else "")


def test_hard_em_sends_everything_along_the_best_path():
    trace = recorded(FEW, convention_settings("textbook", 8, e_step="max"))
    for step, flow in steps_and_flows(trace):
        if isinstance(step, Expectation):
            assert {arc.share for arcs in flow.arcs for arc in arcs} <= {0.0, 1.0}


def test_of_many_words_a_few_are_drawn_and_the_rest_is_named():
    many = {f"{a}{b}{c}": 3 + n for n, (a, b, c) in enumerate(zip("abcdefgh" * 2, "hgfedcba" * 2,
            "aabbccddeeffgghh", strict=True))}  # fmt: skip
    trace = recorded(many, convention_settings("textbook", 20))
    layout = FlowLayout(trace, "hae" if "hae" in many else next(iter(many)))
    assert len(layout.words) == WORDS
    assert sum(len(word.rows) for word in layout.words) <= ROWS + WORDS
    assert all(word.rows for word in layout.words)
    for _, flow in steps_and_flows(trace):
        assert f"{len(many) - WORDS} other words" in flow.left_out


def test_the_watched_word_is_drawn():
    rare = {f"ab{n}c": 9 for n in range(9)} | {"abab": 1}
    trace = recorded(rare, convention_settings("textbook", 14))
    assert "abab" in [word.text for word in FlowLayout(trace, "abab").words]


def test_words_too_long_to_be_drawn_leave_frames_without_the_picture():
    trace = recorded({"a" * (LONGEST_REQUESTED + 1): 2}, convention_settings("textbook", 3))
    assert FlowLayout(trace).words == ()
    assert record_unigram_training(trace).last == len(trace)


GERMAN = {"Kaiserslautern": 2, "lauter": 2, "Kaiser": 1, "laut": 1, "Kaisers": 1}


@pytest.mark.parametrize("long", [{}, {"transubstantiation": 40}])
def test_the_piece_of_the_sentence_is_drawn(long):
    """A long word is drawn where there is room; one that is too long is not spoken of."""
    trace = recorded({**GERMAN, **long}, convention_settings("textbook", 40))
    assert "Kaiserslautern" in [word.text for word in FlowLayout(trace).words] or long
    for step, flow in steps_and_flows(trace):
        if isinstance(step, Expectation | Maximization):
            assert flow.focus is not None


def test_the_start_has_the_candidates_alive_and_without_probabilities():
    frame = UnigramFrames(em(), "")[0]
    assert {(bar.state, bar.length, bar.number) for bar in flow_of(frame).bars} == {("", 0.0, "")}
    assert all(arc.is_present and not arc.text for arcs in flow_of(frame).arcs for arc in arcs)


def test_a_flow_that_does_not_fit_its_part_is_rejected():
    layout = FlowLayout(em())
    other = flow_of(UnigramFrames(course(), "")[0])
    assert pack_flow(layout.flow, len)["words"][0][0] == "8 ×"
    with pytest.raises(ValueError, match="does not fit"):
        pack_flow_frame(layout.flow, other, list)


def test_the_seed_is_no_new_split_of_the_watched_word():
    frames = UnigramFrames(recorded(COURSE, convention_settings("textbook", 11)), "hugs")
    assert 1 not in frames.marks()[-1].positions


def trace_of(wanted: Plan) -> UnigramTrace:
    record = build_picture(lambda done, total: False, wanted).facts
    assert isinstance(record, UnigramFacts)
    return record.trace


@pytest.mark.parametrize("slug", [slug for slug in LESSONS if "unigram" in slug])
def test_what_a_lesson_marks_is_never_among_those_left_out(slug):
    """Neither in the table nor, if a word has it, in the picture."""
    one = lesson(slug)
    for name in one.pictures:
        wanted = plan_for(one, name)
        if wanted.shows != "unigram_train":
            continue
        trace = trace_of(wanted)
        for k, frame in enumerate(UnigramFrames(trace, "", pinned=wanted.pinned)):
            table = frame.parts[1]
            assert isinstance(table, TableFrame)
            shown = {row.cells[0] for row in table.rows}
            there = trace.step(k).log_probs if k and len(table.rows) > 1 else {}
            missing = [p for p in wanted.pinned if p in there and (p,) not in shown]
            assert not missing, (name, k, missing)


def test_a_pinned_piece_has_its_word_and_its_bar():
    one = lesson("unigram-three-losses")
    wanted = plan_for(one, "exact")
    trace = trace_of(wanted)
    without = UnigramFrames(trace, "").flows.layout
    layout = UnigramFrames(trace, "", pinned=wanted.pinned).flows.layout
    assert "international" not in without.pieces
    assert "international" in layout.pieces
    assert "international" in [word.text for word in layout.words]
