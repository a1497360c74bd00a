"""Unigram · Lattice: a text's segmentations, the best one, and the sum over all of them."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from lessons.trained import LEARNED_FROM
from pages.encode import published_override
from pages.lattice import exports, inputs, interpretations, runs
from pages.lattice import panels as lattice_panels
from pages.lattice.user_path import user_path_panel
from pages.shared.controls import panels, url_state
from pages.shared.controls.heading import controls_row, heading
from pages.shared.controls.settings import for_unigram
from pages.shared.controls.url_state import segments
from pages.shared.corpus import larger_corpus_hint
from pages.shared.corpus.corpus_picker import pick_corpus
from pages.shared.export.menu import export_menu
from pages.shared.player import (
    current_rule,
    new_user_path,
    set_user_path,
    step_fragment,
    stepper,
)
from pages.shared.recording.frame_types import Recording
from pages.shared.training.tokenizer_kinds import pretraining_text_label
from pages.shared.work.results import key_of, result_of
from pages.unigram import results
from tokenizers import lattice as core
from tokenizers.lattice import sampling
from tokenizers.lattice.n_best import n_best_steps
from tokenizers.text.corpus import Pipeline

KEY = "lattice"
RECORDINGS = {
    "filling": "Find the best",
    "building": "Build the lattice",
    "backward": "Sum from the right",
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

actions = heading("Unigram · Lattice", "every way to split a text, and which one is best")
published_override.choose_published(
    actions,
    published_override.UNIGRAM,
    inputs.FIRST_PRETRAINED,
    "Pieces chosen here",
    inputs.OPENING_TEXT,
    is_row_full=True,
)
errors = st.container()
about_pieces = actions.container(width="content")
with actions, st.popover("Change the pieces"):
    which, example = inputs.choose_vocabulary()
    below = st.container()
if example:
    title, first, pipeline = example.title, example.text, Pipeline((), "none")
    chosen = inputs.example_pieces(example)
elif which == LEARNED_FROM:
    first = inputs.FIRST_PRETRAINED
    title, chosen, pipeline = inputs.pretrained_pieces()
else:
    source, pipeline, settings = pick_corpus(for_unigram, default="course", actions=actions)
    _, run = results.unigram_run(source, pipeline, settings)
    first = inputs.pick_first_word(run.trace)
    with below:
        title, chosen = inputs.learned_pieces(run.trace)
inputs.reset_for_pieces(chosen.prior)
with below:
    chosen = inputs.changes_input(chosen, errors)
credit = f", {pretraining_text_label()}" if which == LEARNED_FROM else ""
with about_pieces, st.popover(":material/info:", help="Which pieces these are"):
    st.markdown(f"**{title}**{credit} · {inputs.describe_pieces(chosen)}")


def text_and_mode() -> tuple[str, str]:
    """Ask for the text to split and for the computation to step through."""
    row = controls_row()
    opening = inputs.OPENING_TEXT if which == LEARNED_FROM else ""
    text = inputs.text_input(row, first, opening, pipeline)
    with row:
        mode = segments(
            "What to step through", RECORDINGS, "filling", key="show", label_visibility="collapsed"
        )
    return text, mode


def player_and_menu(
    key: str, recording: Recording, drawn_lattice: core.Lattice, offer: Callable
) -> bool:
    """Show the player and the export menu; return whether the user chose the sum as the rule."""
    if (clicked := new_user_path(KEY, recording)) is not None:
        inputs.set_user_path(drawn_lattice, clicked)
    _, path = inputs.user_path(drawn_lattice)
    set_user_path(KEY, recording, path)
    sums = url_state.is_on("sum")
    k = stepper(recording, key, key=KEY, rule=sums, rule_param="sum", path=path)
    is_sum = bool(current_rule(KEY))
    url_state.set_switch("sum", is_sum)
    about = f"{title} · {inputs.describe_pieces(chosen)}"
    export_menu(recording, k, offer, about=about, left_out=MORE, rule=int(is_sum), user_path=path)
    return is_sum


@st.fragment
def main_fragment() -> None:
    """Show the player, the list and the user's path and, below them, a selectable panel."""
    text, mode = text_and_mode()
    lattice_input = runs.LatticeInput(text, chosen.occurring_in(text), chosen.unknown)
    lattice, key = lattice_input.lattice(), key_of("segmentations", lattice_input)
    paths = result_of(key, runs.list_segmentations, "Listing the segmentations …", lattice_input)
    larger_corpus_hint.hint(text, lattice_panels.num_unknown(lattice), inputs.SWITCH_TO_LEARNED)
    sampling = lattice_panels.sampling_settings() if mode == "sampling" else None
    beginning = lattice_input.truncated()
    drawn_lattice = beginning.lattice()
    key = key_of("lattice recording", mode, beginning, sampling)
    recording = result_of(
        key, runs.record_lattice, "Drawing the lattice …", mode, beginning, sampling
    )
    is_sum = player_and_menu(
        key,
        recording,
        drawn_lattice,
        partial(exports.lattice_exports, drawn_lattice, lattice, paths, sampling),
    )
    lattice_panels.summary(lattice)
    left, right = st.columns(2)
    with left:
        lattice_panels.listing(lattice, paths)
    with right:
        user_path_panel(lattice, paths)
    if sampling:
        lattice_panels.sampling_result(lattice, paths, sampling)

    def below(k: int) -> None:
        panels.panel_choice(
            {
                "The numbers": lambda: lattice_panels.numbers(drawn_lattice, mode, k, is_sum),
                "Number of pieces": lambda: lattice_panels.lengths(lattice, chosen.prior),
                "A bound on the sum": lambda: interpretations.render_bound(lattice, paths),
                "As a hidden Markov model": lambda: interpretations.render_markov(drawn_lattice),
                "The pieces": lambda: lattice_panels.pieces(lattice, chosen.log_probs),
                "The code": lambda: panels.show_code(*CODE),
            }
        )

    step_fragment(recording, key, below, key=KEY)


main_fragment()
