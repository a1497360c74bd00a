"""The table, the explanations and the question that are shown for a prune step."""

from collections.abc import Sequence

from pages.shared.drawing.display_text import show_spaces
from pages.shared.drawing.phrasing import RichText
from pages.shared.recording.frame_types import StepQuestion, TableFrame, TableRow
from pages.unigram.frames.tables import ROWS, bar_fraction, cell_text, more_pieces, with_pinned
from pages.unigram.frames.words import BestSegmentations
from pages.unigram.numbers import NOTHING, amount, digits_of, in_unit, loss_of, times_of, unit
from tokenizers.unigram.settings import Settings
from tokenizers.unigram.steps import Prune

AT_THE_CUT = 3  # pieces shown on either side of the cutoff
LONGEST_SPLIT = 18  # characters of a split in the table
OPTIONS_THAT_GO, OPTIONS_THAT_STAY = 2, 4
WHY_REMOVED = {
    "never used": "no best segmentation uses it",
    "better split": "its own best split is more probable than the piece",
    "rank": "it ranks too low to fit",
}
WHY_KEPT = {
    "single character": "single characters always stay",
    "no alternative": "no other pieces can spell it",
    "better split": "its best split is more probable, but this library keeps such pieces",
    "rank": "it ranks high enough to fit",
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
    heads = ("piece", "used", unit(settings), "without it", "")
    hidden = step.size_before - len(rows)
    return TableFrame(
        rows, more_pieces(hidden), "What removing a piece costs, cheapest first", heads
    )


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
    shown = "–" if loss is None else digits_of(in_unit(loss, settings), 3)
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
    loss = loss_of(step.losses[piece], settings)
    return (f"{text}: {loss}, rank {rank:,} of {len(step.order):,}.",)


# --- The question --------------------------------------------------------------------------------


def build_question(
    step: Prune, settings: Settings, words: BestSegmentations
) -> StepQuestion | None:
    """Build the question which piece is removed; any removed piece is a right answer.

    Instead of the losses, it shows how often each piece is used and how a word is split without
    the piece, because the losses follow from these facts.
    """
    removed, kept = rank_by_outcome(step)
    losses = step.losses.dict()
    most = max((losses[piece] for piece in removed), default=0.0)
    kept = [piece for piece in kept if losses[piece] > most + NOTHING]  # no ties in the question
    if not removed or not kept:
        return None
    offered = sorted([*_spread(removed, OPTIONS_THAT_GO), *_spread(kept, OPTIONS_THAT_STAY)])
    right = tuple([n for n, piece in enumerate(offered) if piece in step.removed_reasons])
    why: list[str | tuple[str, str]] = []
    for piece in sorted(offered, key=losses.__getitem__):
        why += [", " if why else "", ("token", piece), f" {loss_of(losses[piece], settings)}"]
    many = (
        "the one that is removed" if len(removed) == 1 else f"one of the {len(removed):,} removed"
    )
    prompt = (
        f"Which piece costs least to remove? Choose {many}: one that is seldom used, or whose "
        "words are nearly as probable without it.",
    )
    return StepQuestion(
        prompt,
        tuple([(piece,) for piece in offered]),
        right,
        ("The cost of removing each: ", *why, "."),
        tuple([_hint(step, piece, words) for piece in offered]),
    )


def _hint(step: Prune, piece: str, words: BestSegmentations) -> RichText:
    """Return how often a piece is used, and how a word that uses it is split without it."""
    used = f"used {times_of(step.frequencies.get(piece, 0.0))}"
    found = words.without(step.before, piece)
    if found is None:
        return (f"{used}; the best segmentations do without it",)
    before, after = ([("token", part) for part in split] for split in found)
    return (f"{used}; ", *before, " becomes ", *after)


def _spread(pieces: Sequence[str], number: int) -> list[str]:
    """Return `number` of the pieces, evenly spaced from the first to the last.

    >>> _spread("abcdefg", 3), _spread("ab", 3)
    (['a', 'd', 'g'], ['a', 'b'])
    """
    if len(pieces) <= number:
        return list(pieces)
    return [pieces[round(n * (len(pieces) - 1) / (number - 1))] for n in range(number)]
