"""Groups of rows are added and compared to the last bit as NumPy's `reduceat` does it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers.unigram import groups

SIZES = st.lists(st.integers(1, 12) | st.sampled_from([1, 2, 8, 9, 17, 140]), max_size=12)


def drawn_rows(sizes, num_columns, seed):
    """Return groups of these sizes, rows of numbers that differ by many powers of ten, and both
    group by group: the rows, and where each group begins."""
    draw, num_rows = np.random.default_rng(seed), sum(sizes)
    shape = (num_rows, num_columns) if num_columns else (num_rows,)
    rows = draw.random(shape) * 10.0 ** draw.integers(-12, 12, shape)
    sizes = np.array(sorted(sizes, reverse=True), np.int64)
    ours = groups.Groups.of_sizes(sizes)
    starts = [start for start, _ in ours.ranks]
    places = [starts[rank] + n for n, size in enumerate(sizes) for rank in range(size)]
    return ours, rows, rows[places], np.cumsum(sizes) - sizes


@examples(200)
@given(SIZES.filter(bool), st.integers(0, 3), st.integers(0, 2**32 - 1))
def test_ranks_give_the_bits_of_reduceat(sizes, num_columns, seed):
    ours, rows, neighbours, begins = drawn_rows(sizes, num_columns, seed)
    logs = np.log(rows)
    expected = ours.log_sums(logs.copy())
    for worth in (0, 10**9):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(groups, "WORTH_RANKS", worth)
            assert np.array_equal(ours.sums(rows), np.add.reduceat(neighbours, begins, axis=0))
            most = np.maximum.reduceat(neighbours, begins, axis=0)
            assert np.array_equal(ours.maxima(rows), most)
            if not num_columns:
                assert np.array_equal(ours.maxima_of_neighbours(neighbours, begins), most)
            assert np.array_equal(ours.log_sums(logs.copy()), expected)


@examples(50)
@given(SIZES.filter(bool), st.integers(0, 2**32 - 1))
def test_log_sums_are_the_logarithms_of_sums(sizes, seed):
    ours, rows, *_ = drawn_rows(sizes, 2, seed)
    assert np.exp(ours.log_sums(np.log(rows))) == pytest.approx(ours.sums(rows), rel=1e-9)


@examples(100)
@given(st.lists(st.lists(st.integers(0, 4), max_size=5), min_size=1, max_size=4))
def test_rows_are_sorted_by_section_rank_and_size(sections):
    sizes = np.array([size for section in sections for size in section], np.int64)
    bounds = np.cumsum([0, *map(len, sections)]).tolist()
    order, found_groups = groups.by_size(sizes, bounds)
    owners, ranks = groups.rank_by_rank(order, found_groups, bounds)
    expected = []
    for section, first, found in zip(sections, bounds, found_groups, strict=False):
        largest_first = sorted(range(len(section)), key=lambda n: -section[n])
        rows = [
            (rank, first + n)
            for rank in range(max(section, default=0))
            for n in largest_first
            if section[n] > rank
        ]
        expected += rows
        here = order[first : first + len(section)].tolist()
        assert here == [first + n for n in largest_first]
        assert found.sizes.tolist() == [section[n] for n in largest_first if section[n]]
        assert [here[n] for n in found.owners.tolist()] == [owner for _, owner in rows]
    assert list(zip(ranks.tolist(), owners.tolist(), strict=True)) == expected
