"""The rail: every stage of the pipeline under each other, with one token marked in all of them.

One component: rail.js draws what it is sent and marks the chosen token at once, by a click or the
arrow keys; when that rests, Python is told. Left out: what the rows hold
(rows.py).
"""

from pathlib import Path

import streamlit as st
from streamlit.components.v2 import component

from pages.pipeline.journey import MODEL
from pages.pipeline.rows import NAMES, Part, Rail, Row
from pages.shared.controls import address
from pages.shared.drawing.tiles import palette_css

_HERE = Path(__file__).parent
_SCRIPTS = ("../shared/drawing/written.js", "rail.js")
_mount = component(
    "piece_by_piece_rail",
    html='<div class="place"></div>',
    css=f":host {{{palette_css()}}}\n" + (_HERE / "rail.css").read_text("utf-8"),
    js="\n".join((_HERE / name).read_text("utf-8") for name in _SCRIPTS),
)
NO_TOKEN = "There is no token here: nothing of the text got this far."


def rail(shown: Rail, name: str, large: bool = False) -> int:
    """Show the rail and return the chosen token; `name` tells this journey from others.

    The token, counted from 1, stands in the address as `at`.
    """
    first, last = shown.first, shown.first + max(len(shown.tiles) - 1, 0)
    told = address.news("at")
    visit = st.session_state.get("rail.visit")
    if told is not None:
        number = int(told) - 1 if told.isascii() and told.isdigit() and len(told) < 9 else first
        visit = st.session_state["rail.visit"] = (name, number, visit[2] + 1 if visit else 1)
    elif visit is None or visit[0] != name:
        visit = st.session_state["rail.visit"] = (name, first, visit[2] + 1 if visit else 1)
    key = f"{name}:{first}:{visit[2]}"
    at = min(max(_reported(key, visit[1]), first), last)
    st.session_state["rail.visit"] = (name, at, visit[2])
    address.write("at", str(at + 1) if at != first else None)
    _mount(key="rail", data=message(shown, key, at, large), on_token_change=_rerun)
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
    match (st.session_state.get("rail") or {}).get("token"):
        case [int(at), told] if told == key:
            return at
    return otherwise


def _rerun() -> None:
    """A named change is what makes Streamlit keep its value; the rerun does the rest."""
