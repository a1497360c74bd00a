"""The bar of a lesson: back, on, and a button for every stop that says how it went.

One component, so that the focus stays where it is while everything around it changes; a screen
reader is told the heading of the stop.
"""

from collections.abc import Sequence

import streamlit as st

from lessons.progress import STANDINGS
from pages.lessons import question
from pages.lessons.components import NAV
from pages.shared.component_state import mounting, rerun
from pages.shared.drawing.display_text import printable

KEY = "lesson.nav"
CLASS = "lesson.class"  # whose buttons lead to questions, see classroom/stage.py
_mount = mounting(NAV)


def nav(headings: Sequence[str], marks: str, stop: int, after: str) -> None:
    """Show the bar at a stop, counted from 0; as many as there are headings means the end.

    `after` is what the button onwards says.
    """
    signs = zip(headings, marks, strict=True)
    stops = [[printable(heading), *STANDINGS[sign]] for heading, sign in signs]
    data = {"stops": stops, "at": stop, "sent": next_wish(), "after": after}
    _mount(key=KEY, data=data, on_wish_change=rerun)


def wish(stop: int) -> str | int | None:
    """Return where the bar was asked to go from a stop: "on", "back" or a stop; None if nowhere.

    A wish is heard once.
    """
    for key in (KEY, question.KEY, CLASS):
        match (st.session_state.get(key) or {}).get("wish"):
            case [int(sent), int(seen), "on" | "back" | int() as where] if sent == next_wish():
                st.session_state["lesson.sent"] = sent + 1
                return where if seen == stop else None
    return None


def next_wish() -> int:
    """The number of the next wish: a report with another one has been heard already."""
    return st.session_state.setdefault("lesson.sent", 1)
