"""The corpus's loss when a piece is removed, computed exactly or by an approximation.

| loss | the cost of removing the piece |
| --- | --- |
| `exact` | the fall of Q (C. Meister, eq. 15), by forward–backward without the piece |
| `likelihood` | the fall of the log-likelihood itself, by the forward pass alone |
| `viterbi` | the fall of the log probability of the best segmentations |
| `expected_count` | its expected count times -log of its probability, without segmenting |
| `best_alternative` | the cost of replacing every use by the piece's best split (SentencePiece) |

All losses are in nats, and higher for more valuable pieces. For the first three, one piece at a
time is really removed, and the words that contain it are segmented again, or all words if the other
probabilities are renormalised (`renormalised.py`). `pruning.py` decides which pieces are removed.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from tokenizers.unigram.array_trie import ArrayTrie, stable_order
from tokenizers.unigram.batch import Lattices
from tokenizers.unigram.pieces import BestSplits, TrainingModel
from tokenizers.unigram.renormalised import renormalised_losses
from tokenizers.unigram.sentencepiece_parity import arithmetic
from tokenizers.unigram.settings import Settings

EDGES_AT_ONCE = 100_000
"""The number of edges processed between two progress calls, about 20 ms of work."""

FractionCallback = Callable[[float], None]
"""Called with the completed fraction of the work, from 0 to 1; may raise to cancel the work."""


def best_splits(model: TrainingModel, ids: np.ndarray) -> BestSplits:
    """Return the most probable segmentation of each piece into two or more pieces."""
    texts = list(map(model.names.__getitem__, ids.tolist()))
    pieces = list(map(model.names.__getitem__, model.ids.tolist()))
    lattices = Lattices.from_trie(texts, [1] * len(texts), ArrayTrie(pieces))
    lattices.pieces = np.append(model.ids, -1)[lattices.pieces]
    is_whole = (lattices.ends - lattices.starts) == lattices.lengths[lattices.words]
    lattices = lattices.drop_edges(is_whole)
    weights = model.weights(lattices)
    values, words, parts = best_paths(lattices, weights, from_the_end=True)
    can_split = lattices.lengths > 1
    log_probs = np.where(can_split, values[lattices.last_nodes], -np.inf)
    order = stable_order(words)
    order = order[can_split[words[order]]]
    bounds = np.append(0, np.cumsum(np.bincount(words[order], minlength=len(ids))))
    return BestSplits(ids, log_probs, parts[order], bounds)


def best_paths(
    lattices: Lattices, weights: np.ndarray, from_the_end: bool = False
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the log probability of the best path to each node, and the words' best paths.

    The paths are two arrays, the words and the pieces; a word's pieces come from left to right.
    """
    if weights.dtype == np.float32:
        return arithmetic.best_paths(lattices, weights, from_the_end)
    values, best = lattices.viterbi(weights)
    edges = lattices.paths(best)
    return values, lattices.words[edges], lattices.pieces[edges]


def viterbi_counts(model: TrainingModel, lattices: Lattices) -> tuple[np.ndarray, float]:
    """Return the counts of all names, and of unknown characters, in the best segmentations."""
    _, words, pieces = best_paths(lattices, model.weights(lattices))
    return counts_of_paths(model, lattices.counts[words], pieces)


def counts_of_paths(
    model: TrainingModel, times: np.ndarray, pieces: np.ndarray
) -> tuple[np.ndarray, float]:
    """Return the counts of all names and of unknown characters, given how often each is there."""
    counts = np.bincount(pieces + 1, times, minlength=len(model.names) + 1)
    return counts[1:], float(counts[0])


# --- One piece at a time --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class WordsWithoutPiece:
    """Lattices of words with one piece removed; the n-th is `words[n]` without `removed[n]`."""

    lattices: Lattices
    words: np.ndarray
    removed: np.ndarray


def removals(
    lattices: Lattices, ids: np.ndarray, removed_edges: np.ndarray | None = None
) -> Iterator[WordsWithoutPiece]:
    """Yield, in batches, the words that contain each of the pieces `ids`, without it.

    With `removed_edges`, only words in which one of these edges is removed.
    """
    num_words = len(lattices.lengths)
    some = slice(None) if removed_edges is None else removed_edges
    held = np.unique(lattices.pieces[some] * num_words + lattices.words[some])
    held = held[held >= 0]
    edges = np.bincount(lattices.words, minlength=num_words)
    for chunk in _chunks(held, ids, num_words, edges):
        removed, words = np.divmod(chunk, num_words)
        copies = lattices.select(words)
        yield WordsWithoutPiece(
            copies.drop_edges(copies.pieces == removed[copies.words]), words, removed
        )


def _chunks(
    held: np.ndarray, ids: np.ndarray, num_words: int, edges: np.ndarray
) -> Iterator[np.ndarray]:
    """Yield (piece, word) pairs, each as one number, with about `EDGES_AT_ONCE` edges at a time."""
    waiting, size = list[np.ndarray](), 0
    number: int
    for number in ids.tolist():
        pairs = held[slice(*np.searchsorted(held, [number * num_words, (number + 1) * num_words]))]
        waiting.append(pairs)
        size += int(edges[pairs % num_words].sum())
        if size >= EDGES_AT_ONCE:
            yield np.concatenate(waiting)
            waiting, size = [], 0
    if waiting:
        yield np.concatenate(waiting)


def removal_losses(
    model: TrainingModel,
    previous: TrainingModel,
    lattices: Lattices,
    ids: np.ndarray,
    settings: Settings,
    on_progress: FractionCallback,
) -> np.ndarray:
    """Return the corpus's loss without each of the pieces `ids`.

    `previous` is the model that the last E step used, `model` the result of the M step after it.
    """
    score = {"exact": _q, "likelihood": _log_z, "viterbi": _best}[settings.loss]
    whole = score(lattices, previous.weights(lattices), model.weights(lattices))
    if settings.renormalise:
        return renormalised_losses(
            model, previous, lattices, ids, settings.loss, whole, on_progress
        )
    losses = np.zeros(len(model.names))
    edges, done = None, 0
    if settings.loss == "viterbi":  # without a piece that is not on it, the best path is the same
        edges = lattices.paths(lattices.viterbi(model.weights(lattices))[1])
    for some in removals(lattices, ids, edges):
        copies = some.lattices
        values = score(copies, previous.weights(copies), model.weights(copies))
        falls = copies.counts * (whole[some.words] - values)
        losses += np.bincount(some.removed, falls, minlength=len(losses))
        done = int(np.searchsorted(ids, some.removed[-1:]).max(initial=done))
        on_progress(min(done / len(ids), 1.0))
    return losses[ids]


def _q(lattices: Lattices, old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Return Q of each word, the expectation under `old` of the log probability `new` (eq. 13)."""
    shares = lattices.shares(old)
    return np.bincount(lattices.words, shares * new, minlength=len(lattices.lengths))


def _log_z(lattices: Lattices, _: np.ndarray, new: np.ndarray) -> np.ndarray:
    return lattices.forward(new)[lattices.last_nodes]


def _best(lattices: Lattices, _: np.ndarray, new: np.ndarray) -> np.ndarray:
    return lattices.best_values(new)[lattices.last_nodes]


# --- The best alternative -------------------------------------------------------------------------


def alternative_losses(
    split: BestSplits, counts: np.ndarray, total: float, more: np.ndarray, words: float
) -> np.ndarray:
    """Return the loss of replacing every use of each piece by its best split.

    `counts` contains the counts of all names in the best segmentations, and last the count of
    unknown characters; `total` is their sum. Each part gains the piece's count, and replacing a use
    of the piece adds `more` tokens. The loss is divided by `words`.
    """
    frequency, losses = counts[split.ids], np.zeros(len(split.ids))
    used = np.flatnonzero(frequency)  # removing a piece that is never used costs nothing
    split, frequency, more = split.select(frequency > 0), frequency[used], more[used]
    owners = np.repeat(np.arange(len(used)), split.sizes)
    log_total = np.log(total + frequency * more)
    logs = np.log(counts[split.parts] + frequency[owners]) - log_total[owners]
    split_logs = np.bincount(owners, logs, minlength=len(used))
    losses[used] = frequency / words * (np.log(frequency) - np.log(total) - split_logs)
    return losses
