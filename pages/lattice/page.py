"""Unigram · Lattice: every way to cut a text, the best of them, and all of them together."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from lessons.trained import LEARNED_FROM
from pages.lattice import exports, inputs, interpretations, runs
from pages.lattice import panels as lattice_panels
from pages.lattice import user_path as own_path_panel
from pages.real import published_override
from pages.shared.controls import panels, url_state
from pages.shared.controls.heading import heading
from pages.shared.controls.settings import for_unigram, presenter
from pages.shared.controls.url_state import segments
from pages.shared.corpus import larger_corpus_hint
from pages.shared.corpus.corpus_picker import corpus_line
from pages.shared.export.menu import export_menu
from pages.shared.player import current_rule, step_fragment, stepper, user_path
from pages.shared.recording.frame_types import Recording
from pages.shared.training.tokenizer_kinds import large_said
from pages.shared.work.results import key_of, result_of
from pages.unigram import results
from tokenizers import lattice as core
from tokenizers.lattice import sampling
from tokenizers.lattice.n_best import n_best_steps
from tokenizers.text.corpus import Pipeline

KEY = "lattice"
FILMS = {
    "filling": "Fill it in",
    "building": "Build it",
    "backward": "From the right",
    "listing": "List the best",
    "sampling": "Draw at random",
}

MORE = ("Number of pieces", "The numbers", "Your own split")
CODE = (
    core.build_steps,
    core.viterbi_steps,
    core.forward_steps,
    core.left_to_right_steps,
    n_best_steps,
    sampling.Sampler,
)

heading("Unigram · Lattice", "every way to split a text, and which one is best")
published_override.instead(
    published_override.UNIGRAM, inputs.FIRST_AHEAD, "Pieces chosen here", inputs.OPENING
)
left, right = st.columns([4, 1], vertical_alignment="center")
with right, st.popover("Change the pieces", width="stretch"):
    which, example = inputs.vocabulary()
    below = st.container()
if example:
    title, first, pipeline = example.title, example.text, Pipeline((), "none")
    chosen = inputs.of_example(example)
elif which == LEARNED_FROM:
    first = inputs.FIRST_AHEAD
    title, chosen, pipeline = inputs.ahead()
else:
    source, pipeline, settings = corpus_line(for_unigram, first="course")
    _, run = results.unigram_run(source, pipeline, settings)
    first = inputs.a_word_of(run.trace)
    with below:
        title, chosen = inputs.learned(run.trace)
inputs.begin_with(chosen.prior)
with below:
    chosen = inputs.with_changes(chosen, left)
credit = f", {large_said()}" if which == LEARNED_FROM else ""
left.markdown(f"**{title}**{credit} · {inputs.in_words(chosen)}")
large = presenter()


def asked() -> tuple[str, str]:
    """Ask for the text to cut, and what to step through."""
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    with left:
        opening = inputs.OPENING if which == LEARNED_FROM else ""
        text = inputs.text_to_cut(first, opening, pipeline)
    with right:
        shown = segments(
            "What to step through", FILMS, "filling", key="show", label_visibility="collapsed"
        )
    return text, shown


def stepped(key: str, film: Recording, drawn: core.Lattice, offer: Callable) -> bool:
    """Show the player and its menu; return whether sums are looked at."""
    own = inputs.follow(drawn, film.key, user_path(KEY, film))
    sums = url_state.is_on("sum")
    k = stepper(film, key, key=KEY, presenter=large, rule=sums, rule_parameter="sum", own=own)
    is_sum = bool(current_rule(KEY))
    url_state.set_switch("sum", is_sum)
    about = f"{title} · {inputs.in_words(chosen)}"
    export_menu(film, k, offer, about=about, left_out=MORE, rule=int(is_sum), user_path=own)
    return is_sum


@st.fragment
def stage() -> None:
    """The player, the list and one's own path, and under them a panel of choice."""
    text, shown = asked()
    cut = runs.Cut(text, chosen.that_occur(text), chosen.unknown)
    lattice, key = cut.lattice(), key_of("segmentations", cut)
    paths = result_of(key, runs.list_segmentations, "Listing the segmentations …", cut)
    larger_corpus_hint.offer(text, lattice_panels.unknown(lattice), inputs.LEARNED)
    how = lattice_panels.chance() if shown == "sampling" else None
    beginning = cut.drawn()
    drawn, key = beginning.lattice(), key_of("lattice film", shown, beginning, how)
    film = result_of(key, runs.film, "Drawing the lattice …", shown, beginning, how)
    is_sum = stepped(key, film, drawn, partial(exports.of_lattice, drawn, lattice, paths, how))
    lattice_panels.summary(lattice)
    left, right = st.columns(2)
    with left:
        lattice_panels.listing(lattice, paths)
    with right:
        own_path_panel.own_path(lattice, paths)
    if how:
        lattice_panels.draws(lattice, paths, how)

    def below(k: int) -> None:
        panels.panel_choice(
            {
                "The numbers": lambda: lattice_panels.numbers(drawn, shown, k, is_sum),
                "Number of pieces": lambda: lattice_panels.lengths(lattice, chosen.prior),
                "A bound on the sum": lambda: interpretations.bound(lattice, paths),
                "As a hidden Markov model": lambda: interpretations.markov(drawn),
                "The pieces": lambda: lattice_panels.pieces(lattice, chosen.log_probs),
                "The code": lambda: panels.show_code(*CODE),
            }
        )

    step_fragment(film, key, below, key=KEY)


stage()
