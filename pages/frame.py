"""The frame around every page: page settings and the navigation at the top.

A page's content is in the folder of its feature; the theme is in .streamlit/config.toml.
"""

from pathlib import Path

import streamlit as st

from pages import foot, navigation
from pages.shared.controls import browser_scripts, outdated_values, url_state
from pages.shared.export import menu, overlays
from pages.shared.routes import START, page_title
from pages.shared.work import internals, jobs


def main() -> None:
    """Show the page of the current URL inside the frame."""
    icon = Path(__file__).with_name("icon.svg")
    st.set_page_config(layout="wide", page_icon=icon, initial_sidebar_state="collapsed")
    # A page embedded in another site has no navigation.
    position = "hidden" if st.context.is_embedded else "top"
    page = st.navigation(navigation.sections(), position=position, expanded=True)
    title = page_title(page.url_path or START)
    st.set_page_config(page_title=f"{title} · Piece by Piece")
    url_state.begin_page(page.url_path)
    url_state.replace_old_params()
    browser_scripts.mount_all(page.url_path)
    overlays.mount()
    params = url_state.params_on_arrival()
    foot.back_to_lesson()
    try:
        with outdated_values.number_run(), jobs.cpu_slot(), jobs.page_scope(), menu.ensure_menu():
            page.run()
    except internals.stop_exceptions():  # by url_state.end_early: the page has a foot all the same
        _foot(page.url_path)
        raise
    _foot(page.url_path)
    url_state.report_ignored(params)


def _foot(name: str) -> None:
    if not st.context.is_embedded:
        foot.foot(name or START)


main()
