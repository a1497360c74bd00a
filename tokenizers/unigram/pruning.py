"""Pruning removes the pieces with the smallest loss, as many at a time as the schedule says.

Some pieces are kept or removed regardless of their loss; the others are ranked by it (`losses.py`).
"""

from dataclasses import dataclass

import numpy as np

from tokenizers.unigram import losses as unigram_losses
from tokenizers.unigram.losses import FractionCallback
from tokenizers.unigram.pieces import BestSplits, TrainingState
from tokenizers.unigram.sentencepiece_parity import arithmetic
from tokenizers.unigram.steps import (
    KEPT_REASONS,
    REMOVED_REASONS,
    Labels,
    Names,
    PieceTable,
    Prune,
    Splits,
)


@dataclass(frozen=True, slots=True, eq=False)
class PieceLosses:
    """The pieces that are `kept` or `removed` regardless of a loss, and the others' losses.

    `why_kept` and `why_removed` contain indices in `KEPT_REASONS` and `REMOVED_REASONS`. `losses`
    has an entry for each piece of `split`, `frequencies` for each name.
    """

    kept: np.ndarray
    why_kept: np.ndarray
    removed: np.ndarray
    why_removed: np.ndarray
    split: BestSplits
    losses: np.ndarray
    frequencies: np.ndarray


def prune(run: TrainingState, round_: int, on_progress: FractionCallback) -> Prune:
    """Remove the pieces with the smallest loss, as many as the schedule says."""
    model, names = run.model, run.model.names
    pieces = _compute_losses(run, on_progress)
    ranked = _ranked(run, pieces)
    room = _room(run, len(pieces.kept), len(ranked))
    kept, lost = ranked[:room], ranked[room:]
    ids = np.concatenate([pieces.kept, kept])
    if run.settings.schedule != "fraction":  # only the libraries keep this order
        ids = model.ids[np.isin(model.ids, ids)]
    run.set_model(ids, _renormalize(run, ids))
    removed = np.concatenate([pieces.removed, lost])
    return Prune(
        round_,
        model.table(),
        run.model.table(),
        PieceTable(names, pieces.split.ids, pieces.losses),
        model.table(pieces.frequencies),
        Splits(names, pieces.split.ids, pieces.split.parts, pieces.split.bounds),
        order=tuple(map(names.__getitem__, ranked.tolist())),
        removed=tuple(map(names.__getitem__, removed.tolist())),
        kept_reasons=_labels(names, pieces.kept, pieces.why_kept, kept, KEPT_REASONS),
        removed_reasons=_labels(names, pieces.removed, pieces.why_removed, lost, REMOVED_REASONS),
    )


# --- What each piece is worth ---------------------------------------------------------------------


def _compute_losses(run: TrainingState, on_progress: FractionCallback) -> PieceLosses:
    """Compute the loss of every piece that may be removed."""
    ids, settings = run.model.ids, run.settings
    if settings.loss == "best_alternative":
        return _compute_alternative_losses(run)
    spared = run.is_character[ids] & settings.keep_characters
    split = unigram_losses.best_splits(run.model, ids[~spared])
    if settings.loss == "expected_count":
        # Log probabilities are negative; with the sign changed, a high loss means a useful piece.
        losses = -(run.expected_counts * run.previous_model.log_probs)[split.ids]
    else:
        losses = unigram_losses.removal_losses(
            run.model, run.previous_model, run.lattices, split.ids, settings, on_progress
        )
    nothing = np.zeros(0, np.int64)
    why = np.zeros(spared.sum(), np.int64)
    return PieceLosses(ids[spared], why, nothing, nothing, split, losses, run.expected_counts)


def _compute_alternative_losses(run: TrainingState) -> PieceLosses:
    """Separate the pieces that need no loss to be kept or removed; compute the others' losses.

    A piece that is in no best segmentation, or less probable than its best split, is removed. A
    piece that cannot be split is kept. Hugging Face keeps all characters, and used pieces even if
    their best split is more probable. With schedules other than `fraction`, only the loss decides.
    """
    model, ids, settings = run.model, run.model.ids, run.settings
    counts, unknown = unigram_losses.viterbi_counts(model, run.lattices)
    run.count_unknown(counts, unknown)
    weigh_all = settings.schedule != "fraction"
    spared = run.is_character[ids] & (settings.keep_split | settings.keep_characters)
    used = ids[(counts[ids] > 0) | spared | weigh_all]
    split = unigram_losses.best_splits(model, used)
    alone = run.is_character[used]
    shadowed = (split.log_probs > model.log_probs[used]) & (not weigh_all)
    stays = alone | (shadowed & settings.keep_split)
    unused = ids[~np.isin(ids, used)]
    goes = np.concatenate([unused, used[shadowed & ~stays]])
    rest = split.select(~stays & ~shadowed)
    losses = _alternative_losses(run, rest, counts, unknown)
    why_kept = np.where(
        alone, KEPT_REASONS.index("no alternative"), KEPT_REASONS.index("better split")
    )
    why_removed = (np.arange(len(goes)) >= len(unused)).astype(np.int64)
    return PieceLosses(used[stays], why_kept[stays], goes, why_removed, rest, losses, counts)


def _alternative_losses(
    run: TrainingState, split: BestSplits, counts: np.ndarray, unknown: float
) -> np.ndarray:
    settings, ids = run.settings, run.model.ids
    is_apart = settings.unknown == "apart"
    total = counts.sum() + (unknown if is_apart else 0.0)
    counts = np.append(counts, unknown if is_apart else counts[ids[0]])
    words = total if settings.share_of == "tokens" else run.num_words
    if settings.arithmetic != "double":
        return arithmetic.alternative_losses(split, counts, total, words)
    # Hugging Face's library has a known bug: it uses the number of all pieces, not of the parts.
    more = np.full(len(split.ids), len(ids)) if settings.slip else split.sizes - 1
    return unigram_losses.alternative_losses(split, counts, total, more, words)


# --- Which go -------------------------------------------------------------------------------------


def _ranked(run: TrainingState, pieces: PieceLosses) -> np.ndarray:
    """Return the pieces that have a loss, the one with the highest loss first."""
    ids, losses, ties = pieces.split.ids, pieces.losses, run.settings.ties
    if ties == "first":
        return ids[np.argsort(losses, kind="stable")[::-1]]
    if ties == "string":
        spelled = list(map(run.model.names.__getitem__, ids.tolist()))
        order = sorted(range(len(ids)), key=spelled.__getitem__)
        ids, losses = ids[order], losses[order]
    return ids[np.argsort(-losses, kind="stable")]


def _room(run: TrainingState, num_kept: int, num_ranked: int) -> int:
    """Return how many of the ranked pieces are kept."""
    settings, size = run.settings, run.size()
    above = max(0, size - settings.desired)
    if settings.schedule == "fraction":
        target = max(settings.desired, int(settings.shrinking_factor * size))
        room = target - num_kept - settings.counts_unknown
        return room if room >= 0 else num_ranked  # too many kept: the libraries never stop
    if settings.schedule == "share":
        number = int(size * round(1 - settings.shrinking_factor, 12))
    elif settings.schedule == "k_n":  # eq. 16, rounded up
        number = min(above, -(-(len(run.seed.pieces) - settings.desired) // settings.prunings))
    else:
        number = min(1, above)
    return max(num_ranked - number, 0)


def _renormalize(run: TrainingState, ids: np.ndarray) -> np.ndarray:
    """Return the log probabilities after pruning to these pieces."""
    log_probs = run.model.log_probs.copy()
    if run.settings.m_step == "none":  # initial frequencies, divided by their new sum
        log_probs[ids] = run.seed.pieces.array[ids]
    if len(ids) and (run.settings.m_step == "none" or run.settings.renormalise):
        total = np.exp(log_probs[ids]).sum()
        if not total:  # all underflow: scale by the most probable one
            log_probs[ids] -= log_probs[ids].max()
            total = np.exp(log_probs[ids]).sum()
        log_probs[ids] -= np.log(total)
    return log_probs


def _labels(
    names: Names, ids: np.ndarray, why: np.ndarray, by_rank: np.ndarray, labels: tuple[str, ...]
) -> Labels:
    ranked = np.full(len(by_rank), labels.index("rank"))
    codes = np.concatenate([why, ranked]).astype(np.uint8)
    return Labels(names, np.concatenate([ids, by_rank]), codes, labels)
