"""Mount components, and share one value of each component with the browser.

The browser changes the value at once and reports it when idle; the URL stores it. Python sets the
value after a link, a lesson's stop or a change of text, which begins a new revision. The browser
returns the revision's key with every report, so older reports are recognized as stale.

The player shares several values and has its own version, `player/synced_state.py`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import streamlit as st
from streamlit.components.v2 import component

from pages.shared.component import WebComponent

T = TypeVar("T")


def component_renderer(shown: WebComponent) -> Callable[..., Any]:
    """Return the function that mounts a component in the app."""
    return component(f"piece_by_piece_{shown.name}", html=shown.html, css=shown.css, js=shown.js)


def no_op() -> None:
    """Do nothing; Streamlit keeps only those component values that have an on_change callback."""


@dataclass(frozen=True, slots=True)
class ComponentState(Generic[T]):
    """The value of a component that shows the content `name`.

    `revision` counts the changes made by Python, and `initial` is the value of the last one.
    """

    name: str
    revision: int
    initial: T
    current: T

    @property
    def key(self) -> str:
        """The key of this revision, unique in the session."""
        return f"{self.name}:{self.revision}"


def current_state(component: str) -> ComponentState[Any] | None:
    """Return the state of a component; None if it was never shown."""
    return st.session_state.get(f"{component}.state")


def set_from_server(component: str, name: str, value: T) -> ComponentState[T]:
    """Set the value and begin a new revision, which makes all earlier reports stale."""
    before = current_state(component)
    now = ComponentState(name, before.revision + 1 if before else 1, value, value)
    st.session_state[f"{component}.state"] = now
    return now


def accept_client_value(component: str, value: object) -> None:
    """Keep the value that the browser reported."""
    now = st.session_state[f"{component}.state"]
    st.session_state[f"{component}.state"] = replace(now, current=value)


def client_report(component: str, name: str, key: str) -> list[Any] | None:
    """Return what the browser reported under `name` for the revision `key`; None if nothing."""
    match (st.session_state.get(component) or {}).get(name):
        case [*report, str(revision_key)] if revision_key == key:
            return report
    return None
