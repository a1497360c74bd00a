"""The E step of SentencePiece: the sums along the lattices, one edge after the other, in float32.

What `batch.py` adds up at once, the library adds in an order, and rounds each time: see
`arithmetic.py` for why that has to be followed. Different words do not wait for each other, so an
edge of each is added at once, as far as there is one.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from tokenizers.unigram.array_trie import UNKNOWN, stable_sort
from tokenizers.unigram.batch import Lattices

THREADS = 16
"""Word n is counted by thread n modulo 16, each with a table of its own."""


class AdditionOrder:
    """Things to be added up one after the other at the same places, in an order of their own.

    `turns` tells for each thing when its turn is; in one turn no place comes twice.
    """

    def __init__(self, things: np.ndarray, turns: np.ndarray) -> None:
        self.order = things[stable_sort(turns)[1]]
        self.bounds = [0, *np.unique(np.cumsum(np.bincount(turns))).tolist()]

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return pairwise(self.bounds)


class Summation:
    """The lattices at one moment, with the order in which the library adds along them.

    It depends on which pieces there are, not on their probabilities. Unknown characters also count
    for the name `first_piece`, if there is one. Every addition is rounded to float32.
    """

    def __init__(self, lattices: Lattices, num_names: int, first_piece: int | None) -> None:
        self.lattices, self.num_names = lattices, num_names
        self.edges = order = lattices.by_start
        self.words, self.ends = lattices.words[order], lattices.ends[order]
        self.starts = lattices.starts[order]
        words, starts = self.words, self.starts
        # Of nodes with the same before them, one has turns: the others take over what it comes to.
        (once,) = np.nonzero(lattices.shared_prefix[self.ends] == self.ends)
        self.forward_order = AdditionOrder(once, starts[once] - lattices.first_nodes[words[once]])
        # What leaves a node is added from the shortest to the longest, and the shortest is known
        # last: so each word is gone through from its end, one edge of every word in a turn.
        until = np.cumsum(np.bincount(starts, minlength=lattices.num_nodes))
        behind, edges = until[lattices.last_nodes][words] - until[starts], np.arange(len(starts))
        self.backward_order = AdditionOrder(edges, behind + edges - np.append(0, until)[starts])
        pieces = lattices.pieces[order]
        self.is_unknown = pieces == UNKNOWN
        pieces[self.is_unknown] = num_names if first_piece is None else first_piece
        places = words % THREADS * (num_names + 1) + pieces
        # The place with most to be added first: then those of a turn stand side by side.
        sizes = np.bincount(places, minlength=THREADS * (num_names + 1))
        self.places = stable_sort(sizes.max(initial=0) - sizes)[1]
        ranks = np.empty(len(sizes), np.int64)
        ranks[self.places] = np.arange(len(sizes))
        ordered, order = stable_sort(ranks[places])
        begins = np.append(0, np.cumsum(sizes[self.places]))
        self.count_order = AdditionOrder(order, np.arange(len(order)) - begins[ordered])

    def expected_counts(self, weights: np.ndarray) -> tuple[np.ndarray, float]:
        """Return the expected count of each name, and that of unknown characters."""
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
    turns: AdditionOrder,
    origins: np.ndarray,
    targets: np.ndarray,
    weights: np.ndarray,
) -> None:
    """Add to the values of nodes what edges bring from elsewhere: forward, or backward.

    In its turn, all that an edge can come from is known.
    """
    order = turns.order
    origins, targets, weights = origins[order], targets[order], weights[order]
    for begin, end in turns:
        nodes = targets[begin:end]
        brought = values[origins[begin:end]] + weights[begin:end]
        values[nodes] = log_sum(values[nodes], brought)


def log_sum(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the logarithm of the sum of exponentials, rounded to float32.

    >>> float(log_sum(np.zeros(1, np.float32), np.zeros(1, np.float32))[0])
    0.6931471824645996
    """
    most = np.maximum(first, second)
    apart = (np.minimum(first, second) - most).astype(float)
    return (most + np.log1p(np.exp(apart))).astype(np.float32)
