"""The header of a page: one row with its title, one sentence of purpose, and its actions."""

import streamlit as st
from markupsafe import escape
from streamlit.delta_generator import DeltaGenerator

from pages.shared.drawing.markup import html
from pages.shared.drawing.terms import first_occurrence_marker


def heading(title: str, purpose: str, *, marks_terms: bool = True) -> DeltaGenerator:
    """Show the title and the purpose of a page; return the end of their row, for its actions.

    Glossary terms are marked unless `marks_terms` is False, for a page whose text explains them.
    """
    mark = first_occurrence_marker("heading") if marks_terms else escape
    page = html('<div class="pp-heading"><h1>{}</h1><p>{}</p></div>', title, mark(purpose))
    with st.container(horizontal=True, vertical_alignment="center", key="page_header"):
        st.html(page)
        return st.container(
            horizontal=True, vertical_alignment="center", width="content", key="page_actions"
        )


def controls_row() -> DeltaGenerator:
    """Return the row below the heading, for the controls that a page needs at once."""
    return st.container(horizontal=True, vertical_alignment="center", key="controls_row")
