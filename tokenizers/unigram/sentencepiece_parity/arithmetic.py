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
    lattices: Lattices, weights: np.ndarray, from_the_end: bool = False
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return what `losses.best_paths` does, breaking ties from rounding as the library does.

    At each node the backtrace chooses the first incoming edge with the highest sum. The sum is
    rounded after adding the edge after the node or, with `from_the_end`, all edges after it, as in
    a search for the n best.

    Rounding may make sums equal, but never changes their order. So only an edge that is as good as
    the best one, apart from a rounding error, can be chosen. Nearly all nodes have only one such
    edge, which is found beforehand, once for all words that share the node.
    """
    passes, numbers = lattices.forward_order, lattices.forward_order.nodes.numbers
    values, totals = lattices.best_totals(weights)
    owners = np.repeat(np.arange(len(values)), np.diff(passes.bounds))
    close = np.flatnonzero(totals >= (values - _rounding_error(lattices, weights))[owners])
    sizes = np.bincount(owners[close], minlength=len(values))
    begins = np.cumsum(sizes) - sizes
    best = np.append(close, -1)[begins]  # -1: nodes at the end that no edge leads to
    words = np.flatnonzero(lattices.lengths)
    nodes, after = numbers[lattices.last_nodes[words]], np.zeros(len(words), np.float32)
    paths = [(words[:0], words[:0])]
    while len(words):
        chosen = best[nodes]
        more, rank = np.flatnonzero(sizes[nodes] > 1), 1
        most = totals[chosen[more]] + after[more]
        while len(more):
            edges = close[begins[nodes[more]] + rank]
            sums = totals[edges] + after[more]
            better = sums > most
            chosen[more[better]], most[better] = edges[better], sums[better]
            rank += 1
            goes_on = sizes[nodes[more]] > rank
            more, most = more[goes_on], most[goes_on]
        paths.append((words, chosen))
        nodes, last = passes.origins[chosen], weights[passes.edges[chosen]]
        after = last + after if from_the_end else last
        (unfinished,) = np.nonzero(nodes >= passes.nodes.bounds[1])
        words, nodes, after = words[unfinished], nodes[unfinished], after[unfinished]
    words, edges = map(np.concatenate, zip(*reversed(paths), strict=True))
    return values[numbers], words, lattices.pieces[passes.edges[edges]]


def _rounding_error(lattices: Lattices, weights: np.ndarray) -> np.float32:
    """Return by how much two sums along a path may differ that rounding makes equal, at most.

    Numbers that are rounded to the same float32 differ by 2**-23 of their size at most. Four times
    that also covers the rounding errors of the sums themselves.
    """
    largest = max(weights.max(initial=0), -weights.min(initial=0)) * lattices.lengths.max(initial=0)
    return np.float32(2.0**-21 * largest)


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
