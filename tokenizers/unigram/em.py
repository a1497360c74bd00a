"""One round of expectation–maximization: fit the probabilities of the pieces to the words.

The E step computes the expected count of each piece under the current probabilities; the M step
computes the probabilities that fit these counts best. Equations are numbered as in C. Meister,
"UnigramLM: An Attempt at Writing The Missing Manual". All values are in nats. See `training.py` for
the loop, `batch.py` for the sums over segmentations.
"""

import numpy as np

from tokenizers.unigram import losses
from tokenizers.unigram.pieces import TrainingState
from tokenizers.unigram.sentencepiece_parity import arithmetic
from tokenizers.unigram.settings import Settings
from tokenizers.unigram.steps import Expectation, Maximization, PieceTable
from tokenizers.unigram.threads import begin

MIN_COUNTS = {"maximum_likelihood": 1e-30, "digamma": 0.01}
"""The minimum count of a piece, which keeps its probability above zero.

Plain EM drives many counts toward zero, soon below the smallest float. The minimum is negligible,
but it keeps characters that are needed again once other pieces are pruned.
"""

# --- i. Expectation -------------------------------------------------------------------------------


def expect(run: TrainingState, round_: int, sub_iteration: int) -> Expectation:
    """i. E step: run both forward–backward and Viterbi over all words."""
    model, lattices = run.model, run.lattices
    weights = model.weights(lattices)
    is_soft, adding = run.settings.e_step == "sum", None
    if is_soft and run.settings.arithmetic != "double":
        _ = lattices.words, lattices.forward_order  # which both threads use
        adding = begin(lambda: run.summation.expected_counts(weights), len(weights))
    sums = lattices.sums(weights)
    values, words, pieces = losses.best_paths(lattices, weights)
    times = lattices.counts[words]
    viterbi, unknown = losses.counts_of_paths(model, times, pieces)
    if adding:
        counts, unknown = adding()
    elif is_soft:
        counts, unknown = _expected_counts(run, weights, sums.alpha)
    else:  # hard EM: only the best segmentation counts
        counts = viterbi.copy()
        run.count_unknown(counts, unknown)
    run.previous_model, run.expected_counts = model, counts
    log_likelihood = float(lattices.counts @ sums.log_z)  # eq. 8
    return Expectation(
        round_,
        sub_iteration,
        model.table(),
        model.table(counts),
        model.table(viterbi),
        log_likelihood=log_likelihood,
        q=float(lattices.counts @ sums.expected),
        entropy=float(lattices.counts @ sums.entropy),
        best_log_prob=float(lattices.counts @ values[lattices.last_nodes]),
        objective=-log_likelihood / run.num_words,
        num_tokens=round(times.sum()),
        num_tokens_of_words=len(words),
        unknown=unknown,
    )


def _expected_counts(
    run: TrainingState, weights: np.ndarray, alpha: np.ndarray
) -> tuple[np.ndarray, float]:
    """Return the expected counts of all names, and of unknown characters (eq. 12).

    Each edge contributes its posterior probability times its word's count.
    """
    model, lattices = run.model, run.lattices
    times = lattices.shares(weights, alpha) * lattices.counts[lattices.words]
    sums = np.bincount(lattices.pieces + 1, times, minlength=len(model.names) + 1)
    unknown, counts = float(sums[0]), sums[1:]
    run.count_unknown(counts, unknown)
    return counts, unknown


# --- ii. Maximization -----------------------------------------------------------------------------


def maximize(run: TrainingState, step: Expectation) -> Maximization:
    """ii. M step: make the probabilities proportional to the expected counts (eq. 14).

    Pieces below the minimum expected count are dropped.
    """
    settings, model, ids = run.settings, run.model, run.model.ids
    expected = step.expected_counts.array
    counts = np.maximum(expected, MIN_COUNTS[settings.m_step]).astype(expected.dtype)
    enough = expected >= settings.min_expected
    if not enough.any():
        enough[:] = True
    spared = run.is_character[ids] & ~enough & settings.keep_characters
    kept = enough | spared
    log_probs = model.log_probs.copy()
    log_probs[ids[kept]] = _log_shares(counts[kept], settings)
    run.set_model(ids[kept], log_probs)
    return Maximization(
        step.round,
        step.sub_iteration,
        before=model.table(),
        after=run.model.table(),
        dropped=PieceTable(model.names, ids[~kept], expected[~kept]),
        spared=PieceTable(model.names, ids[spared], counts[spared]),
    )


def _log_shares(counts: np.ndarray, settings: Settings) -> np.ndarray:
    """Return the logs of the counts minus the log of their sum.

    With the M step `digamma`, digamma replaces both logarithms, which damps small counts.
    """
    log = digamma if settings.m_step == "digamma" else np.log
    if settings.arithmetic == "double":
        return log(counts) - log(counts.sum())
    whole = log(np.asarray(arithmetic.total(counts))).astype(np.float32)
    return log(counts) - whole


def digamma(counts: np.ndarray) -> np.ndarray:
    """Return the digamma function, by the same approximation as both libraries.

    >>> float(digamma(np.array(1.0)).round(6))
    -0.577216
    """
    x = np.asarray(counts, float).copy()
    result = np.zeros_like(x)
    for _ in range(7):  # digamma(x) = digamma(x + 1) - 1 / x, until the series below is exact
        small = x < 7
        result[small] -= 1 / x[small]
        x[small] += 1
    x -= 0.5
    inverse = 1 / (x * x)
    series = 1 / 24 - inverse * (7 / 960 - inverse * (31 / 8064 - inverse * 127 / 30720))
    return result + np.log(x) + inverse * series
