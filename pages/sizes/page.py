"""Compare · Vocabulary size: one text at every size, from characters to whole words."""

from functools import partial

import streamlit as st

from pages.shared.controls.heading import controls_row, heading
from pages.shared.drawing.display_text import plain_table
from pages.shared.export.menu import component_export_menu
from pages.sizes import exports, panels, size_slider
from pages.sizes.size_message import compare_sizes, finding, size_table

actions = heading(
    "Compare · Vocabulary size", "from characters to whole words: what each size costs"
)
kinds = panels.kinds(actions)
with controls_row():
    box = panels.text_box()
text = panels.text_to_split(box)
source = panels.source(actions, text, kinds)
width, precision = panels.model()

name, contestants = size_slider.segment_all(source, kinds, text)
comparison = compare_sizes(contestants, text)


@st.fragment
def main_fragment() -> None:
    """Show the slider and, below it, the selected size's newest pieces and a table of sizes."""
    at = size_slider.render_slider(comparison, name, (width, precision))
    file = partial(exports.html_file, comparison, text, at, (width, precision))
    component_export_menu(file, partial(exports.size_exports, comparison, panels.read))
    panels.recorded_sizes_note(comparison, is_pretrained=source is None)
    left, right = st.columns(2, gap="large")
    with left:
        panels.newest_pieces(comparison, at)
    with right:
        st.html(plain_table(finding(comparison), *size_table(comparison, width, at)))


main_fragment()
panels.whole_words(source, text)
