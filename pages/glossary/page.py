"""The glossary: every term in one sentence, and the marks of spaces and word ends."""

import streamlit as st

from lessons.glossary import search
from pages.shared.controls.heading import heading
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.short_text import line_input
from pages.shared.drawing.terms import html_glossary, html_marks

PURPOSE = "where a term has a dotted line, point at it, tap it or go to it with Tab"
heading("Glossary", PURPOSE, marks_terms=False)
find = line_input("Find a term", 40, key="find", width=400, icon=":material/search:")
found = search(find)
if not find.strip():
    st.header("Marks that look alike", anchor="marks")
    st.html(html_marks())
    st.header("The terms", anchor="terms")
elif not found:
    st.markdown(f"No term has “{escape_markdown(find.strip())}” in it. Try a shorter word.")
st.html(html_glossary(found))
