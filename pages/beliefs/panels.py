"""The choice of a true-or-false belief, the guess about it, and the answer."""

import streamlit as st

from pages.beliefs import counterexample
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.url_state import IN_URL, choice
from pages.shared.drawing.markup import html
from tokenizers.experiments.beliefs.counterexamples import BELIEFS, SearchResult, search
from tokenizers.experiments.beliefs.failing import ALPHABET, Counterexample

MAX_LETTERS = 40  # length of the input for letters
TRUE, FALSE = "True", "False"


def choose_belief() -> tuple[str, str]:
    """Choose a true-or-false belief, and the letters for its counterexample."""
    options = {name: belief.statement for name, belief in BELIEFS.items()}
    name = choice(
        "Choose a belief",
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
    st.markdown(f"**{counterexample.describe_answer(found, guess == TRUE)}**")
    if found.example:
        show_example(found, found.example)
    st.markdown(found.belief.why)
    st.caption(counterexample.describe_search(found))


def show_example(found: SearchResult, example: Counterexample) -> None:
    """Show the smallest corpus on which a belief fails, and links to step through it."""
    st.html(counterexample.html_corpora(example))
    if setting := counterexample.describe_setting(example):
        st.markdown(escape_markdown(setting))
    st.html(counterexample.html_sides(example))
    st.html(counterexample.html_links(found))
