"""SentencePiece's arithmetic: sums along the lattice in float32, one edge after the other.

Where two pieces are truly worth the same, as rare words often are, rounding decides which of them
is kept. To end with the very pieces that the library ends with, its rounding has to be followed:
which numbers are stored in float32, and in which order they are added. Nothing else is different
from `batch.py` and `losses.py`, which work in float64.
"""

from itertools import pairwise

import numpy as np

from tokenizers.unigram.batch import UNKNOWN, Lattices, in_order
from tokenizers.unigram.pieces import Split

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
    order = lattices.by_start
    words, starts, ends = lattices.words[order], lattices.starts[order], lattices.ends[order]
    weights = weights[order]
    alpha, beta = np.full((2, lattices.num_nodes), -np.inf, Single)
    alpha[lattices.first_nodes] = beta[lattices.last_nodes] = 0.0
    _add_up(alpha, starts - lattices.first_nodes[words], starts, ends, weights)
    # What leaves a node is added from the shortest to the longest, and the shortest is known last:
    # so each word is gone through from its end, one edge of every word in a turn.
    until = np.cumsum(np.bincount(starts, minlength=lattices.num_nodes))  # edges of nodes so far
    ranks = np.arange(len(starts)) - np.append(0, until)[starts]
    behind = until[lattices.last_nodes][words] - until[starts]
    _add_up(beta, behind + ranks, ends, starts, weights)
    logs = alpha[starts] + weights + beta[ends] - alpha[lattices.last_nodes][words]
    amounts = lattices.counts[words] * np.exp(logs.astype(float))
    pieces = lattices.pieces[order]
    is_unknown = pieces == UNKNOWN
    pieces[is_unknown] = num_names if first_piece is None else first_piece
    tables = np.zeros((THREADS, num_names + 1), Single)
    np.add.at(tables.ravel(), words % THREADS * (num_names + 1) + pieces, amounts)
    counts = np.add.accumulate(tables)[-1, :num_names]
    return counts, float(amounts[is_unknown].sum())


def _add_up(
    values: np.ndarray,
    turns: np.ndarray,
    origins: np.ndarray,
    targets: np.ndarray,
    weights: np.ndarray,
) -> None:
    """Add to the values of nodes what edges bring from elsewhere: forward, or backward.

    In each turn a node takes one edge at most, and all that it can come from is known.
    """
    order = in_order(turns)[1]
    origins, targets, weights = origins[order], targets[order], weights[order]
    bounds = np.unique(np.cumsum(np.bincount(turns))).tolist()
    for begin, end in pairwise([0, *bounds]):
        nodes = targets[begin:end]
        brought = values[origins[begin:end]] + weights[begin:end]
        values[nodes] = log_sum(values[nodes], brought)


def best_paths(
    lattices: Lattices, weights: np.ndarray, values: np.ndarray, from_the_end: bool = False
) -> np.ndarray:
    """Return the edges of the best segmentations, where rounding may make ties.

    `values` are those of the best way to every node. Going back from the end, the edge before is
    the first of those that bring most, rounded together with the edge behind it; or `from_the_end`
    with all that is behind it, as in a search for the n best.
    """
    brought = values[lattices.starts] + weights
    sizes = np.bincount(lattices.ends, minlength=lattices.num_nodes)
    begins = np.cumsum(sizes) - sizes
    words = np.flatnonzero(lattices.lengths)
    nodes, behind = lattices.last_nodes[words], np.zeros(len(words), Single)
    found = [np.zeros(0, np.int64)]
    while len(words):
        size = sizes[nodes]
        starts = np.cumsum(size) - size
        owners = np.repeat(np.arange(len(words)), size)
        edges = np.arange(len(owners)) + np.repeat(begins[nodes] - starts, size)
        totals = brought[edges] + np.repeat(behind, size)
        hits = np.flatnonzero(totals == np.repeat(np.maximum.reduceat(totals, starts), size))
        chosen = np.zeros(len(words), np.int64)
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


def alternative_losses(split: Split, counts: np.ndarray, total_: float, words: float) -> np.ndarray:
    """Return what `losses.alternative_losses` does, rounded as the library rounds."""
    frequency, losses = counts[split.ids].astype(Single), np.zeros(len(split.ids), Single)
    used = np.flatnonzero(frequency)  # removing a piece that is never used costs nothing
    split, frequency, whole = split.of(frequency > 0), frequency[used], Single(total_)
    log_whole = Single(np.log(float(whole)))
    own = (np.log(frequency.astype(float)) - log_whole).astype(Single)
    more = whole + frequency * (split.sizes - 1).astype(Single)
    log_more = np.log(more.astype(float)).astype(Single)
    apart = np.zeros(len(used), Single)
    for rank in range(int(split.sizes.max(initial=0))):
        (has,) = np.nonzero(split.sizes > rank)
        parts = counts[split.parts[split.bounds[has] + rank]].astype(Single) + frequency[has]
        logs = np.log(parts.astype(float)) - log_more[has]
        apart[has] = (apart[has] + logs).astype(Single)
    losses[used] = frequency / Single(words) * (own - apart)
    return losses
