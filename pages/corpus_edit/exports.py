"""Exports of Compare · Corpus surgery, about both runs and the effect of each count.

The HTML file shows both runs side by side, as “What if …” on the training pages does.
"""

from collections.abc import Callable, Sequence

from pages.bpe.runs import record_two_bpe_runs
from pages.corpus_edit.comparison import MergeEntry, side_by_side
from pages.corpus_edit.drawing import counts_chart
from pages.shared.drawing.charts import Chart
from pages.shared.export.catalog import ExportCatalog
from pages.shared.export.tables import ExportTable, Value
from pages.shared.recording.frame_types import Recording, plain_text
from pages.shared.training.count_edit import CountEdit
from pages.shared.training.diff_explanation import describe_edit
from pages.shared.training.what_if import CountChange
from pages.wordpiece.runs import record_two_wordpiece_runs
from tokenizers import bpe
from tokenizers.experiments.research.corpus_edit import Probe

LEFT_OUT = (
    "Why this merge changes",
    "One word, split by both",
    "How little is enough?",
    "The code",
)


def edit_exports(edit: CountEdit, probes: Sequence[Probe]) -> ExportCatalog:
    """Return tables of both runs' merges, of each count's effect, and of differing pieces."""
    tables: dict[str, Callable[[], ExportTable]] = {
        "The merges of both runs": lambda: merges(edit),
        "What each count does": lambda: counts(edit, probes),
    }
    if edit.lost or edit.gained:
        tables["The pieces that differ"] = lambda: pieces(edit)
    text = f"The first merge that each count of “{edit.word}” changes"
    drawn = counts_chart(probes, edit)
    chart = Chart("The chart of counts", drawn, text, table="What each count does")
    return ExportCatalog(tables=tables, charts=(chart,))


def record_both(edit: CountEdit) -> Recording:
    """Record both runs side by side, as the algorithm's training page does."""
    is_bpe = isinstance(edit.whole.settings, bpe.Settings)
    record = record_two_bpe_runs if is_bpe else record_two_wordpiece_runs
    change = CountChange(edit.word, edit.count)
    return record(edit.whole, edit.changed, change)


def about(edit: CountEdit, settings: str) -> str:
    """Return the HTML file's description, with the settings and the first change."""
    return f"{settings}. {plain_text(describe_edit(edit))}"


def merges(edit: CountEdit) -> ExportTable:
    """Return a table of every step of both runs; a run that has ended has empty cells."""
    sides = (f"corpus, seen {edit.old}", f"changed, seen {edit.count}")
    each = ("left", "right", "count", "score", "step in the other run")
    columns = ("step", *(f"{side}: {what}" for side in sides for what in each))
    rows = [
        (row.step, *_cells(row.whole), *_cells(row.changed))
        for row in side_by_side(edit, all_of_them=True)
    ]
    return ExportTable("The merges of both runs", columns, rows, by_step=True)


def _cells(entry: MergeEntry | None) -> tuple[Value, ...]:
    if entry is None:
        return ("",) * 5
    elsewhere = "never" if entry.elsewhere is None else entry.elsewhere
    return (*entry.pair, entry.count, float(entry.score), elsewhere)


def counts(edit: CountEdit, probes: Sequence[Probe]) -> ExportTable:
    """Return a table of the first merge that each tried count changes."""
    columns = (f"count of “{edit.word}”", "first merge that changes")
    rows = [(one.count, "none" if one.first is None else one.first) for one in probes]
    return ExportTable("What each count does", columns, rows)


def pieces(edit: CountEdit) -> ExportTable:
    """Return a table of the pieces that only one of the two runs has at its end."""
    rows = [(piece, "yes", "no") for piece in edit.lost]
    rows += [(piece, "no", "yes") for piece in edit.gained]
    columns = ("piece", *(f"seen {n:,}" for n in (edit.old, edit.count)))
    return ExportTable("The pieces that differ", columns, rows)
