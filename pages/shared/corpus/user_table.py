"""Your own table: it starts as the words of the corpus that was shown, with the settings kept.

A table that was changed by hand is never overwritten.
"""

import streamlit as st

from pages.shared.controls import settings, user_text
from pages.shared.corpus.user_words import table_of_words
from pages.shared.training.source import CorpusSource
from pages.shared.work import results
from tokenizers.text.corpus import Pipeline

KEPT_SETTINGS = ("base", "end_mark", "split", "merges", "size")
_REQUEST = "table_asked"


def keep_settings(defaults: settings.CorpusDefaults) -> None:
    """Keep what is set now, though another corpus has other defaults: `suited`."""
    now = {name: st.session_state.get(name, defaults[name]) for name in KEPT_SETTINGS}
    settings.apply_corpus_defaults({**defaults, **now})
    st.session_state.pop("adopted_words", None)  # how Unigram splits the text stays, too


def is_wanted() -> bool:
    """Tell whether the table is to be made of the corpus that was shown before."""
    return st.session_state.get(user_text.TABLE) in (None, st.session_state.get("table_made"))


def request(source: CorpusSource, pipeline: Pipeline) -> None:
    """Ask for the table of the words of a corpus; `fill` makes it, perhaps in a later run."""
    st.session_state[_REQUEST] = source, pipeline


def make_if_requested(is_shown: bool) -> None:
    """Make the table that was asked for, and run the page again to show it.

    A worker makes it; the page ends here until it has. Nobody waits for a table that is not shown
    any more.
    """
    if not is_shown:
        st.session_state.pop(_REQUEST, None)
    if (asked := st.session_state.get(_REQUEST)) is None:
        return
    key = results.key_of("table of words", *asked)
    made = results.result_of(key, table_of_words, "Counting the words …", *asked)
    del st.session_state[_REQUEST]
    if made:
        st.session_state["table_made"] = made
        user_text.store_text(made, user_text.TABLE)
        st.rerun()
