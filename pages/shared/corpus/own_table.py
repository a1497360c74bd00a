"""Your own table: it starts as the words of the corpus that was shown, with the settings kept.

A table that was changed by hand is never overwritten.
"""

import streamlit as st

from pages.shared.controls import memory, settings
from pages.shared.learning.source import Source, bounded
from tokenizers.text.corpus import Pipeline
from tokenizers.text.counts import write_counts

KEPT = ("base", "end_mark", "split", "merges", "size")


def keep_settings(suited: settings.Suited) -> None:
    """Keep what is set now, though another corpus has other defaults: `suited`."""
    now = {name: st.session_state.get(name, suited[name]) for name in KEPT}
    settings.adopt({**suited, **now})
    st.session_state.pop("adopted_words", None)  # how Unigram splits the text stays, too


def is_wanted() -> bool:
    """Tell whether the table is to be made of the corpus that was shown before."""
    return st.session_state.get(memory.TABLE) in (None, st.session_state.get("table_made"))


def fill(source: Source, pipeline: Pipeline) -> None:
    """Make the table of the words of a corpus, and run the page again to show it."""
    corpus, _ = bounded(source, pipeline)
    if corpus.word_counts:
        st.session_state["table_made"] = write_counts(corpus.word_counts)
        memory.keep_text(st.session_state["table_made"], memory.TABLE)
        st.rerun()
