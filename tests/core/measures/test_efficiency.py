"""Rényi efficiency: as its formula says in exact numbers, and its laws on drawn counts."""

import math
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers.measures.efficiency import (
    renyi_efficiency,
    renyi_entropy,
    with_copies,
    with_split_tokens,
)

COUNTS = st.dictionaries(st.text("abcd", min_size=1, max_size=3), st.integers(1, 50), min_size=1)
LOW = "₂₃₄₅"
many = examples(1_000)


@many
@given(COUNTS, st.sampled_from([2, 3, 4]))
def test_it_is_the_formula_in_exact_fractions(counts, alpha):
    total = sum(counts.values())
    collision = sum(Fraction(count, total) ** alpha for count in counts.values())
    assert renyi_entropy(counts, alpha) == pytest.approx(
        -math.log(collision) / (alpha - 1), abs=1e-9
    )


@many
@given(COUNTS)
def test_the_order_two_is_the_chance_to_draw_the_same_token_twice(counts):
    drawn = [token for token, count in counts.items() for _ in range(count)]
    same = sum(map(drawn.count, drawn))
    assert renyi_entropy(counts, 2) == pytest.approx(-math.log(same / len(drawn) ** 2), abs=1e-9)


@many
@given(COUNTS, st.floats(0, 9), st.floats(0, 9))
def test_it_falls_with_the_order_and_stays_between_0_and_1(counts, one, two):
    low, high = sorted((one, two))
    if abs(low - 1) > 1e-6 and abs(high - 1) > 1e-6:  # so close to 1, rounding decides
        assert renyi_entropy(counts, low) >= renyi_entropy(counts, high) - 1e-7
    assert -1e-9 <= renyi_efficiency(counts, high) <= 1 + 1e-7


@many
@given(COUNTS)
def test_near_order_one_it_is_shannons(counts):
    assert renyi_entropy(counts, 1) == pytest.approx(renyi_entropy(counts, 1.00001), abs=1e-3)


@many
@given(st.dictionaries(st.text("ab", min_size=1, max_size=3), st.integers(1, 9), min_size=2))
def test_copies_of_all_tokens_raise_it(counts):
    even = {token: 4 * count for token, count in counts.items()}
    before = renyi_efficiency(even)
    assert renyi_efficiency(with_copies(even, list(even), 4)) >= before - 1e-9


@many
@given(COUNTS, st.integers(1, 5))
def test_copies_are_used_as_often_as_the_token(counts, copies):
    found = with_copies(counts, ["a", "ab"], copies)
    again = Counter[str]()
    for token, count in found.items():
        again[token.rstrip(LOW)] += count
    assert dict(again) == counts
    mine = [count for token, count in found.items() if token.rstrip(LOW) == "a"]
    assert not mine or max(mine) - min(mine) <= 1


PARTS = {"ab": ("a", "b"), "abc": ("ab", "c"), "abcd": ("abc", "d"), "cab": ("c", "ab")}


@many
@given(COUNTS, st.sets(st.sampled_from(sorted(PARTS))))
def test_split_tokens_are_written_token_by_token(counts, tokens):
    row = [token for token, count in counts.items() for _ in range(count)]
    while set(row) & tokens:
        row = [part for one in row for part in (PARTS[one] if one in tokens else (one,))]
    assert with_split_tokens(counts, tokens, PARTS) == dict(Counter(row))


def test_no_tokens_have_no_entropy():
    with pytest.raises(ValueError, match="one token or more"):
        renyi_entropy({})
    with pytest.raises(ValueError, match="at least 0"):
        renyi_entropy({"a": 1}, -1)


@pytest.mark.parametrize("alpha", [10_000.0, 1e300, math.inf])
def test_at_a_very_high_order_the_most_frequent_token_decides(alpha):
    entropy = renyi_entropy({"low": 3, "tide": 2, "sea": 1}, alpha)
    assert entropy == pytest.approx(math.log(2), rel=1e-3)


def test_an_order_that_is_no_number_is_rejected():
    with pytest.raises(ValueError, match="its order is at least 0"):
        renyi_entropy({"low": 1}, math.nan)
