"""The message from which a browser draws the stage table; exported files hold the same message."""

from pathlib import Path

from pages.pipeline.rows import NAMES, StageRow, StageTable
from pages.pipeline.stage_trace import MODEL
from pages.shared.component import PRESENTER, build_component

_FILES = ("stage_table.css", *PRESENTER, "../shared/drawing/display_text.js", "stage_table.js")
STAGE_TABLE = build_component("stage_table", Path(__file__).parent, *_FILES)

NO_TOKEN = "There is no token here: nothing of the text got this far."


def message(table: StageTable) -> dict[str, object]:
    """Return the message, without the chosen token."""
    return {
        "first": table.first,
        "rows": [_row(row) for row in table.rows],
        "model": [NAMES[MODEL], table.summary],
        "tiles": [[t.text, t.tint, f"{t.id:,}", t.is_unknown, t.description] for t in table.tiles],
        "back": _row(table.decoded),
        "empty": NO_TOKEN,
    }


def _row(row: StageRow) -> list[object]:
    return [row.name, row.summary, [[p.text, p.kind, p.low, p.high, p.word] for p in row.parts]]
