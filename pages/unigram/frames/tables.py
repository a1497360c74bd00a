"""The tables shown for the steps of a Unigram run, except for pruning (`pruning.py`).

Number formats are in `numbers.py`.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from pages.shared.drawing.phrasing import count_of, format_quotients, times
from pages.shared.recording.frame_types import TableFrame, TableRow
from pages.unigram.numbers import amount, change_of, log_of, probability, ratio_of
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.unigram.em import MIN_COUNTS
from tokenizers.unigram.settings import Settings
from tokenizers.unigram.steps import Expectation, Finalize, Maximization, PieceTable, Seed

ROWS = 8


# --- Changes between steps ------------------------------------------------------------------------

NumberChange = tuple[str, float | None, float]
"""A piece, its number before (None if it had none) and its number now."""


def dense(table: PieceTable) -> np.ndarray:
    """Return the numbers of a table as an array by piece number, NaN for absent pieces."""
    values = np.full(len(table.names), np.nan)
    values[table.ids] = table.array
    return values


def as_dict(log_probs: Mapping[str, float]) -> dict[str, float]:
    """Return a model as a plain dictionary, for looking up many pieces."""
    return dict(log_probs.items())  # a Table searches for every piece


def e_steps(trace: UnigramTrace, k: int | None = None) -> list[Expectation]:
    """Return the E steps among the first `k` steps of a run, or all of them."""
    return [step for step in trace.steps[:k] if isinstance(step, Expectation)]


def likelihoods(trace: UnigramTrace) -> list[tuple[int, float]]:
    """Return (step, log-likelihood in nats) of every E step."""
    steps = enumerate(trace.steps, start=1)
    return [(k, step.log_likelihood) for k, step in steps if isinstance(step, Expectation)]


def with_pinned(top: Sequence[str], pinned: Sequence[str]) -> list[str]:
    """Return the pieces `top` with the pinned ones added in place of the last other pieces.

    >>> with_pinned(["a", "b", "c"], ["c", "z"])
    ['a', 'c', 'z']
    """
    missing = [piece for piece in pinned if piece not in top][: len(top)]
    loose = [piece for piece in top if piece not in pinned]
    kept = loose[: max(len(loose) - len(missing), 0)]
    return [*(piece for piece in top if piece in kept or piece in pinned), *missing]


def most_changed(
    before: PieceTable | None, now: PieceTable, limit: int = ROWS, pinned: Sequence[str] = ()
) -> list[NumberChange]:
    """Return the largest changes, or without `before` the highest numbers, and pinned pieces."""
    pinned = [piece for piece in pinned if piece in now]
    if before is None:
        return [(piece, None, now[piece]) for piece in with_pinned(now.ranked(limit), pinned)]
    old = dense(before)[now.ids]
    by_change = np.argsort(-np.abs(np.nan_to_num(now.array - old)), kind="stable")[:limit]
    top = [now.names[int(now.ids[index])] for index in by_change.tolist()]
    return [
        (piece, float(before[piece]) if piece in before else None, float(now[piece]))
        for piece in with_pinned(top, pinned)
    ]


def leading_change(
    before: PieceTable | None, now: PieceTable, drawn: Sequence[str] = ()
) -> NumberChange:
    """Return the first of `most_changed` whose piece is not a single character, if there is one.

    If a picture is drawn of some pieces, it is one of them.
    """
    is_drawn = np.isin(now.ids, [now.names.numbers[piece] for piece in drawn])
    if is_drawn.any():
        now = PieceTable(now.names, now.ids[is_drawn], now.array[is_drawn])
    changes = most_changed(before, now)
    return next((change for change in changes if len(change[0]) > 1), changes[0])


def cell_text(number: str) -> str:
    """Return a formatted number shortened for a narrow column.

    >>> cell_text("practically 0"), cell_text("1.23e−05")
    ('≈ 0', '1.23e−05')
    """
    return number.replace("practically 0", "≈ 0")


def bar_fraction(value: float, all_values: np.ndarray) -> float:
    """Return the length of a value's bar, as a fraction of the largest of all values.

    >>> bar_fraction(2.0, np.array([8.0, 2.0])), bar_fraction(-1.0, np.array([-1.0]))
    (0.25, 0.0)
    """
    largest = float(all_values.max(initial=0.0))
    return max(value, 0.0) / largest if largest > 0 else 0.0


def more_pieces(hidden: int) -> str:
    """Return the last line of a table that hides some pieces."""
    return count_of(hidden, "more piece") if hidden > 0 else ""


# --- The tables -----------------------------------------------------------------------------------


def seed_table(step: Seed, pinned: Sequence[str] = ()) -> TableFrame:
    """Return a table of the candidates with the highest starting probabilities, and pinned ones."""
    top = with_pinned(step.pieces.ranked(ROWS), [p for p in pinned if p in step.pieces])
    rows = []
    every = np.exp(step.pieces.array)
    for piece in top:
        count, p = step.counts[piece], math.exp(step.pieces[piece])
        cells = (
            (piece,),
            cell_text(amount(count)),
            cell_text(probability(p)),
            "",
            bar_fraction(p, every),
        )
        why = "A substring that occurs often enough to be a candidate."
        if len(piece) == 1:
            why = "A single character of the text: every one is a candidate."
        rows.append(TableRow(cells, "", (why,)))
    heads = ("piece", "weight", "p", "", "")
    more = more_pieces(len(step.pieces) - len(rows))
    return TableFrame(tuple(rows), more, "The candidates with their starting probabilities", heads)


def expectation_table(
    step: Expectation, before: Expectation | None, hard: bool, pinned: Sequence[str] = ()
) -> TableFrame:
    """Return a table of the expected counts that changed most since the previous E step."""
    counted = before.expected_counts if before else None
    changes = most_changed(counted, step.expected_counts, pinned=pinned)
    rows = []
    for piece, old, now in changes:
        shown = "–" if old is None else cell_text(amount(old))
        part = bar_fraction(now, step.expected_counts.array)
        cells = ((piece,), shown, cell_text(amount(now)), change_of(old, now), part)
        best = times(round(step.viterbi_counts[piece]))
        why = (
            f"Its shares in all segmentations of all words add up to {amount(now)}. The best "
            f"segmentations alone contain it {best}."
        )
        if hard:
            why = f"The best segmentations of all words contain it {best}."
        rows.append(TableRow(cells, "", (why,)))
    counts_name = "Counts in the best segmentations" if hard else "Expected counts"
    caption = f"{counts_name}, biggest change first" if before else f"{counts_name}, highest first"
    heads = ("piece", "before", "now", "change", "")
    more = more_pieces(len(step.expected_counts) - len(rows))
    return TableFrame(tuple(rows), more, caption, heads)


def maximization_table(
    step: Maximization, expected: Expectation, settings: Settings, pinned: Sequence[str] = ()
) -> TableFrame:
    """Return a table of the probabilities that changed most, and the dropped pieces."""
    before, now = probabilities(step.before), probabilities(step.after)
    counts = effective_counts(step, expected, settings)
    total = float(counts.array.sum())
    rows = []
    for piece, old, p in most_changed(before, now, ROWS - min(len(step.dropped), 2), pinned):
        was, shown = cell_text(probability(old or 0.0)), cell_text(probability(p))
        cells = ((piece,), was, shown, ratio_of(old, p), bar_fraction(p, now.array))
        figures = f"{division_text(counts[piece], total, settings)} = {probability(p)}"
        why = (f"Its expected count divided by the sum of all: {figures}.",)
        rows.append(TableRow(cells, "", why))
    for piece in step.dropped.ranked(ROWS - len(rows)):
        why = (f"Dropped: its expected count, {amount(step.dropped[piece])}, is too small.",)
        cells = ((piece,), cell_text(probability(before[piece])), "–", "dropped", 0.0)
        rows.append(TableRow(cells, "removed", why))
    heads = ("piece", "p before", "p now", "change", "")
    hidden = len(now) + len(step.dropped) - len(rows)
    return TableFrame(
        tuple(rows), more_pieces(hidden), "Probabilities, biggest change first", heads
    )


def probabilities(log_probs: PieceTable) -> PieceTable:
    """Return the probabilities of a model, always in double precision."""
    return PieceTable(log_probs.names, log_probs.ids, np.exp(log_probs.array.astype(np.float64)))


def effective_counts(step: Maximization, expected: Expectation, settings: Settings) -> PieceTable:
    """Return the remaining pieces' counts, raised to a minimum, as an M step uses them."""
    counts = np.maximum(dense(expected.expected_counts), MIN_COUNTS[settings.m_step])
    return PieceTable(step.after.names, step.after.ids, counts[step.after.ids])


def division_text(count: float, total: float, settings: Settings) -> str:
    """Return, as text, a piece's expected count divided by the sum of all expected counts."""
    if settings.m_step == "digamma":
        return f"exp(ψ({amount(count)})) / exp(ψ({amount(total)}))"
    (above,), below = format_quotients([count], total, probability)
    return f"{above} / {below}"


def final_table(step: Finalize, pinned: Sequence[str] = ()) -> TableFrame:
    """Return a table of pieces that Finalize added or removed, then the most probable pieces."""
    ranked = sorted(step.pieces, key=lambda piece: -step.pieces[piece])
    changed = [*step.added, *step.shadowed, *step.cut][: ROWS // 2]
    rows = [_final(step, piece) for piece in changed]
    top = [piece for piece in ranked if piece not in step.added][: ROWS - len(rows)]
    wanted = [piece for piece in pinned if piece in step.pieces and piece not in changed]
    rows += [_final(step, piece) for piece in with_pinned(top, wanted)]
    heads = ("piece", "log p", "p", "", "")
    hidden = len(step.pieces) + len(step.cut) + len(step.shadowed) - len(rows)
    return TableFrame(tuple(rows), more_pieces(hidden), "The vocabulary", heads)


def _final(step: Finalize, piece: str) -> TableRow:
    returns = "A character that training had lost. It comes back with a low score."
    groups = (
        (step.added, "", "came back", returns),
        (step.shadowed, "removed", "dropped", "Its best split is more probable than the piece."),
        (step.cut, "removed", "cut", "One piece too many for the target size."),
        (step.pieces, "", "", "It survived every round."),
    )
    pieces, mark, label, why = next(group for group in groups if piece in group[0])
    log = pieces[piece]
    part = math.exp(step.pieces.get(piece, -math.inf) - max(step.pieces.values()))
    cells = ((piece,), log_of(log), cell_text(probability(math.exp(log))), label, part)
    return TableRow(cells, mark, (why,))
