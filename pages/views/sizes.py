"""Compare · Vocabulary size: one text at every size, from characters to whole words."""

import streamlit as st

from pages.figures.sizes_film import scrub
from pages.widgets import settings, sizes, sizes_panels
from pages.widgets.heading import heading

heading("Compare · Vocabulary size", "from characters to whole words: what each size costs")
left, right = st.columns([3, 2])
with right:
    kinds = sizes_panels.kinds()
with left:
    text = sizes_panels.text()
with right:
    source = sizes_panels.source(text)
width, precision = sizes_panels.model()
large = settings.presenter()

name, contestants = sizes.resized(source, kinds, text)
shown = scrub(contestants, text)


@st.fragment
def stage() -> None:
    """The scrubber; below it, what the size at rest has brought, and the sizes in numbers."""
    at = sizes.scrubber(shown, name, (width, precision), large)
    sizes_panels.what_is_recorded(shown)
    left, right = st.columns(2, gap="large")
    with left:
        sizes_panels.newest_pieces(shown, at)
    with right:
        sizes_panels.table(shown, width, at)


stage()
