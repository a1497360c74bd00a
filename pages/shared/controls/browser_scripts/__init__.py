"""Browser scripts without output, mounted as components.

Every page has history_events.js (distinguishes Back and Forward from late URL updates, and reruns
the page for a new switch in the URL), terms.js (tooltips of glossary terms), widget_fixes.js (fixes
of Streamlit's widgets), commit_before_click.js (sends typed text before a link is followed),
scroll_to_top.js (begins another page at its top) and strip_lone_surrogates.js (a lone surrogate
cannot be encoded as UTF-8: a message with one closes the connection before any code of the app sees
it).
Some pages have apply_on_input.js, start_buttons.js or scroll_to_menu.js.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2 import component

from pages.shared.controls import url_state, user_text
from pages.shared.routes import START


def listener(name: str, *before: str) -> Callable[..., Any]:
    """Return a function that mounts the script `name` of this folder on the current page.

    The files `before` are put in front of it.
    """
    files = [Path(__file__).parent / file for file in (*before, f"{name}.js")]
    script = "\n".join(file.read_text(encoding="utf-8") for file in files)
    return partial(component(name, js=script), key=name, data={})  # page.css uses the key, too


_commit_before_click = listener("commit_before_click")
_history_events = listener("history_events")
_scroll_to_menu = listener("scroll_to_menu")
_scroll_to_top = listener("scroll_to_top")
_strip_lone_surrogates = listener("strip_lone_surrogates")
_terms = listener("terms", "../../place_beside.js")
_widget_fixes = listener("widget_fixes")


def mount_all(page: str) -> None:
    """Mount the scripts of every page; called once in every run, before `page` runs."""
    _strip_lone_surrogates()
    _scroll_to_top(data={"page": page})
    _terms()
    _widget_fixes(data={"page": page or START})
    _commit_before_click(
        data={"page": page, "acknowledged": st.session_state.get("acknowledged", 0)},
        on_typed_change=_accept_typed_text,
    )
    callbacks = {"on_went_change": lambda: None, "on_switched_change": lambda: None}
    url_state.accept_back_navigation(_history_events(**callbacks).went)


def scroll_to_top(lesson: str) -> None:
    """Scroll the page to its top if another lesson, or the list, was shown in the last run."""
    _scroll_to_top(key="scroll_to_top_of_lesson", data={"lesson": lesson})


def scroll_to_menu(visit: int) -> None:
    """Scroll to the export menu once for every `visit`, i.e. each time that a link opens it."""
    _scroll_to_menu(data={"visit": visit})


def _accept_typed_text() -> None:
    """Acknowledge a typed text. If the user left the page by the Back button, accept it first."""
    number, *left = st.session_state["commit_before_click"]["typed"]
    if left:
        text, is_short = left
        user_text.set_split_text(text) if is_short else user_text.set_text(text)
    st.session_state["acknowledged"] = number
