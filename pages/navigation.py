"""The pages as Streamlit's navigation takes them."""

from copy import copy
from functools import cache

import streamlit as st

from pages.shared.routes import NAVIGATION, START, page_file


def sections() -> dict[str, list[st.Page]]:
    """Return the pages of every section, new ones for each run.

    Streamlit looks every file up whenever a page is made, a fifth of what a visit costs: so they
    are made once, and copied, because a run marks the page that it shows.
    """
    return {section: [copy(page) for page in pages] for section, pages in _pages().items()}


@cache
def _pages() -> dict[str, list[st.Page]]:
    return {
        section: [
            st.Page(page_file(name), title=title, url_path=name, default=name == START)
            for name, title in rows.items()
        ]
        for section, rows in NAVIGATION.items()
    }
