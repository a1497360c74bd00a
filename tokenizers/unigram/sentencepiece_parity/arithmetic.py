"""SentencePiece's arithmetic adds up along the lattice in float32, one edge at a time.

If two pieces have exactly the same value, as rare words often do, rounding decides which one is
kept. To get the same vocabulary as the library, its rounding must be reproduced. It depends on
which numbers are stored in float32 and on the order of additions. Otherwise this is equivalent to
`batch.py` and `losses.py`, which use float64.
"""

import numpy as np

from tokenizers.unigram.batch import Lattices
from tokenizers.unigram.pieces import BestSplits


def best_paths(
    lattices: Lattices, weights: np.ndarray, values: np.ndarray, from_the_end: bool = False
) -> np.ndarray:
    """Return the edges of the best segmentations, breaking ties from rounding as the library does.

    `values` contains the log probability of the best path to every node. At each node the backtrace
    chooses the first incoming edge with the highest sum. The sum is rounded after adding the edge
    after the node or, with `from_the_end`, all edges after it, as in a search for the n best.
    """
    starts, sizes = lattices.starts, np.bincount(lattices.ends, minlength=lattices.num_nodes)
    begins = np.cumsum(sizes) - sizes
    words = np.flatnonzero(lattices.lengths)
    nodes, after = lattices.last_nodes[words], np.zeros(len(words), np.float32)
    is_on_path = np.zeros(len(weights), bool)
    while len(words):
        size, first = sizes[nodes], begins[nodes]
        chosen, most = first.copy(), values[starts[first]] + weights[first] + after
        more, rank = np.flatnonzero(size > 1), 1
        while len(more):
            edges = first[more] + rank
            totals = values[starts[edges]] + weights[edges] + after[more]
            better = totals > most[more]
            chosen[more[better]], most[more[better]] = edges[better], totals[better]
            rank += 1
            more = more[size[more] > rank]
        is_on_path[chosen] = True
        nodes = starts[chosen]
        after = weights[chosen] + after if from_the_end else weights[chosen]
        unfinished = nodes != lattices.first_nodes[words]
        words, nodes, after = words[unfinished], nodes[unfinished], after[unfinished]
    return np.flatnonzero(is_on_path)


def total(values: np.ndarray) -> np.float32:
    """Return the sum of numbers, added one at a time in float32."""
    return np.add.accumulate(values.astype(np.float32))[-1]


def start(counts: np.ndarray, throughout: bool) -> np.ndarray:
    """Return the first log probabilities; the older version sums in float32 too (`throughout`)."""
    counts = counts.astype(np.float32).astype(float)
    whole = np.float32(np.log(float(total(counts)))) if throughout else np.log(counts.sum())
    return (np.log(counts) - float(whole)).astype(np.float32)


def alternative_losses(
    split: BestSplits, counts: np.ndarray, total_: float, words: float
) -> np.ndarray:
    """Return what `losses.alternative_losses` does, rounded as in the library."""
    frequency, losses = counts[split.ids].astype(np.float32), np.zeros(len(split.ids), np.float32)
    used = np.flatnonzero(frequency)  # removing a piece that is never used costs nothing
    split, frequency, whole = split.select(frequency > 0), frequency[used], np.float32(total_)
    log_whole = np.float32(np.log(float(whole)))
    piece_logs = (np.log(frequency.astype(float)) - log_whole).astype(np.float32)
    more = whole + frequency * (split.sizes - 1).astype(np.float32)
    log_more = np.log(more.astype(float)).astype(np.float32)
    split_logs = np.zeros(len(used), np.float32)
    for rank in range(int(split.sizes.max(initial=0))):
        (has,) = np.nonzero(split.sizes > rank)
        parts = counts[split.parts[split.bounds[has] + rank]].astype(np.float32) + frequency[has]
        logs = np.log(parts.astype(float)) - log_more[has]
        split_logs[has] = (split_logs[has] + logs).astype(np.float32)
    losses[used] = frequency / np.float32(words) * (piece_logs - split_logs)
    return losses
