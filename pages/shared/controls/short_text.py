"""A box for a short text to split, and a box of a single line.

All pages share this text (`user_text.TEXT`). It has its own URL parameter because the URL may hold
a training text as well. For texts of any length see `user_text.text_box`.
"""

from contextlib import nullcontext
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.controls import live, outdated_values, typed_text, url_state, user_text
from pages.shared.drawing.display_text import show_spaces
from pages.shared.limits import MAX_IN_URL

CHARACTERS_BEFORE_CUT = 30  # characters before the cut
LONGEST_LINE = 2_000
"""The limit of the input element, which truncates silently: high, so that few reach it."""


def short_text(
    label: str,
    default: str,
    *,
    key: str,
    bare_url_default: str = "",
    row: DeltaGenerator | None = None,
    label_visibility: Literal["visible", "collapsed"] = "visible",
    longest: int = MAX_IN_URL,
) -> str:
    """Show a text box and return its first `longest` characters; warn if there are more.

    The URL has the first `MAX_IN_URL` of them. In a `row` of controls, the box is one line high
    until it has the focus, and has no label.

    `default` is the text if the URL has none. For a URL without any parameter it is
    `bare_url_default`, which is written to the URL together with the next parameter.
    """
    if typed_text.has_missed_input(key):
        _accept_box(key)
    whole = full_text(default, key, bare_url_default)
    text = whole[:longest]
    in_url = text[:MAX_IN_URL]
    if bare_url_default and text == bare_url_default:
        url_state.set_implicit(key, in_url)
    else:
        url_state.set_param(key, None if text == default else in_url)
    typed_text.set_box_text(key, text)
    # No `max_chars`: it truncates silently, and its counter would cover the text.
    with row or nullcontext():
        st.text_area(
            label,
            text,
            height=40 if row else 68,
            key=key,
            on_change=_accept_box,
            args=(key,),
            placeholder=label,
            label_visibility="collapsed" if row else label_visibility,
        )
    live.apply_while_typing()
    if len(whole) > longest:
        end = show_spaces(text[-CHARACTERS_BEFORE_CUT:]).replace("`", "'")
        st.warning(
            f"The text has {len(whole):,} characters. The first {longest:,} are shown "
            f"here, up to `…{end}`; the rest is left out."
        )
    return text


def line_input(
    label: str,
    longest: int,
    *,
    key: str,
    placeholder: str = "",
    hint: str = "",
    widget_key: str = "",
    **widget_options: Any,
) -> str:
    """Show a line input and return its first `longest` characters, with a note if there are more.

    The URL has the whole line. `hint` is the tooltip; `url_state.choice` explains `widget_key`.
    """
    if widget_key and (value := url_state.incoming(key)) is not None:
        st.session_state[widget_key] = value
    written = st.text_input(
        label,
        key=widget_key or key,
        max_chars=LONGEST_LINE,
        placeholder=placeholder,
        help=hint or None,
        bind=None if widget_key else "query-params",
        persist_state="session",
        **widget_options,
    )
    assert written is not None  # as no value of None was given
    if widget_key:
        url_state.set_param(key, written or None)
    if len(written) > longest:
        st.caption(f"That has {len(written):,} characters. The first {longest:,} are used.")
    return written[:longest]


def full_text(default: str, key: str, bare_url_default: str) -> str:
    """Return the text that all pages share, or else an example.

    A link's text becomes the shared text, with two exceptions: the beginning of the current text
    (a page that shortens it made the link), and `bare_url_default`, which is only an example.
    """
    value, current = url_state.incoming(key), st.session_state.get(user_text.TEXT)
    if value is not None and value == bare_url_default:
        user_text.set_split_text(None)
        return bare_url_default
    if value is not None and (current is None or value != current[:MAX_IN_URL]):
        user_text.set_split_text(value)
        return value
    if current is not None:
        return current
    is_open = url_state.is_bare_url() or url_state.last_set(key) == bare_url_default
    return bare_url_default if bare_url_default and is_open else default


def _accept_box(key: str) -> None:
    text = st.session_state[key]
    if outdated_values.is_outdated(key, text):
        return
    user_text.set_split_text(text)
    typed_text.note_known(key, text)
