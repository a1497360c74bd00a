"""The glossary: every term in one sentence, and the marks of spaces and word ends."""

import streamlit as st

from pages.shared.controls.heading import heading
from pages.shared.drawing.terms import html_glossary, html_marks

PURPOSE = "where a term has a dotted line, point at it, tap it or go to it with Tab"
heading("Glossary", PURPOSE, marks_terms=False)
st.header("Marks that look alike", anchor="marks")
st.html(html_marks())
st.header("The terms", anchor="terms")
st.html(html_glossary())
