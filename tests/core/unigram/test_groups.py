"""Groups of rows are added and compared to the last bit as NumPy's `reduceat` does it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers.unigram import groups

SIZES = st.lists(st.integers(1, 12) | st.sampled_from([1, 2, 8, 9, 17, 140]), max_size=12)


def drawn_rows(sizes, num_columns, seed):
    """Return groups of these sizes, and rows of numbers that differ by many powers of ten."""
    draw, num_rows = np.random.default_rng(seed), sum(sizes)
    shape = (num_rows, num_columns) if num_columns else (num_rows,)
    rows = draw.random(shape) * 10.0 ** draw.integers(-12, 12, shape)
    owners = np.repeat(np.arange(len(sizes)), np.array(sizes, int))
    begins = (np.cumsum(sizes) - np.array(sizes, int)).astype(np.int64)
    return groups.Groups(owners, begins), rows


@examples(200)
@given(SIZES.filter(bool), st.integers(0, 3), st.integers(0, 2**32 - 1))
def test_ranks_give_the_bits_of_reduceat(sizes, num_columns, seed):
    ours, rows = drawn_rows(sizes, num_columns, seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groups, "WORTH_RANKS", 0)
        assert np.array_equal(ours.sums(rows), np.add.reduceat(rows, ours.begins, axis=0))
        assert np.array_equal(ours.maxima(rows), np.maximum.reduceat(rows, ours.begins, axis=0))
        by_ranks = ours.log_sums(np.log(rows))
    assert np.array_equal(by_ranks, ours.log_sums(np.log(rows)))


@examples(50)
@given(SIZES.filter(bool), st.integers(0, 2**32 - 1))
def test_log_sums_are_the_logarithms_of_sums(sizes, seed):
    ours, rows = drawn_rows(sizes, 2, seed)
    assert np.exp(ours.log_sums(np.log(rows))) == pytest.approx(ours.sums(rows), rel=1e-9)
