"""What tokenizers learn from: one source for all pages, chosen on any of them.

Each page asks in its own place, with the texts that suit it; its name in the address is one of
`ASKED`. What is chosen by hand on one page is chosen on the others too, where they offer it.
"""

from collections.abc import Mapping

import streamlit as st

from pages.shared.controls import url_state
from pages.shared.controls.url_state import choice

USER_TEXT = "own"
PARAMS = ("corpus", "learned", "from")


def source(
    label: str, options: Mapping[str, str], default: str, *, key: str, bare_url_default: str = ""
) -> str:
    """Ask what to learn from, chosen here or on another page; `opens_with` as in `choice`."""
    shared = _pending().pop(key, None)
    if shared in options and url_state.incoming(key) is None:
        url_state.preset_widget(key, shared)
    more = {"on_change": _share_choice, "args": (key,)}
    return choice(label, options, default, key=key, bare_url_default=bare_url_default, **more)


def follow_text() -> None:
    """Let the training pages learn from the visitor's text, unless a sample was chosen by hand."""
    if not is_chosen_by_hand():
        _pending().update(corpus=USER_TEXT, grows=USER_TEXT)


def is_chosen_by_hand() -> bool:
    """Whether the visitor has chosen a sample by hand, on this page or another."""
    return st.session_state.get("sample_by_hand", False)


def choose(key: str, source: str) -> None:
    """Choose a source from Python, as by hand: before its control is made."""
    url_state.preset_widget(key, source)
    _share_choice(key)


def _share_choice(key: str) -> None:
    chosen = st.session_state[key]
    st.session_state["sample_by_hand"] = chosen != USER_TEXT
    _pending().update({other: chosen for other in PARAMS if other != key})


def _pending() -> dict[str, str]:
    """What was chosen elsewhere, by the names of the controls that have not heard of it."""
    return st.session_state.setdefault("pending_sources", {})
