"""The user's table of words, which starts with the previous corpus's words and settings.

A table edited by the user is never overwritten.
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
    """Keep the current settings instead of the new corpus's `defaults`."""
    now = {name: st.session_state.get(name, defaults[name]) for name in KEPT_SETTINGS}
    settings.apply_corpus_defaults({**defaults, **now})
    st.session_state.pop("adopted_words", None)  # keeps Unigram's pre-tokenizer, too


def is_wanted() -> bool:
    """Return whether the table is to be made from the previous corpus."""
    return st.session_state.get(user_text.TABLE) in (None, st.session_state.get("table_made"))


def request(source: CorpusSource, pipeline: Pipeline) -> None:
    """Request a table of a corpus's words; `make_if_requested` makes it, perhaps in a later run."""
    st.session_state[_REQUEST] = source, pipeline


def make_if_requested(is_shown: bool) -> None:
    """Make the requested table in a worker, and rerun the page to show it.

    Until the table is done, the page run ends here. If the table isn't shown, drop the request.
    """
    if not is_shown:
        st.session_state.pop(_REQUEST, None)
    if (arguments := st.session_state.get(_REQUEST)) is None:
        return
    key = results.key_of("table of words", *arguments)
    made = results.result_of(key, table_of_words, "Counting the words …", *arguments)
    del st.session_state[_REQUEST]
    if made:
        st.session_state["table_made"] = made
        user_text.store_text(made, user_text.TABLE)
        st.rerun()
