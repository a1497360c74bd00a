"""The box with the text to split applies what is typed without a button: see listening/live.js.

Left out: texts to learn from, which cost a training, and what is measured on Complexity."""

import streamlit as st

from pages.shared.controls.browser_scripts import listener

_listen = listener("apply_on_input")
# Nobody need press Ctrl+Enter: the hint at that would cover the text.
_STYLE = """<style>
:is(.st-key-text_box, .st-key-say) [data-testid="InputInstructions"] { display: none; }
.st-key-say textarea { field-sizing: content; /* one line is no higher than it was as one */
  height: auto !important; min-height: 2.5rem; max-height: 9rem; }
.stMain .st-key-text_box textarea {
  field-sizing: content; height: auto !important; max-height: 16rem; }
</style>"""


def apply_while_typing() -> None:
    """Let the text box of this page apply by itself; called once in every run, after the box."""
    st.html(_STYLE)
    _listen()
