"""A panel on a token's vector in a model that never had the token, with the visitor's own numbers.

The vectors are a table in plain text, one token a line.
"""

from fractions import Fraction

import regex
import streamlit as st

from pages.shared.controls import terms, url_state
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.url_state import IN_URL, whole_number
from pages.shared.export.catalog import ExportCatalog
from pages.shared.export.menu import export_menu
from pages.shared.player import stepper
from pages.shared.recording.frame_types import Recording
from pages.shared.work.results import key_of
from pages.what_if.transplant_frames import Transplant, record_transplant
from tokenizers.errors import UserError, user_message

MOST_TOKENS = 8
MOST_NUMBERS = 4  # of a vector
LONGEST_TABLE = 1_000  # characters
EXAMPLE = """lower: 5 5
er: 3 1 | 0 3
low: 1 2 | 2 1
new: 2 0 | 1 -1
est: 0 1 | 1 1"""
_NUMBER = regex.compile(r"[-−]?\d{1,3}(?:\.\d{1,2})?")
_HOW = "Write, for example: low: 1 2 | 2 1"


def parse_vectors(written: str) -> Transplant:
    """Return the new token, its donor vector, and the shared tokens with both of their vectors.

    The first line is the new token's. Raises UserError for the first line that is wrong.
    """
    lines = [line.strip() for line in written.splitlines() if line.strip()]
    if not 2 <= len(lines) <= MOST_TOKENS + 1:
        raise UserError(
            f"Write the new token in the first line, and 1 to {MOST_TOKENS} shared tokens below it."
        )
    token, target, *more = _parse_line(1, lines[0])
    if more:
        raise UserError(
            f"Line 1: {token} is new, so it has no vector in the base model. Leave out: |"
        )
    shared = [_parse_line(n, line) for n, line in enumerate(lines[1:], start=2)]
    for n, row in enumerate(shared, start=2):
        if len(row) != 3:
            raise UserError(f"Line {n}: {row[0]} needs a second vector, after a |. {_HOW}")
        if len(row[1]) != len(target) or len(row[2]) != len(shared[0][2]):
            raise UserError(f"Line {n}: {row[0]} has a vector of another length than those above.")
    names = [token, *(row[0] for row in shared)]
    if twice := [name for n, name in enumerate(names) if name in names[:n]]:
        raise UserError(f"{twice[0]} is there twice. Give each token one line.")
    donor, base = ({row[0]: row[i] for row in shared} for i in (1, 2))
    return Transplant(token, target, donor, base, len(shared))


def _parse_line(n: int, line: str) -> tuple:
    name, colon, rest = line.rpartition(":")
    if not colon or not name.strip() or len(name) > 20:
        raise UserError(f"Line {n} has no token before a colon. {_HOW}")
    vectors = []
    for part in rest.split("|"):
        numbers = part.replace(",", " ").split()
        if not 1 <= len(numbers) <= MOST_NUMBERS or not all(map(_NUMBER.fullmatch, numbers)):
            raise UserError(
                f"Line {n}: a vector is 1 to {MOST_NUMBERS} numbers below 1,000 with a space "
                f"between them, with at most two decimals. {_HOW}"
            )
        vectors.append(tuple([Fraction(number.replace("−", "-")) for number in numbers]))
    if len(vectors) > 2:
        raise UserError(f"Line {n} has more than one |. {_HOW}")
    return name.strip(), *vectors


def transplant_panel() -> None:
    """Ask for the vectors, and show the player of the search for the new one."""
    left, right = st.columns([3, 1])
    with left:
        written = st.text_area(
            "The new token, then the shared tokens: donor | base",
            EXAMPLE,
            height=150,
            max_chars=LONGEST_TABLE,
            key="vectors",
            **IN_URL,
        )
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


@st.fragment
def _player(key: str, recording: Recording) -> None:
    stepper(recording, key, key="transplant")
