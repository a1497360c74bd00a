"""The Sources page recomputes what the sources claim, and shows where beliefs fail."""

import streamlit as st

from pages.shared.controls.heading import heading
from pages.shared.controls.url_state import segments
from pages.shared.work import results
from pages.sources import claims as figures
from pages.sources import panels

heading("Check the sources", "what is written about tokenizers, next to what we compute")
parts = {"claims": "What the sources claim", "beliefs": "Beliefs put to the test"}
part = segments("What to look at", parts, "claims", key="part", label_visibility="collapsed")

if part == "claims":
    key = results.key_of("claims")
    rows = results.result_of(key, figures.check_all, "Checking the claims …")
    st.markdown(f"**{figures.describe_counts(rows)}** {figures.VERDICT_NOTE}")
    for caption, group in panels.choose_claims(rows).items():
        st.html(figures.html_claims(caption, group))
else:
    left, right = st.columns([2, 3], gap="large")
    with left:
        belief, letters = panels.choose_belief()
    with right:
        panels.belief_check(belief, letters)
