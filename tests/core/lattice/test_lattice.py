"""The lattice: the worked examples figure by figure, and every rule on a small case.

The examples are those that published introductions use. Where a publication prints another figure
than the one here, counting gives the one here.
"""

import math
import random
import re
from collections import Counter
from fractions import Fraction
from itertools import islice

import pytest

from tests import naive
from tokenizers import plain
from tokenizers.bpe import merge_steps, split_after
from tokenizers.lattice import (
    LOG_ZERO,
    Edge,
    Lattice,
    LengthGroup,
    OutgoingEdges,
    ScoreGap,
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
    log_sum_exp,
    num_segmentations,
    posteriors,
    score_gaps,
    viterbi_steps,
    viterbi_values,
)
from tokenizers.lattice.n_best import n_best_steps, rank, segmentations
from tokenizers.lattice.sampling import CONVENTIONS, Sampler

KNOWING = {
    **{piece: Fraction(3, 16) for piece in ("k", "now", "know", "knowing")},
    "ing": Fraction(7, 16),
}
HELLO = ["h", "e", "l", "o", "he", "el", "lo", "ll", "hell"]
HAT = ["h", "a", "t", "ha", "at"]
UNEVEN = {
    **{"h": Fraction(1, 8), "a": Fraction(1, 2), "t": Fraction(1, 4)},
    **{"ha": Fraction(1, 16), "at": Fraction(1, 16)},
}


def alike(pieces):
    """Give every piece the same probability."""
    return {piece: Fraction(1, len(pieces)) for piece in pieces}


def built(text, chances, unknown=None):
    return Lattice.build(text, {piece: naive.log(p) for piece, p in chances.items()}, unknown)


def listed(lattice, limit=None):
    """Write the segmentations as `ha t, h at`, the best first."""
    return ", ".join(" ".join(lattice.pieces(path)) for path in segmentations(lattice, limit))


def best(lattice):
    path = best_path(lattice)
    return None if path is None else " ".join(lattice.pieces(path))


def path_of(lattice, pieces):
    return lattice.path(pieces.split())


def chance(lattice, pieces):
    return math.exp(lattice.log_prob(path_of(lattice, pieces)))


def everything(lattice):
    """Return what is known of all paths at once."""
    return (
        viterbi_values(lattice)[-1],
        forward_values(lattice)[-1],
        backward_values(lattice)[0],
        entropy(lattice),
        num_segmentations(lattice),
        best_path(lattice),
        list(segmentations(lattice)),
        by_length(lattice),
    )


# --- The worked examples --------------------------------------------------------------------------


def test_hello_has_nine_segmentations():
    """The introduction that has this vocabulary lists the first four."""
    lattice = built("hello", alike(HELLO))
    assert num_segmentations(lattice) == 9
    assert set(listed(lattice).split(", ")) == {
        "he ll o", "h el lo", "he l lo", "hell o",
        "h e l l o", "h e l lo", "h e ll o", "h el l o", "he l l o",
    }  # fmt: skip
    assert best(lattice) == "hell o"  # with probabilities all alike, the fewest pieces win


@pytest.mark.parametrize(
    ("merges", "split"),
    [
        ("he lo ll", "he l lo"),
        ("he ll lo", "he ll o"),
        ("el lo he ll", "h el lo"),
        ("ll he he+ll", "hell o"),
    ],
)
def test_which_one_bpe_takes_is_up_to_the_order_of_its_merges(merges, split):
    """The introduction says that BPE takes `he l lo`; the vocabulary alone does not say so."""
    pairs = [tuple(merge.split("+")) if "+" in merge else tuple(merge) for merge in merges.split()]
    ranks = {pair: number for number, pair in enumerate(pairs)}
    assert " ".join(split_after("hello", list(merge_steps("hello", ranks)))) == split
    assert plain.encode_bpe(tuple("hello"), ranks) == tuple(split.split())
    assert split in listed(built("hello", alike(HELLO)))


def test_hat_has_three_segmentations():
    lattice = built("hat", alike(HAT))
    assert num_segmentations(lattice) == 3
    assert listed(lattice) == "h at, ha t, h a t"
    assert [math.exp(lattice.log_prob(path)) for path in segmentations(lattice)] == pytest.approx(
        [1 / 25, 1 / 25, 1 / 125]
    )


def test_knowing():
    """For `know ing` the introduction repeats the product of `k now ing`; its 336 is right."""
    lattice = built("knowing", KNOWING)
    assert listed(lattice) == "knowing, know ing, k now ing"
    of_4096 = [4096 * math.exp(lattice.log_prob(path)) for path in segmentations(lattice)]
    assert of_4096 == pytest.approx([768, 336, 63])
    assert best(lattice) == "knowing"
    assert 4096 * math.exp(viterbi_values(lattice)[-1]) == pytest.approx(768)


def test_knowing_has_probabilities_that_do_not_sum_to_one():
    """Nothing needs them to: shares are of the sum over the paths, whatever it is."""
    lattice = built("knowing", KNOWING)
    logs = [edge.log_prob for edge in lattice.edges]
    assert {edge.piece for edge in lattice.edges} == set(KNOWING)
    assert math.exp(log_sum_exp(logs)) == pytest.approx(19 / 16)
    assert 4096 * math.exp(forward_values(lattice)[-1]) == pytest.approx(63 + 336 + 768)
    shares = dict(zip((edge.piece for edge in lattice.edges), posteriors(lattice), strict=True))
    assert shares["knowing"] == pytest.approx(768 / 1167)
    assert shares["ing"] == pytest.approx(399 / 1167)
    assert shares["k"] == shares["now"] == pytest.approx(63 / 1167)


def test_the_probability_of_a_string_is_the_sum_over_its_segmentations():
    lattice = built("hat", UNEVEN)
    assert chance(lattice, "h a t") == pytest.approx(1 / 64)
    assert chance(lattice, "ha t") == pytest.approx(1 / 64)
    assert chance(lattice, "h at") == pytest.approx(1 / 128)
    assert math.exp(forward_values(lattice)[-1]) == pytest.approx(5 / 128)
    shares = dict(zip((edge.piece for edge in lattice.edges), posteriors(lattice), strict=True))
    assert shares == pytest.approx({"h": 0.6, "ha": 0.4, "a": 0.4, "at": 0.2, "t": 0.8})
    assert expected_counts(lattice) == pytest.approx(shares)
    assert entropy(lattice) == pytest.approx(-0.8 * math.log(0.4) - 0.2 * math.log(0.2))


@pytest.mark.parametrize(("hell", "winner"), [(1, "he ll o"), (3, "hell o"), (2, "hell o")])
def test_a_segmentations_share_follows_the_probabilities(hell, winner):
    """With 2, `hell o` and `he ll o` tie: both end in o, and hell is longer than ll."""
    weights = {"h": 1, "e": 1, "l": 1, "o": 8, "he": 4, "el": 2, "lo": 1, "ll": 8, "hell": hell}
    chances = {piece: Fraction(weight, 16) for piece, weight in weights.items()}
    lattice, paths = built("hello", chances), plain.segmentations("hello", chances)
    assert best(lattice) == winner
    total = sum(paths.values())
    for path in segmentations(lattice):
        share = math.exp(lattice.log_prob(path) - forward_values(lattice)[-1])
        assert share == pytest.approx(float(paths[lattice.pieces(path)] / total))
    assert expected_counts(lattice)["l"] == pytest.approx(
        float(plain.expected_counts({"hello": 1}, chances)["l"])
    )


TIE = {"h": Fraction(1, 4), "a": Fraction(1, 4), "t": Fraction(1, 4), "hat": Fraction(1, 64)}


def test_a_length_prior_decides_between_segmentations_that_tie():
    lattice = built("hat", TIE)
    one, three = by_length(lattice)
    assert (one.length, three.length) == (1, 3)
    assert math.isclose(one.log_best, three.log_best)
    short = best_by_length([one, three], {1: 0.9, 3: 0.1})
    assert short == one
    assert lattice.pieces(one.best) == ("hat",)
    assert 0.9 * math.exp(one.log_best) == pytest.approx(0.9 / 64)
    assert 0.1 * math.exp(three.log_best) == pytest.approx(0.1 / 64)
    assert best_by_length([one, three], {1: 0.1, 3: 0.9}) == three


def test_a_length_prior_can_overrule_the_probabilities():
    """Three pieces win although their product is the smaller, if P(3) is much larger than P(1)."""
    lattice = built("hat", {**TIE, "hat": Fraction(1, 4)})
    assert best(lattice) == "hat"
    won = best_by_length(by_length(lattice), {1: 0.01, 3: 0.99})
    assert won is not None
    assert lattice.pieces(won.best) == ("h", "a", "t")


def test_a_thousand_draws_and_their_exact_shares():
    lattice = built("hat", UNEVEN)
    sampler, rng = Sampler(lattice), random.Random(7)
    drawn = Counter(" ".join(lattice.pieces(sampler.draw(rng))) for _ in range(1000))
    exact = {"h a t": 0.4, "ha t": 0.4, "h at": 0.2}
    assert set(drawn) == set(exact)
    assert {path: drawn[path] / 1000 for path in exact} == pytest.approx(exact, abs=0.04)


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("alpha", [0.3, 1.0])
def test_many_draws_come_close_to_the_exact_shares(alpha, convention):
    lattice = built("hello", {**alike(HELLO), "hell": Fraction(1, 50), "o": Fraction(1, 3)})
    sampler, rng, n = Sampler(lattice, alpha, convention), random.Random(0), 100_000
    drawn = Counter(sampler.draw(rng) for _ in range(n))
    paths = list(segmentations(lattice))
    assert set(drawn) == set(paths)
    apart = [abs(drawn[path] / n - sampler.probability(path)) for path in paths]
    assert sum(apart) / 2 < 0.01


# --- Building -------------------------------------------------------------------------------------


def test_building_step_by_step():
    logs = {"h": -1.0, "a": -2.0, "t": -3.0, "ha": -4.0, "at": -5.0, "q": -6.0}
    assert list(build_steps("hat", logs)) == [
        OutgoingEdges(0, (Edge(0, 1, "h", -1.0), Edge(0, 2, "ha", -4.0))),
        OutgoingEdges(1, (Edge(1, 2, "a", -2.0), Edge(1, 3, "at", -5.0))),
        OutgoingEdges(2, (Edge(2, 3, "t", -3.0),)),
    ]
    lattice = Lattice.build("hat", logs)
    assert lattice.arriving == ((), (0,), (1, 2), (3, 4))
    assert lattice.leaving == ((0, 1), (2, 3), (4,), ())


def test_unknown_characters_get_an_edge_of_their_own():
    lattice = Lattice.build("axb", {"a": -1.0, "ax": -2.0, "b": LOG_ZERO}, unknown=-9.0)
    assert lattice.edges == (
        Edge(0, 1, "a", -1.0),
        Edge(0, 2, "ax", -2.0),
        Edge(1, 2, "x", -9.0, known=False),
        Edge(2, 3, "b", -9.0, known=False),  # a piece, but of probability zero
    )
    assert listed(lattice) == "ax b, a x b"


@pytest.mark.parametrize("unknown", [None, LOG_ZERO])
@pytest.mark.parametrize("pieces", [{}, {"a": -1.0}, {"a": -1.0, "b": LOG_ZERO}, {"": 0.0}])
def test_without_a_path(pieces, unknown):
    lattice = Lattice.build("ab", pieces, unknown)
    assert everything(lattice) == (LOG_ZERO, LOG_ZERO, LOG_ZERO, 0.0, 0, None, [], [])
    assert posteriors(lattice) == (0.0,) * len(lattice.edges)
    assert best_by_length([], {1: 1.0}) is None
    with pytest.raises(ValueError, match="no path leads through the lattice"):
        Sampler(lattice)


@pytest.mark.parametrize("pieces", [{}, {"a": -1.0}])
def test_the_empty_string_has_one_segmentation_into_no_pieces(pieces):
    lattice = Lattice.build("", pieces)
    whole = LengthGroup(0, 1, (), 0.0, 0.0)
    assert everything(lattice) == (0.0, 0.0, 0.0, 0.0, 1, (), [()], [whole])
    assert (posteriors(lattice), expected_counts(lattice)) == ((), {})
    assert (lattice.path([]), score_gaps(lattice, ()), rank(lattice, (), 1)) == ((), [], 1)
    sampler = Sampler(lattice)
    assert (sampler.draw(random.Random(0)), sampler.probability(())) == ((), 1.0)


def test_one_character():
    lattice = Lattice.build("a", {"a": -2.0, "aa": -1.0, "a" * 1000: -1.0})
    whole = LengthGroup(1, 1, (0,), -2.0, -2.0)
    assert everything(lattice) == (-2.0, -2.0, -2.0, 0.0, 1, (0,), [(0,)], [whole])
    assert posteriors(lattice) == (1.0,)


def test_pieces_much_longer_than_the_text_cost_nothing():
    class Asked(dict):
        asked = 0

        def get(self, *arguments):
            self.asked += 1
            return super().get(*arguments)

    pieces = Asked({"a": -1.0, "a" * 1_000_000: -1.0})
    assert num_segmentations(Lattice.build("aaa", pieces)) == 1
    assert pieces.asked == 6


def test_positions_lie_between_code_points():
    lattice = Lattice.build("e\u0301😀", {"e": -1.0, "\u0301": -1.0, "e\u0301": -1.5, "😀": -1.0})
    assert [(edge.start, edge.end) for edge in lattice.edges] == [(0, 1), (0, 2), (1, 2), (2, 3)]
    assert listed(lattice) == "e\u0301 😀, e \u0301 😀"


def test_a_piece_that_is_certain_costs_nothing():
    lattice = Lattice.build("aa", {"a": 0.0, "aa": 0.0})
    assert (viterbi_values(lattice)[-1], best(lattice)) == (0.0, "aa")
    assert forward_values(lattice)[-1] == pytest.approx(math.log(2))
    assert entropy(lattice) == pytest.approx(math.log(2))


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        (["ha", "a"], "No piece “a” begins at position 2."),
        (["x"], "No piece “x” begins at position 0."),
        (["h", "a"], "The pieces end at position 2 of 3."),
        ([], "The pieces end at position 0 of 3."),
        (["h", "at", "h"], "No piece “h” begins at position 3."),
        (["hat"], "No piece “hat” begins at position 0."),
    ],
)
def test_pieces_that_are_no_path(pieces, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        built("hat", UNEVEN).path(pieces)


# --- One position at a time -----------------------------------------------------------------------


def test_maximum_and_sum_on_the_same_picture():
    lattice = built("hat", UNEVEN)
    most, total = list(viterbi_steps(lattice)), list(forward_steps(lattice))
    assert [step.position for step in most] == [step.position for step in total] == [1, 2, 3]
    assert [step.edges for step in most] == [step.edges for step in total] == [(0,), (1, 2), (3, 4)]
    assert [round(128 * math.exp(step.value), 9) for step in most] == [16, 8, 2]
    assert [round(128 * math.exp(step.value), 9) for step in total] == [16, 16, 5]
    assert [128 * math.exp(brought) for brought in most[2].totals] == pytest.approx([1, 2])
    assert [128 * math.exp(brought) for brought in total[2].totals] == pytest.approx([1, 4])
    assert [step.best for step in most] == [0, 1, 4]  # at 2, ha and h a tie: the longer is first


def test_backward_from_the_end():
    lattice = built("hat", UNEVEN)
    steps = list(backward_steps(lattice))
    assert [step.position for step in steps] == [2, 1, 0]
    assert [step.edges for step in steps] == [(4,), (2, 3), (0, 1)]
    assert [round(128 * math.exp(step.value), 9) for step in steps] == [32, 24, 5]
    assert [128 * math.exp(brought) for brought in steps[2].totals] == pytest.approx([3, 2])


def test_positions_that_no_path_reaches():
    lattice = Lattice.build("abc", {"ab": -1.0, "c": -1.0, "bc": -1.0})
    first, second, _ = viterbi_steps(lattice)
    assert (first.edges, first.totals, first.value, first.best) == ((), (), LOG_ZERO, None)
    assert second.best == 0
    steps = {step.position: step for step in forward_steps(lattice)}
    assert steps[3].totals == (LOG_ZERO, -2.0)
    assert posteriors(lattice) == (1.0, 0.0, 1.0)
    assert num_segmentations(lattice) == 1


def test_log_sum_exp_neither_overflows_nor_loses_all():
    assert log_sum_exp([]) == log_sum_exp([LOG_ZERO, LOG_ZERO]) == LOG_ZERO
    assert log_sum_exp([-5000.0, -5000.0]) == pytest.approx(-5000 + math.log(2))
    assert log_sum_exp([5000.0, LOG_ZERO]) == 5000.0


# --- Ranks and gaps -------------------------------------------------------------------------------


def test_why_not():
    """`h a t` falls behind twice: at 2 `ha` is better, and at 3 `hat` is."""
    logs = {"h": -1.0, "a": -2.0, "t": -1.0, "ha": -2.5, "at": -4.0, "hat": -3.0}
    lattice = Lattice.build("hat", logs)
    edge = {edge.piece: number for number, edge in enumerate(lattice.edges)}
    assert listed(lattice) == "hat, ha t, h a t, h at"
    assert score_gaps(lattice, path_of(lattice, "hat")) == []
    assert score_gaps(lattice, path_of(lattice, "ha t")) == [ScoreGap(3, 0.5, edge["hat"])]
    assert score_gaps(lattice, path_of(lattice, "h a t")) == [
        ScoreGap(2, 0.5, edge["ha"]),
        ScoreGap(3, 1.0, edge["hat"]),
    ]
    assert score_gaps(lattice, path_of(lattice, "h at")) == [ScoreGap(3, 2.0, edge["hat"])]
    assert [rank(lattice, path, 9) for path in segmentations(lattice)] == [1, 2, 3, 4]
    assert rank(lattice, path_of(lattice, "h at"), 3) is None


@pytest.mark.parametrize("path", [(1, 3), (4,), (0, 4), (2, 4)])
def test_edges_that_are_no_path_are_not_behind(path):
    with pytest.raises(ValueError, match="No path has edge"):
        score_gaps(built("hat", UNEVEN), path)


def test_rounding_parts_no_ties():
    """0.1 + 0.2 is not 0.3, but no one is behind anyone here, and all are first."""
    assert 0.1 + 0.2 != 0.3
    lattice = Lattice.build("a" * 9, {"a": -0.1, "aa": -0.2, "aaa": -0.3})
    for path in segmentations(lattice):
        assert score_gaps(lattice, path) == []
        assert rank(lattice, path, 1) == 1


def test_the_number_of_pieces():
    lattice = Lattice.build("a" * 10, {"a": -1.0, "aa": -1.5})
    ways = by_length(lattice)
    assert [(way.length, way.count) for way in ways] == [
        (pieces, math.comb(pieces, 10 - pieces)) for pieces in range(5, 11)
    ]
    assert sum(way.count for way in ways) == num_segmentations(lattice) == 89
    assert all(len(lattice.pieces(way.best)) == way.length for way in ways)
    assert log_sum_exp([way.log_sum for way in ways]) == pytest.approx(forward_values(lattice)[-1])


def test_of_lengths_that_tie_the_fewest_pieces_win():
    ways = [LengthGroup(2, 1, (0, 1), -4.0, -4.0), LengthGroup(3, 1, (2, 3, 4), -4.0, -4.0)]
    assert best_by_length(ways, {3: 0.5, 2: 0.5}) == ways[0]
    assert best_by_length(ways, {3: 0.5, 2: 0.0}) == ways[1]
    assert best_by_length(ways, {4: 1.0}) is None


# --- Sampling -------------------------------------------------------------------------------------


class Loaded(random.Random):
    """Dice that fall as they are told."""

    def __init__(self, *numbers):
        super().__init__()
        self.numbers = list(numbers)

    def random(self):
        return self.numbers.pop(0)


@pytest.mark.parametrize(
    ("numbers", "drawn"),
    [
        ((0.0, 0.0), "h at"),
        ((0.1999,), "h at"),
        ((0.2001, 0.0), "ha t"),
        ((0.2001, 0.4999), "ha t"),
        ((0.9999, 0.5001), "h a t"),
        ((1 - 2**-53, 1 - 2**-53), "h a t"),
    ],
)
def test_a_random_number_falls_into_the_share_of_an_edge(numbers, drawn):
    lattice = built("hat", UNEVEN)  # at 3: at 0.2, t 0.8; at 2: ha 0.5, a 0.5
    draw = Sampler(lattice).draw(Loaded(*numbers, 0.0, 0.0))
    assert " ".join(lattice.pieces(draw)) == drawn


def test_an_edge_from_nowhere_is_never_drawn():
    """Not even by the number 0: no path leads to where `bc` begins, so its share is nothing."""
    lattice = Lattice.build("abc", {"ab": -50.0, "bc": 0.0, "c": -1.0})
    sampler = Sampler(lattice)
    assert sampler.shares[3] == (0.0, 1.0)
    for number in (0.0, 0.5, 1 - 2**-53):
        assert sampler.draw(Loaded(number, number)) == lattice.path(["ab", "c"])


def test_alpha_zero_makes_all_segmentations_alike():
    lattice = built("hello", {**alike(HELLO), "o": Fraction(1, 2)})
    sampler = Sampler(lattice, 0.0)
    assert [sampler.probability(path) for path in segmentations(lattice)] == pytest.approx(
        [1 / 9] * 9
    )


def test_alpha_zero_in_hugging_faces_library():
    """The sum at a position is then the number of edges there: 3 at 4, where o begins; 2 at 3."""
    lattice = built("hello", {**alike(HELLO), "o": Fraction(1, 2)})
    sampler = Sampler(lattice, 0.0, "hugging_face")
    assert sampler.shares[5] == pytest.approx([2 / 5, 3 / 5])
    assert sampler.shares[4] == pytest.approx([1 / 5, 2 / 5, 2 / 5])
    assert sampler.probability(path_of(lattice, "hell o")) == pytest.approx(3 / 25)


@pytest.mark.parametrize("alpha", [50.0, 1e6, 1e300])
def test_a_large_alpha_takes_the_best(alpha):
    lattice = built("hello", {**alike(HELLO), "hell": Fraction(1, 3)})
    sampler = Sampler(lattice, alpha)
    assert sampler.probability(path_of(lattice, "hell o")) == pytest.approx(1)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"alpha": -0.1}, "alpha is -0.1"),
        ({"alpha": math.nan}, "alpha is nan"),
        ({"alpha": math.inf}, "alpha is inf"),
        ({"convention": "bpe"}, "the convention is 'bpe', not one of"),
    ],
)
def test_samplers_that_mean_nothing(wrong, message):
    with pytest.raises(ValueError, match=message):
        Sampler(built("hat", UNEVEN), **wrong)


# --- Long strings ---------------------------------------------------------------------------------

LONG = "ab" * 2500
PIECES = {"a": -2.0, "b": -2.3, "ab": -3.5, "ba": -3.7, "aba": -5.6, "bab": -5.4}


def test_a_long_string_is_no_problem():
    lattice = Lattice.build(LONG, PIECES)
    assert num_segmentations(lattice) == tribonacci(5000)
    assert num_segmentations(lattice) > 10**1000
    log_z = forward_values(lattice)[-1]
    assert backward_values(lattice)[0] == pytest.approx(log_z, abs=1e-6)
    path = best_path(lattice)
    assert path is not None
    assert viterbi_values(lattice)[-1] == pytest.approx(lattice.log_prob(path), abs=1e-7)
    assert 0 < entropy(lattice) < math.log(tribonacci(5000))
    over = [0.0] * 5000
    for edge, share in zip(lattice.edges, posteriors(lattice), strict=True):
        for place in range(edge.start, edge.end):
            over[place] += share
    assert over == pytest.approx([1.0] * 5000, abs=1e-7)


def test_a_long_string_is_listed_and_drawn():
    lattice = Lattice.build(LONG, PIECES)
    some = list(islice(segmentations(lattice), 5))
    assert len(set(some)) == 5
    assert lattice.log_prob(some[0]) == pytest.approx(viterbi_values(lattice)[-1], abs=1e-7)
    for alpha in (0.0, 0.5, 1.0, 5.0):
        drawn = Sampler(lattice, alpha).draw(random.Random(0))
        assert "".join(lattice.pieces(drawn)) == LONG
    gaps = score_gaps(lattice, lattice.path(LONG))
    whole = viterbi_values(lattice)[-1] - lattice.log_prob(lattice.path(LONG))
    assert gaps[-1].nats == pytest.approx(whole, abs=1e-6)


def test_a_string_of_hundreds_is_sorted_by_length():
    lattice = Lattice.build(LONG[:300], PIECES)
    ways = by_length(lattice)
    assert [way.length for way in ways] == list(range(100, 301))
    assert sum(way.count for way in ways) == tribonacci(300)
    for way in ways[::50]:
        assert lattice.log_prob(way.best) == pytest.approx(way.log_best)
    assert log_sum_exp([way.log_sum for way in ways]) == pytest.approx(forward_values(lattice)[-1])


def tribonacci(n):
    """Return how many ways there are to make `n` of ones, twos and threes."""
    ways = [1, 0, 0]
    for _ in range(n):
        ways = [sum(ways), *ways[:2]]
    return ways[0]


@pytest.mark.parametrize("log_prob", [-1.0, math.log(0.05)])
def test_ties_do_not_hold_up_the_first(log_prob):
    """All ways to cut 60 letters tie, and there are billions: the first comes all the same."""
    lattice = Lattice.build("a" * 60, {"a" * n: n * log_prob for n in (1, 2, 3)})
    steps = islice(n_best_steps(lattice), 1000)
    whole = [step.hypothesis.path for step in steps if not step.hypothesis.position]
    assert len(whole) > 20
    assert lattice.pieces(whole[0]) == ("aaa",) * 20
