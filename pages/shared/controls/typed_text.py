"""Recovery of text typed into a box whose on_change callback Streamlit has interrupted.

If another click follows at once, Streamlit interrupts the callback at its next use of session state
and never repeats it, so the box would be reset. A page therefore checks whether the text in the box
differs from the last one that a callback noted.
"""

import streamlit as st

from pages.shared.controls import outdated_values, url_state


def set_box_text(key: str, text: str, slot: str = "") -> None:
    """Set the text of a box before it is created; `slot` distinguishes boxes with the same key."""
    before = st.session_state.get(key)
    if before != text:
        outdated_values.note_replaced(key, before)
        st.session_state[key] = text
    note_known(key, text, slot)


def note_known(key: str, text: str, slot: str = "") -> None:
    """Note that this text of the box has been processed; a callback does so in its last line."""
    st.session_state[f"{key}.known"] = url_state.page(), slot, text


def has_missed_input(key: str, slot: str = "") -> bool:
    """Return whether the box of this page holds a text that no callback has processed."""
    *owner, text = st.session_state.get(f"{key}.known", (None, slot, ""))
    here = st.session_state.get(key, text)
    is_new = here != text and not outdated_values.is_outdated(key, here)
    return is_new and owner == [url_state.page(), slot]
