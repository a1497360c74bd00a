"""How our components are shown, and how somebody's place in one of them is kept.

The browser moves at once, and tells Python where it rests; the address holds that place; a link, a
lesson or another text moves it from Python. Each such move begins a visit. Its key goes to the
browser and comes back with every report, so that a report from before the move is known to be old.

Left out: what stands in the address (controls/url_state.py), and the player, in which the learner
and the page move several things independently (player/).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import streamlit as st
from streamlit.components.v2 import component

from pages.shared.component import Component

T = TypeVar("T")


def component_renderer(shown: Component) -> Callable[..., Any]:
    """Return what shows a component in the app."""
    return component(f"piece_by_piece_{shown.name}", html=shown.html, css=shown.css, js=shown.js)


def no_op() -> None:
    """Do nothing: a change that has a name is one whose value Streamlit keeps."""


@dataclass(frozen=True, slots=True)
class ComponentState(Generic[T]):
    """Somebody's place in what `name` says is shown: where the visit `began`, and is `at` now.

    `number` counts the moves that came from Python.
    """

    name: str
    revision: int
    initial: T
    current: T

    @property
    def key(self) -> str:
        """What tells this visit from all others."""
        return f"{self.name}:{self.revision}"


def component_state(component: str) -> ComponentState[Any] | None:
    """Return the newest visit of a component; None if it was never shown."""
    return st.session_state.get(f"{component}.visit")


def set_from_server(component: str, name: str, value: T) -> ComponentState[T]:
    """Begin a visit at a place, whatever the browser says."""
    before = component_state(component)
    now = ComponentState(name, before.revision + 1 if before else 1, value, value)
    st.session_state[f"{component}.visit"] = now
    return now


def accept_client_value(component: str, value: object) -> None:
    """Note where the visit is now."""
    now = st.session_state[f"{component}.visit"]
    st.session_state[f"{component}.visit"] = replace(now, at=value)


def client_report(component: str, what: str, key: str) -> list[Any] | None:
    """Return what the browser has told of the visit of this key; None if that is nothing."""
    match (st.session_state.get(component) or {}).get(what):
        case [*told, str(its)] if its == key:
            return told
    return None
