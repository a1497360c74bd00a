"""SentencePiece's E step adds up along the lattices in float32, one edge at a time.

`batch.py` adds many edges at once; the library adds them in order and rounds each time, which must
be reproduced (see `arithmetic.py`). Words are independent, so here one edge of every node or place
is added at the same time: the additions to each one keep their order, and so their rounding. Where
an edge comes among those of its piece is found once per run: removing other pieces changes nothing.
"""

from itertools import pairwise

import numpy as np

from tokenizers.unigram.array_trie import UNKNOWN, stable_order, stable_sort
from tokenizers.unigram.batch import Lattices
from tokenizers.unigram.passes import PassOrder, RankedPass

THREADS = 16
"""The number of threads. Thread n modulo 16 counts word n; each has its own table of counts."""


class ForwardPass:
    """The edges in steps: those that leave the nodes of a position.

    Edges that are added first to their node come first. `steps` contains for each step the slice of
    its edges, the numbers of the nodes that they lead to, and how many edges come first.
    """

    def __init__(self, passes: PassOrder) -> None:
        self.nodes, bounds, sizes = passes.nodes, passes.nodes.bounds, np.diff(passes.bounds)
        keys = np.repeat(np.arange(1, 2 * len(bounds) - 1, 2), np.diff(bounds))[passes.origins]
        keys[passes.bounds[:-1][sizes > 0]] -= 1
        items, targets = stable_order(keys), np.repeat(np.arange(len(sizes)), sizes)
        self.edges, self.origins = passes.edges[items], passes.origins[items]
        targets = targets[items]
        counts = np.bincount(keys, minlength=2 * len(bounds) - 2)
        cuts = np.append(0, np.cumsum(counts)).tolist()
        self.steps = [
            (slice(begin, end), targets[begin:end], middle - begin)
            for begin, middle, end in zip(cuts[:-1:2], cuts[1::2], cuts[2::2], strict=True)
        ]

    def sums(self, weights: np.ndarray) -> np.ndarray:
        """Return the log of the total probability of all paths to every node, in float32."""
        values, weights = np.zeros(len(self.nodes.nodes), np.float32), weights[self.edges]
        for edges, targets, num_first in self.steps:
            brought = values.take(self.origins[edges])
            brought += weights[edges]
            values[targets[:num_first]] = brought[:num_first]
            others = targets[num_first:]
            if len(others):
                values[others] = log_sum(values[others], brought[num_first:])
        return values[self.nodes.numbers]


def backward_sums(passes: RankedPass, weights: np.ndarray) -> np.ndarray:
    """Return the log of the total probability of all paths to every node, in float32."""
    values, weights = np.zeros(len(passes.nodes.nodes), np.float32), weights[passes.edges]
    for edges, nodes, groups in passes.steps:
        brought = values.take(passes.origins[edges])
        brought += weights[edges]
        sums = brought[: len(nodes)]
        for begin, end in groups.ranks[1:]:
            sums[: end - begin] = log_sum(sums[: end - begin], brought[begin:end])
        values[nodes] = sums
    return values[passes.nodes.numbers]


class Summation:
    """The library's order of additions along the current lattices.

    The order depends on the pieces, not on their probabilities. Unknown characters also count
    toward the name `first_piece`, if given. Every addition is rounded to float32.
    """

    def __init__(
        self,
        lattices: Lattices,
        num_names: int,
        first_piece: int | None,
        ranks: np.ndarray | None = None,
    ) -> None:
        self.lattices, self.num_names = lattices, num_names
        self.forward = ForwardPass(lattices.forward_order)
        self.backward = lattices.backward_order.ranked
        self.is_unknown = lattices.pieces == UNKNOWN
        rest = num_names if first_piece is None else first_piece
        pieces = np.where(self.is_unknown, rest, lattices.pieces)
        tables = np.arange(len(lattices.lengths)) % THREADS * (num_names + 1)
        places = tables[lattices.words]
        places += pieces
        ranks = addition_ranks(lattices) if ranks is None else ranks
        if self.is_unknown.any():  # they share the places of `rest`; at one node they come last
            (edges,) = np.nonzero(pieces == rest)
            keys = self.is_unknown[edges], lattices.starts[edges], places[edges]
            edges = edges[np.lexsort(keys)]
            ranks = ranks.copy()
            ranks[edges] = _ranks(places[edges])
        # If places are sorted by descending number of additions, each round's targets are a prefix.
        sizes = np.bincount(places)
        used = np.flatnonzero(sizes)
        self.places = used[stable_order(sizes.max(initial=0) - sizes[used])]
        targets = np.zeros(len(sizes), np.int32)
        targets[self.places] = np.arange(len(self.places))
        bounds = np.append(0, np.cumsum(np.bincount(ranks)))
        self.rounds = list(pairwise(bounds.tolist()))
        # To write in this order is faster than to read in it.
        self.order = bounds[ranks]
        self.order += targets[places]

    def expected_counts(self, weights: np.ndarray) -> tuple[np.ndarray, float]:
        """Return the expected counts of all names, and of unknown characters."""
        lattices, words = self.lattices, self.lattices.words
        alpha, beta = self.forward.sums(weights), backward_sums(self.backward, weights)
        logs = alpha[lattices.starts] + weights
        logs += beta[lattices.ends]
        logs -= alpha[lattices.last_nodes][words]
        amounts = np.exp(logs, dtype=float)
        amounts *= lattices.counts[words]
        ordered, sums = np.empty(len(amounts)), np.zeros(len(self.places), np.float32)
        ordered[self.order] = amounts
        for begin, end in self.rounds:
            sums[: end - begin] += ordered[begin:end]
        tables = np.zeros((THREADS, self.num_names + 1), np.float32)
        tables.ravel()[self.places] = sums
        for table in tables[1:]:
            tables[0] += table
        return tables[0, : self.num_names], float(amounts[self.is_unknown].sum())


def addition_ranks(lattices: Lattices) -> np.ndarray:
    """Return for each edge how many edges of its piece the same thread adds before it.

    Removing pieces does not change that, so it is determined once per run.
    """
    num_pieces = int(lattices.pieces.max(initial=0)) + 2
    return _ranks(lattices.words % THREADS * num_pieces + lattices.pieces + 1).astype(np.int32)


def _ranks(places: np.ndarray) -> np.ndarray:
    """Return for each item how many earlier ones have the same place."""
    ordered, order = stable_sort(places)
    begins = np.flatnonzero(np.diff(ordered, prepend=-1))
    ranks = np.empty(len(places), np.int64)
    ranks[order] = np.arange(len(places)) - np.repeat(begins, np.diff(begins, append=len(places)))
    return ranks


def log_sum(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the log of the sum of two exponentials, rounded to float32.

    >>> float(log_sum(np.zeros(1, np.float32), np.zeros(1, np.float32))[0])
    0.6931471824645996
    """
    most, gaps = np.maximum(first, second), np.minimum(first, second)
    gaps -= most
    sums = gaps.astype(float)
    np.log1p(np.exp(sums, out=sums), out=sums)
    sums += most
    return sums.astype(np.float32)
