"""Compare · Vocabulary size: one text at every size, from characters to whole words."""

from functools import partial

import streamlit as st

from pages.shared.controls.heading import controls_row, heading
from pages.shared.controls.markdown import escape_markdown
from pages.shared.export.document.show_blocks import show_blocks
from pages.shared.export.menu import fill_document_menu, open_menu
from pages.sizes import blocks, exports, panels, size_slider
from pages.sizes.size_message import compare_sizes

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
    menu = open_menu()
    for note in comparison.notes:
        st.info(escape_markdown(note))
    sizes = blocks.recorded_sizes(comparison, is_pretrained=source is None)
    show_blocks(sizes)
    left, right = st.columns(2, gap="large")
    with left:
        newest = blocks.newest_pieces(comparison, at, panels.read)
        show_blocks(newest)
    with right:
        table = blocks.sizes(comparison, width, at)
        show_blocks(table)
    below = (*sizes, *newest, *table)
    document = partial(blocks.document, comparison, text, at, (width, precision), below)
    fill_document_menu(menu, document, partial(exports.size_exports, comparison, panels.read))


main_fragment()
panels.whole_words(source, text)
