"""EM under a prior on the number of pieces, against listing every segmentation."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers.lattice import LOG_ZERO, Lattice, expected_counts, forward_values
from tokenizers.unigram import length_prior
from tokenizers.unigram.length_prior import fit, geometric

many = examples(1_000)
PIECES = st.dictionaries(
    st.text("ab", min_size=1, max_size=3), st.floats(-6, -0.01), min_size=1, max_size=7
)
TEXTS = st.text("ab", min_size=1, max_size=7)
RATIOS = st.sampled_from([0.1, 0.5, 1.0, 3.0])


def all_splits(text, pieces):
    """Every way to split a text, as it is defined."""
    if not text:
        return [()]
    firsts = [text[:n] for n in range(1, len(text) + 1) if text[:n] in pieces]
    return [(first, *rest) for first in firsts for rest in all_splits(text[len(first) :], pieces)]


def listed(text, pieces, weight):
    found = {
        way: math.exp(sum(pieces[p] for p in way) + weight(len(way)))
        for way in all_splits(text, pieces)
    }
    total = sum(found.values())
    counts = {}
    for way, share in found.items():
        for piece in way:
            counts[piece] = counts.get(piece, 0) + share / total
    return counts, total


@many
@given(TEXTS, PIECES, st.dictionaries(st.integers(1, 7), st.floats(-4, 4)))
def test_expected_counts_equal_enumeration(text, pieces, weights):
    def weight(m):
        return weights.get(m, 0.0)

    counts, total = length_prior.expected_counts(Lattice.build(text, pieces), weight)
    expected, z = listed(text, pieces, weight)
    assert (total == LOG_ZERO) == (z == 0)
    assert counts == pytest.approx(expected)
    assert math.exp(total) == pytest.approx(z)


@many
@given(TEXTS, PIECES)
def test_without_a_prior_equals_forward_backward(text, pieces):
    lattice = Lattice.build(text, pieces)
    counts, total = length_prior.expected_counts(lattice, geometric(1.0))
    assert total == pytest.approx(forward_values(lattice)[-1])
    if total > LOG_ZERO:
        there = {piece: count for piece, count in expected_counts(lattice).items() if count}
        assert {piece: count for piece, count in counts.items() if count} == pytest.approx(there)


@many
@given(st.dictionaries(TEXTS, st.integers(1, 4), min_size=1, max_size=3), PIECES, RATIOS)
def test_a_round_counts_all_words_and_divides(words, pieces, ratio):
    sums = {}
    for word, times in words.items():
        counts, z = listed(word, pieces, geometric(ratio))
        for piece, count in counts.items() if z else ():
            sums[piece] = sums.get(piece, 0) + times * count
    found = fit(words, pieces, geometric(ratio), 1)
    shares = {piece: count / sum(sums.values()) for piece, count in sums.items()}
    assert {piece: math.exp(log) for piece, log in found.log_probs.items()} == pytest.approx(shares)


@many
@given(st.dictionaries(TEXTS, st.integers(1, 4), min_size=1, max_size=3), PIECES)
def test_a_smaller_ratio_makes_fewer_pieces(words, pieces):
    few, some, many = (fit(words, pieces, geometric(r), 1).pieces_per_word for r in (0.2, 1.0, 5.0))
    assert few <= some + 1e-9
    assert some <= many + 1e-9


def test_a_ratio_must_be_positive():
    with pytest.raises(ValueError, match="more than 0"):
        geometric(0)


def test_tiny_expectations_do_not_underflow():
    words, pieces = {"aa": 1, "aaaa": 1}, {"a": -700.0, "aa": -0.1, "aaaa": -0.1}
    found = fit(words, pieces, geometric(0.001), 8)
    assert found.pieces_per_word == pytest.approx(1.0, abs=0.01)
