"""The way from a training page to Compare · What if, with the corpus and the settings."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.routes import page_file

_PAGE = "surgery"
_RENAMED = {"if_word": "word", "if_count": "count"}
_KINDS = ("count", "ties", "branch")
_OF_TRAINING = ("word", "panel", "token", "piece")  # parameters of the training pages alone


def redirect_old_link(learns: str, corpus: str) -> None:
    """Open What if for a URL with a change, as links to a training page had once.

    `learns` is the algorithm of the page, `corpus` the one that a URL without a corpus means.
    """
    if st.query_params.get("if") in _KINDS:
        st.switch_page(page_file(_PAGE), query_params=_query(learns, corpus))


def what_if_link(container: DeltaGenerator, learns: str) -> None:
    """Show a link to What if, for the page's corpus and settings."""
    query = _query(learns, st.session_state["corpus"])
    query.pop("step", None)  # of the run without a change
    container.page_link(
        page_file(_PAGE),
        label="What if …",
        query_params=query,
        help="Change a word’s count or a tie, and compare the two runs",
    )


def _query(learns: str, corpus: str) -> dict[str, str]:
    """Return the parameters of What if that mean the page's corpus and settings."""
    here = {k: v for k, v in st.query_params.to_dict().items() if k not in _OF_TRAINING}
    return {"corpus": corpus, **{_RENAMED.get(k, k): v for k, v in here.items()}, "learns": learns}
