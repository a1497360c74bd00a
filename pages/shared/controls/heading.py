"""The heading of a page: its title and one sentence of purpose."""

import streamlit as st
from markupsafe import escape

from pages.shared.drawing.markup import html
from pages.shared.drawing.terms import first_occurrence_marker


def heading(title: str, purpose: str, *, marks_terms: bool = True) -> None:
    """Show the title and the purpose of a page.

    Glossary terms are marked unless `marks_terms` is False, for a page whose text explains them.
    """
    mark = first_occurrence_marker("heading") if marks_terms else escape
    page = html('<div class="pp-heading"><h1>{}</h1><p>{}</p></div>', title, mark(purpose))
    st.html(page)
