"""A panel on a token's vector in a model that never had the token, with the visitor's own numbers.

The vectors are a table in plain text, one token a line.
"""

import streamlit as st

from pages.shared.controls import terms, url_state
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.url_state import whole_number
from pages.shared.export.catalog import ExportCatalog
from pages.shared.export.menu import export_menu
from pages.shared.player import stepper
from pages.shared.recording.frame_types import Recording
from pages.shared.work.results import key_of
from pages.what_if.transplant_frames import record_transplant
from tokenizers.errors import user_message
from tokenizers.experiments.research.vector_table import (
    EXAMPLE,
    MOST_TOKENS,
    Transplant,
    parse_vectors,
)

LONGEST_TABLE = 1_000  # characters
_BOX = "vector_box"  # the key of the widget


def transplant_panel() -> None:
    """Ask for the vectors, and show the player of the search for the new one."""
    left, right = st.columns([3, 1])
    with left:
        written = _vector_box()
    with right:
        most = whole_number("Tokens to choose, at most", 1, MOST_TOKENS, 2, key="chosen")
    try:
        given = parse_vectors(written)
    except ValueError as error:
        st.error(escape_markdown(user_message(error)))
        url_state.end_early()
    given = Transplant(given.token, given.target, given.donor, given.base, most)
    recording = record_transplant(given)
    _player(key_of("transplant", given), recording)
    export_menu(recording, 0, ExportCatalog, about="Transplanting a token")
    terms.caption(
        "Orthogonal matching pursuit, after Goddard and Fernandes Neto (2025). A real model has "
        "thousands of numbers in a vector and hundred thousands of tokens; here are few enough to "
        "check by hand. Sources has what the paper claims."
    )


def _vector_box() -> str:
    """Show the box with the vectors and return its text, which is also in the URL."""
    if (value := url_state.incoming("vectors")) is not None:
        st.session_state[_BOX] = value[:LONGEST_TABLE]
    elif _BOX not in st.session_state:
        st.session_state[_BOX] = EXAMPLE
    written = st.text_area(
        "The new token, then the shared tokens: donor | base",
        height=150,
        max_chars=LONGEST_TABLE,
        key=_BOX,
        persist_state="session",
    )
    url_state.set_unless_default("vectors", written, EXAMPLE)
    return written


@st.fragment
def _player(key: str, recording: Recording) -> None:
    stepper(recording, key, key="transplant")
