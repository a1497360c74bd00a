"""The training source, shared by all pages.

Each page has its own control and its own options; the URL parameter is one of `PARAMS`. A source
chosen by the user on one page is chosen on the others too, if they offer it.
"""

from collections.abc import Mapping

import streamlit as st

from pages.shared.controls import url_state
from pages.shared.controls.url_state import choice

USER_TEXT = "own"
PARAMS = ("corpus", "learned", "from")


def source_control(
    label: str, options: Mapping[str, str], default: str, *, key: str, bare_url_default: str = ""
) -> str:
    """Show the control for the training source; return the source, which any page may have set.

    `url_state.choice` explains `bare_url_default`.
    """
    shared = _pending().pop(key, None)
    if shared in options and url_state.incoming(key) is None:
        url_state.preset_widget(key, shared)
    callback = {"on_change": _share_choice, "args": (key,)}
    return choice(label, options, default, key=key, bare_url_default=bare_url_default, **callback)


def follow_text() -> None:
    """Make training pages train on the user's text, unless the user has chosen a sample."""
    if not is_chosen_by_hand():
        _pending().update(corpus=USER_TEXT, grows=USER_TEXT)


def is_chosen_by_hand() -> bool:
    """Return whether the user has chosen a sample, on this page or another."""
    return st.session_state.get("sample_by_hand", False)


def choose(key: str, source: str) -> None:
    """Choose a source as if the user had; to be called before its control is created."""
    url_state.preset_widget(key, source)
    _share_choice(key)


def _share_choice(key: str) -> None:
    chosen = st.session_state[key]
    st.session_state["sample_by_hand"] = chosen != USER_TEXT
    _pending().update({other: chosen for other in PARAMS if other != key})


def _pending() -> dict[str, str]:
    """Return the sources that other pages' controls still have to adopt, by URL parameter."""
    return st.session_state.setdefault("pending_sources", {})
