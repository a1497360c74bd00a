"""Captions with marked glossary terms, which have tooltips: see browser_scripts/terms.js."""

from zlib import crc32

import streamlit as st

from pages.shared.drawing.markup import html
from pages.shared.drawing.terms import first_occurrence_marker


def caption(text: str) -> None:
    """Show a caption of plain text with its glossary terms marked."""
    mark = first_occurrence_marker(f"{crc32(text.encode('utf-8', 'replace')):x}")
    st.html(html('<p class="pp-caption">{}</p>', mark(text)))
