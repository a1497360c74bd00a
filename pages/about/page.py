"""The page About explains the conventions of the numbers, their sources, and their checks."""

from pathlib import Path

import streamlit as st

from pages.shared import limits
from pages.shared.controls.heading import heading
from pages.shared.drawing.display_text import plain_table
from pages.shared.drawing.terms import html_glossary

heading("About", "what the numbers follow, and how they are checked")
st.markdown((Path(__file__).parent / "about.md").read_text(encoding="utf-8"))
st.header("What the server takes", anchor="limits")
rows = limits.table(st.get_option("server.maxUploadSize"))
st.html(plain_table("Limits", ("of what", "at most", "beyond it"), rows))
st.header("Glossary", anchor="glossary")
st.markdown("Where a term has a dotted line, point at it, tap it or go to it with Tab.")
st.html(html_glossary())
