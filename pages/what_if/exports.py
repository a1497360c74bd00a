"""Exports of Compare · What if: tables of both runs, and of the effect of each count."""

from collections.abc import Callable, Sequence
from itertools import zip_longest

from pages.shared.drawing.charts import Chart
from pages.shared.export.catalog import ExportCatalog
from pages.shared.export.tables import ExportTable, Value
from pages.what_if.drawing import counts_chart
from pages.what_if.two_runs import NAMES, CountEdit, MergeRuns
from tokenizers.experiments.research.corpus_edit import Probe
from tokenizers.record.trace import Trace


def left_out(runs: MergeRuns) -> tuple[str, ...]:
    """Return the page's panels that the HTML file does not have."""
    of_count = ("Why this merge changes", "How little is enough?", "The code")
    return ("One word, split by both", *(of_count if isinstance(runs, CountEdit) else ()))


def run_exports(runs: MergeRuns) -> ExportCatalog:
    """Return tables of both runs' merges and of the pieces that differ."""
    tables: dict[str, Callable[[], ExportTable]] = {"The merges of both runs": lambda: merges(runs)}
    if runs.lost or runs.gained:
        tables["The pieces that differ"] = lambda: pieces(runs)
    return ExportCatalog(tables=tables)


def count_exports(edit: CountEdit, probes: Sequence[Probe]) -> ExportCatalog:
    """Return the tables of both runs, and the effect of each count as a table and a chart."""
    tables = {**run_exports(edit).tables, "What each count does": lambda: counts(edit, probes)}
    text = f"The first merge that each count of “{edit.word}” changes"
    drawn = counts_chart(probes, edit)
    chart = Chart("The chart of counts", drawn, text, table="What each count does")
    return ExportCatalog(tables=tables, charts=(chart,))


def merges(runs: MergeRuns) -> ExportTable:
    """Return a table of every step of both runs; a run that has ended has empty cells."""
    each = ("left", "right", "count", "score", "step in the other run")
    columns = ("step", *(f"{side}: {what}" for side in NAMES for what in each))
    sides = _cells(runs.whole, runs.changed), _cells(runs.changed, runs.whole)
    rows = [
        (k, *one, *other)
        for k, (one, other) in enumerate(zip_longest(*sides, fillvalue=("",) * 5), start=1)
    ]
    return ExportTable("The merges of both runs", columns, rows, by_step=True)


def _cells(trace: Trace, other: Trace) -> list[tuple[Value, ...]]:
    elsewhere = {pair: k for k, pair in enumerate(other.pairs, start=1)}
    return [
        (*pair, count, count / (first * second), elsewhere.get(pair, "never"))
        for pair, count, (first, second) in zip(
            trace.pairs, trace.counts, trace.part_counts, strict=True
        )
    ]


def counts(edit: CountEdit, probes: Sequence[Probe]) -> ExportTable:
    """Return a table of the first merge that each tried count changes."""
    columns = (f"count of “{edit.word}”", "first merge that changes")
    rows = [(one.count, "none" if one.first is None else one.first) for one in probes]
    return ExportTable("What each count does", columns, rows)


def pieces(runs: MergeRuns) -> ExportTable:
    """Return a table of the pieces that only one of the two runs has at its end."""
    rows = [(piece, "yes", "no") for piece in runs.lost]
    rows += [(piece, "no", "yes") for piece in runs.gained]
    return ExportTable("The pieces that differ", ("piece", *NAMES), rows)
