"""The end of Unigram training turns the last model into a vocabulary in the order of its ids.

Libraries restore the characters that EM has dropped and cut the vocabulary to its final size;
SentencePiece 0.2.3 also removes pieces that no best segmentation uses.
"""

import numpy as np

from tokenizers.unigram import losses
from tokenizers.unigram.pieces import TrainingModel
from tokenizers.unigram.settings import Settings
from tokenizers.unigram.steps import Finalize, Seed

SCORE_STEP = 0.0001
"""The difference between the scores of two successive restored characters, in nats."""


def finalize(model: TrainingModel, seed: Seed, settings: Settings, round_: int) -> Finalize:
    """Return the last step: the vocabulary, with the pieces that were added and removed."""
    shadowed = _shadowed(model) if settings.drop_shadowed else {}
    there = {piece: log for piece, log in model.table().items() if piece not in shadowed}
    if not settings.restore_characters:
        pieces = dict(sorted(there.items(), key=lambda row: -row[1]))
        return Finalize(round_, pieces, settings.reserved, {}, {}, shadowed)
    required = _required(there, list(seed.required), model.log_probs.dtype.type)
    added = {char: score for char, score in required.items() if char not in there}
    by_string = settings.final_order == "score"
    by_priority = list(there.items())  # filled up in this order
    if by_string:
        by_priority.sort(key=lambda row: (-row[1], row[0]))
    pieces = dict(required)
    for piece, score in by_priority:
        if len(pieces) == settings.num_pieces:
            break
        pieces[piece] = score
    cut = {piece: score for piece, score in there.items() if piece not in pieces}
    final = sorted(pieces.items(), key=lambda row: (-row[1], row[0] if by_string else ""))
    return Finalize(round_, dict(final), settings.reserved, added, cut, shadowed)


def _shadowed(model: TrainingModel) -> dict[str, float]:
    """Return each piece that is less probable than its best split, with its score."""
    split = losses.best_splits(model, model.ids)
    shadowed = model.ids[split.log_probs > model.log_probs[model.ids]]
    return {model.names[number]: float(model.log_probs[number]) for number in shadowed.tolist()}


def _required(
    there: dict[str, float], characters: list[str], number: type[np.floating]
) -> dict[str, float]:
    """Return the required characters' scores; a missing one gets slightly more than the lowest.

    More frequent missing ones get lower scores, since both libraries add instead of subtracting.
    """
    lowest, offset = number(min(there.values(), default=0.0)), number(0)
    scores: dict[str, float] = {}
    for char in characters:
        if char in there:
            scores[char] = there[char]
        else:
            scores[char] = float(lowest + offset)
            offset = number(offset + number(SCORE_STEP))
    return scores
