"""What the browser is sent to draw the rail; a file that is taken along holds the same."""

from pathlib import Path

from pages.pipeline.rows import NAMES, Rail, Row
from pages.pipeline.stage_trace import MODEL
from pages.shared.component import build_component

_FILES = ("stage_table.css", "../shared/drawing/display_text.js", "stage_table.js")
RAIL = build_component("rail", Path(__file__).parent, *_FILES)

NO_TOKEN = "There is no token here: nothing of the text got this far."


def message(shown: Rail, key: str, at: int, large: bool) -> dict[str, object]:
    """Return what the browser draws."""
    return {
        "key": key,
        "at": at,
        "large": large,
        "first": shown.first,
        "rows": [_row(row) for row in shown.rows],
        "model": [NAMES[MODEL], shown.said],
        "tiles": [[t.text, t.tint, f"{t.id:,}", t.unknown, t.said] for t in shown.tiles],
        "back": _row(shown.back),
        "empty": NO_TOKEN,
    }


def _row(row: Row) -> list[object]:
    return [row.name, row.said, [[p.text, p.kind, p.low, p.high, p.word] for p in row.parts]]
