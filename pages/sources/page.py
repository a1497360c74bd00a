"""The page that recomputes what the sources claim."""

import streamlit as st

from pages.shared.controls.heading import heading
from pages.shared.work import results
from pages.sources import claims as figures
from pages.sources import panels

heading("Check the sources", "what is written about tokenizers, next to what we compute")
key = results.key_of("claims")
rows = results.result_of(key, figures.check_all, "Checking the claims …")
st.markdown(f"**{figures.describe_counts(rows)}** {figures.VERDICT_NOTE}")
for caption, group in panels.choose_claims(rows).items():
    st.html(figures.html_claims(caption, group))
