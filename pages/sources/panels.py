"""The Sources page's controls choose which claims are shown, and one belief at a time."""

from collections.abc import Sequence

import streamlit as st

from lessons.claims import VERDICTS, Checked
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.url_state import IN_URL, choice, segments
from pages.shared.drawing.markup import html
from pages.sources import beliefs, claims
from tokenizers.experiments.beliefs.counterexamples import BELIEFS, SearchResult, search
from tokenizers.experiments.beliefs.failing import ALPHABET, Counterexample

GROUPS = {"example": "By topic", "source": "By source"}
ALL = "all"
MAX_LETTERS = 40  # length of the input for letters
TRUE, FALSE = "True", "False"


def choose_claims(rows: Sequence[Checked]) -> dict[str, list[Checked]]:
    """Choose which claims to show, and their grouping; return the groups."""
    counts = {name: sum(row.verdict == name for row in rows) for name in VERDICTS}
    labels = {ALL: f"All {len(rows)}"} | {
        name: f"{claims.SIGNS[name]} {name}: {count}" for name, count in counts.items()
    }
    left, right = st.columns([3, 2])
    with left:
        wanted = segments("Verdict", labels, ALL, key="verdict")
    with right:
        group = segments("Grouped", GROUPS, "example", key="group")
    kept = [row for row in rows if wanted in (ALL, row.verdict)]
    return claims.by_source(kept) if group == "source" else claims.by_example(kept)


def choose_belief() -> tuple[str, str]:
    """Choose a true-or-false belief, and the letters for its counterexample."""
    options = {name: belief.statement for name, belief in BELIEFS.items()}
    name = choice(
        "Which of these is true?",
        options,
        next(iter(options)),
        key="belief",
        widget=st.radio,
        on_change=_clear_guess,
    )
    letters = st.text_input(
        "Letters for the examples (your name, a word)",
        ALPHABET,
        MAX_LETTERS,
        key="letters",
        **IN_URL,
    )
    return name, letters


def _clear_guess() -> None:
    """Clear the guess about the previous belief."""
    st.session_state["said"] = None


def belief_check(name: str, letters: str) -> None:
    """Show a belief, ask for a guess, then show whether and why it is true."""
    st.html(
        html("<h2 style='margin:0;padding:0;font-size:1.3rem'>{}</h2>", BELIEFS[name].statement)
    )
    # The key is the URL parameter of saved links.
    guess = st.segmented_control("True or false?", [TRUE, FALSE], key="said", **IN_URL)
    if guess is None:
        st.caption("Make your guess first; then we search for the smallest counterexample.")
        return
    found = search(name, letters)
    st.markdown(f"**{beliefs.describe_answer(found, guess == TRUE)}**")
    if found.example:
        show_example(found, found.example)
    st.markdown(found.belief.why)
    st.caption(beliefs.describe_search(found))


def show_example(found: SearchResult, example: Counterexample) -> None:
    """Show the smallest corpus on which a belief fails, and links to step through it."""
    st.html(beliefs.html_corpora(example))
    if setting := beliefs.describe_setting(example):
        st.markdown(escape_markdown(setting))
    st.html(beliefs.html_sides(example))
    st.html(beliefs.html_links(found))
