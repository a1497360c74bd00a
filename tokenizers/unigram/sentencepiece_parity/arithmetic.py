"""SentencePiece's arithmetic: sums along the lattice in float32, one edge after the other.

Where two pieces are truly worth the same, as rare words often are, rounding decides which of them
is kept. To end with the very pieces that the library ends with, its rounding has to be followed:
which numbers are stored in float32, and in which order they are added. Nothing else is different
from `batch.py` and `losses.py`, which work in float64.
"""

import numpy as np

from tokenizers.unigram.batch import Lattices
from tokenizers.unigram.pieces import BestSplits


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
    nodes, behind = lattices.last_nodes[words], np.zeros(len(words), np.float32)
    is_on_path = np.zeros(len(weights), bool)
    while len(words):
        size, first = sizes[nodes], begins[nodes]
        chosen, most = first.copy(), brought[first] + behind
        for rank in range(1, int(size.max())):
            (more,) = np.nonzero(size > rank)
            edges = first[more] + rank
            totals = brought[edges] + behind[more]
            better = totals > most[more]
            chosen[more[better]], most[more[better]] = edges[better], totals[better]
        is_on_path[chosen] = True
        nodes = lattices.starts[chosen]
        behind = weights[chosen] + behind if from_the_end else weights[chosen]
        unfinished = nodes != lattices.first_nodes[words]
        words, nodes, behind = words[unfinished], nodes[unfinished], behind[unfinished]
    return np.flatnonzero(is_on_path)


def total(values: np.ndarray) -> np.float32:
    """Return the sum of numbers, added one after the other."""
    return np.add.accumulate(values.astype(np.float32))[-1]


def start(counts: np.ndarray, throughout: bool) -> np.ndarray:
    """Return the first log probabilities; the newer version has their sum in float64."""
    counts = counts.astype(np.float32).astype(float)
    whole = np.float32(np.log(float(total(counts)))) if throughout else np.log(counts.sum())
    return (np.log(counts) - float(whole)).astype(np.float32)


def alternative_losses(
    split: BestSplits, counts: np.ndarray, total_: float, words: float
) -> np.ndarray:
    """Return what `losses.alternative_losses` does, rounded as the library rounds."""
    frequency, losses = counts[split.ids].astype(np.float32), np.zeros(len(split.ids), np.float32)
    used = np.flatnonzero(frequency)  # removing a piece that is never used costs nothing
    split, frequency, whole = split.select(frequency > 0), frequency[used], np.float32(total_)
    log_whole = np.float32(np.log(float(whole)))
    own = (np.log(frequency.astype(float)) - log_whole).astype(np.float32)
    more = whole + frequency * (split.sizes - 1).astype(np.float32)
    log_more = np.log(more.astype(float)).astype(np.float32)
    apart = np.zeros(len(used), np.float32)
    for rank in range(int(split.sizes.max(initial=0))):
        (has,) = np.nonzero(split.sizes > rank)
        parts = counts[split.parts[split.bounds[has] + rank]].astype(np.float32) + frequency[has]
        logs = np.log(parts.astype(float)) - log_more[has]
        apart[has] = (apart[has] + logs).astype(np.float32)
    losses[used] = frequency / np.float32(words) * (own - apart)
    return losses
