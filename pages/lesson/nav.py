"""A lesson's navigation bar, which has buttons for back, forward, and each stop with its result.

It is a single component, so that it keeps the focus while the rest changes; a screen reader
announces the new stop's heading.
"""

from collections.abc import Sequence

import streamlit as st

from lessons.progress import STANDINGS
from pages.lesson import question
from pages.lesson.components import NAV
from pages.shared.component_state import component_renderer, no_op
from pages.shared.drawing.display_text import escape_invisible

KEY = "lesson.nav"
CLASS_KEY = "lesson.class"  # its buttons lead to questions, see classroom/lesson_class.py
_mount = component_renderer(NAV)


def nav(headings: Sequence[str], marks: str, stop: int, after: str) -> None:
    """Show the bar at the index `stop`; at the end of the lesson, this is `len(headings)`.

    `marks` has a sign for each stop's result. `after` is the label of the forward button.
    """
    signs = zip(headings, marks, strict=True)
    stops = [[escape_invisible(heading), *STANDINGS[sign]] for heading, sign in signs]
    data = {"stops": stops, "at": stop, "revision": next_revision(), "after": after}
    _mount(key=KEY, data=data, on_target_change=no_op)


def read_navigation(stop: int) -> str | int | None:
    """Return where the user wants to go from `stop`: "on", "back", a stop's index, or None.

    A request contains the revision that was sent to the browser, so that it is accepted only once.
    """
    for key in (KEY, question.KEY, CLASS_KEY):
        match (st.session_state.get(key) or {}).get("target"):
            case [int(revision), int(seen), "on" | "back" | int() as where] if (
                revision == next_revision()
            ):
                st.session_state["lesson.revision"] = revision + 1
                return where if seen == stop else None
    return None


def next_revision() -> int:
    """Return the revision that the next request must have; others were handled already."""
    return st.session_state.setdefault("lesson.revision", 1)
