"""Show the static blocks of a document in the app."""

from collections.abc import Sequence
from zlib import crc32

import streamlit as st

from pages.shared.controls.panels import on_screen, show_chart
from pages.shared.drawing.charts import Chart
from pages.shared.drawing.terms import first_occurrence_marker
from pages.shared.export.document.blocks import Folded, Heading, Note, StaticBlock, html_block


def show_blocks(blocks: Sequence[StaticBlock]) -> None:
    """Show the blocks one after another; charts and folds as Streamlit's, all others as HTML."""
    notes = "".join(block.text for block in blocks if isinstance(block, Note))
    mark = first_occurrence_marker(f"{crc32(notes.encode('utf-8', 'replace')):x}")
    for block in blocks:
        match block:
            case Chart():
                show_chart(block, block.name)
            case Folded(title, inside):
                with st.expander(title):
                    show_blocks(inside)
            case _:
                st.html(html_block(block, mark))


def show_panel(title: str, *blocks: StaticBlock) -> None:
    """Show blocks of the open panel; the page's file will have them, too, under the panel's title.

    `panels.on_screen` keeps them until the page shows another panel.
    """
    show_blocks(blocks)
    known = on_screen()
    known[title] = (*known.get(title, (Heading(title),)), *blocks)
