"""The frame around every page: its settings and the navigation at the top.

What a page shows is in the folder of its feature; how it is laid out and coloured in
.streamlit/config.toml.
"""

from pathlib import Path

import streamlit as st

from pages.shared.controls import address, back, well_formed
from pages.shared.places import NAVIGATION, START, file_of
from pages.shared.work import jobs

ICON = Path(__file__).parent / "icon.svg"


def main() -> None:
    """Show the page that the address asks for, inside the frame."""
    st.set_page_config(layout="wide", page_icon=ICON, initial_sidebar_state="collapsed")
    sections = {
        section: [
            st.Page(file_of(name), title=title, default=True)
            if name == START
            else st.Page(file_of(name), title=title, url_path=name)
            for name, title in rows.items()
        ]
        for section, rows in NAVIGATION.items()
    }
    page = st.navigation(sections, position="top")
    section = next((name for name, rows in NAVIGATION.items() if page.url_path in rows), "")
    title = f"{section} · {page.title}" if section else page.title
    st.set_page_config(page_title=f"{title} · Piece by Piece")
    address.arrive(page.url_path)
    well_formed.watch()
    back.watch()
    asked = address.asked_on_arrival()
    with jobs.of_page():
        page.run()  # which may end everything by address.end_early
    address.tell_ignored(asked)


main()
