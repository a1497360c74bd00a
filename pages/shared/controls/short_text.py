"""A box for a text of one line that the address holds; what does not fit is cut, and that is said.

Left out: texts of any length, see `memory.text_box`.
"""

import streamlit as st

from pages.shared.controls.address import IN_ADDRESS, LONGEST_TEXT
from pages.shared.drawing.tiles import visible

MOST_PASTED = 5_000_000
"""Characters that the box takes at all: without a limit of its own it would refuse in silence."""
SHOWN = 30  # of the characters before the cut


def short_text(label: str, default: str, *, key: str) -> str:
    """Ask for a text and return its first 1,500 characters; say so where there were more."""
    text = st.text_input(
        label, default, MOST_PASTED, key=key, on_change=_cut, args=(key,), **IN_ADDRESS
    )
    kept = text[:LONGEST_TEXT]
    whole = max(len(text), _lengths().get((key, text), 0))
    if whole > LONGEST_TEXT:
        end = visible(kept[-SHOWN:]).replace("`", "'")
        st.warning(
            f"The text has {whole:,} characters. The first {LONGEST_TEXT:,} are shown here, up to "
            f"`…{end}`; the others were left out."
        )
    return kept


def _cut(key: str) -> None:
    """Cut what was put in, before it comes into the address; remember how long it was."""
    text = st.session_state[key]
    if len(text) > LONGEST_TEXT:
        kept = text[:LONGEST_TEXT]
        _lengths()[key, kept] = len(text)
        st.session_state[key] = kept


def _lengths() -> dict[tuple[str, str], int]:
    """How long the texts were that had to be cut, by their boxes and what was kept."""
    return st.session_state.setdefault("cut_texts", {})
