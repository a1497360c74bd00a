"""Recognition of values that the browser sent before it received Python's change of them.

With every request, the browser sends the URL and the values of all widgets as it knows them. A
value that Python has replaced in a run that the browser is still to receive thus comes back, and
looks like the user's input. So a hidden box holds the number of the last run that the browser has
received: Python sets it at the end of every run, and the browser returns it as it does all values.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

RUN_BOX = "received_run"


@contextmanager
def number_run() -> Iterator[None]:
    """Run a page, and send the run's number behind everything else that the run sends."""
    try:
        yield
    finally:  # also of a run that ends early
        st.session_state[RUN_BOX] = str(_run())
        st.text_area("Run", key=RUN_BOX, label_visibility="collapsed")  # page.css hides it
        # What a fragment changes after the run arrives with the next one.
        st.session_state["run_number"] = _run() + 1


def note_replaced(name: str, value: object) -> None:
    """Note that Python replaces the value of a widget or a URL parameter."""
    unreceived = {key: run for key, run in _replaced().items() if run > _received()}
    st.session_state["replaced_values"] = unreceived | {(name, str(value)): _run()}


def is_outdated(name: str, value: object) -> bool:
    """Return whether the browser sent this value before it received its replacement."""
    return _received() < _replaced().get((name, str(value)), 0)


def forget(prefix: str) -> None:
    """Take values of the names with this prefix for new ones, even if Python has replaced them."""
    kept = {key: run for key, run in _replaced().items() if not key[0].startswith(prefix)}
    st.session_state["replaced_values"] = kept


def _run() -> int:
    return st.session_state.get("run_number", 1)


def _received() -> int:
    return int(st.session_state.get(RUN_BOX, 0))


def _replaced() -> dict[tuple[str, str], int]:
    """Return the number of the run that replaced each value."""
    return st.session_state.get("replaced_values", {})
