"""Panels of BPE · Train on where BPE comes from, and on the laws that make further pieces rarer."""

from functools import partial

import streamlit as st

from pages.bpe import compression, word_laws
from pages.shared.controls.panels import show_chart, show_step_chart
from pages.shared.drawing.charts import Chart
from pages.shared.drawing.display_text import plain_table
from pages.shared.drawing.phrasing import count_of
from pages.shared.export.document.blocks import Html, Note
from pages.shared.export.document.show_blocks import show_panel
from pages.shared.limits import MAX_MERGES
from pages.shared.training.source import CorpusSource
from pages.shared.work import results
from tokenizers.experiments.research.compression import BYTES, THRESHOLD, lzw_size
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Pipeline

COMPRESSION = "As compression (1994)"
LAWS = "Zipf and Heaps"
LARGEST = 100_000  # bytes of a text compressed as one
AS_GAGE = {
    "crossing": "never",
    "base": "bytes",
    "split": "none",
    "least": THRESHOLD,
    "pieces": 0,
    "longest": 0,
}


def compressed(trace: Trace, k: int) -> None:
    """Show the run as Gage's compression: its size with the table after each replacement."""
    if not compression.is_stream(trace):
        _offer_gage(trace)
        return
    packed = compression.compression_of(trace)
    left, right = st.columns(2)
    with left:
        alt = (
            f"Over {packed.last:,} replacements the data shrinks from {packed.data[0]:,} to "
            f"{packed.data[-1]:,} bytes; with the table it is {packed.sizes[-1]:,}."
        )
        found = compression.finding(packed, k)
        figure = compression.compression_chart(trace)
        chart = Chart("The chart of the compression", figure, found, packed.last)
        show_step_chart(chart, min(k, packed.last), "compression", alt)
    with right:
        st.markdown(compression.verdict(packed, trace))
        text = next(iter(trace.corpus.word_counts)).encode()
        st.markdown(
            f"LZW, the method that Gage compared his with, needs {lzw_size(text):,} bytes here "
            "with codes of 12 bits, and no table."
        )
        table = compression.rows(packed, trace, k)
        if table:
            caption = "The newest replacements"
            show_panel(COMPRESSION, Html(plain_table(caption, compression.COLUMNS, table)))
        else:
            st.caption("Take a step to see what its replacement saves.")
    show_panel(COMPRESSION, Note(compression.threshold_note()))


def _offer_gage(trace: Trace) -> None:
    """Say what the run lacks to be Gage's compression, with a button that changes the settings."""
    st.markdown(
        "In 1994 Philip Gage published BPE to make files smaller. He merged **bytes**, "
        "**without words**, replaced each pair by a byte that the data does not use, and counted "
        f"the table of pairs. His program stops at pairs that occur fewer than {THRESHOLD} times. "
        "Sennrich, Haddow and Birch (2016) took the merging over for words: no unused bytes are "
        "needed, and the size of the vocabulary is what one asks for."
    )
    text = trace.corpus.text
    if text is None:
        st.caption("This corpus is a table of words. Choose a text, or type your own, to try it.")
        return
    size = len(text.encode())
    if size > LARGEST:
        st.caption(
            f"This text has {size:,} bytes. Compressed as one it may have at most {LARGEST:,}: "
            "choose a shorter one."
        )
        return
    codes = min(BYTES - len(set(text.encode())), MAX_MERGES)
    if st.button(
        "Compress this text as Gage did",
        on_click=partial(_apply_gage, codes),
        help=f"Bytes, no split, pairs that occur at least {THRESHOLD} times, and at most "
        f"{count_of(codes, 'merge')}: as many as there are unused bytes",
    ):
        st.rerun()  # the whole page: the settings are outside of the fragment


def _apply_gage(codes: int) -> None:
    """Set the settings of Gage's compression."""
    for key, value in (AS_GAGE | {"merges": codes}).items():
        st.session_state[key] = value


def laws(source: CorpusSource, pipeline: Pipeline, trace: Trace, k: int) -> None:
    """Show frequencies by rank, distinct words by words read, and what further merges save."""
    st.markdown(word_laws.savings_finding(trace))
    left, right = st.columns(2)
    with left:
        found = word_laws.zipf_finding(trace, k)
        st.markdown(f"**{found}**")
        show_chart(Chart("The chart of Zipf's law", word_laws.zipf_chart(trace, k), found), "zipf")
    with right:
        if trace.corpus.text is None:
            st.caption(
                "Heaps’ law is about the order of words. This corpus is a table of words and "
                "counts, which has none: choose a text."
            )
        else:
            key = results.key_of("heaps", source, pipeline)
            doing = "Reading the words …"
            curve = results.result_of(key, word_laws.heaps, doing, source, pipeline)
            found = word_laws.heaps_finding(curve)
            st.markdown(f"**{found}**")
            chart = Chart("The chart of Heaps' law", word_laws.heaps_chart(curve), found)
            show_chart(chart, "heaps")
    st.caption(word_laws.METHOD)
