"""The frames and charts of a Unigram run agree with the run, for every convention."""

import math
import re
from collections.abc import Mapping
from decimal import Decimal
from itertools import pairwise
from typing import cast

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from lessons.texts import TEXTS
from pages.shared.drawing.display_text import show_spaces
from pages.shared.recording.frame_types import (
    Frame,
    NoteFrame,
    StepQuestion,
    StripsFrame,
    TableFrame,
    TableRow,
    plain_text,
)
from pages.shared.training.limits import estimate_rounds, most_candidates
from pages.unigram.charts import leading_pieces, likelihood_chart, pieces_chart, probability_series
from pages.unigram.comparison import (
    LOSSES,
    alternative_terms,
    compare_rounds,
    corpus_value,
    find_pruning,
    first_difference,
    pieces_in_all,
    prune_by_each_loss,
    ranks,
    spearman,
)
from pages.unigram.frames.pruning import rank_by_outcome
from pages.unigram.frames.tables import effective_counts
from pages.unigram.frames.training_frames import UnigramFrames, record_unigram_training
from pages.unigram.frames.words import LONGEST
from pages.unigram.numbers import amount, change_by, digits_of, effect_of, loss_of, probability
from pages.unigram.runs import watched_word
from tests.call_counts import examples
from tests.pages.bpe.test_figures import HOSTILE
from tests.pages.opening import lines_of
from tests.recordings import unpacked
from tokenizers.lattice import Lattice, best_path
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.unigram.settings import BY_SEGMENTING, CONVENTIONS, Settings, convention_settings
from tokenizers.unigram.steps import Expectation, Finalize, Maximization, Prune, Seed

COURSE = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
SLIDES = {"run": 3, "bug": 5, "fun": 13, "sun": 10}

corpora = st.dictionaries(
    st.text("ab<é", min_size=1, max_size=6), st.integers(1, 9), min_size=1, max_size=5
)
asked = st.builds(
    convention_settings, st.sampled_from(sorted(CONVENTIONS)), st.integers(4, 14)
) | st.builds(
    Settings,
    vocab_size=st.integers(2, 12),
    loss=st.sampled_from(sorted(LOSSES)),
    e_step=st.sampled_from(["sum", "max"]),
    m_step=st.sampled_from(["maximum_likelihood", "digamma"]),
    min_expected=st.sampled_from([0.0, 0.0, 2.0]),
    schedule=st.sampled_from(["k_n", "fraction", "one"]),
    prunings=st.sampled_from([2, 4]),
)
slowly = examples(25, suppress_health_check=[HealthCheck.too_slow])


def recorded(counts: Mapping[str, int], chosen: Settings) -> UnigramTrace:
    return UnigramTrace.record(Corpus.from_counts(counts), chosen)


def course(**changes) -> UnigramTrace:
    return recorded(COURSE, convention_settings("textbook", 11, **changes))


def parts_of(frame: Frame) -> tuple[TableFrame, StripsFrame, NoteFrame]:
    _, table, strips, note, _ = frame.parts
    assert isinstance(table, TableFrame)
    assert isinstance(strips, StripsFrame)
    assert isinstance(note, NoteFrame)
    return table, strips, note


def rows_of(frame: Frame) -> dict[str, TableRow]:
    return {cast("tuple[str]", row.cells[0])[0]: row for row in parts_of(frame)[0].rows}


def steps_and_frames(trace: UnigramTrace, watched: str = "") -> list[tuple]:
    """Every step with its frame."""
    frames = list(UnigramFrames(trace, watched))
    assert len(frames) == len(trace) + 1
    return list(zip(trace.steps, frames[1:], strict=True))


# ---- what is shown at a step ----


def shown_as(log_prob):
    """The possible texts of a probability: numpy and Python may differ in the last bit."""
    return {probability(math.exp(log_prob) * (1 + nudge)) for nudge in (-1e-12, 0, 1e-12)}


@slowly
@given(corpora, asked)
@example({"<": 8, "a<a<a": 3, "<<aaaa": 2}, convention_settings("sentencepiece_classic", 4))
def test_every_row_is_what_was_recorded(counts, chosen):
    expected = None
    for step, frame in steps_and_frames(recorded(counts, chosen)):
        for piece, row in rows_of(frame).items():
            match step:
                case Seed():
                    wanted = (amount(step.counts[piece]), probability(math.exp(step.pieces[piece])))
                case Expectation():
                    old = expected and expected.expected_counts.get(piece)
                    wanted = ("–" if old is None else amount(old),
                              amount(step.expected_counts[piece]))  # fmt: skip
                case Maximization():
                    now = step.after.get(piece)
                    wanted = tuple(
                        str(sentence).replace("≈ 0", "practically 0") for sentence in row.cells[1:3]
                    )
                    assert wanted[0] in shown_as(step.before[piece])
                    assert wanted[1] in ({"–"} if now is None else shown_as(now))
                    assert (row.mark == "removed") == (piece in step.dropped)
                case Prune():
                    loss = step.losses.get(piece)
                    number = change_by if chosen.loss in BY_SEGMENTING else digits_of
                    cost = "–" if loss is None else number(loss, chosen)
                    wanted = (amount(step.frequencies[piece]), cost)
                    assert (row.mark == "removed") == (piece in step.removed)
                case Finalize():
                    known = {**step.pieces, **step.cut, **step.shadowed}
                    wanted = (row.cells[1], probability(math.exp(known[piece])))
                    assert (row.mark == "removed") == (piece not in step.pieces)
            assert (
                tuple(str(sentence).replace("≈ 0", "practically 0") for sentence in row.cells[1:3])
                == wanted
            )
        expected = step if isinstance(step, Expectation) else expected


@slowly
@given(corpora, asked)
def test_a_bar_is_a_part_of_the_largest_of_all_pieces_not_of_those_shown(counts, chosen):
    for step, frame in steps_and_frames(recorded(counts, chosen)):
        match step:
            case Seed() | Maximization() | Finalize():
                values = {piece: math.exp(value) for piece, value in step.log_probs.items()}
            case Expectation():
                values = dict(step.expected_counts)
            case Prune():
                values = {piece: max(loss, 0.0) for piece, loss in step.losses.items()}
        largest = max(values.values(), default=0.0)
        for piece, row in rows_of(frame).items():
            part = values.get(piece, 0.0) / largest if largest else 0.0
            if row.mark != "removed" or isinstance(step, Prune):
                assert row.cells[-1] == pytest.approx(part, abs=1e-6)  # single precision
            assert 0 <= cast(float, row.cells[-1]) <= 1 + 1e-6


@slowly
@given(corpora, asked)
def test_the_strips_are_cut_by_the_models_before_and_after(counts, chosen):
    trace = recorded(counts, chosen)
    model = None
    for step, frame in steps_and_frames(trace):
        before, model = model, step.log_probs
        _, strips, _ = parts_of(frame)
        assert len(strips.strips) == min(len(trace.word_counts), 8)
        for strip in strips.strips:
            word = "".join(strip.after)
            unknown = min(dict(model).values(), default=0.0) - 10
            lattice = Lattice.build(word, dict(model), unknown)
            best = lattice.log_prob(best_path(lattice) or ())
            assert lattice.log_prob(lattice.path(strip.after)) == pytest.approx(best)
            assert "".join(strip.before) == word
            assert strip.changed == (strip.before != strip.after)
            if before is not None and before.keys() == model.keys():
                same = all(before[piece] == model[piece] for piece in model)
                assert not (same and strip.changed)


@slowly
@given(corpora, asked)
def test_the_likelihood_is_in_the_sentence_and_a_fall_is_explained(counts, chosen):
    trace = recorded(counts, chosen)
    frames = steps_and_frames(trace)
    values = [(k, step) for k, (step, _) in enumerate(frames, 1) if isinstance(step, Expectation)]
    falls = set()
    for (_, before), (k, now) in pairwise(values):
        sentence = plain_text(frames[k - 1][1].sentence)
        if now.log_likelihood < before.log_likelihood - 1e-9 * max(abs(before.log_likelihood), 1):
            falls.add(k)
        assert ("It falls" in sentence) == (k in falls)
        note = plain_text(parts_of(frames[k - 1][1])[2].text)
        figures = re.findall(r"[−\d,.]+(?= = | \+ | nats)", note)
        log, q, h = (Decimal(one.replace("−", "-").replace(",", "")) for one in figures)
        assert log == q + h
        recorded_ones = (now.log_likelihood, now.q, now.entropy)
        for shown, value in zip((log, q, h), recorded_ones, strict=True):
            assert abs(float(shown) - value) <= 0.006
    marks = {mark.name: mark.positions for mark in marks_of(trace)}
    assert set(marks["the log-likelihood falls"]) == falls
    plain = chosen.m_step == "maximum_likelihood" and chosen.e_step == "sum"
    if plain and chosen.min_expected == 0:
        prunings = marks["pieces are pruned"]
        assert all(any(a < p < b for p in prunings) for a, b in _steps_of(values, falls))


def _steps_of(values: list, falls: set) -> list[tuple[int, int]]:
    """The pairs of successive E steps in which the log-likelihood falls."""
    return [(a, b) for (a, _), (b, _) in pairwise(values) if b in falls]


def marks_of(trace: UnigramTrace, watched: str = ""):
    return UnigramFrames(trace, watched).marks()


def follows_from_the_hints(question: StepQuestion) -> tuple[int, ...]:
    """The options that cost least by nothing but what stands beside them."""

    def cost(hint: str) -> float:
        if re.search("stays the same|practically 0", hint):
            return 0.0
        numbers = re.findall(
            r"−?\d[\d,.]*(?:e[−+]?\d+)?", hint.rpartition(": ")[2].partition(" (")[0]
        )
        value = math.prod(float(one.replace(",", "").replace("−", "-")) for one in numbers)
        return -value if " rises " in hint else value

    costs = [cost(plain_text(hint)) for hint in question.hints]
    return tuple(n for n, one in enumerate(costs) if one == min(costs))


@slowly
@given(corpora, asked)
def test_every_answer_that_goes_is_right_and_no_other(counts, chosen):
    for step, frame in steps_and_frames(recorded(counts, chosen)):
        if frame.question is None:
            continue
        assert isinstance(step, Prune)
        options = [option for (option,) in frame.question.options]
        right = {options[n] for n in frame.question.correct}
        assert right == set(options) & set(step.removed) != set()
        assert right != set(options)
        costs = step.losses.dict()
        assert max(costs[p] for p in right) < min(costs[p] for p in options if p not in right)
        assert follows_from_the_hints(frame.question) == frame.question.correct
        why = plain_text(frame.question.explanation)
        assert all(show_spaces(piece) in why for piece in options)


@slowly
@given(corpora, asked)
def test_marks_point_at_what_they_name(counts, chosen):
    trace = recorded(counts, chosen)
    watched = next(iter(trace.word_counts), "")
    marks = {mark.name: mark.positions for mark in marks_of(trace, watched)}
    at = dict(enumerate(trace.steps, start=1))
    assert all(isinstance(at[k], Prune) for k in marks["pieces are pruned"])
    assert all(isinstance(at[k], Expectation) for k in marks["a round begins"])
    sizes = [len(step.log_probs) for step in trace.steps]
    assert all(sizes[k - 1] < sizes[k - 2] for k in marks["pieces disappear"])
    anew = next(
        positions for name, positions in marks.items() if name.endswith("is split differently")
    )
    place = UnigramFrames(trace, watched).words.texts.index(watched)
    for k, (_, frame) in enumerate(steps_and_frames(trace, watched), start=1):
        assert (k in anew) == parts_of(frame)[1].strips[place].changed


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_every_step_names_its_part_of_the_loop(convention):
    labels = {Seed: "Seed", Expectation: "E step", Maximization: "M step", Prune: "prune",
              Finalize: "Finalize"}  # fmt: skip
    trace = recorded(COURSE, convention_settings(convention, 12))
    for step, frame in steps_and_frames(trace):
        (strong, *_) = [part[1] for part in frame.sentence if part[0] == "strong"]
        assert strong.startswith(labels[type(step)])
    assert trace.stop_reason in plain_text(steps_and_frames(trace)[-1][1].sentence)


def test_the_slides_example_in_base_10():
    trace = recorded(SLIDES, convention_settings("slides", 10))
    sentences = [
        plain_text(frame.sentence)
        for step, frame in steps_and_frames(trace)
        if isinstance(step, Prune)
    ]
    assert sentences[0].startswith("Round 1, prune: 1 of 13 pieces is removed.")
    assert sentences[2].endswith(
        "Without ru, log p falls by 1.81 (base 10). "
        "Next would have been bu: without it, log p would fall by 3.01 (base 10)."
    )
    assert "Without un, log p stays the same." in sentences[0]
    assert "a tie; the last in code point order is removed" in sentences[0]


def test_a_very_long_word_is_shown_by_its_beginning():
    trace = recorded({"ab" * 200: 1}, convention_settings("hugging_face", 20))
    _, frame = steps_and_frames(trace)[-1]
    (strip,) = parts_of(frame)[1].strips
    assert strip.after[-1] == "…"
    assert sum(map(len, strip.after)) == LONGEST + 1


def test_a_word_that_is_nowhere_can_be_followed():
    trace = course()
    strips = parts_of(steps_and_frames(trace, "snug")[-1][1])[1].strips
    assert strips[0].label == "not in the text"
    assert "".join(strips[0].after) == "snug"
    assert watched_word(trace, "hug") == "hug"


def test_a_run_without_words_is_one_frame():
    trace = recorded({}, convention_settings("textbook", 5))
    recording = record_unigram_training(trace)
    assert recording.last == len(trace)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_pieces_stay_text(text):
    trace = recorded({text * 2: 3, f"{text}x": 2}, convention_settings("textbook", 6))
    recording = record_unigram_training(trace, text)
    assert "\u202e" not in str(unpacked(recording))
    chart = pieces_chart(trace, leading_pieces(trace, text[0]))
    assert all("<" not in line["name"] for line in lines_of(chart))


# ---- the charts ----


def test_the_charts_hold_the_numbers_of_the_run():
    trace = course()
    rising, sizes = lines_of(likelihood_chart(trace))
    steps = [step for step in trace.steps if isinstance(step, Expectation)]
    assert list(rising["y"]) == [step.log_likelihood for step in steps]
    assert list(sizes["y"]) == [len(step.log_probs) for step in trace.steps]
    pieces = leading_pieces(trace)
    for line, piece in zip(lines_of(pieces_chart(trace, pieces)), pieces, strict=True):
        series = probability_series(trace, piece)
        assert list(line["y"]) == [p for _, p in series]
        assert series[-1][1] == pytest.approx(math.exp(trace.steps[-1].log_probs[piece]))


def test_a_piece_that_is_gone_has_no_probability():
    trace = course()
    (gone, *_) = next(step for step in trace.steps if isinstance(step, Prune)).removed
    assert probability_series(trace, gone)[-1][1] is None
    assert gone in leading_pieces(trace, gone)


# ---- losses and runs side by side ----


@pytest.mark.parametrize("loss", LOSSES)
def test_the_run_s_own_loss_is_found_again(loss):
    trace = course(loss=loss)
    for k, step in enumerate(trace.steps, start=1):
        if isinstance(step, Prune):
            before = find_pruning(trace, k)
            assert before is not None
            assert before.prune is step
            again = prune_by_each_loss(lambda done, total: False, before, trace.settings)
            assert list(again) == list(LOSSES)
            assert again[loss].losses.dict() == pytest.approx(step.losses.dict(), abs=1e-12)
            assert again[loss].removed == step.removed


@pytest.mark.parametrize("loss", ["exact", "likelihood", "viterbi"])
def test_what_a_loss_is_the_fall_of_is_that_of_the_recorded_model(loss):
    trace = course(loss=loss)
    k = next(k for k, step in enumerate(trace.steps, start=1) if isinstance(step, Prune))
    before = find_pruning(trace, k)
    assert before is not None
    value = corpus_value(before, trace.settings)
    model = before.prune.before
    naive = 0.0
    for word, count in trace.word_counts.items():
        lattice = Lattice.build(word, model.dict())
        old = Lattice.build(word, before.expected.log_probs.dict())
        naive += count * _value(loss, old, lattice)
    assert value == pytest.approx(naive)


def _value(loss: str, old: Lattice, new: Lattice) -> float:
    """The value whose decrease is `loss`, for one word, from all its paths."""
    paths = _paths(new)
    logs = {path: new.log_prob(path) for path in paths}
    if loss == "viterbi":
        return max(logs.values())
    if loss == "likelihood":
        return math.log(sum(map(math.exp, logs.values())))
    weights = {path: math.exp(old.log_prob(old.path(new.pieces(path)))) for path in paths}
    return sum(weights[path] * logs[path] for path in paths) / sum(weights.values())


def _paths(lattice: Lattice, position: int = 0) -> list[tuple[int, ...]]:
    if position == len(lattice.text):
        return [()]
    leaving = lattice.leaving[position]
    return [(n, *rest) for n in leaving for rest in _paths(lattice, lattice.edges[n].end)]


@pytest.mark.parametrize("convention", [c for c in CONVENTIONS if c.startswith(("hug", "sent"))])
def test_the_loss_by_the_best_alternative_is_made_of_its_terms(convention):
    corpus = Corpus.from_text(TEXTS["prose"].text or "", Pipeline((), "metaspace"))
    trace = UnigramTrace.record(corpus, convention_settings(convention, 150))
    prunings = [k for k, step in enumerate(trace.steps, start=1) if isinstance(step, Prune)]
    assert prunings
    for k in prunings:
        before = find_pruning(trace, k)
        assert before is not None
        for piece in before.prune.order[::20]:
            terms = alternative_terms(before, piece, trace.settings)
            assert terms is not None
            assert terms.loss == pytest.approx(before.prune.losses[piece], rel=1e-5, abs=1e-6)


def test_measuring_stops_when_cancelled():
    trace = course()
    before = find_pruning(trace, len(trace))
    assert before is not None
    assert (
        prune_by_each_loss(lambda done, total: done > 0, before, trace.settings).keys()
        < LOSSES.keys()
    )
    assert pieces_in_all({}) == []


@given(st.lists(st.integers(0, 4), min_size=2, max_size=8), st.data())
def test_spearman_is_the_correlation_of_the_ranks(some, data):
    others = data.draw(st.lists(st.integers(0, 4), min_size=len(some), max_size=len(some)))
    rho = spearman(some, others)
    if len(set(some)) == 1 or len(set(others)) == 1:
        assert rho is None
    else:
        assert rho == pytest.approx(np.corrcoef(ranks(some), ranks(others))[0, 1])
    mean = [sum(v > w for v in some) + (some.count(w) + 1) / 2 for w in some]
    assert ranks(some) == mean


@slowly
@given(corpora, asked)
def test_an_m_step_divides_the_counts_by_their_sum(counts, chosen):
    divides_the_counts(recorded(counts, chosen))


def test_an_m_step_takes_the_counts_that_spared_characters_were_given():
    trace = course(min_expected=3.0)
    assert any(isinstance(step, Maximization) and step.spared for step in trace.steps)
    divides_the_counts(trace)


def divides_the_counts(trace: UnigramTrace) -> None:
    expected, chosen = None, trace.settings
    for step in trace.steps:
        if isinstance(step, Expectation):
            expected = step
        if isinstance(step, Maximization) and chosen.m_step == "maximum_likelihood":
            assert expected
            taken = effective_counts(step, expected, chosen)
            total = taken.array.sum()
            for piece in step.after:
                now = math.exp(step.after[piece])
                assert now == pytest.approx(taken[piece] / total, rel=1e-9, abs=0)


def test_two_runs_part_where_their_vocabularies_first_differ():
    here, there = course(), course(loss="expected_count")
    rows = compare_rounds(here, there)
    part = first_difference(rows)
    assert rows[0].here == rows[0].there == rows[0].both == len(here.seed.pieces)
    assert part is not None
    assert part.number > 0
    assert first_difference(compare_rounds(here, here)) is None


# ---- sizes ----


@given(asked, st.integers(0, 300_000))
def test_a_run_is_small_enough_to_be_recorded(chosen, size):
    most = most_candidates(chosen, size)
    assert most > chosen.desired
    assert most * chosen.sub_iterations * estimate_rounds(chosen) <= 1_100_000 or most <= 100


def test_the_heads_of_the_table_fit_each_step():
    recording = record_unigram_training(course())
    _, frames = unpacked(recording)
    heads = [frame["parts"][1].get("headings", ["", ""])[1] for frame in frames[:5]]
    assert heads == ["", "weight", "before", "p before", "before"]


def test_the_piece_without_which_q_rises_most_is_the_answer_though_another_is_used_less():
    chosen = Settings(vocab_size=10, seed="strict_substrings")
    asked = steps_and_frames(recorded(TEXTS["hats"].counts or {}, chosen))
    hints = [
        (step, dict(zip(question.options, map(plain_text, question.hints), strict=True)))
        for step, frame in asked
        if (question := frame.question)
    ]
    step, first = hints[0]
    assert first == {
        ("at",): "Q rises by 6.71 nats",
        ("ha",): "Q rises by 5.86 nats",
        ("hat",): "Q falls by 28.5 nats",
        ("tha",): "Q rises by 2.84 nats",
    }
    assert step.removed == ("at",)


def test_one_number_of_one_sign_is_in_the_question_the_sentence_the_column_and_the_reason():
    chosen = Settings(vocab_size=10, seed="strict_substrings")
    step, frame = next(
        (step, frame)
        for step, frame in steps_and_frames(recorded(TEXTS["hats"].counts or {}, chosen))
        if isinstance(step, Prune) and frame.question
    )
    piece = rank_by_outcome(step)[0][0]
    table, _, _ = parts_of(frame)
    row = next(row for row in table.rows if row.cells[0] == (piece,))
    effect = "Q rises by 6.71 nats"
    assert (table.headings[2], row.cells[2]) == ("change of Q", "+6.71")
    assert f"Without {piece}, {effect}" in plain_text(frame.sentence)
    assert plain_text(row.reason).endswith(f": {effect}.")
    assert frame.question
    assert f"{piece} {effect}" in plain_text(frame.question.explanation)
    assert "cost" not in plain_text(frame.sentence)


def test_a_change_too_small_to_ask_about_is_no_number_in_the_answer_either():
    chosen, loss = Settings(), -2.374e-06
    assert effect_of(loss, chosen) == "Q practically stays the same"
    assert change_by(loss, chosen) == "practically 0"
    assert loss_of(loss, chosen) == "practically 0 nats"


def test_a_count_near_zero_is_practically_0():
    """It stood there as 3.1e−93."""
    assert amount(3.1e-93) == "practically 0"
