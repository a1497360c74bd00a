"""What Compare · Corpus surgery offers to take along: both runs, and the effect of each count."""

from collections.abc import Sequence

from pages.shared.learning.operation import Operation
from pages.shared.taking.offer import Offer, table_item
from pages.shared.taking.tables import Table, Value
from pages.surgery.operation import Made, side_by_side
from tokenizers.experiments.surgery import Probe

NO_MERGE = ("",) * 5


def of_operation(operation: Operation, probes: Sequence[Probe]) -> Offer:
    """Offer the merges of both runs, and the first merge that each count changes."""
    return Offer(
        (
            table_item("The merges of both runs", lambda: merges(operation)),
            table_item("What each count does", lambda: counts(operation, probes)),
        )
    )


def merges(operation: Operation) -> Table:
    """Return every step of both runs; a run that has ended has empty cells."""
    sides = (f"corpus, seen {operation.old}", f"changed, seen {operation.count}")
    each = ("left", "right", "count", "score", "step in the other run")
    columns = ("step", *(f"{side}: {what}" for side in sides for what in each))
    rows = [
        (row.step, *_cells(row.whole), *_cells(row.changed))
        for row in side_by_side(operation, all_of_them=True)
    ]
    return Table("The merges of both runs", columns, rows, by_step=True)


def _cells(made: Made | None) -> tuple[Value, ...]:
    if made is None:
        return NO_MERGE
    elsewhere = "never" if made.elsewhere is None else made.elsewhere
    return (*made.pair, made.count, float(made.score), elsewhere)


def counts(operation: Operation, probes: Sequence[Probe]) -> Table:
    """Return for every count that was tried the first merge that changes."""
    columns = (f"count of “{operation.word}”", "first merge that changes")
    rows = [(one.count, "none" if one.first is None else one.first) for one in probes]
    return Table("What each count does", columns, rows)
