"""The bar of a lesson: back, on, and a button for every stop that says how it went.

One component, so that the focus stays where it is while everything around it changes; a screen
reader is told the heading of the stop.
"""

from collections.abc import Sequence

import streamlit as st

from lessons.progress import STANDINGS
from pages.lessons import question
from pages.lessons.components import NAV
from pages.shared.component_state import component_renderer, no_op
from pages.shared.drawing.display_text import escape_invisible

KEY = "lesson.nav"
CLASS_KEY = "lesson.class"  # whose buttons lead to questions, see classroom/stage.py
_mount = component_renderer(NAV)


def nav(headings: Sequence[str], marks: str, stop: int, after: str) -> None:
    """Show the bar at a stop, counted from 0; as many as there are headings means the end.

    `after` is what the button onwards says.
    """
    signs = zip(headings, marks, strict=True)
    stops = [[escape_invisible(heading), *STANDINGS[sign]] for heading, sign in signs]
    data = {"stops": stops, "at": stop, "revision": next_revision(), "after": after}
    _mount(key=KEY, data=data, on_target_change=no_op)


def read_navigation(stop: int) -> str | int | None:
    """Return where the bar was asked to go from a stop: "on", "back" or a stop; None if nowhere.

    A wish is heard once.
    """
    for key in (KEY, question.KEY, CLASS_KEY):
        match (st.session_state.get(key) or {}).get("target"):
            case [int(revision), int(seen), "on" | "back" | int() as where] if revision == next_revision():
                st.session_state["lesson.revision"] = revision + 1
                return where if seen == stop else None
    return None


def next_revision() -> int:
    """The number of the next wish: a report with another one has been heard already."""
    return st.session_state.setdefault("lesson.revision", 1)
