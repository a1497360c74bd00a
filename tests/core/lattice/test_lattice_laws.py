"""Laws of the lattice that hold for every string and every model, tried on thousands of drawn.

Each string is so short that all its segmentations can be listed: what the lattice works out one
position at a time must be what plain sums over the list give, in exact fractions. The alphabets are
small, so that pieces come up again, overlap and tie; the rest is real Unicode. Pieces may be
missing, so that there is no path; characters may be unknown; the probabilities need not sum to one,
and may be zero.
"""

import math
import random
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests import naive
from tests.call_counts import examples
from tests.core.bpe.test_laws import REAL
from tokenizers import plain
from tokenizers.lattice import (
    LOG_ZERO,
    TIE_EPS,
    Lattice,
    backward_steps,
    backward_values,
    best_by_length,
    best_path,
    build_steps,
    by_length,
    entropy,
    expected_counts,
    forward_steps,
    forward_values,
    num_segmentations,
    posteriors,
    score_gaps,
    viterbi_steps,
    viterbi_values,
)
from tokenizers.lattice.n_best import n_best_steps, rank, segmentations
from tokenizers.lattice.sampling import CONVENTIONS, Sampler

many = examples(200)
thousands = examples(2000)

LONGEST = 5
TEXTS = st.one_of(
    st.text("ab", max_size=8),
    st.text("abc", max_size=7),
    st.text("a", max_size=8),
    st.text(REAL, max_size=6),
)
COARSE = [None, None, 0, Fraction(1, 4), Fraction(1, 4), Fraction(1, 8), Fraction(1, 2)]
COARSE += [Fraction(3, 7), Fraction(1), Fraction(5, 2), Fraction(1, 10**9)]
FINE = st.one_of(st.none(), st.builds(Fraction, st.integers(1, 10**6), st.just(99_991)))
UNKNOWN = st.sampled_from([None, None, 0, Fraction(1, 4), Fraction(1, 10**6)])
ALPHAS = st.sampled_from([0.0, 0.1, 0.5, 1.0, 2.0, 7.0])


@dataclass
class Case:
    """A string and a model, as the list of all segmentations and as a lattice."""

    text: str
    chances: dict[str, Fraction]
    unknown: Fraction | None

    @property
    def pieces(self):
        return {piece: logarithm(chance) for piece, chance in self.chances.items()}

    def part(self, start, end):
        """Return the probabilities of all segmentations of a part of the string."""
        unknown = self.unknown or Fraction(0)
        return plain.segmentations(self.text[start:end], self.chances, unknown)

    def listed_and_built(self):
        unknown = None if self.unknown is None else logarithm(self.unknown)
        return self.part(0, None), Lattice.build(self.text, self.pieces, unknown)


@st.composite
def cases(draw, chances):
    text = draw(TEXTS)
    starts = range(len(text))
    parts = sorted({text[i:j] for i in starts for j in range(i + 1, i + 1 + LONGEST)})
    drawn = draw(st.lists(chances, min_size=len(parts), max_size=len(parts)))
    pieces = {part: chance for part, chance in zip(parts, drawn, strict=True) if chance is not None}
    others = draw(st.sampled_from([{}, {"b" * 12: Fraction(1, 2)}, {"": Fraction(1)}]))
    return Case(text, {**pieces, **others}, draw(UNKNOWN))


TYING = cases(st.sampled_from(COARSE))
CASES = st.one_of(TYING, cases(FINE))


def logarithm(chance):
    return naive.log(chance) if chance else LOG_ZERO


def close(one, other):
    return one == other or abs(one - other) < 1e-9


def all_close(ours, expected):
    return len(ours) == len(expected) and all(map(close, ours, expected))


# --- All segmentations ----------------------------------------------------------------------------


@thousands
@given(CASES)
def test_every_segmentation_is_listed_once_and_in_order(case):
    paths, lattice = case.listed_and_built()
    listed = list(segmentations(lattice))
    assert sorted(map(lattice.pieces, listed)) == sorted(paths)
    assert len(set(listed)) == len(listed) == num_segmentations(lattice)
    chances = [paths[lattice.pieces(path)] for path in listed]
    assert chances == sorted(chances, reverse=True)
    assert all_close([lattice.log_prob(path) for path in listed], list(map(naive.log, chances)))
    assert [lattice.path(lattice.pieces(path)) for path in listed] == listed


@thousands
@given(CASES)
def test_what_is_known_of_all_paths_at_once(case):
    """The maximum, the sum, the posteriors, the entropy: against sums over the list."""
    paths, lattice = case.listed_and_built()
    log_z = logarithm(sum(paths.values()))
    assert close(viterbi_values(lattice)[-1], logarithm(max(paths.values(), default=0)))
    assert close(forward_values(lattice)[-1], log_z)
    assert close(backward_values(lattice)[0], log_z)

    best = best_path(lattice)
    assert (best is None) == (not paths)
    if best is not None:
        assert paths[lattice.pieces(best)] == max(paths.values())

    expected = naive.edge_shares(paths)
    shares = posteriors(lattice)
    assert all_close(shares, [expected[edge.start, edge.end] for edge in lattice.edges])
    assert {(edge.start, edge.end) for edge in lattice.edges} >= set(expected)

    counts = expected_counts(lattice)
    expected = plain.expected_counts({case.text: 1}, case.chances, case.unknown or 0)
    assert all(close(counts.get(p, 0), expected.get(p, 0)) for p in {*counts, *expected})
    assert close(entropy(lattice), naive.entropy(paths))


@many
@given(CASES)
def test_every_value_on_the_way_is_that_of_a_part_of_the_string(case):
    _, lattice = case.listed_and_built()
    n = len(case.text)
    heads = [case.part(0, position).values() for position in range(n + 1)]
    tails = [case.part(position, None).values() for position in range(n + 1)]
    most = [logarithm(max(head, default=0)) for head in heads]
    assert all_close(viterbi_values(lattice), most)
    assert all_close(forward_values(lattice), [logarithm(sum(head)) for head in heads])
    assert all_close(backward_values(lattice), [logarithm(sum(tail)) for tail in tails])


@many
@given(CASES)
def test_over_any_letter_the_shares_add_up_to_one(case):
    paths, lattice = case.listed_and_built()
    shares = posteriors(lattice)
    for place in range(len(case.text)):
        over = [
            share
            for edge, share in zip(lattice.edges, shares, strict=True)
            if edge.start <= place < edge.end
        ]
        assert close(math.fsum(over), 1.0 if paths else 0.0)


@many
@given(CASES)
def test_log_z_is_the_expected_log_probability_and_the_entropy(case):
    paths, lattice = case.listed_and_built()
    assume(paths)
    expected = [
        share * edge.log_prob
        for edge, share in zip(lattice.edges, posteriors(lattice), strict=True)
    ]
    assert close(forward_values(lattice)[-1], math.fsum(expected) + naive.entropy(paths))
    assert 0 <= entropy(lattice) < math.log(len(paths)) + 1e-9


@many
@given(CASES, ALPHAS)
def test_a_scaled_lattice_is_that_of_the_powers(case, alpha):
    paths, lattice = case.listed_and_built()
    assume(paths)
    most = naive.log(max(paths.values()))
    powers = [math.exp(alpha * (naive.log(chance) - most)) for chance in paths.values()]
    edges = [replace(edge, log_prob=alpha * edge.log_prob) for edge in lattice.edges]
    log_z = forward_values(Lattice(lattice.text, edges))[-1]
    assert close(log_z, alpha * most + math.log(math.fsum(powers)))


@many
@given(TYING, st.data())
def test_a_path_is_found_by_its_pieces_or_rejected(case, data):
    paths, lattice = case.listed_and_built()
    n = len(case.text)
    cuts = data.draw(st.sets(st.integers(1, n - 1))) if n > 1 else set()
    pieces = tuple(case.text[i:j] for i, j in pairwise([0, *sorted(cuts), n])) if n else ()
    if pieces in paths:
        assert lattice.pieces(lattice.path(pieces)) == pieces
    else:
        with pytest.raises(ValueError, match="begins at position"):
            lattice.path(pieces)
    if n:
        with pytest.raises(ValueError, match="position"):
            lattice.path(pieces[:-1])


# --- Steps ----------------------------------------------------------------------------------------


@many
@given(CASES)
def test_building_finds_every_edge_once_and_in_order(case):
    _, lattice = case.listed_and_built()
    unknown = None if case.unknown is None else logarithm(case.unknown)
    steps = list(build_steps(case.text, case.pieces, unknown))
    assert [step.position for step in steps] == list(range(len(case.text)))
    assert tuple(edge for step in steps for edge in step.edges) == lattice.edges
    every = [(i, j) for i in range(len(case.text)) for j in range(i + 1, len(case.text) + 1)]
    whole = {(i, j): case.chances.get(case.text[i:j], 0) for i, j in every}
    known = [place for place in every if whole[place]]
    guessed = [(i, j) for i, j in every if j == i + 1 and not whole[i, j] and case.unknown]
    assert [(edge.start, edge.end) for edge in lattice.edges if edge.known] == known
    assert [(edge.start, edge.end) for edge in lattice.edges if not edge.known] == guessed
    assert [(edge.start, edge.end) for edge in lattice.edges] == sorted([*known, *guessed])
    assert all(edge.piece == case.text[edge.start : edge.end] for edge in lattice.edges)
    for position in range(len(case.text) + 1):
        numbers = range(len(lattice.edges))
        arriving = [n for n in numbers if lattice.edges[n].end == position]
        leaving = [n for n in numbers if lattice.edges[n].start == position]
        assert list(lattice.arriving[position]) == arriving
        assert list(lattice.leaving[position]) == leaving


@many
@given(CASES)
def test_an_arrival_describes_what_each_edge_brings(case):
    _, lattice = case.listed_and_built()
    runs = (
        (viterbi_steps, viterbi_values, lattice.arriving, "start"),
        (forward_steps, forward_values, lattice.arriving, "start"),
        (backward_steps, backward_values, lattice.leaving, "end"),
    )
    for steps, values, edges_at, other_end in runs:
        known = values(lattice)
        for step in steps(lattice):
            edges = [lattice.edges[number] for number in step.edges]
            assert step.edges == edges_at[step.position]
            assert step.value == known[step.position]
            brought = [known[getattr(edge, other_end)] + edge.log_prob for edge in edges]
            assert list(step.totals) == brought
            most = max(brought, default=LOG_ZERO)
            first = None if most == LOG_ZERO else step.edges[brought.index(most)]
            assert step.best == first
            assert step.value == most if steps is viterbi_steps else step.value >= most


@many
@given(CASES)
def test_hypotheses_are_popped_in_the_order_of_what_they_can_become(case):
    _, lattice = case.listed_and_built()
    best, waiting, worth = viterbi_values(lattice), 1, math.inf
    agenda = []
    for number, step in enumerate(n_best_steps(lattice)):
        popped = step.hypothesis
        assert popped.bound <= worth + 1e-9
        assert close(popped.so_far, lattice.log_prob(popped.path))
        assert close(popped.bound, popped.so_far + best[popped.position])
        if number:
            agenda.remove(popped)
        agenda.extend(step.added)
        assert {h.path for h in step.added} == {
            (edge, *popped.path)
            for edge in lattice.arriving[popped.position]
            if best[lattice.edges[edge].start] > LOG_ZERO
        }
        waiting += len(step.added) - 1
        assert step.waiting == waiting == len(agenda)
        worth = popped.bound
    assert not agenda


@many
@given(TYING, st.integers(0, 12))
def test_the_first_few_are_the_beginning_of_all(case, limit):
    _, lattice = case.listed_and_built()
    assert list(segmentations(lattice, limit)) == list(segmentations(lattice))[:limit]


# --- Ties, ranks, gaps ----------------------------------------------------------------------------


@many
@given(st.text("ab", max_size=9), st.data())
def test_where_paths_tie_the_longest_last_piece_wins(text, data):
    """With whole numbers for logarithms, floating point sums are exact, and so are ties."""
    parts = sorted({text[i:j] for i in range(len(text)) for j in range(i + 1, i + 5)})
    logs = {part: float(data.draw(st.integers(-4, -1))) for part in parts}
    paths = plain.segmentations(text, {part: Fraction(1, 2) for part in logs})
    lattice = Lattice.build(text, logs)

    def chosen(paths):
        most = max(sum(map(logs.__getitem__, path)) for path in paths)
        tied = [path for path in paths if sum(map(logs.__getitem__, path)) == most]
        return max(tied, key=lambda path: [len(piece) for piece in reversed(path)])

    best = best_path(lattice)
    assert best is not None
    assert lattice.pieces(best) == chosen(paths)
    assert next(segmentations(lattice)) == best
    for way in by_length(lattice):
        of_length = [path for path in paths if len(path) == way.length]
        assert lattice.pieces(way.best) == chosen(of_length)


@many
@given(TYING, st.integers(1, 140))
def test_a_rank_counts_the_paths_that_are_more_probable(case, limit):
    paths, lattice = case.listed_and_built()
    for path in list(segmentations(lattice))[::5]:
        chance = paths[lattice.pieces(path)]
        place = 1 + sum(other > chance for other in paths.values())
        assert rank(lattice, path, limit) == (place if place <= limit else None)


@many
@given(TYING, st.data())
def test_a_path_falls_behind_where_a_better_way_arrives(case, data):
    paths, lattice = case.listed_and_built()
    assume(paths)
    path = data.draw(st.sampled_from(list(paths)))
    gaps = score_gaps(lattice, lattice.path(path))
    expected = naive.falls_behind(path, case.text, case.chances, case.unknown or Fraction(0))
    assert [gap.position for gap in gaps] == [position for position, _ in expected]
    assert all_close([gap.nats for gap in gaps], [nats for _, nats in expected])
    gap = naive.log(max(paths.values()) / paths[path])
    assert close(gaps[-1].nats if gaps else 0.0, gap)
    values = viterbi_values(lattice)
    for gap in gaps:
        rival = lattice.edges[gap.rival]
        assert rival.end == gap.position
        assert values[rival.start] + rival.log_prob == values[gap.position]


@many
@given(CASES, st.data())
def test_whatever_the_numbers_the_gaps_grow_to_the_whole(case, data):
    paths, lattice = case.listed_and_built()
    assume(paths)
    path = data.draw(st.sampled_from(list(paths)))
    gaps = [gap.nats for gap in score_gaps(lattice, lattice.path(path))]
    assert gaps == sorted(set(gaps))
    whole = naive.log(max(paths.values()) / paths[path])
    assert abs((gaps[-1] if gaps else 0.0) - whole) < 10 * TIE_EPS


# --- The number of pieces ------------------------------------------------------------------------


@many
@given(CASES)
def test_by_length(case):
    paths, lattice = case.listed_and_built()
    ways, expected = by_length(lattice), naive.by_length(paths)
    assert [way.length for way in ways] == sorted(expected)
    for way in ways:
        chances = expected[way.length]
        assert way.count == len(chances)
        assert close(way.log_best, naive.log(max(chances)))
        assert close(way.log_sum, naive.log(sum(chances)))
        best = lattice.pieces(way.best)
        assert len(best) == way.length
        assert paths[best] == max(chances)


PRIORS = st.dictionaries(
    st.integers(0, 9), st.sampled_from([Fraction(n, 10) for n in (0, 1, 2, 5, 9)])
)


@many
@given(TYING, PRIORS)
def test_the_length_prior_weighs_every_segmentation(case, prior):
    paths, lattice = case.listed_and_built()
    weighed = {path: prior.get(len(path), 0) * chance for path, chance in paths.items()}
    won = best_by_length(by_length(lattice), {m: float(p) for m, p in prior.items()})
    most = max(weighed.values(), default=0)
    assert (won is None) == (not most)
    if won is not None:
        assert weighed[lattice.pieces(won.best)] == most


# --- Sampling -------------------------------------------------------------------------------------


@many
@given(CASES, ALPHAS)
def test_every_path_is_drawn_by_its_power(case, alpha):
    paths, lattice = case.listed_and_built()
    assume(paths)
    sampler, expected = Sampler(lattice, alpha), naive.powered(paths, alpha)
    drawn = {pieces: sampler.probability(lattice.path(pieces)) for pieces in paths}
    assert all(close(drawn[pieces], expected[pieces]) for pieces in paths)
    assert close(math.fsum(drawn.values()), 1.0)


@many
@given(CASES, st.sampled_from([0.0, 0.1, 0.5, 1.0]))
def test_hugging_face_raises_what_came_before_again(case, alpha):
    paths, lattice = case.listed_and_built()
    assume(paths)
    sampler = Sampler(lattice, alpha, "hugging_face")
    expected = naive.hugging_face_shares(
        case.text, case.chances, alpha, case.unknown or Fraction(0)
    )
    assert set(expected) == set(paths)
    drawn = {pieces: sampler.probability(lattice.path(pieces)) for pieces in paths}
    assert all(close(drawn[pieces], expected[pieces]) for pieces in paths)
    assert close(math.fsum(drawn.values()), 1.0)


@many
@given(CASES, ALPHAS, st.sampled_from(CONVENTIONS), st.integers(0, 99))
def test_a_draw_is_a_path_and_says_how_it_was_drawn(case, alpha, convention, seed):
    paths, lattice = case.listed_and_built()
    if not paths:
        with pytest.raises(ValueError, match="no path"):
            Sampler(lattice, alpha, convention)
        return
    sampler = Sampler(lattice, alpha, convention)
    steps = list(sampler.steps(random.Random(seed)))
    path = sampler.draw(random.Random(seed))
    assert path == tuple(step.chosen for step in reversed(steps))
    assert lattice.pieces(path) in paths
    position, probability = len(case.text), 1.0
    for step in steps:
        assert (step.position, step.edges) == (position, lattice.arriving[position])
        assert close(math.fsum(step.shares), 1.0)
        place = step.edges.index(step.chosen)
        before = math.fsum(step.shares[:place])
        assert before - 1e-9 <= step.number <= before + step.shares[place] + 1e-9
        probability *= step.shares[place]
        position = lattice.edges[step.chosen].start
    assert position == 0
    assert sampler.probability(path) == pytest.approx(probability)
