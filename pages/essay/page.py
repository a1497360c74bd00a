"""The whole story: one essay from a text to its pieces to their cost, with live figures."""

import streamlit as st

from pages.essay import figures, panels
from pages.shared.controls import live, url_state, user_text
from pages.shared.controls.heading import heading

with panels.column():
    heading("The whole story", "from a text to its pieces to what they cost, on one page")
    st.markdown(panels.OPENING)
    box = user_text.text_box("Your text", figures.FIRST_TEXT, height=68)
    live.apply_while_typing()
    if box.state == "asking":
        url_state.end_early()
    panels.story(box.text)
