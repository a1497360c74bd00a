"""The lattices of many words in arrays, for speed; `lattice.py` has objects for one word.

The nodes of all words are concatenated. The nodes of word w start at `first_nodes[w]`, one for each
position before, between and after its characters. One pass over the positions serves all words: it
processes all edges that end at position 1 of their word, then at position 2, and so on. This is
what differs from `lattice.py`, and why the results are the same:

* Words share nodes. A forward value depends only on the characters before it, a backward value only
  on those after it, so each is computed once for all words with the same prefix or suffix.
* A pass numbers its nodes by position, so it reads and writes memory in order.
* At each node, edges are added in the same order as there: first the first edge of all nodes of a
  position, then the second. When pieces are removed, this order is filtered, not sorted again.

A piece is represented by its number; an edge for an unknown character has the piece -1. All values
are natural logarithms in float64.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tokenizers.unigram.array_trie import UNKNOWN, ArrayTrie, shared_prefixes, stable_sort
from tokenizers.unigram.groups import WORTH_RANKS, Groups, by_size, rank_by_rank
from tokenizers.unigram.passes import NodeOrder, PassOrder, RankedPass


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
    first. Every character has an edge, even if it is not a piece. `node_orders` are those of the
    two passes, forward and backward, if they are known; words may share nodes in them. After edges
    were removed, `edge_numbers` contains the numbers that the others had at first.
    """

    edge_numbers: np.ndarray | None = None

    def __init__(
        self,
        counts: np.ndarray,
        lengths: np.ndarray,
        starts: np.ndarray,
        ends: np.ndarray,
        pieces: np.ndarray,
        node_orders: tuple[NodeOrder, NodeOrder] | None = None,
    ) -> None:
        self.counts, self.lengths = counts, lengths
        self.starts, self.ends, self.pieces = starts, ends, pieces
        self.last_nodes = np.cumsum(lengths + 1) - 1
        self.first_nodes = self.last_nodes - lengths
        self.num_nodes = int(self.last_nodes[-1]) + 1 if len(lengths) else 0
        self._node_orders = node_orders

    @classmethod
    def build(
        cls, words: Sequence[str], counts: Sequence[int], pieces: Sequence[str]
    ) -> "Lattices":
        """Find the pieces in all words, and the prefixes that words share."""
        lattices = cls.from_trie(words, counts, ArrayTrie(pieces))
        return lattices.share(shared_prefixes(words), shared_prefixes([w[::-1] for w in words]))

    @classmethod
    def from_trie(
        cls,
        words: Sequence[str],
        counts: Sequence[float],
        trie: ArrayTrie,
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
        return cls(np.array(counts, float), lengths, starts[order], ends, found[order])

    def share(self, prefixes: np.ndarray, suffixes: np.ndarray) -> "Lattices":
        """Return the lattices with nodes that words share, as `shared_prefixes` returns them.

        `suffixes` are those of the reversed words.
        """
        mirrored = np.arange(self.num_nodes) - self._to_begin + self._to_end
        orders = (
            NodeOrder.by_position(self._to_begin, prefixes),
            NodeOrder.by_position(self._to_end, mirrored[suffixes[mirrored]]),
        )
        return Lattices(self.counts, self.lengths, self.starts, self.ends, self.pieces, orders)

    def filter_pieces(self, kept: np.ndarray) -> "Lattices":
        """Return the lattices without the pieces for which `kept` is False."""
        is_known = np.append(kept, True)[self.pieces]  # the last for unknown characters
        is_kept = is_known | (self.ends - self.starts == 1)
        lattices = self._filter_edges(is_kept, is_known)
        # Words share the same nodes as before, because each piece loses all of its edges or none,
        # and the order stays, unless a character's edge becomes that of an unknown one.
        lattices._node_orders = self.node_orders
        # Half the memory of int64, because it is read at random.
        numbers = np.cumsum(is_kept, dtype=np.int32)
        numbers *= is_kept
        numbers -= 1
        if "forward_order" in self.__dict__:
            lattices.forward_order = self.forward_order.filter(numbers)
        if "backward_order" in self.__dict__ and not (is_kept & ~is_known).any():
            lattices.backward_order = self.backward_order.filter(numbers)
        return lattices

    def drop_edges(self, dropped: np.ndarray) -> "Lattices":
        """Return the lattices without the edges for which `dropped` is True.

        An edge over a single character stays, as an unknown character.
        """
        return self._filter_edges(~dropped | (self.ends - self.starts == 1), ~dropped)

    def _filter_edges(self, is_kept: np.ndarray, is_known: np.ndarray) -> "Lattices":
        """Return the lattices of some edges; of these, all that are not known become unknown."""
        (there,) = np.nonzero(is_kept)
        pieces = np.where(is_known, self.pieces, UNKNOWN)[there]
        edges = (self.starts[there], self.ends[there], pieces)
        lattices = Lattices(self.counts, self.lengths, *edges)
        lattices.edge_numbers = there if self.edge_numbers is None else self.edge_numbers[there]
        return lattices

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
    def by_word(self) -> tuple[np.ndarray, np.ndarray, Groups]:
        """The edges of all words rank by rank, the words in that order, and their groups.

        No word may be empty.
        """
        num_words = len(self.lengths)
        sizes = np.bincount(self.words, minlength=num_words)
        order, groups = by_size(sizes, [0, num_words])
        owners, ranks = rank_by_rank(order, groups, [0, num_words])
        return (np.cumsum(sizes) - sizes)[owners] + ranks, order, groups[0]

    @cached_property
    def _to_begin(self) -> np.ndarray:
        """The number of characters before each node."""
        return np.arange(self.num_nodes) - np.repeat(self.first_nodes, self.lengths + 1)

    @cached_property
    def _to_end(self) -> np.ndarray:
        """The number of characters after each node."""
        return np.repeat(self.last_nodes, self.lengths + 1) - np.arange(self.num_nodes)

    @property
    def node_orders(self) -> tuple[NodeOrder, NodeOrder]:
        """The nodes in the order of the forward and of the backward pass."""
        if self._node_orders is None:
            alone = np.arange(self.num_nodes)
            self._node_orders = (
                NodeOrder.by_position(self._to_begin, alone),
                NodeOrder.by_position(self._to_end, alone),
            )
        return self._node_orders

    @cached_property
    def forward_order(self) -> PassOrder:
        """The edges from left to right; at each node the longest comes first."""
        order, _ = self.node_orders
        sizes = np.bincount(self.ends, minlength=self.num_nodes)
        begins = (np.cumsum(sizes) - sizes)[order.nodes]
        sizes = sizes[order.nodes]
        bounds = np.append(0, np.cumsum(sizes))
        edges = np.arange(int(bounds[-1])) + np.repeat(begins - bounds[:-1], sizes)
        return PassOrder(order, edges, order.numbers[self.starts[edges]], bounds)

    @cached_property
    def backward_order(self) -> PassOrder:
        """The edges from right to left; at each node the shortest comes first, an unknown last."""
        _, order = self.node_orders
        is_own = np.zeros(self.num_nodes, bool)
        is_own[order.nodes] = True
        edges = np.flatnonzero(is_own[self.starts])
        nodes = order.numbers[self.starts[edges]]
        _, by_node = stable_sort(2 * nodes + (self.pieces[edges] == UNKNOWN))
        edges = edges[by_node]
        bounds = np.append(0, np.cumsum(np.bincount(nodes, minlength=len(order.nodes))))
        return PassOrder(order, edges, order.numbers[self.ends[edges]], bounds)

    def weights(self, log_probs: np.ndarray, unknown: float) -> np.ndarray:
        """Return the log probability of each edge's piece; for an unknown character `unknown`."""
        return np.append(log_probs, log_probs.dtype.type(unknown))[self.pieces]

    # --- The sum over all segmentations -----------------------------------------------------------

    def forward(self, weights: np.ndarray) -> np.ndarray:
        """Return α of every node: the log of the total probability of all paths to it."""
        return _sums(self.forward_order.ranked, weights)

    def backward(self, weights: np.ndarray) -> np.ndarray:
        """Return β of every node: the log of the total probability of all paths to the end."""
        return _sums(self.backward_order.ranked, weights)

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
        passes = self.forward_order.ranked
        weights = weights[passes.edges].astype(float, copy=False)
        alpha, expected = np.zeros((2, len(passes.nodes.nodes)))
        for edges, nodes, groups in passes.steps:
            shares = alpha.take(passes.origins[edges])
            shares += weights[edges]
            most = groups.maxima(shares)
            groups.subtract(shares, most)
            np.exp(shares, out=shares)
            whole = groups.sums(shares)
            alpha[nodes] = most + np.log(whole)
            weights[edges] += expected.take(passes.origins[edges])
            shares *= weights[edges]
            expected[nodes] = groups.sums(shares) / whole
        numbers = passes.nodes.numbers
        alpha, expected = alpha[numbers], expected[numbers[self.last_nodes]]
        log_z = alpha[self.last_nodes]
        return SegmentationSums(alpha, log_z, expected, np.maximum(log_z - expected, 0.0))

    # --- The most probable segmentation -----------------------------------------------------------

    def best_values(self, weights: np.ndarray) -> np.ndarray:
        """Return the log probability of the best path to every node, in the dtype of `weights`."""
        return self.best_totals(weights)[0][self.forward_order.nodes.numbers]

    def best_totals(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the log probability of the best path to every node of the forward pass.

        The second array has the log probability of the best path that ends with each of its edges.
        """
        passes = self.forward_order
        totals, values = weights[passes.edges], np.zeros(len(passes.nodes.nodes), weights.dtype)
        for edges, nodes, largest_first, groups in passes.steps:
            totals[edges] += values.take(passes.origins[edges])
            if edges.stop - edges.start < WORTH_RANKS:
                begins = passes.bounds[nodes] - edges.start
                values[nodes] = np.maximum.reduceat(totals[edges], begins)
            else:
                begins = passes.bounds[largest_first]
                values[largest_first] = groups.maxima_of_neighbours(totals, begins)
        return values, totals

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


def _sums(passes: RankedPass, weights: np.ndarray) -> np.ndarray:
    """Return the log of the total probability of all paths to every node of a pass."""
    values, weights = np.zeros(len(passes.nodes.nodes)), weights[passes.edges]
    for edges, nodes, groups in passes.steps:
        values[nodes] = groups.log_sums(values.take(passes.origins[edges]) + weights[edges])
    return values[passes.nodes.numbers]
