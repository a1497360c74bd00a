"""Progress in the lessons and the custom lesson's text, stored in the visitor's browser.

Nothing is stored on the server. The stored progress is requested once per session and merged with
the progress made meanwhile. After that, every change is sent to the browser.
"""

from collections.abc import Mapping
from pathlib import Path

import streamlit as st
from streamlit.components.v2 import component

from lessons.progress import SIGNS, merge_marks
from pages.shared.component_state import no_op

KEY = "lesson.memory"
LONGEST = 200_000  # characters of a custom lesson
_HERE = Path(__file__).parent
_JS = [
    (_HERE / name).read_text("utf-8") for name in ("../../shared/storage.js", "progress_store.js")
]
_browser = component("lesson_memory", js="\n".join(_JS))


def load_stored() -> None:
    """Once per session, merge the browser's stored progress with the progress made meanwhile."""
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
    """Request the stored progress, or later send every change; call this once in every page run."""
    progress = None if is_loading() else {"marks": marks(), "own": custom_text()}
    _browser(key=KEY, data={"progress": progress}, on_stored_change=no_op, on_failed_change=no_op)
    if (st.session_state.get(KEY) or {}).get("failed"):
        st.caption("Your browser does not store your progress. It will be gone after a reload.")


def is_loading() -> bool:
    """Return whether the stored progress has not arrived yet."""
    return "lesson.loaded" not in st.session_state


def marks() -> dict[str, str]:
    """Return each lesson's marks (a sign for each stop's result), by the lesson's slug."""
    return st.session_state.setdefault("lesson.marks", {})


def custom_text() -> str:
    """Return the text of the custom lesson; "" if there is none."""
    return st.session_state.get("lesson.own", "")


def set_custom_text(text: str) -> None:
    """Set the custom lesson's text; a different text resets the lesson's marks."""
    if text != custom_text():
        st.session_state["lesson.own"] = text[:LONGEST]
        marks().pop("own", None)
