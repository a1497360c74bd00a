"""The lower part of the start page shows the same text, split by tokenizers trained on the spot."""

import streamlit as st

from lessons.trained import LEARNED_FROM
from pages.shared.controls import terms, url_state
from pages.shared.controls.sources import USER_TEXT, source_control
from pages.shared.corpus import corpus_picker
from pages.shared.drawing.display_text import html_tiles
from pages.shared.drawing.phrasing import count_of
from pages.start import pretrained, trained_here

_HAS_OPENED = "train_own.begun"


def train_your_own(text: str) -> None:
    """Show tokenizers trained on the text; nothing is trained until the expander is opened."""
    if url_state.incoming("from") is not None:
        url_state.preset_widget("train_own", True)
    fold = st.expander("Train your own on this text", key="train_own", on_change="rerun")
    if fold.open:
        if not st.session_state.get(_HAS_OPENED) and url_state.incoming("from") is None:
            url_state.preset_widget(
                "from", USER_TEXT
            )  # the label says “on this text”, so a sample needs a choice or a link
        st.session_state[_HAS_OPENED] = True
        with fold:
            _rows(text)


def _rows(text: str) -> None:
    left, right = st.columns([1, 2], vertical_alignment="bottom")
    with left:
        learned = source_control(
            "Trained on", corpus_picker.CORPUS_TITLES, LEARNED_FROM, key="from"
        )
    is_pretrained = learned == LEARNED_FROM
    right.caption(
        pretrained.CORPUS_NOTE
        if is_pretrained
        else trained_here.CORPUS_NOTES[learned == corpus_picker.USER_TEXT]
    )
    if not text.strip():
        st.info("There is no text to split. Type or paste one into the box.")
        return
    rows = pretrained.rows(text) if is_pretrained else trained_here.rows(text, learned)
    for row in rows:
        _row(row)
    query = trained_here.compare_query(text, learned, rows)
    st.page_link(trained_here.COMPARE, label="Compare them side by side →", query_params=query)


def _row(row: trained_here.TrainedRow) -> None:
    name, link = st.columns([4, 1], vertical_alignment="center")
    name.markdown(f"**{row.name}** · {row.figures}")
    link.page_link(row.page, label=row.link_label, query_params=row.query)
    if row.note:
        terms.caption(row.note)
    result, label = row.result, f"tokens by {row.name.lower()}"
    st.html(html_tiles(result.tokens, unknown=result.unknown, label=label))
    hidden = result.metrics.tokens - len(result.tokens)
    if hidden > 0:
        st.caption(f"and {count_of(hidden, 'more token')}")
