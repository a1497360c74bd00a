"""The lattices of many words in arrays, for speed; `lattice.py` has objects for one word.

The nodes of all words are concatenated. The nodes of word w start at `first_nodes[w]`, one for each
position before, between and after its characters. One pass over the positions serves all words: it
processes all edges that end at position 1 of their word, then at position 2, and so on. Values at
nodes with the same prefix are computed once, since many words share prefixes.

A piece is represented by its number; an edge for an unknown character has the piece -1. All values
are natural logarithms in float64.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from tokenizers.unigram.array_trie import UNKNOWN, ArrayTrie, shared_prefixes, stable_sort


@dataclass(frozen=True, slots=True, eq=False)
class PassOrder:
    """The order in which edges are processed; `order` contains the edges, position by position.

    `origins` contains the node that each edge comes from. The edges into one node are adjacent. For
    each position, `steps` contains the slice of its edges, its nodes, for each edge the index of
    its node among these nodes, and for each node the index of its first edge in the slice.
    """

    order: np.ndarray
    origins: np.ndarray
    steps: list[tuple[slice, np.ndarray, np.ndarray, np.ndarray]]

    @classmethod
    def by_position(
        cls, edges: np.ndarray, positions: np.ndarray, origins: np.ndarray, nodes: np.ndarray
    ) -> "PassOrder":
        """Sort edges that lead from `origins` to `nodes` by their `positions`."""
        positions, order = stable_sort(positions)
        edges, origins, nodes = edges[order], origins[order], nodes[order]
        is_first = np.ones(len(nodes), bool)
        is_first[1:] = nodes[1:] != nodes[:-1]
        begins = np.flatnonzero(is_first)
        groups, nodes = np.cumsum(is_first) - 1, nodes[begins]
        edges_until = np.flatnonzero(np.diff(positions, append=-1)) + 1
        groups_until = np.searchsorted(begins, edges_until)
        of_edges = pairwise([0, *edges_until.tolist()])
        of_groups = pairwise([0, *groups_until.tolist()])
        steps = [
            (slice(edge, last), nodes[a:b], groups[edge:last] - a, begins[a:b] - edge)
            for (edge, last), (a, b) in zip(of_edges, of_groups, strict=True)
        ]
        return cls(edges, origins, steps)


@dataclass(frozen=True, slots=True, eq=False)
class SegmentationSums:
    """Sums over all segmentations of each word.

    `alpha` contains every node's forward value, as `Lattices.forward` returns it. For each word,
    `log_z` is the logarithm of the total probability, `expected` a segmentation's expected log
    probability, and `entropy` the segmentations' entropy: log Z = expected + entropy.
    """

    alpha: np.ndarray
    log_z: np.ndarray
    expected: np.ndarray
    entropy: np.ndarray


class Lattices:
    """All segmentations of all words; `counts` tells how often each word occurs.

    `starts`, `ends` and `pieces` describe the edges, which are sorted by their end, the longest
    first. Every character has an edge, even if it is not a piece. `shared_prefix` maps each node to
    a representative node with the same edges before it, possibly in another word.
    """

    def __init__(
        self,
        counts: np.ndarray,
        lengths: np.ndarray,
        starts: np.ndarray,
        ends: np.ndarray,
        pieces: np.ndarray,
        shared_prefix: np.ndarray | None = None,
    ) -> None:
        self.counts, self.lengths = counts, lengths
        self.starts, self.ends, self.pieces = starts, ends, pieces
        self.last_nodes = np.cumsum(lengths + 1) - 1
        self.first_nodes = self.last_nodes - lengths
        self.num_nodes = int(self.last_nodes[-1]) + 1 if len(lengths) else 0
        self.shared_prefix = np.arange(self.num_nodes) if shared_prefix is None else shared_prefix

    @classmethod
    def build(
        cls, words: Sequence[str], counts: Sequence[int], pieces: Sequence[str]
    ) -> "Lattices":
        """Find the pieces in all words, and the prefixes that words share."""
        return cls.from_trie(words, counts, ArrayTrie(pieces), shared_prefixes(words))

    @classmethod
    def from_trie(
        cls,
        words: Sequence[str],
        counts: Sequence[float],
        trie: ArrayTrie,
        shared_prefix: np.ndarray | None = None,
    ) -> "Lattices":
        """Find the pieces in all words, given the trie of the pieces."""
        text, lengths = "".join(words), np.array([len(word) for word in words], np.int64)
        letters = np.arange(len(text))
        left = np.repeat(np.cumsum(lengths), lengths) - letters
        places, found, spans = trie.find(text, left)
        # Each word has one node more than characters.
        nodes = letters + np.repeat(np.arange(len(words)), lengths)
        starts = nodes[places]
        ends, order = stable_sort(starts + spans)  # `trie.find` returns the longest first
        return cls(
            np.array(counts, float), lengths, starts[order], ends, found[order], shared_prefix
        )

    def filter_pieces(self, kept: np.ndarray) -> "Lattices":
        """Return the lattices without the pieces for which `kept` is False."""
        return self.drop_edges(~kept[self.pieces] & (self.pieces >= 0), self.shared_prefix)

    def drop_edges(
        self, dropped: np.ndarray, shared_prefix: np.ndarray | None = None
    ) -> "Lattices":
        """Return the lattices without the edges for which `dropped` is True.

        An edge over a single character stays, as an unknown character. `shared_prefix` stays valid
        and can be passed on only if each piece loses either all of its edges or none.
        """
        pieces = np.where(dropped, UNKNOWN, self.pieces)
        there = ~dropped | (self.ends - self.starts == 1)
        edges = (self.starts[there], self.ends[there], pieces[there])
        return Lattices(self.counts, self.lengths, *edges, shared_prefix)

    def select(self, words: np.ndarray) -> "Lattices":
        """Return the lattices of some words, in the given order; repetitions are allowed."""
        begins = np.searchsorted(self.ends, self.first_nodes[words], side="right")
        sizes = np.searchsorted(self.ends, self.last_nodes[words], side="right") - begins
        owners = np.repeat(np.arange(len(words)), sizes)
        edges = np.arange(len(owners)) + np.repeat(begins - (np.cumsum(sizes) - sizes), sizes)
        lengths = self.lengths[words]
        shifts = (np.cumsum(lengths + 1) - lengths - 1 - self.first_nodes[words])[owners]
        starts, ends = self.starts[edges] + shifts, self.ends[edges] + shifts
        return Lattices(self.counts[words], lengths, starts, ends, self.pieces[edges])

    @cached_property
    def words(self) -> np.ndarray:
        """The word that each edge belongs to."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths + 1)[self.ends]

    @cached_property
    def by_start(self) -> np.ndarray:
        """The edges sorted by their start, the shortest first, unknown ones last."""
        return stable_sort(2 * self.starts + (self.pieces == UNKNOWN))[1]

    @cached_property
    def forward_order(self) -> PassOrder:
        """The edges from left to right; at each node the longest comes first."""
        edges = np.flatnonzero(self.shared_prefix[self.ends] == self.ends)
        starts, ends = self.starts[edges], self.ends[edges]
        positions = ends - self.first_nodes[self.words[edges]]
        return PassOrder.by_position(edges, positions, self.shared_prefix[starts], ends)

    @cached_property
    def backward_order(self) -> PassOrder:
        """The edges from right to left; at each node the shortest comes first."""
        edges = self.by_start
        starts, ends = self.starts[edges], self.ends[edges]
        return PassOrder.by_position(
            edges, self.last_nodes[self.words[edges]] - starts, ends, starts
        )

    def weights(self, log_probs: np.ndarray, unknown: float) -> np.ndarray:
        """Return the log probability of each edge's piece; for an unknown character `unknown`."""
        return np.append(log_probs, log_probs.dtype.type(unknown))[self.pieces]

    # --- The sum over all segmentations -----------------------------------------------------------

    def forward(self, weights: np.ndarray) -> np.ndarray:
        """Return α of every node: the log of the total probability of all paths to it."""
        return self._sums(self.forward_order, weights, self.first_nodes)[self.shared_prefix]

    def backward(self, weights: np.ndarray) -> np.ndarray:
        """Return β of every node: the log of the total probability of all paths to the end."""
        return self._sums(self.backward_order, weights, self.last_nodes)

    def _sums(self, passes: PassOrder, weights: np.ndarray, known: np.ndarray) -> np.ndarray:
        values = np.full(self.num_nodes, -np.inf)
        values[known] = 0.0
        weights = weights[passes.order]
        for edges, nodes, groups, begins in passes.steps:
            totals = values[passes.origins[edges]] + weights[edges]
            most = np.maximum.reduceat(totals, begins)
            shares = np.exp(totals - most[groups])
            values[nodes] = most + np.log(np.add.reduceat(shares, begins))
        return values

    def shares(self, weights: np.ndarray, alpha: np.ndarray | None = None) -> np.ndarray:
        """Return each edge's posterior probability within its word; pass `alpha` if known."""
        if alpha is None:
            alpha = self.forward(weights)
        beta, log_z = self.backward(weights), alpha[self.last_nodes]
        return np.exp(alpha[self.starts] + weights + beta[self.ends] - log_z[self.words])

    def sums(self, weights: np.ndarray) -> SegmentationSums:
        """Return log Z of each word and its two summands, in nats.

        Backward sampling chooses one incoming edge at each node, independently of the rest of the
        path, so the expected log probability adds up along the word.
        """
        passes, weights = self.forward_order, weights[self.forward_order.order]
        alpha, expected = np.zeros((2, self.num_nodes))
        for edges, nodes, groups, begins in passes.steps:
            origins, edge_weights = passes.origins[edges], weights[edges]
            totals = alpha[origins] + edge_weights
            most = np.maximum.reduceat(totals, begins)
            shares = np.exp(totals - most[groups])
            whole = np.add.reduceat(shares, begins)
            alpha[nodes] = most + np.log(whole)
            expected[nodes] = (
                np.add.reduceat(shares * (expected[origins] + edge_weights), begins) / whole
            )
        alpha = alpha[self.shared_prefix]
        log_z, expected = alpha[self.last_nodes], expected[self.shared_prefix[self.last_nodes]]
        return SegmentationSums(alpha, log_z, expected, np.maximum(log_z - expected, 0.0))

    # --- The most probable segmentation -----------------------------------------------------------

    def best_values(self, weights: np.ndarray) -> np.ndarray:
        """Return the log probability of the best path to every node, in the dtype of `weights`."""
        passes, values = self.forward_order, np.zeros(self.num_nodes, weights.dtype)
        weights = weights[passes.order]
        for edges, nodes, _, begins in passes.steps:
            totals = values[passes.origins[edges]] + weights[edges]
            values[nodes] = np.maximum.reduceat(totals, begins)
        return values[self.shared_prefix]

    def viterbi(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the log probability of the best path to every node, and that path's last edge.

        Of tied edges the longest wins. The first node of a word has no last edge, marked by -1.
        """
        values = self.best_values(weights)
        hits = np.flatnonzero(values[self.starts] + weights == values[self.ends])[::-1]
        best = np.full(self.num_nodes, -1)
        best[self.ends[hits]] = hits  # `hits` is reversed: the first one is written last
        return values, best

    def margins(self, weights: np.ndarray, values: np.ndarray, best: np.ndarray) -> np.ndarray:
        """Return by how much the best path to each node beats paths with another last edge."""
        others = values[self.starts] + weights
        others[best[best >= 0]] = -np.inf
        seconds = np.full(self.num_nodes, -np.inf)
        np.maximum.at(seconds, self.ends, others)
        return values - seconds

    def paths(self, best: np.ndarray) -> np.ndarray:
        """Return the edges of all best segmentations, in the order of the words.

        All words are traced back together, one edge of each word at a time.
        """
        words, is_on_path = np.flatnonzero(self.lengths), np.zeros(len(self.ends), bool)
        nodes = self.last_nodes[words]
        while len(words):
            edges = best[nodes]
            is_on_path[edges] = True
            nodes = self.starts[edges]
            unfinished = nodes != self.first_nodes[words]
            words, nodes = words[unfinished], nodes[unfinished]
        return np.flatnonzero(is_on_path)
