"""A box for the text to split, where only a short one can be; what does not fit is not shown.

It is the text of all pages (`memory.TEXT`), here under a name of its own in the address, which may
hold a text to learn from as well. Left out: texts of any length, see `memory.text_box`.
"""

import streamlit as st

from pages.shared.controls import address, live, memory
from pages.shared.controls.address import LONGEST_TEXT
from pages.shared.drawing.tiles import visible

SHOWN = 30  # of the characters before the cut


def short_text(label: str, default: str, *, key: str, height: int = 68) -> str:
    """Ask for a text and return its first 1,500 characters; say so where there are more."""
    whole = _whole(default, key)
    kept = whole[:LONGEST_TEXT]
    address.write(key, None if kept == default else kept)
    if st.session_state.get(key) != kept:
        st.session_state[key] = kept
    # No `max_chars`: it would refuse more in silence, and its counter would cover the text.
    st.text_area(label, kept, height=height, key=key, on_change=_take, args=(key,))
    live.apply_while_typing()
    if len(whole) > LONGEST_TEXT:
        end = visible(kept[-SHOWN:]).replace("`", "'")
        st.warning(
            f"The text has {len(whole):,} characters. The first {LONGEST_TEXT:,} are shown here, "
            f"up to `…{end}`; the others were left out."
        )
    return kept


def _whole(default: str, key: str) -> str:
    """Return the text of all pages, once a link's is taken for it; `default` where there is none.

    A link from a page with a longer text holds the beginning of it: that is no other text.
    """
    told, own = address.news(key), st.session_state.get(memory.TEXT)
    if told is not None and (own is None or told != own[:LONGEST_TEXT]):
        memory.split_only(told)
        return told
    return default if own is None else own


def _take(key: str) -> None:
    memory.split_only(st.session_state[key])
