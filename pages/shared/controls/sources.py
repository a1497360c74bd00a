"""What tokenizers learn from: one source for all pages, chosen on any of them.

Each page asks in its own place, with the texts that suit it; its name in the address is one of
`ASKED`. What is chosen by hand on one page is chosen on the others too, where they offer it.
"""

from collections.abc import Mapping

import streamlit as st

from pages.shared.controls import url_state
from pages.shared.controls.url_state import choice

OWN = "own"
ASKED = ("corpus", "learned", "from")


def source(
    label: str, options: Mapping[str, str], default: str, *, key: str, opens_with: str = ""
) -> str:
    """Ask what to learn from, chosen here or on another page; `opens_with` as in `choice`."""
    shared = _news().pop(key, None)
    if shared in options and url_state.news(key) is None:
        url_state.put(key, shared)
    more = {"on_change": _share, "args": (key,)}
    return choice(label, options, default, key=key, opens_with=opens_with, **more)


def follow_text() -> None:
    """Let the training pages learn from the visitor's text, unless a sample was chosen by hand."""
    if not chosen_by_hand():
        _news().update(corpus=OWN, grows=OWN)


def chosen_by_hand() -> bool:
    """Whether the visitor has chosen a sample by hand, on this page or another."""
    return st.session_state.get("sample_by_hand", False)


def choose(key: str, source: str) -> None:
    """Choose a source from Python, as by hand: before its control is made."""
    url_state.put(key, source)
    _share(key)


def _share(key: str) -> None:
    chosen = st.session_state[key]
    st.session_state["sample_by_hand"] = chosen != OWN
    _news().update({other: chosen for other in ASKED if other != key})


def _news() -> dict[str, str]:
    """What was chosen elsewhere, by the names of the controls that have not heard of it."""
    return st.session_state.setdefault("source_news", {})
