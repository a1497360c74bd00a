"""The frame around every page: its settings and the navigation at the top.

What a page shows is in pages/views; how it is laid out and coloured in .streamlit/config.toml.
"""

from pathlib import Path

import streamlit as st

from pages.widgets import address, jobs

ICON = Path(__file__).parent / "pages/icon.svg"

# The pages beside Start, by section: what each is called in the address, and on the screen.
PAGES = {
    "": {"pipeline": "Pipeline", "lessons": "Lessons"},
    "BPE": {"bpe_train": "Train", "bpe_encode": "Encode"},
    "WordPiece": {"wordpiece_train": "Train", "wordpiece_encode": "Encode"},
    "Unigram": {"unigram_train": "Train", "unigram_lattice": "Lattice"},
    "Compare": {
        "compare": "Side by side",
        "sizes": "Vocabulary size",
        "race": "Race",
        "languages": "Languages",
        "surgery": "Corpus surgery",
        "complexity": "Complexity",
    },
    "About": {"sources": "Check the sources", "about": "How it works"},
}


def main() -> None:
    """Show the page that the address asks for, inside the frame."""
    st.set_page_config(layout="wide", page_icon=ICON, initial_sidebar_state="collapsed")
    sections = {
        section: [
            st.Page(f"pages/views/{path}.py", title=title, url_path=path)
            for path, title in rows.items()
        ]
        for section, rows in PAGES.items()
    }
    start = st.Page("pages/views/start.py", title="Start", default=True)
    page = st.navigation(sections | {"": [start, *sections[""]]}, position="top")
    section = next((name for name, rows in PAGES.items() if page.url_path in rows), "")
    title = f"{section} · {page.title}" if section else page.title
    st.set_page_config(page_title=f"{title} · Piece by Piece")
    address.arrive(page.url_path)
    asked = address.asked_on_arrival()
    with jobs.of_page():
        page.run()  # which may end everything by address.end_early
    address.tell_ignored(asked)


if __name__ == "__main__":
    main()
