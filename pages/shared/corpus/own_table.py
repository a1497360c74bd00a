"""Your own table: it starts as the words of the corpus that was shown, with the settings kept.

The visitor's text and table are kept apart, so that going from one to the other loses neither. What
they hold is in pages/shared/controls/memory.py.
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
    settings.adopt(suited | now)
    st.session_state.pop("adopted_words", None)  # how Unigram splits the text stays, too


def turn_to(kind: str, is_table: bool) -> None:
    """Have the box hold a text, or a table; what it held of the other kind is put aside."""
    held = st.session_state.get("own_kind", kind)
    aside: dict[str, str | None] = st.session_state.setdefault("own_aside", {})
    if held != kind:
        aside[held] = st.session_state.get("own_text")
        memory.keep_text(aside.get(kind))
    st.session_state["own_kind"] = kind
    own = st.session_state.get("own_text")
    # A table that was changed by hand is never overwritten.
    st.session_state["table_wanted"] = is_table and own in (None, st.session_state.get("own_made"))


def is_wanted() -> bool:
    """Tell, once, whether the table is to be made of the corpus that was shown before."""
    return bool(st.session_state.pop("table_wanted", False))


def fill(source: Source, pipeline: Pipeline) -> None:
    """Make the table of the words of a corpus, and run the page again to show it."""
    corpus, _ = bounded(source, pipeline)
    if corpus.word_counts:
        st.session_state["own_made"] = write_counts(corpus.word_counts)
        memory.keep_text(st.session_state["own_made"])
        st.rerun()
