"""The pages for Streamlit's navigation."""

from copy import copy
from functools import cache

import streamlit as st

from pages.shared.routes import NAVIGATION, START, page_file


def sections() -> dict[str, list[st.Page]]:
    """Return every section's pages, by section; each call returns new copies.

    Creating an st.Page looks its file up, which took a fifth of a page run, so each page is created
    only once. It is copied because a run marks the page that it shows.
    """
    return {section: [copy(page) for page in pages] for section, pages in _pages().items()}


@cache
def _pages() -> dict[str, list[st.Page]]:
    return {
        section: [
            st.Page(
                page_file(name),
                title=route.title,
                help=route.says,  # page.css shows it below the title
                url_path=name,
                default=name == START,
            )
            for name, route in rows.items()
        ]
        for section, rows in NAVIGATION.items()
    }
