"""Mount components, and keep in the session the values that they share with the browser.

A value is synchronized by `synced_state.py`: the browser changes it at once and reports it when
idle; the URL stores it; Python sets it after a link, a lesson's stop or a change of text.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st
from streamlit.components.v2 import component

from pages.shared import synced_state
from pages.shared.component import WebComponent
from pages.shared.synced_state import SyncedState, parse_report

T = TypeVar("T")


def component_renderer(shown: WebComponent) -> Callable[..., Any]:
    """Return the function that mounts a component in the app."""
    return component(f"piece_by_piece_{shown.name}", html=shown.html, css=shown.css, js=shown.js)


def no_op() -> None:
    """Do nothing; Streamlit keeps only those component values that have an on_change callback."""


def client_value(component: str, name: str) -> object:
    """Return what the browser last sent for a component under this name; None if nothing."""
    return (st.session_state.get(component) or {}).get(name)


def current_state(component: str, name: str) -> SyncedState[Any] | None:
    """Return the state of a component's value `name`; None if it was never shown."""
    return st.session_state.get(f"{component}.{name}")


def keep_state(component: str, name: str, state: SyncedState[T]) -> SyncedState[T]:
    """Keep the state in the session, and return it."""
    st.session_state[f"{component}.{name}"] = state
    return state


def set_from_server(component: str, name: str, content: str, value: Any) -> None:
    """Set a component's value, which begins a new revision."""
    state = current_state(component, name)
    keep_state(component, name, synced_state.set_from_server(state, content, value))


def sync_component(
    component: str,
    name: str,
    content: str,
    first: T,
    *,
    parse: Callable[[object], T | None],
    address: T | None = None,
    fit: Callable[[T], T] = lambda value: value,
) -> SyncedState[T]:
    """Synchronize the value that a component reports under `name`; return its state.

    `parse` returns a reported value if it is well-formed; the other arguments are those of
    `synced_state.sync`.
    """
    report = parse_report(client_value(component, name), parse)
    state = current_state(component, name)
    now = synced_state.sync(state, content, first, report=report, address=address, fit=fit)
    return keep_state(component, name, now)
