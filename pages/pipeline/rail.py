"""The rail: every stage of the pipeline under each other, with one token marked in all of them.

One component: rail.js draws what it is sent and marks the chosen token at once, by a click or the
arrow keys; when that rests, Python is told. Left out: what the rows hold
(rows.py).
"""

from pathlib import Path

from pages.pipeline.journey import MODEL
from pages.pipeline.rows import NAMES, Part, Rail, Row
from pages.shared.controls import address
from pages.shared.stage import made, move, reported, rerun, settle, visit

_mount = made("rail", Path(__file__).parent, "rail.css", "../shared/drawing/written.js", "rail.js")
NO_TOKEN = "There is no token here: nothing of the text got this far."


def rail(shown: Rail, name: str, large: bool = False) -> int:
    """Show the rail and return the chosen token; `name` tells this journey from others.

    The token, counted from 1, stands in the address as `at`.
    """
    first, last = shown.first, shown.first + max(len(shown.tiles) - 1, 0)
    told, here = address.news("at"), visit("rail")
    if told is not None or here is None or here.name != name:
        number = address.natural(told or "", digits=8)
        here = move("rail", name, first if number is None else number - 1)
    key = f"{here.key}:{first}"
    at = min(max(_reported(key, here.at), first), last)
    settle("rail", at)
    address.write("at", str(at + 1) if at != first else None)
    _mount(key="rail", data=message(shown, key, at, large), on_token_change=rerun)
    return at


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
    return [row.name, row.said, [_part(part) for part in row.parts]]


def _part(part: Part) -> list[object]:
    return [part.text, part.kind, part.low, part.high, part.word]


def _reported(key: str, otherwise: int) -> int:
    """Return the token that the browser has told of this very rail."""
    match reported("rail", "token", key):
        case [int(at)]:
            return at
    return otherwise
