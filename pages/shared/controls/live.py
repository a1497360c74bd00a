"""Text boxes that apply their text while the user types: see browser_scripts/apply_on_input.js.

Tables of words don't use this because a row that is half typed is no row, nor does the page
Complexity because it would measure at every key press."""

from pathlib import Path

import streamlit as st

from pages.shared.controls.browser_scripts import listener

_listen = listener("apply_on_input")


def apply_while_typing() -> None:
    """Apply the page's text box while the user types; called once in every run, after the box."""
    st.html(Path(__file__).with_name("live.css"))
    _listen()
