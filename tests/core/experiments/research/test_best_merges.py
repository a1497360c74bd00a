"""The best merges: on drawn corpora no order of merges leaves fewer tokens, and all are counted."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers import bpe
from tokenizers.experiments.research.best_merges import (
    best_merges,
    greedy_merges,
    num_tokens,
    splits_after,
)
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus

CORPORA = st.dictionaries(st.text("abc", min_size=1, max_size=5), st.integers(1, 4), max_size=3)


def orders(counts: Mapping[str, int], most: int, done: tuple = ()) -> Iterator[tuple]:
    """Every order of merges, each word merged again from its letters for every one of them."""
    splits = splits_after(counts, done)
    pairs = {pair for split in splits for pair in pairwise(split)}
    if len(done) == most or not pairs:
        yield done
    else:
        for pair in pairs:
            yield from orders(counts, most, (*done, pair))


def left(counts: Mapping[str, int], merges: tuple) -> int:
    return num_tokens(splits_after(counts, merges), list(counts.values()))


@examples(1_000)
@given(CORPORA, st.integers(0, 3))
def test_no_order_of_merges_leaves_fewer_tokens(counts, most):
    best, tried = best_merges(counts, most), list(orders(counts, most))
    assert best.merges in tried
    assert left(counts, best.merges) == best.tokens == min(left(counts, one) for one in tried)
    assert best.num_orders == len(tried)
    assert best.num_optimal == sum(left(counts, one) == best.tokens for one in tried)
    assert left(counts, greedy_merges(counts, most)) >= best.tokens


@examples(1_000)
@given(CORPORA, st.integers(0, 4))
def test_the_greedy_merges_are_those_of_bpe(counts, most):
    trace = Trace.record(Corpus.from_counts(counts), bpe.Settings(num_merges=most))
    assert list(greedy_merges(counts, most)) == trace.pairs


def test_too_many_orders_are_rejected():
    with pytest.raises(ValueError, match="too many orders"):
        best_merges({"counterrevolutionaries": 1, "uncharacteristically": 2}, 9)
