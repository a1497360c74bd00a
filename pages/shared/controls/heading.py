"""The top of a page: its title, and one plain sentence of purpose."""

import streamlit as st
from markupsafe import escape

from pages.shared.drawing.markup import html
from pages.shared.drawing.terms import first_times


def heading(title: str, purpose: str, *, is_told: bool = True) -> None:
    """Show the title of a page and what it is for; the terms in that are marked.

    Unless `is_told` is False, for a page on which a text explains them.
    """
    tell = first_times("heading") if is_told else escape
    page = html('<div class="pp-heading"><h1>{}</h1><p>{}</p></div>', title, tell(purpose))
    st.html(page)
