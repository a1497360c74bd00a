"""SentencePiece's E step adds up along the lattices in float32, one edge at a time.

`batch.py` adds many edges at once; the library adds them in order and rounds each time, which must
be reproduced (see `arithmetic.py`). Words are independent, so here one edge of every word is added
at the same time.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from tokenizers.unigram.array_trie import UNKNOWN, stable_sort
from tokenizers.unigram.batch import Lattices

THREADS = 16
"""The number of threads. Thread n modulo 16 counts word n; each has its own table of counts."""


class AdditionOrder:
    """The order of additions to an array, grouped into rounds without repeated targets.

    `rounds` contains each item's round; `order` contains the items by round, delimited by `bounds`.
    """

    def __init__(self, items: np.ndarray, rounds: np.ndarray) -> None:
        self.order = items[stable_sort(rounds)[1]]
        self.bounds = [0, *np.unique(np.cumsum(np.bincount(rounds))).tolist()]

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return pairwise(self.bounds)


class Summation:
    """The library's order of additions along the current lattices.

    The order depends on the pieces, not on their probabilities. Unknown characters also count
    toward the name `first_piece`, if given. Every addition is rounded to float32.
    """

    def __init__(self, lattices: Lattices, num_names: int, first_piece: int | None) -> None:
        self.lattices, self.num_names = lattices, num_names
        self.edges = order = lattices.by_start
        self.words, self.ends = lattices.words[order], lattices.ends[order]
        self.starts = lattices.starts[order]
        words, starts = self.words, self.starts
        # Nodes that share a prefix are computed once.
        (once,) = np.nonzero(lattices.shared_prefix[self.ends] == self.ends)
        self.forward_order = AdditionOrder(once, starts[once] - lattices.first_nodes[words[once]])
        # Edges that leave a node are added from the shortest to the longest, and the shortest one's
        # value is known last. So each word is processed from its end, one edge per round.
        until = np.cumsum(np.bincount(starts, minlength=lattices.num_nodes))
        after, edges = until[lattices.last_nodes][words] - until[starts], np.arange(len(starts))
        self.backward_order = AdditionOrder(edges, after + edges - np.append(0, until)[starts])
        pieces = lattices.pieces[order]
        self.is_unknown = pieces == UNKNOWN
        pieces[self.is_unknown] = num_names if first_piece is None else first_piece
        places = words % THREADS * (num_names + 1) + pieces
        # If places are sorted by descending number of additions, each round's targets are a prefix.
        sizes = np.bincount(places, minlength=THREADS * (num_names + 1))
        self.places = stable_sort(sizes.max(initial=0) - sizes)[1]
        ranks = np.empty(len(sizes), np.int64)
        ranks[self.places] = np.arange(len(sizes))
        ordered, order = stable_sort(ranks[places])
        begins = np.append(0, np.cumsum(sizes[self.places]))
        self.count_order = AdditionOrder(order, np.arange(len(order)) - begins[ordered])

    def expected_counts(self, weights: np.ndarray) -> tuple[np.ndarray, float]:
        """Return the expected counts of all names, and of unknown characters."""
        lattices, words, starts, ends = self.lattices, self.words, self.starts, self.ends
        weights = weights[self.edges]
        alpha, beta = np.full((2, lattices.num_nodes), -np.inf, np.float32)
        alpha[lattices.first_nodes] = beta[lattices.last_nodes] = 0.0
        _add_up(alpha, self.forward_order, lattices.shared_prefix[starts], ends, weights)
        alpha = alpha[lattices.shared_prefix]
        _add_up(beta, self.backward_order, ends, starts, weights)
        logs = alpha[starts] + weights + beta[ends] - alpha[lattices.last_nodes][words]
        amounts = lattices.counts[words] * np.exp(logs.astype(float))
        ordered, sums = amounts[self.count_order.order], np.zeros(len(self.places), np.float32)
        for begin, end in self.count_order:
            sums[: end - begin] += ordered[begin:end]
        tables = np.empty((THREADS, self.num_names + 1), np.float32)
        tables.ravel()[self.places] = sums
        counts = np.add.accumulate(tables)[-1, : self.num_names]
        return counts, float(amounts[self.is_unknown].sum())


def _add_up(
    values: np.ndarray,
    additions: AdditionOrder,
    origins: np.ndarray,
    targets: np.ndarray,
    weights: np.ndarray,
) -> None:
    """Add the contributions of edges to the values of their target nodes, forward or backward.

    The value of an edge's origin is final before that edge's round.
    """
    order = additions.order
    origins, targets, weights = origins[order], targets[order], weights[order]
    for begin, end in additions:
        nodes = targets[begin:end]
        brought = values[origins[begin:end]] + weights[begin:end]
        values[nodes] = log_sum(values[nodes], brought)


def log_sum(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the log of the sum of two exponentials, rounded to float32.

    >>> float(log_sum(np.zeros(1, np.float32), np.zeros(1, np.float32))[0])
    0.6931471824645996
    """
    most = np.maximum(first, second)
    difference = (np.minimum(first, second) - most).astype(float)
    return (most + np.log1p(np.exp(difference))).astype(np.float32)
