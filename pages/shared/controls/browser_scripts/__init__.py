"""Scripts that listen to what a visitor does in the browser, and draw nothing.

On every page, Back and Forward are told apart from addresses that arrive late (history_events.js), the terms
of the glossary say what they mean (terms.js), Streamlit's own parts get what they lack (widget_fixes.js),
what is typed is taken before a link asks for another page (commit_before_click.js), and what is typed or pasted
reaches us as whole characters (strip_lone_surrogates.js): a lone surrogate cannot be written as UTF-8, so
that a message with one in it ends the connection before any of our code has seen it. Some pages
have apply_on_input.js or scroll_to_top.js.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2 import component

from pages.shared.controls import url_state, user_text


def listener(name: str) -> Callable[..., Any]:
    """Return what lets a script of this folder listen, on the page that is shown."""
    script = Path(__file__).with_name(f"{name}.js").read_text(encoding="utf-8")
    return partial(component(name, js=script), key=name, data={})  # its key is in page.css, too


_commit_before_click = listener("commit_before_click")
_history_events = listener("history_events")
_scroll_to_top = listener("scroll_to_top")
_strip_lone_surrogates = listener("strip_lone_surrogates")
_terms = listener("terms")
_widget_fixes = listener("widget_fixes")


def watch(page: str) -> None:
    """Listen on `page`, its name in the address; called once in every run, before it."""
    _strip_lone_surrogates()
    _terms()
    _widget_fixes()
    _commit_before_click(
        data={"page": page, "heard": st.session_state.get("heard", 0)},
        on_told_change=_accept_typed_text,
    )
    _history_events(on_went_change=url_state.accept_back_navigation)


def scroll_to_top(shown: str) -> None:
    """Scroll the page to its top when it shows something else than at the last run."""
    _scroll_to_top(data={"shown": shown})


def _accept_typed_text() -> None:
    """Say back that what was typed has been heard; take a text that Back has left behind."""
    number, *left = st.session_state["commit_before_click"]["told"]
    if left:
        text, is_short = left
        user_text.set_split_text(text) if is_short else user_text.set_text(text)
    st.session_state["heard"] = number
