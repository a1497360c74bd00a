"""Terms of the glossary say what they mean on hover, on focus and on a tap: see terms.js."""

from pathlib import Path
from zlib import crc32

import streamlit as st
from streamlit.components.v2 import component

from pages.shared.drawing.markup import html
from pages.shared.drawing.terms import first_times

KEY = "terms"
_watch = component(KEY, js=Path(__file__).with_name("terms.js").read_text(encoding="utf-8"))


def watch() -> None:
    """Let the terms of a page answer; called once in every run, before the page."""
    _watch(key=KEY, data={})


def caption(text: str) -> None:
    """Show a caption, plain text, with the terms in it marked."""
    tell = first_times(f"{crc32(text.encode('utf-8', 'replace')):x}")
    st.html(html('<p class="pp-caption">{}</p>', tell(text)))
