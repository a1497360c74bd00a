"""Text boxes that apply their text while the user types: see browser_scripts/apply_on_input.js.

Tables of words don't use this because a row that is half typed is no row, nor does the page
Complexity because it would measure at every key press."""

import streamlit as st

from pages.shared.controls.browser_scripts import listener

_listen = listener("apply_on_input")
# Ctrl+Enter is not needed, and Streamlit's hint at it would cover the text.
_STYLE = """<style>
:is(.st-key-text_box, .st-key-say) [data-testid="InputInstructions"] { display: none; }
.st-key-say:not(.st-key-controls_row *) textarea {
  field-sizing: content; /* a single line is no higher than an input */
  height: auto !important; min-height: 2.5rem; max-height: 9rem; }
.stMain .st-key-text_box:not(.st-key-controls_row *) textarea { padding-block: .45rem;
  field-sizing: content; height: auto !important; min-height: 2.5rem; max-height: 16rem; }
</style>"""


def apply_while_typing() -> None:
    """Apply the page's text box while the user types; called once in every run, after the box."""
    st.html(_STYLE)
    _listen()
