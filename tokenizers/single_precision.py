"""SentencePiece's arithmetic: sums along the lattice in float32, one edge after the other.

Where two pieces are truly worth the same, as rare words often are, rounding decides which of them
is kept. To end with the very pieces that the library ends with, its rounding has to be followed:
which numbers are stored in float32, and in which order they are added. Nothing else is different
from `lattices.py` and `pruning.py`, which work in float64.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from tokenizers.lattices import UNKNOWN, Lattices, Passes, in_order

if TYPE_CHECKING:
    from tokenizers.pruning import Split

THREADS = 16
"""Word n is counted by thread n modulo 16, each with a table of its own."""

Single = np.float32


def log_sum(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the logarithm of the sum of exponentials, rounded to float32.

    >>> float(log_sum(np.zeros(1, np.float32), np.zeros(1, np.float32))[0])
    0.6931471824645996
    """
    apart = -np.abs(first - second)
    return (np.maximum(first, second) + np.log1p(np.exp(apart, dtype=float))).astype(Single)


def expected_counts(
    lattices: Lattices, weights: np.ndarray, num_names: int, first_piece: int | None
) -> tuple[np.ndarray, float]:
    """Return the expected count of each name, and that of unknown characters.

    Those also count for the name `first_piece`, if there is one. Every addition is rounded to
    float32.
    """
    alpha = _sums(lattices, lattices.forward_passes, lattices.starts, weights)
    beta = _sums(lattices, lattices.backward_passes, lattices.ends, weights)
    order = lattices.by_start
    words = lattices.words[order]
    log_z = alpha[lattices.last_nodes][words]
    logs = alpha[lattices.starts[order]] + weights[order] + beta[lattices.ends[order]] - log_z
    amounts = lattices.counts[words] * np.exp(logs.astype(float))
    pieces = lattices.pieces[order]
    is_unknown = pieces == UNKNOWN
    pieces[is_unknown] = num_names if first_piece is None else first_piece
    keys, turn = in_order(words % THREADS * (num_names + 1) + pieces)
    begins = np.flatnonzero(np.diff(keys, prepend=-1))
    tables = np.zeros((THREADS, num_names + 1), Single)
    sizes = np.diff(begins, append=len(keys))
    tables.ravel()[keys[begins]] = _folded(amounts[turn], begins, sizes, np.add)
    counts = np.add.accumulate(tables)[-1, :num_names]
    return counts, float(amounts[is_unknown].sum())


def _sums(
    lattices: Lattices, passes: Passes, origins: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """Return the forward or backward value of every node, adding one edge at a time."""
    values = np.zeros(lattices.num_nodes, Single)
    origins, weights = origins[passes.order], weights[passes.order]
    sizes = np.diff(passes.begins, append=len(weights))
    for edge, last_edge, group, last_group in passes.levels:
        edges, nodes = slice(edge, last_edge), passes.nodes[group:last_group]
        totals = values[origins[edges]] + weights[edges]
        begins, size = passes.begins[group:last_group], sizes[group:last_group]
        values[nodes] = _folded(totals, begins - edge, size, log_sum)
    return values


def _folded(
    numbers: np.ndarray, begins: np.ndarray, sizes: np.ndarray, add: Callable
) -> np.ndarray:
    """Return the sum of each group of numbers, added one after the other by `add`."""
    largest_first = np.argsort(-sizes)
    begins, left = begins[largest_first], np.bincount(sizes).cumsum()
    sums = numbers[begins].astype(Single)
    for rank in range(1, len(left) - 1):
        more = len(sizes) - int(left[rank])  # so many groups have a number of this rank
        sums[:more] = add(sums[:more], numbers[begins[:more] + rank])
    folded = np.empty_like(sums)
    folded[largest_first] = sums
    return folded


def best_paths(
    lattices: Lattices, weights: np.ndarray, values: np.ndarray, from_the_end: bool = False
) -> np.ndarray:
    """Return the edges of the best segmentations, where rounding may make ties.

    `values` are those of the best way to every node. Going back from the end, the edge before is
    the first of those that bring most, rounded together with the edge behind it; or `from_the_end`
    with all that is behind it, as in a search for the n best.
    """
    brought = values[lattices.starts] + weights
    begins = np.searchsorted(lattices.ends, np.arange(lattices.num_nodes))
    sizes = np.diff(begins, append=len(lattices.ends))
    words = np.flatnonzero(lattices.lengths)
    nodes, behind = lattices.last_nodes[words], np.zeros(len(words), Single)
    found = [np.zeros(0, np.int64)]
    while len(words):
        size = sizes[nodes]
        starts = np.cumsum(size) - size
        edges = np.arange(size.sum()) + np.repeat(begins[nodes] - starts, size)
        totals = brought[edges] + np.repeat(behind, size)
        hits = np.flatnonzero(totals == np.repeat(np.maximum.reduceat(totals, starts), size))
        chosen = np.zeros(len(words), np.int64)
        owners = np.repeat(np.arange(len(words)), size)
        chosen[owners[hits[::-1]]] = edges[hits[::-1]]  # the first one stays
        found.append(chosen)
        nodes = lattices.starts[chosen]
        behind = weights[chosen] + behind if from_the_end else weights[chosen]
        unfinished = nodes != lattices.first_nodes[words]
        words, nodes, behind = words[unfinished], nodes[unfinished], behind[unfinished]
    return np.sort(np.concatenate(found))


def total(values: np.ndarray) -> np.float32:
    """Return the sum of numbers, added one after the other."""
    return np.add.accumulate(values.astype(Single))[-1]


def start(counts: np.ndarray, throughout: bool) -> np.ndarray:
    """Return the first log probabilities; the newer version has their sum in float64."""
    counts = counts.astype(Single).astype(float)
    whole = Single(np.log(float(total(counts)))) if throughout else np.log(counts.sum())
    return (np.log(counts) - float(whole)).astype(Single)


def alternative_losses(
    split: "Split", counts: np.ndarray, total_: float, words: float
) -> np.ndarray:
    """Return what `pruning.alternative_losses` does, rounded as the library rounds."""
    frequency, whole = counts[split.ids].astype(Single), Single(total_)
    log_whole = Single(np.log(float(whole)))
    own = (np.log(frequency.astype(float)) - log_whole).astype(Single)
    more = whole + frequency * (split.sizes - 1).astype(Single)
    log_more = np.log(more.astype(float)).astype(Single)
    apart = np.zeros(len(split.ids), Single)
    for rank in range(int(split.sizes.max(initial=0))):
        (has,) = np.nonzero(split.sizes > rank)
        parts = counts[split.parts[split.bounds[has] + rank]].astype(Single) + frequency[has]
        logs = np.log(parts.astype(float)) - log_more[has]
        apart[has] = (apart[has] + logs).astype(Single)
    return frequency / Single(words) * (own - apart)
