"""The top of a page: its title, and one plain sentence of purpose."""

import streamlit as st
from markupsafe import Markup, escape

from pages.shared.drawing.markup import html
from pages.shared.drawing.terms import first_times


def heading(title: str, purpose: str, *, is_told: bool = True) -> None:
    """Show the title of a page and what it is for; the terms in that are marked.

    Unless `is_told` is False, for a page on which a text explains them.
    """
    tell = first_times("heading") if is_told else escape
    page = html('<div class="pp-heading"><h1>{}</h1><p>{}</p></div>', title, tell(purpose))
    st.html(page)


def scrolling(inside: str, label: str) -> str:
    """Return HTML in a box of its own to scroll; the keyboard reaches it, and it has a name."""
    box = '<div class="pp-scroll" role="region" aria-label="{}" tabindex="0">{}</div>'
    return html(box, label, Markup(inside))
