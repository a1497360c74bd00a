"""What is typed into a box is taken, though Streamlit may break off the callback that takes it.

It does so when another click follows at once, at the next use of the session's state, and never
calls it again: the box would be set back to what it was. So a page looks whether the box holds
another text than the one that Python knows of.
"""

import streamlit as st

from pages.shared.controls import url_state


def set_box_text(key: str, text: str, slot: str = "") -> None:
    """Set what the box shows, before it is made; `slot` tells boxes of one page and key apart."""
    if st.session_state.get(key) != text:
        st.session_state[key] = text
    note_known(key, text, slot)


def note_known(key: str, text: str, slot: str = "") -> None:
    """Remember that Python knows of this text in the box: the last thing that a callback does."""
    st.session_state[f"{key}.known"] = url_state.page(), slot, text


def has_missed_input(key: str, slot: str = "") -> bool:
    """Whether the box of this page holds a text that Python doesn't know of."""
    *place, text = st.session_state.get(f"{key}.known", (None, slot, ""))
    return place == [url_state.page(), slot] and st.session_state.get(key, text) != text
