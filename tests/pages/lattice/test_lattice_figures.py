"""Frames, formulas and charts of a lattice agree with the core, and show any text as text."""

import math
import random
import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.texts import VOCABULARIES
from pages.lattice import runs
from pages.lattice.backward import record_backward
from pages.lattice.building import record_building
from pages.lattice.filling import ARRIVING, RULES, record_filling
from pages.lattice.formulas import arrival_formula, path_formula
from pages.lattice.frame_helpers import format_probability, nats, nats_sum, percent, weight
from pages.lattice.listing import MOST_LISTED, record_listing
from pages.lattice.runs import LatticeInput, SamplingSettings
from pages.lattice.samples import DRAWS, distance, draw, draws_chart
from pages.lattice.sampling import MOST_DRAWN, record_sampling
from pages.shared.recording.frame_types import Recording
from tests.pages.bpe.test_figures import HOSTILE, marks_of, shown, slowly
from tests.recordings import opened, unpacked
from tokenizers.lattice import (
    LOG_ZERO,
    Lattice,
    backward_values,
    best_path,
    forward_steps,
    forward_values,
    num_segmentations,
    posteriors,
    viterbi_steps,
    viterbi_values,
)
from tokenizers.lattice.n_best import segmentations
from tokenizers.lattice.sampling import CONVENTIONS, Sampler

texts = st.text("abé<", max_size=7)
models = st.dictionaries(
    st.text("abé<", min_size=1, max_size=3),
    st.sampled_from([-0.5, -1.0, -1.5, -2.0, -7.25]),
    max_size=9,
)
unknowns = st.sampled_from([None, -12.0])


class Frame:
    """A frame of a lattice's recording as the user sees it."""

    def __init__(self, packed, tokens):
        def row(cells):
            return [[tokens[n][0] for n in c] if isinstance(c, list) else c for c in cells]

        def text_of(text):
            return "".join(
                part if isinstance(part, str) else tokens[part[1]][0] if part[0] in ("token", "new")
                else part[1]
                for part in text
            )  # fmt: skip

        self.text = text_of(packed["sentence"])
        picture, *tables, note = packed["parts"]
        self.arcs, self.weights = picture["arcs"], picture["weights"]
        self.nodes, self.here = picture["nodes"], picture["here"]
        self.tables: Any = [
            [(row(cells), mark, text_of(why)) for cells, mark, why in table["lines"]]
            for table in tables
        ]
        self.note = text_of(note["text"])
        question = packed.get("question")
        options = (
            [tokens[n][0] for option in question["options"] for n in option] if question else []
        )
        self.options = options
        self.right = {options[n] for n in question["correct"]} if question else set()
        self.why = text_of(question["explanation"]) if question else ""
        self.other: Any = Frame(packed["other"], tokens) if "other" in packed else None


def frames_of(recording: Recording) -> list[Frame]:
    head, frames = unpacked(recording)
    return [Frame(packed, head["tokens"]) for packed in frames]


# ---- filling in ----


@slowly
@given(texts, models, unknowns)
def test_every_position_shows_the_values_of_the_core_by_both_rules(text, pieces, unknown):
    lattice = Lattice.build(text, pieces, unknown)
    recording = record_filling(lattice)
    frames = frames_of(recording)
    assert opened(recording.head)["rules"] == list(RULES)
    assert len(frames) == len(text) + 2
    for k, frame in enumerate(frames[:-1]):
        for its, values in (
            (frame, viterbi_values(lattice)),
            (frame.other, forward_values(lattice)),
        ):
            known = [nats(value) for value in values[: k + 1]]
            assert its.nodes == known + [""] * (len(text) - k)
            assert its.here == k
            later = [n for n, edge in enumerate(lattice.edges) if edge.end > k]
            assert [n for n, state in enumerate(its.arcs) if state == "."] == later


def test_a_head_names_its_numbers():
    """The p next to a piece's logarithm once was that of the whole path."""
    heads = [column.label for column in ARRIVING]
    assert heads[2:5] == ["log p", "total", "exp(total)"]


@slowly
@given(texts, models, unknowns)
def test_what_arrives_is_what_the_core_compares_and_the_winner_is_its_best(text, pieces, unknown):
    lattice = Lattice.build(text, pieces, unknown)
    frames = frames_of(record_filling(lattice))[1:-1]
    before = viterbi_values(lattice)
    for frame, step in zip(frames, viterbi_steps(lattice), strict=True):
        arriving = {lattice.edges[n].piece: t for n, t in zip(step.edges, step.totals, strict=True)}
        rows = frame.tables[0]
        totals = [arriving[cells[0][0]] for cells, *_ in rows]
        assert totals == sorted(arriving.values(), reverse=True)[:8]
        edges = {edge.piece: edge for edge in (lattice.edges[n] for n in step.edges)}
        shown_edges = [edges[cells[0][0]] for cells, *_ in rows]
        assert [tuple(cells[1:4]) for cells, *_ in rows] == [
            nats_sum(before[edge.start], edge.log_prob) for edge in shown_edges
        ]
        assert [cells[4] for cells, *_ in rows] == [format_probability(total) for total in totals]
        best = [n for n, state in enumerate(frame.arcs) if state == "n"]
        assert best == ([] if step.best is None else [step.best])
        possible = {piece for piece, total in arriving.items() if total > LOG_ZERO}
        most = max(arriving.values(), default=LOG_ZERO)
        if len(possible) > 1:
            tied = {piece for piece in possible if arriving[piece] > most - 1e-9}
            assert frame.right == set(shown(tied))
            assert set(frame.options) <= set(shown(possible))
            assert nats(step.value) in frame.why
        else:
            assert not frame.options
        for cells, mark, why in rows:
            total = arriving[cells[0][0]]
            if total == LOG_ZERO:
                assert mark == "rejected"
            elif mark == "rejected":
                assert f"{nats(most - total)} nats behind" in why


@slowly
@given(texts, models, unknowns)
def test_the_sum_shows_shares_that_make_up_the_whole(text, pieces, unknown):
    lattice = Lattice.build(text, pieces, unknown)
    frames = frames_of(record_filling(lattice))
    for frame, step in zip(frames[1:-1], forward_steps(lattice), strict=True):
        rows = frame.other.tables[0]
        if step.best is not None and len(step.edges) <= 8:
            assert math.isclose(sum(cells[6] for cells, *_ in rows), 1)
            for n, total in zip(step.edges, step.totals, strict=True):
                share = math.exp(total - step.value)
                assert abs(int(frame.other.weights[n]) - 9 * share) <= 0.5 + 1e-9
    shares = posteriors(lattice)
    if forward_values(lattice)[-1] > LOG_ZERO:
        assert frames[-1].other.weights == "".join(map(weight, shares))


@slowly
@given(texts.filter(bool), models, unknowns)
def test_the_end_reads_off_the_best_path(text, pieces, unknown):
    lattice = Lattice.build(text, pieces, unknown)
    last = frames_of(record_filling(lattice))[-1]
    path = best_path(lattice)
    if path is None:
        assert "cannot spell the text" in last.text
        assert "b" not in last.arcs
    else:
        assert [n for n, state in enumerate(last.arcs) if state == "b"] == sorted(path)
        assert " + ".join(shown(lattice.pieces(path))) in last.text
        assert nats(viterbi_values(lattice)[-1]) in last.text
        assert nats(forward_values(lattice)[-1]) in last.other.text


def test_the_sentences_of_the_published_example():
    vocabulary = VOCABULARIES["u2"]
    pieces = {piece: math.log(share) for piece, share in vocabulary.pieces.items()}
    recording = record_filling(Lattice.build("hat", pieces))
    assert [frame.text for frame in frames_of(recording)] == [
        "hat can be split in 3 ways. At position 0 we start with log probability 0.",
        "Only one piece ends at position 1: h, from 0 to −1.61.",
        "Two pieces end at position 2: ha gives −1.39 and beats a (−3.22).",
        "Two pieces end at position 3: t gives −3.00 and beats at (−3.51).",
        "Follow the winners back from the end: ha + t, with log probability −3.00: the best of "
        "3 ways.",
    ]
    assert frames_of(recording)[3].note == "best[3] = max(−1.61 − 1.90, −1.39 − 1.61) = −3.00"
    assert marks_of(recording)["several pieces end"] == [2, 3]


def test_a_tie_is_called_a_tie_and_both_answers_are_right():
    vocabulary = VOCABULARIES["u10"]
    pieces = {piece: math.log(share) for piece, share in vocabulary.pieces.items()}
    recording = record_filling(Lattice.build("cat", pieces))
    frame = frames_of(recording)[3]
    assert "ties with t" in frame.text
    assert frame.right == {"cat", "t"}
    assert marks_of(recording)["the best pieces tie"] == [3]


# ---- building ----


@slowly
@given(texts, models, unknowns)
def test_building_finds_the_edges_in_their_order(text, pieces, unknown):
    lattice = Lattice.build(text, pieces, unknown)
    frames = frames_of(record_building(lattice))
    assert len(frames) == len(text) + 2
    for k, frame in enumerate(frames[1:-1]):
        assert [n for n, state in enumerate(frame.arcs) if state == "c"] == [*lattice.leaving[k]]
        drawn = [n for n, edge in enumerate(lattice.edges) if edge.start <= k]
        assert [n for n, state in enumerate(frame.arcs) if state != " "] == drawn
    assert frames[-1].note == f"{len(lattice.edges)} edge{'s' * (len(lattice.edges) != 1)} in all"
    ways = num_segmentations(lattice)
    assert (f"{ways} way" in frames[-1].text) if ways else ("No path leads" in frames[-1].text)


# ---- from the right ----


@slowly
@given(texts, models, unknowns)
def test_the_backward_values_and_the_shares_are_those_of_the_core(text, pieces, unknown):
    lattice = Lattice.build(text, pieces, unknown)
    frames, beta = frames_of(record_backward(lattice)), backward_values(lattice)
    for k, frame in enumerate(frames[:-1]):
        here = len(text) - k
        assert frame.here == here
        assert frame.nodes == [""] * here + list(map(nats, beta[here:]))
    assert frames[-1].weights == "".join(map(weight, posteriors(lattice)))


# ---- listing and drawing ----


@slowly
@given(texts.filter(bool), models, unknowns)
def test_the_list_is_that_of_the_core(text, pieces, unknown):
    lattice = Lattice.build(text, pieces, unknown)
    recording = record_listing(lattice)
    expected = [lattice.pieces(path) for path in segmentations(lattice, MOST_LISTED)]
    frames, complete = frames_of(recording), marks_of(recording)["a segmentation is complete"]
    found = [frames[k].tables[1][-1][0] for k in complete]
    assert [tuple(cells[1]) for cells in found] == [shown(pieces) for pieces in expected]
    assert [cells[0] for cells in found] == list(range(1, len(expected) + 1))
    agenda = [float("inf")]
    for frame in frames[1:]:
        bounds = [
            float(cells[2].replace("−", "-").replace("∞", "inf")) for cells, *_ in frame.tables[0]
        ]
        assert bounds == sorted(bounds, reverse=True)
        assert not bounds or bounds[0] <= agenda[-1] + 0.01  # hypotheses are taken in falling order
        agenda.append(bounds[0] if bounds else -math.inf)


@slowly
@given(texts.filter(bool), models, st.sampled_from([0.0, 0.5, 1.0, 3.0]))
def test_the_recorded_draws_are_those_of_the_sampler(text, pieces, alpha):
    sampler = Sampler(Lattice.build(text, pieces, -12.0), alpha)
    recording = record_sampling(sampler, seed=4)
    frames, complete = frames_of(recording), marks_of(recording)["a segmentation is drawn"]
    rng = random.Random(4)
    drawn: Counter = Counter()
    for k in complete:
        path = sampler.draw(rng)
        drawn[path] += 1
        assert [n for n, state in enumerate(frames[k].arcs) if state in "nb"] == sorted(path)
        rows = {tuple(cells[0]): cells[1] for cells, *_ in frames[k].tables[1]}
        assert rows.get(shown(sampler.lattice.pieces(path))) in (drawn[path], None)
    assert len(complete) == MOST_DRAWN


# ---- what a worker does ----


def cut_of(id_: str) -> LatticeInput:
    vocabulary = VOCABULARIES[id_]
    pieces = {piece: math.log(share) for piece, share in vocabulary.pieces.items()}
    return LatticeInput(vocabulary.text, pieces, -20.0)


@pytest.mark.parametrize("id_", VOCABULARIES)
def test_every_mode_of_every_example(id_):
    cut = cut_of(id_)
    chance = SamplingSettings(1.0, 1, "sentencepiece")
    names = ("filling", "building", "backward", "listing", "sampling")
    recordings = [runs.record_lattice(never, name, cut, chance) for name in names]
    assert len({recording.key for recording in recordings}) == 5
    assert all(recording.last > 2 for recording in recordings)
    assert runs.list_segmentations(never, cut) == tuple(segmentations(cut.lattice()))


def never(done: int, total: int) -> bool:
    return False


def test_a_long_text_is_drawn_in_part_and_listed_in_part():
    cut = LatticeInput("ab" * 2_500, {"a": -1.0, "b": -1.0, "ab": -1.5}, -20.0)
    assert len(cut.truncated().text) == 240
    assert runs.record_lattice(never, "filling", cut.truncated(), None).last == 241
    assert (
        len(runs.list_segmentations(never, LatticeInput("ab" * 100, cut.log_probs, -20.0))) == 150
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_as_text(text):
    lattice = Lattice.build(text, {text: -1.0}, -12.0)
    frames = frames_of(record_filling(lattice))
    assert "\u202e" not in frames[-1].text
    sampler, paths = Sampler(lattice), list(segmentations(lattice))
    chart = draws_chart(sampler, paths, draw(sampler, seed=1, number=20))
    assert not any("<" in name or "\u202e" in name for name in chart.to_dict()["data"][0]["x"])


# ---- formulas and charts ----


@slowly
@given(texts.filter(bool), models, unknowns)
def test_formulas_end_in_the_value(text, pieces, unknown):
    lattice = Lattice.build(text, pieces, unknown)
    for steps, is_sum in ((viterbi_steps, False), (forward_steps, True)):
        values = [0.0, *(step.value for step in steps(lattice))]
        for step in steps(lattice):
            formula = arrival_formula(lattice, values, step, is_sum)
            (value,) = re.findall(r"&= (\S+)\\text\{ nats\}", formula)
            if step.value == LOG_ZERO:
                assert value == r"-\infty"
            else:
                assert math.isclose(float(value), step.value, rel_tol=5e-4, abs_tol=5.01e-4)
            assert (r"\alpha" in formula) == is_sum
    path = best_path(lattice)
    if path:
        log_z = forward_values(lattice)[-1]
        share = math.exp(lattice.log_prob(path) - log_z)
        assert f"= {share:.3g}\n" in path_formula(lattice, path, log_z)


def test_a_thousand_draws_come_near_the_exact_probabilities():
    lattice = cut_of("u1").lattice()
    sampler = Sampler(lattice, 0.5)
    paths = list(segmentations(lattice))
    drawn = draw(sampler, seed=1)
    assert drawn.total() == DRAWS
    exact = [sampler.probability(path) for path in paths]
    assert math.isclose(sum(exact), 1)
    assert distance([drawn[path] / DRAWS for path in paths], exact) < 0.06
    bars, marks = draws_chart(sampler, paths, drawn).to_dict()["data"]
    assert list(bars["y"]) == [drawn[path] / DRAWS for path in paths]
    assert list(marks["y"]) == pytest.approx(exact)
    assert len(set(bars["x"])) == len(paths)


def test_draws_by_hugging_face_have_another_distribution_unless_alpha_is_1():
    lattice = cut_of("u1").lattice()
    paths = list(segmentations(lattice))
    for alpha, same in ((1.0, True), (0.5, False), (0.1, False)):
        samplers = [Sampler(lattice, alpha, convention) for convention in CONVENTIONS]
        ours, theirs = ([one.probability(path) for path in paths] for one in samplers)
        assert math.isclose(sum(theirs), 1)
        assert (distance(theirs, ours) < 1e-9) == same


def test_shares_near_0_and_1_are_distinguished_from_them():
    assert [percent(share) for share in (0, 1e-9, 0.5, 1 - 1e-9, 1)] == [
        "0%", "under 0.1%", "50.0%", "over 99.9%", "100%",
    ]  # fmt: skip
