"""The table of a Unigram film: expected counts, probabilities, losses; and the prune auction.

Here too: how a count, a probability and a loss are written, in the film and in the panels.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from pages.shared.drawing.phrases import Say, count_of, times
from pages.shared.drawing.tiles import visible
from pages.shared.film.film import Ask, Row, TableAt
from tokenizers.unigram.settings import Settings
from tokenizers.unigram.steps import Expectation, Finalize, Maximization, Prune, Seed, Table
from tokenizers.unigram.training import RAREST

ROWS = 8
AT_THE_CUT = 3  # pieces shown on either side of the cut
LONGEST_SPLIT = 18  # characters of a split in the table
OPTIONS_THAT_GO, OPTIONS_THAT_STAY = 2, 4
PRACTICALLY_0 = 1e-6  # a probability below is not told from 0
MOST_TIMES = 10_000  # ratios beyond are not told apart
NOTHING = 1e-9  # nats: a loss, or a difference of losses, that may be rounding
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


# --- Numbers as they are written ------------------------------------------------------------------


def amount(value: float) -> str:
    """Return an expected count, or by how much it changed.

    >>> amount(14.23), amount(0.0714), amount(12345.6), amount(3.0)
    ('14.2', '0.0714', '12,346', '3')
    """
    if value == round(value):
        return f"{value:,.0f}"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    digits = f"{value:.3g}" if abs(value) >= 0.001 else f"{value:.1e}"
    return digits.replace("-", "−")


def times_of(value: float) -> str:
    """Return how often something is expected.

    >>> times_of(14.23), times_of(1.0)
    ('14.2 times', 'once')
    """
    return times(round(value)) if value == round(value) else f"{amount(value)} times"


def probability(value: float) -> str:
    """Return a probability; below one in a million it is practically 0.

    >>> probability(0.03125), probability(0.0000123), probability(9.9e-7)
    ('0.0312', '1.23e−05', 'practically 0')
    """
    if 0 < value < PRACTICALLY_0:
        return "practically 0"
    return f"{value:.3g}".replace("-", "−")


def log_of(value: float) -> str:
    """Return a log-likelihood or one of its parts, in nats.

    >>> log_of(-1204.6)
    '−1,204.60'
    """
    return f"{value:,.2f}".replace("-", "−")


def unit(settings: Settings) -> str:
    """Return in what losses are shown."""
    return "base 10" if settings.log_base == "base10" else "nats"


def in_unit(loss: float, settings: Settings) -> float:
    """Return a loss, given in nats, as it is shown."""
    return loss / math.log(10) if settings.log_base == "base10" else loss


def loss_of(loss: float, settings: Settings) -> str:
    """Return a loss with its unit.

    >>> loss_of(2.302585, Settings(log_base="base10")), loss_of(0.0, Settings())
    ('1 (base 10)', '0 nats')
    """
    digits = digits_of(in_unit(loss, settings))
    return f"{digits} (base 10)" if settings.log_base == "base10" else f"{digits} nats"


def digits_of(loss: float, number: int = 4) -> str:
    """Return a loss, in the unit in which it is shown, with so many digits that count.

    >>> digits_of(-1.5), digits_of(0.0031209), digits_of(0.0031209, 3)
    ('−1.5', '0.003121', '0.00312')
    """
    if abs(loss) < NOTHING:
        return "0"
    digits = f"{loss:,.1f}" if abs(loss) >= 1000 else f"{loss:.{number}g}"
    return digits.replace("-", "−")


def change_of(before: float | None, now: float) -> str:
    """Return by how much a count changed, with its sign.

    >>> change_of(16.3, 14.2), change_of(None, 2.0), change_of(1.0, 1.5)
    ('− 2.1', '', '+ 0.5')
    """
    if before is None:
        return ""
    difference = float(f"{now - before:.12g}")
    return f"{'−' if difference < 0 else '+'} {amount(abs(difference))}"


def ratio_of(before: float | None, now: float) -> str:
    """Return by what a probability was multiplied.

    >>> ratio_of(0.02, 0.03), ratio_of(1e-30, 0.03)
    ('× 1.5', 'over × 10,000')
    """
    if not before:
        return ""
    ratio = now / before
    if ratio > MOST_TIMES:
        return f"over × {MOST_TIMES:,}"
    return f"× {ratio:.3g}" if ratio * MOST_TIMES > 1 else f"under × 1 / {MOST_TIMES:,}"


# --- What changed ---------------------------------------------------------------------------------

Change = tuple[str, float | None, float]
"""A piece, its number before (None where it had none) and its number now."""


def dense(table: Table) -> np.ndarray:
    """Return the numbers of a table by the numbers of the pieces, NaN where there is none."""
    values = np.full(len(table.names), np.nan)
    values[table.ids] = table.array
    return values


def plain(log_probs: Mapping[str, float]) -> dict[str, float]:
    """Return a model as a plain dictionary, for looking up many pieces."""
    return log_probs.dict() if isinstance(log_probs, Table) else dict(log_probs)


def most_changed(before: Table | None, now: Table, limit: int = ROWS) -> list[Change]:
    """Return what changed most, or without a `before` the highest numbers."""
    if before is None:
        return [(piece, None, now[piece]) for piece in now.ranked(limit)]
    old = dense(before)[now.ids]
    by_change = np.argsort(-np.abs(np.nan_to_num(now.array - old)), kind="stable")[:limit]
    return [
        (
            now.names[int(now.ids[place])],
            None if math.isnan(old[place]) else float(old[place]),
            float(now.array[place]),
        )
        for place in by_change.tolist()
    ]


def _more(hidden: int) -> str:
    return count_of(hidden, "more piece") if hidden > 0 else ""


# --- The tables -----------------------------------------------------------------------------------


def seed_table(step: Seed) -> TableAt:
    """Return the candidates with the highest first probabilities."""
    top = step.pieces.ranked(ROWS)
    rows = []
    for piece in top:
        count, p = step.counts[piece], math.exp(step.pieces[piece])
        cells = ((piece,), amount(count), probability(p), "", p)
        rows.append(Row(cells, "", (_why_seeded(piece),)))
    heads = ("piece", "weight", "p", "", "")
    more = _more(len(step.pieces) - len(rows))
    return TableAt(tuple(rows), more, "The candidates with their starting probabilities", heads)


def _why_seeded(piece: str) -> str:
    if len(piece) == 1:
        return "A single character of the text: every one is a candidate."
    return "A substring that occurs often enough to be a candidate."


def expectation_table(step: Expectation, before: Expectation | None, hard: bool) -> TableAt:
    """Return the expected counts that changed most since the E step before."""
    changes = most_changed(before.expected_counts if before else None, step.expected_counts)
    rows = []
    for piece, old, now in changes:
        shown = "–" if old is None else amount(old)
        cells = ((piece,), shown, amount(now), change_of(old, now), now)
        rows.append(Row(cells, "", _why_expected(step, piece, now, hard)))
    what = "Counts in the best segmentations" if hard else "Expected counts"
    caption = f"{what}, biggest change first" if before else f"{what}, highest first"
    heads = ("piece", "before", "now", "change", "")
    more = _more(len(step.expected_counts) - len(rows))
    return TableAt(tuple(rows), more, caption, heads)


def _why_expected(step: Expectation, piece: str, now: float, hard: bool) -> Say:
    best = times(round(step.viterbi_counts[piece]))
    if hard:
        return (f"The best segmentations of all words contain it {best}.",)
    return (
        f"Its shares in all segmentations of all words add up to {amount(now)}. The best "
        f"segmentations alone contain it {best}.",
    )


def maximization_table(step: Maximization, expected: Expectation, settings: Settings) -> TableAt:
    """Return the probabilities that changed most, and what was dropped."""
    before, now = probabilities(step.before), probabilities(step.after)
    counts = counts_taken(step, expected, settings)
    total = float(counts.array.sum())
    rows = [
        Row(
            ((piece,), probability(old or 0.0), probability(p), ratio_of(old, p), p),
            "",
            _why_probability(counts[piece], total, p, settings),
        )
        for piece, old, p in most_changed(before, now, ROWS - min(len(step.dropped), 2))
    ]
    for piece in step.dropped.ranked(ROWS - len(rows)):
        why = (f"Dropped: its expected count, {amount(step.dropped[piece])}, is too small.",)
        cells = ((piece,), probability(before[piece]), "–", "dropped", 0.0)
        rows.append(Row(cells, "removed", why))
    heads = ("piece", "p before", "p now", "change", "")
    hidden = len(now) + len(step.dropped) - len(rows)
    return TableAt(tuple(rows), _more(hidden), "Probabilities, biggest change first", heads)


def probabilities(log_probs: Table) -> Table:
    """Return the probabilities of a model."""
    return Table(log_probs.names, log_probs.ids, np.exp(log_probs.array))


def counts_taken(step: Maximization, expected: Expectation, settings: Settings) -> Table:
    """Return the counts that an M step divides: of the pieces that stay, the least ones raised."""
    counts = np.maximum(dense(expected.expected_counts), RAREST[settings.m_step])
    return Table(step.after.names, step.after.ids, counts[step.after.ids])


def telling_piece(step: Maximization) -> str:
    """Return the piece whose probability changed most; a single character as a last resort."""
    changes = most_changed(probabilities(step.before), probabilities(step.after))
    return next((piece for piece, _, _ in changes if len(piece) > 1), changes[0][0])


def _why_probability(count: float, total: float, p: float, settings: Settings) -> Say:
    if settings.m_step == "digamma":
        figures = f"exp(ψ({amount(count)})) / exp(ψ({amount(total)}))"
    else:
        figures = f"{amount(count)} / {amount(total)}"
    return (f"Its expected count divided by the sum of all: {figures} = {probability(p)}.",)


def prune_table(step: Prune, settings: Settings) -> TableAt:
    """Return what goes and what only just stays, the lowest losses first."""
    gone, kept = ranks(step)
    weighed = set(step.losses)
    unweighed = [piece for piece in step.removed if piece not in weighed]
    room = max(ROWS - min(len(kept), AT_THE_CUT), 0)
    first = unweighed[: 2 if gone else room]
    middle = _both_ends(gone, room - len(first))
    shown = [*first, *middle, *kept[: ROWS - len(first) - len(middle)]]
    rows = tuple(_pruned(step, piece, settings) for piece in shown)
    heads = ("piece", "used", unit(settings), "without it", "")
    hidden = step.size_before - len(rows)
    return TableAt(rows, _more(hidden), "What removing a piece costs, cheapest first", heads)


def ranks(step: Prune) -> tuple[list[str], list[str]]:
    """Return the weighed pieces that go, and those that stay; of both, the lowest loss first."""
    removed = set(step.removed)
    ranked = step.order[::-1]
    return [p for p in ranked if p in removed], [p for p in ranked if p not in removed]


def _both_ends(pieces: Sequence[str], room: int) -> list[str]:
    """Return the first and the last of many."""
    if len(pieces) <= room:
        return list(pieces)
    return [*pieces[: room - room // 2], *pieces[len(pieces) - room // 2 :]]


def _pruned(step: Prune, piece: str, settings: Settings) -> Row:
    """Return the row of one piece."""
    is_gone = piece in step.removed_because
    loss = step.losses.get(piece)
    used = step.frequencies.get(piece, 0.0)
    shown = "–" if loss is None else digits_of(in_unit(loss, settings), 3)
    cells = ((piece,), amount(used), shown, split_said(step, piece), max(loss or 0.0, 0.0))
    mark = "removed" if is_gone else ""
    return Row(cells, mark, why_pruned(step, piece, settings))


def split_said(step: Prune, piece: str) -> str:
    """Return what a piece is cut into without it, cut short; nothing where that is not known."""
    if piece not in step.alternatives:
        return ""
    parts = step.alternatives[piece]
    said = " + ".join(visible(p) if p in step.before else f"unknown {visible(p)}" for p in parts)
    return said if len(said) <= LONGEST_SPLIT else said[: LONGEST_SPLIT - 1] + "…"


def why_pruned(step: Prune, piece: str, settings: Settings) -> Say:
    """Say why a piece goes or stays, with its numbers."""
    is_gone = piece in step.removed_because
    labels, reasons = (
        (step.removed_because, WHY_REMOVED) if is_gone else (step.kept_because, WHY_KEPT)
    )
    reason = reasons[labels[piece]]
    said = f"{'Removed' if is_gone else 'Kept'} in round {step.round:,}: {reason}"
    if piece not in step.losses:
        return (f"{said}.",)
    rank = step.order.index(piece) + 1
    loss = loss_of(step.losses[piece], settings)
    return (f"{said}: {loss}, rank {rank:,} of {len(step.order):,}.",)


def final_table(step: Finalize) -> TableAt:
    """Return the most probable pieces of the vocabulary, with what became of the others."""
    ranked = sorted(step.pieces, key=lambda piece: -step.pieces[piece])
    changed = [*step.added, *step.shadowed, *step.cut][: ROWS // 2]
    rows = [_final(step, piece) for piece in changed]
    top = [piece for piece in ranked if piece not in step.added][: ROWS - len(rows)]
    rows += [_final(step, piece) for piece in top]
    heads = ("piece", "log p", "p", "", "")
    hidden = len(step.pieces) + len(step.cut) + len(step.shadowed) - len(rows)
    return TableAt(tuple(rows), _more(hidden), "The vocabulary", heads)


def _final(step: Finalize, piece: str) -> Row:
    groups: Sequence[tuple[Mapping[str, float], str, str]] = (
        (
            step.added,
            "came back",
            "A character that training had lost. It comes back with a low score.",
        ),
        (step.shadowed, "dropped", "Its best split is more probable than the piece."),
        (step.cut, "cut", "One piece too many for the target size."),
    )
    for pieces, label, why in groups:
        if piece in pieces:
            p = math.exp(pieces[piece])
            mark = "" if pieces is step.added else "removed"
            cells = ((piece,), log_of(pieces[piece]), probability(p), label, p)
            return Row(cells, mark, (why,))
    log = step.pieces[piece]
    cells = ((piece,), log_of(log), probability(math.exp(log)), "", math.exp(log))
    return Row(cells, "", ("It survived every round.",))


# --- The auction ----------------------------------------------------------------------------------


def auction(step: Prune, settings: Settings) -> Ask | None:
    """Ask which of some pieces go, where some do and some do not; every one that goes is right."""
    gone, kept = ranks(step)
    losses = step.losses.dict()
    most = max((losses[piece] for piece in gone), default=0.0)
    kept = [piece for piece in kept if losses[piece] > most + NOTHING]  # ties are no question
    if not gone or not kept:
        return None
    offered = sorted([*_spread(gone, OPTIONS_THAT_GO), *_spread(kept, OPTIONS_THAT_STAY)])
    right = tuple([n for n, piece in enumerate(offered) if piece in step.removed_because])
    costs = sorted(offered, key=losses.__getitem__)
    why: list[str | tuple[str, str]] = []
    for piece in costs:
        why += [", " if why else "", ("token", piece), f" {loss_of(losses[piece], settings)}"]
    many = "the one that is removed" if len(gone) == 1 else f"one of the {len(gone):,} removed"
    prompt = (f"Which piece costs least to remove? Choose {many}.",)
    return Ask(
        prompt,
        tuple([(piece,) for piece in offered]),
        right,
        ("The cost of removing each: ", *why, "."),
    )


def _spread(pieces: Sequence[str], number: int) -> list[str]:
    """Return so many of the pieces, evenly from the first to the last.

    >>> _spread("abcdefg", 3), _spread("ab", 3)
    (['a', 'd', 'g'], ['a', 'b'])
    """
    if len(pieces) <= number:
        return list(pieces)
    return [pieces[round(n * (len(pieces) - 1) / (number - 1))] for n in range(number)]
