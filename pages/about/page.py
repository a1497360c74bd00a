"""The page that says how the app works: its runs, conventions, checks, limits and literature."""

from pathlib import Path

import streamlit as st

from pages.shared import limits
from pages.shared.controls.heading import heading
from pages.shared.drawing.display_text import plain_table

heading("How it works", "what is recorded, what the numbers follow, and how they are checked")
st.markdown((Path(__file__).parent / "about.md").read_text(encoding="utf-8"))
st.header("What the server takes", anchor="limits")
rows = limits.table(limits.MAX_TEXT_FILE_MB)
st.html(plain_table("Limits", ("of what", "at most", "beyond it"), rows))
