"""Scripts that listen to what a visitor does in the browser, and draw nothing.

On every page, Back and Forward are told apart from addresses that arrive late (back.js), the terms
of the glossary say what they mean (terms.js), Streamlit's own parts get what they lack (parts.js),
what is typed is taken before a link asks for another page (commit.js), and what is typed or pasted
reaches us as whole characters (well_formed.js): a lone surrogate cannot be written as UTF-8, so
that a message with one in it ends the connection before any of our code has seen it. Some pages
have live.js or top.js.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2 import component

from pages.shared.controls import address, memory


def listener(name: str) -> Callable[..., Any]:
    """Return what lets a script of this folder listen, on the page that is shown."""
    script = Path(__file__).with_name(f"{name}.js").read_text(encoding="utf-8")
    return partial(component(name, js=script), key=name, data={})  # its key is in page.css, too


_back, _commit, _parts, _terms, _top, _well_formed = map(
    listener, ("back", "commit", "parts", "terms", "top", "well_formed")
)


def watch(page: str) -> None:
    """Listen on `page`, its name in the address; called once in every run, before it."""
    _well_formed()
    _terms()
    _parts()
    _commit(data={"page": page, "heard": st.session_state.get("heard", 0)}, on_told_change=_hear)
    _back(on_went_change=address.hear_back)


def begin_at_the_top(shown: str) -> None:
    """Scroll the page to its top when it shows something else than at the last run."""
    _top(data={"shown": shown})


def _hear() -> None:
    """Say back that what was typed has been heard; take a text that Back has left behind."""
    number, *left = st.session_state["commit"]["told"]
    if left:
        text, is_short = left
        memory.split_only(text) if is_short else memory.remember(text)
    st.session_state["heard"] = number
