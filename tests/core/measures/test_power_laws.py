"""Zipf and Heaps: the curves against naive counts, the fits against numpy's and known powers."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers.measures.power_laws import (
    LEAST_COUNT,
    by_rank,
    distinct_read,
    fit_heaps,
    fit_power_law,
    fit_zipf,
    spread,
)

many = examples(1_000)
WORDS = st.lists(st.sampled_from(["the", "sea", "and", "a", "dune", "wind", "low"]), max_size=60)


@many
@given(WORDS)
def test_heaps_curve_is_a_naive_count_of_each_beginning(words):
    assert distinct_read(words) == [len(set(words[:n])) for n in range(1, len(words) + 1)]


@many
@given(WORDS)
def test_each_rank_has_the_count_of_its_word(words):
    ranked = by_rank(Counter(words))
    assert ranked == [count for _, count in Counter(words).most_common()]
    assert sum(ranked) == len(words)
    assert by_rank(Counter(words) | {"unused": 0}) == ranked


@many
@given(st.lists(st.tuples(st.integers(1, 999), st.integers(1, 999)), min_size=2, max_size=20))
@example([(109, 4), (110, 1)])  # a factor of 1e310, which no float holds
def test_the_fit_is_that_of_numpy(points):
    xs, ys = zip(*points, strict=True)
    law = fit_power_law(xs, ys)
    if len(set(xs)) < 2:
        assert law is None
        return
    slope, start = np.polyfit(np.log(xs), np.log(ys), 1)
    assert law is not None
    assert law.exponent == pytest.approx(slope, abs=1e-6)
    assert law.log_factor == pytest.approx(start, rel=1e-6, abs=1e-5)
    for x in xs:
        assert law.at(x) == pytest.approx(np.exp(start + slope * np.log(x)), rel=1e-4)
    assert law.r2 <= 1 + 1e-9


@given(st.floats(0.2, 2), st.floats(10, 1e6))
def test_a_power_is_found_again(exponent, factor):
    xs = range(1, 40)
    law = fit_power_law(xs, [factor * x**-exponent for x in xs])
    assert law is not None
    assert law.exponent == pytest.approx(-exponent)
    assert law.log_factor == pytest.approx(math.log(factor))
    assert law.r2 == pytest.approx(1)


def test_zipf_leaves_out_what_occurs_once():
    law = fit_zipf([60, 30, 20, 15, 1, 1, 1, 1, 1, 1, 1, 1])
    assert LEAST_COUNT == 2
    assert law is not None
    assert law.exponent == pytest.approx(-1)
    assert fit_zipf([1, 1, 1]) is None
    assert fit_zipf([]) is None


def test_heaps_law_of_words_that_are_all_new_is_a_line():
    law = fit_heaps(distinct_read(map(str, range(100))))
    assert law is not None
    assert law.exponent == pytest.approx(1)
    assert fit_heaps([]) is None


@given(st.integers(0, 10_000), st.integers(2, 400))
def test_the_points_of_a_chart_are_few_and_reach_both_ends(length, most):
    points = spread(length, most)
    assert points == sorted(set(points))
    assert len(points) <= most
    assert not length or (points[0], points[-1]) == (0, length - 1)
