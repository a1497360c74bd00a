"""The frame around every page: its settings and the navigation at the top.

What a page shows is in the folder of its feature; how it is laid out and coloured in
.streamlit/config.toml.
"""

from pathlib import Path

import streamlit as st

from pages import navigation
from pages.shared.controls import address, listening
from pages.shared.places import START, title_of
from pages.shared.taking import menu, scan
from pages.shared.work import jobs


def main() -> None:
    """Show the page that the address asks for, inside the frame."""
    icon = Path(__file__).with_name("icon.svg")
    st.set_page_config(layout="wide", page_icon=icon, initial_sidebar_state="collapsed")
    # In a frame of somebody else's page there is no way to other pages: it shows this one.
    position = "hidden" if st.context.is_embedded else "top"
    page = st.navigation(navigation.sections(), position=position)
    title = title_of(page.url_path or START)
    st.set_page_config(page_title=f"{title} · Piece by Piece")
    address.arrive(page.url_path)
    listening.watch(page.url_path)
    scan.watch()
    asked = address.asked_on_arrival()
    with jobs.turn(), jobs.of_page(), menu.on_every_page():
        page.run()  # which may end everything by address.end_early
    address.tell_ignored(asked)


main()
