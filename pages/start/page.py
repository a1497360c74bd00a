"""The start page, which shows a text split by the tokenizers of well-known models."""

import streamlit as st

from pages.shared.controls import live, url_state, user_text
from pages.start import panels, published, trained_here_panels
from pages.start.presets import FIRST_TEXT, LABEL

panels.title_and_doors()
with st.container(horizontal=True, key="text_and_samples"):
    box = user_text.text_box(LABEL, FIRST_TEXT, 40, label_visibility="collapsed")
    live.apply_while_typing()
    totals = st.container(key="totals")
    panels.sample_texts(box.text)
if box.state == "asking":
    url_state.end_early()
panels.ids_link(box.text)
if found := panels.render_rows(box.text):
    totals.html(published.totals(found.counts))
    panels.section("More with this text")
    panels.cost_panel(found.counts)
    panels.copy_panel(found)
trained_here_panels.train_your_own(box.text)
