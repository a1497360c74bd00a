"""What the visitor's browser keeps of the lessons: the marks of all, and the text of one's own.

We write nothing of it to a disk. The browser is asked once in a visit; what it answers is joined
with what has been done meanwhile, and from then on it is handed every change.
"""

from collections.abc import Mapping
from pathlib import Path

import streamlit as st
from streamlit.components.v2 import component

from lessons.progress import SIGNS, merge_marks
from pages.shared.component_state import no_op

KEY = "lesson.memory"
LONGEST = 200_000  # characters of a lesson of one's own that the browser is asked to keep
_HERE = Path(__file__).parent
_JS = [(_HERE / name).read_text("utf-8") for name in ("../shared/storage.js", "progress_store.js")]
_browser = component("lesson_memory", js="\n".join(_JS))


def load_stored() -> None:
    """Join what the browser has told, once in a visit, with what was done meanwhile."""
    response = (st.session_state.get(KEY) or {}).get("stored")
    if not isinstance(response, Mapping) or not is_loading():
        return
    st.session_state["lesson.loaded"] = True
    stored = response.get("marks")
    for slug, row in stored.items() if isinstance(stored, Mapping) else ():
        if isinstance(slug, str) and isinstance(row, str) and set(row) <= set(SIGNS):
            here = marks().get(slug, "")
            size = max(len(here), len(row))
            marks()[slug] = merge_marks(here.ljust(size, "-"), row.ljust(size, "-"))
    custom = response.get("own")
    if isinstance(custom, str) and not custom_text():
        st.session_state["lesson.own"] = st.session_state["lesson_text"] = custom[:LONGEST]


def sync() -> None:
    """Ask the browser what it knows, then hand it every change: once in every run of a page."""
    progress = None if is_loading() else {"marks": marks(), "own": custom_text()}
    _browser(key=KEY, data={"progress": progress}, on_stored_change=no_op, on_failed_change=no_op)
    if (st.session_state.get(KEY) or {}).get("failed"):
        st.caption("Your browser does not store your progress. It will be gone after a reload.")


def is_loading() -> bool:
    """Whether the browser has not answered yet."""
    return "lesson.loaded" not in st.session_state


def marks() -> dict[str, str]:
    """The marks of every lesson that was begun."""
    return st.session_state.setdefault("lesson.marks", {})


def custom_text() -> str:
    """The text of the lesson of one's own; empty if there is none."""
    return st.session_state.get("lesson.own", "")


def set_custom_text(text: str) -> None:
    """Make a text the lesson of one's own; the marks of the one before are gone."""
    if text != custom_text():
        st.session_state["lesson.own"] = text[:LONGEST]
        marks().pop("own", None)
