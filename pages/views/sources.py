"""Check the sources: what introductions claim, recomputed; beliefs and where they fail."""

import streamlit as st

from pages.figures import claims as figures
from pages.widgets import claims
from pages.widgets.heading import heading

heading("Check the sources", "what introductions print about tokenizers, beside what is computed")
part = claims.part()

if part == "claims":
    rows = figures.all_checked()
    st.markdown(
        f"**{figures.in_words(rows)}** A printed number agrees when the computed one rounds to it; "
        "one that is off by less than a thousandth is near, and the claim then agrees in part. "
        "All of these introductions are worth reading: slips are easy, and a computer finds them."
    )
    for caption, group in claims.shown(rows).items():
        st.html(figures.html_claims(caption, group))
else:
    left, right = st.columns([2, 3], gap="large")
    with left:
        belief, letters = claims.asked()
    with right:
        claims.put_to_test(belief, letters)
