"""The table, the explanations and the question that are shown for a prune step."""

import math
from collections.abc import Sequence

from lessons.format.words import RichText
from pages.shared.drawing.display_text import show_spaces
from pages.shared.recording.frame_types import StepQuestion, TableFrame, TableRow
from pages.unigram.frames.tables import ROWS, bar_fraction, cell_text, more_pieces, with_pinned
from pages.unigram.numbers import (
    NOTHING,
    OBJECTIVES,
    UNSEEN,
    amount,
    change_by,
    digits_of,
    effect_of,
    loss_of,
    number_of,
    unit,
)
from tokenizers.unigram.settings import BY_SEGMENTING, Settings
from tokenizers.unigram.steps import Prune

AT_THE_CUT = 3  # pieces shown on either side of the cutoff
LONGEST_SPLIT = 18  # characters of a split in the table
OPTIONS_THAT_STAY = 3
PROMPTS = {
    "exact": "The one without which Q, the expected log probability, stays highest.",
    "likelihood": "The one without which the log-likelihood L stays highest.",
    "viterbi": "The one without which the log p of the best segmentations stays highest.",
    "expected_count": "The one with the smallest product: expected count × −log p.",
    "best_alternative": "The one whose best split costs least in its place.",
}
"""What decides, by loss."""
WHY_REMOVED = {
    "never used": "no best segmentation uses it",
    "better split": "its own best split is more probable than the piece",
    "rank": "only {stay} of {all} measured pieces stay, and by cost this one is number {rank}",
}
WHY_KEPT = {
    "single character": "single characters always stay",
    "no alternative": "no other pieces can spell it",
    "better split": "its best split is more probable, but this library keeps such pieces",
    "rank": "{stay} of {all} measured pieces stay, and by cost this one is number {rank}",
}


def prune_table(step: Prune, settings: Settings, pinned: Sequence[str] = ()) -> TableFrame:
    """Return a table of removed pieces, pieces that narrowly stay, and pinned pieces."""
    removed, kept = rank_by_outcome(step)
    weighed = set(step.losses)
    unweighed = [piece for piece in step.removed if piece not in weighed]
    room = max(ROWS - min(len(kept), AT_THE_CUT), 0)
    first = unweighed[: 2 if removed else room]
    middle = _both_ends(removed, room - len(first))
    shown = [*first, *middle, *kept[: ROWS - len(first) - len(middle)]]
    shown = with_pinned(shown, [piece for piece in pinned if piece in step.before])
    rows = tuple(_pruned_row(step, piece, settings) for piece in shown)
    head, caption = unit(settings), "What removing a piece costs, cheapest first"
    if settings.loss in BY_SEGMENTING:
        what = OBJECTIVES[settings.loss]
        head, caption = f"change of {what}", f"What removing a piece does to {what}, in {head}"
    heads = ("piece", "used", head, "without it", "")
    return TableFrame(rows, more_pieces(step.size_before - len(rows)), caption, heads)


def rank_by_outcome(step: Prune) -> tuple[list[str], list[str]]:
    """Return the measured pieces that are removed and those that stay, lowest losses first."""
    removed = set(step.removed)
    ranked = step.order[::-1]
    return [p for p in ranked if p in removed], [p for p in ranked if p not in removed]


def _both_ends(pieces: Sequence[str], room: int) -> list[str]:
    """Return the first and last pieces, `room` in total, or all pieces if they fit."""
    if len(pieces) <= room:
        return list(pieces)
    return [*pieces[: room - room // 2], *pieces[len(pieces) - room // 2 :]]


def _pruned_row(step: Prune, piece: str, settings: Settings) -> TableRow:
    loss = step.losses.get(piece)
    used = step.frequencies.get(piece, 0.0)
    number = change_by if settings.loss in BY_SEGMENTING else digits_of
    shown = "–" if loss is None else cell_text(number(loss, settings))
    part = bar_fraction(loss or 0.0, step.losses.array)
    cells = ((piece,), cell_text(amount(used)), shown, split_text(step, piece), part)
    mark = "removed" if piece in step.removed_reasons else ""
    return TableRow(cells, mark, explain_pruning(step, piece, settings))


def split_text(step: Prune, piece: str) -> str:
    """Return the best split of `piece` into other pieces, truncated; "" if it is not known."""
    if piece not in step.alternatives:
        return ""
    parts = step.alternatives[piece]
    text = " + ".join(
        show_spaces(p) if p in step.before else f"unknown {show_spaces(p)}" for p in parts
    )
    return text if len(text) <= LONGEST_SPLIT else text[: LONGEST_SPLIT - 1] + "…"


def explain_pruning(step: Prune, piece: str, settings: Settings) -> RichText:
    """Explain why a piece is removed or stays, with its numbers."""
    if piece in step.removed_reasons:
        done, reason = "Removed", WHY_REMOVED[step.removed_reasons[piece]]
    else:
        done, reason = "Kept", WHY_KEPT[step.kept_reasons[piece]]
    text = f"{done} in round {step.round:,}: {reason}"
    if piece not in step.losses:
        return (f"{text}.",)
    rank = step.order.index(piece) + 1
    cost = cost_of(step.losses[piece], settings)
    stay = len(set(step.order).difference(step.removed_reasons))
    text = text.format(stay=f"{stay:,}", all=f"{len(step.order):,}", rank=f"{rank:,}")
    return (f"{text}: {cost}.",)


def cost_of(loss: float, settings: Settings) -> str:
    """Return what removing a piece costs: the loss, or what it does to that whose fall it is."""
    return (effect_of if settings.loss in BY_SEGMENTING else loss_of)(loss, settings)


# --- The question --------------------------------------------------------------------------------


def build_question(step: Prune, settings: Settings) -> StepQuestion | None:
    """Build the question which piece costs least to remove: one that goes, among some that stay.

    Beside each option is the number by which the rule decides. Pieces that stay are offered only if
    these numbers, rounded as they are, show that they cost more.
    """
    removed, kept = rank_by_outcome(step)
    if not removed:
        return None
    right, losses = removed[0], step.losses.dict()
    dearer = [piece for piece in kept if losses[piece] > losses[right] + NOTHING]
    some = [right, *_spread(dearer, OPTIONS_THAT_STAY)]
    shown = {piece: _shown_cost(step, piece, settings) for piece in some}
    offered = sorted(p for p in some if p == right or shown[p][1] > shown[right][1])
    if len(offered) < 2:
        return None
    why: list[str | tuple[str, str]] = []
    for piece in sorted(offered, key=losses.__getitem__):
        why += [", " if why else "", ("token", piece), f" {cost_of(losses[piece], settings)}"]
    head = "Without each" if settings.loss in BY_SEGMENTING else "The cost of removing each"
    return StepQuestion(
        (f"Which piece is removed? {PROMPTS[settings.loss]}",),
        tuple([(piece,) for piece in offered]),
        (offered.index(right),),
        (f"{head}: ", *why, "."),
        tuple([(shown[piece][0],) for piece in offered]),
    )


def _shown_cost(step: Prune, piece: str, settings: Settings) -> tuple[str, float]:
    """Return what removing a piece costs, as its option shows it, and the number that this is."""
    loss = step.losses[piece]
    number = number_of(digits_of(loss, settings))
    if settings.loss == "best_alternative":
        return f"{split_text(step, piece)}: {loss_of(loss, settings)}", number
    if settings.loss in BY_SEGMENTING:
        return effect_of(loss, settings), number
    if loss < UNSEEN:
        return "practically 0", 0.0
    used = step.frequencies[piece]
    factors = amount(used), digits_of(loss / used, settings)
    return f"{' × '.join(factors)} {unit(settings)}", math.prod(map(number_of, factors))


def _spread(pieces: Sequence[str], number: int) -> list[str]:
    """Return `number` of the pieces, evenly spaced from the first to the last.

    >>> _spread("abcdefg", 3), _spread("ab", 3)
    (['a', 'd', 'g'], ['a', 'b'])
    """
    if len(pieces) <= number:
        return list(pieces)
    return [pieces[round(n * (len(pieces) - 1) / (number - 1))] for n in range(number)]
