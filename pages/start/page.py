"""Start: one text, cut into words, characters and pieces, with nothing to set up first."""

import streamlit as st

from pages.shared.controls import address, memory
from pages.shared.controls.address import choice
from pages.shared.controls.heading import heading
from pages.shared.corpus import corpus_line
from pages.shared.corpus.corpus_line import FIRST_TEXT
from pages.shared.drawing.phrases import count_of
from pages.shared.drawing.tiles import html_tiles
from pages.start import segmentations

heading("Piece by Piece", "how tokenizers cut a text into pieces, step by step, and why")
left, right = st.columns([3, 1])
with left:
    own = memory.text_box("Your text", FIRST_TEXT)
with right:
    learned = choice("The pieces were learned from", corpus_line.LEARNED_FROM, "own", key="from")
    st.caption(segmentations.WHY[learned == "own"])

if own.state == "asking":
    address.end_early()
rows = segmentations.of(own.text, learned)
if rows:
    query = segmentations.compare_query(own.text, learned, rows)
    with right:
        st.page_link(segmentations.COMPARE, label="Compare them side by side →", query_params=query)
for row in rows:
    name, link = st.columns([4, 1], vertical_alignment="center")
    name.markdown(f"**{row.name}** · {row.figures}")
    with link:
        st.page_link(row.page, label=row.invitation, query_params=row.query)
    if row.note:
        st.caption(row.note)
    st.html(html_tiles(row.short.tokens, label=f"tokens by {row.name.lower()}"))
    hidden = row.short.metrics.tokens - len(row.short.tokens)
    if hidden > 0:
        st.caption(f"and {count_of(hidden, 'more token')}")
