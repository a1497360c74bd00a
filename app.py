"""The frame around every page: its settings and the navigation at the top.

What a page shows is in pages/views; how it is laid out and coloured in .streamlit/config.toml.
"""

from pathlib import Path

import streamlit as st

from pages.widgets import address

ICON = Path(__file__).parent / "pages/icon.svg"


def main() -> None:
    """Show the page that the address asks for, inside the frame."""
    st.set_page_config(layout="wide", page_icon=ICON, initial_sidebar_state="collapsed")
    page = st.navigation(
        [
            st.Page("pages/views/start.py", title="Start", default=True),
            st.Page("pages/views/pipeline.py", title="Pipeline", url_path="pipeline"),
            st.Page("pages/views/bpe_train.py", title="BPE · Train", url_path="bpe_train"),
            st.Page("pages/views/bpe_encode.py", title="BPE · Encode", url_path="bpe_encode"),
            st.Page(
                "pages/views/wordpiece_train.py",
                title="WordPiece · Train",
                url_path="wordpiece_train",
            ),
            st.Page(
                "pages/views/wordpiece_encode.py",
                title="WordPiece · Encode",
                url_path="wordpiece_encode",
            ),
            st.Page(
                "pages/views/unigram_train.py",
                title="Unigram · Train",
                url_path="unigram_train",
            ),
            st.Page(
                "pages/views/unigram_lattice.py",
                title="Unigram · Lattice",
                url_path="unigram_lattice",
            ),
            st.Page("pages/views/about.py", title="About", url_path="about"),
        ],
        position="top",
    )
    st.set_page_config(page_title=f"{page.title} · Piece by Piece")
    address.arrive(page.url_path)
    asked = address.asked_on_arrival()
    page.run()  # which may end everything by address.end_early
    address.tell_ignored(asked)


if __name__ == "__main__":
    main()
