"""About: which conventions the numbers follow, how they are checked, and where they come from."""

from pathlib import Path

import streamlit as st

from pages.shared.controls.heading import heading

heading("About", "what the numbers follow, and how they are checked")
st.markdown((Path(__file__).parent / "about.md").read_text(encoding="utf-8"))
