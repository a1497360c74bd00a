"""Unigram · Train: EM fits probabilities of too many pieces, pruning removes the least useful."""

from functools import partial

import streamlit as st

from pages.shared.controls import panels
from pages.shared.controls.heading import heading
from pages.shared.controls.panels import CodePair, show_both_codes
from pages.shared.controls.settings import for_unigram
from pages.shared.controls.unigram_settings import CONTROLS
from pages.shared.controls.what_if_link import redirect_old_link, what_if_link
from pages.shared.corpus.corpus_picker import describe_corpus, follow_word, pick_corpus
from pages.shared.export import library_panel
from pages.shared.export.menu import export_menu
from pages.shared.player import step_fragment, stepper
from pages.shared.training.script import unigram_script
from pages.unigram import comparison_panels, exports, prior_panel, results, word_panel
from pages.unigram import panels as unigram_panels
from pages.unigram.frames.code import departures
from pages.unigram.runs import UnigramRun
from tokenizers import plain
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.unigram import em, losses, training
from tokenizers.unigram.batch import Lattices

CODES = CodePair(
    (plain.train_unigram, plain.expected_counts, plain.segmentations, plain.maximize, plain.losses),
    (training.train, em.expect, Lattices.forward, losses.removal_losses),
    "It lists no segmentation. Going once forward and once backward through the lattice of a word "
    "sums over all of them, in time that grows with its edges: a word of 20 letters has 524,288 "
    "segmentations and at most 210 edges. The lattices of all words lie in a few arrays and are "
    "summed together.",
)

DEFAULT = "hats"  # the corpus if the URL names none
EXAMPLES = (DEFAULT, "course", "u4", "prose")

redirect_old_link("unigram", DEFAULT)
actions = heading(
    "Unigram · Train", "start with too many pieces, remove those the text needs least, repeat"
)
source, pipeline, settings = pick_corpus(for_unigram, DEFAULT, actions, EXAMPLES)
follow = follow_word()


@st.fragment
def main_fragment(key: str, run: UnigramRun) -> None:
    """Show the player and, below it, the panels for the current step."""
    trace = run.trace
    k = stepper(run.recording, key, key="train_unigram")
    offer = partial(exports.training_exports, trace, unigram_panels.selected_piece(trace))
    export_menu(run.recording, k, offer, about=describe_corpus(pipeline, settings))

    def below(k: int) -> None:
        left, right = st.columns(2)
        with left:
            unigram_panels.growth(trace, k)
        with right:
            unigram_panels.top_pieces(trace, k)
        params = source, pipeline, settings
        choices = {
            "The numbers": lambda trace, k: unigram_panels.numbers(trace, k, follow),
            "All pieces": unigram_panels.all_pieces,
            "What pruning costs": unigram_panels.pruning_costs,
            "Losses side by side": lambda trace, k: comparison_panels.compare_losses(key, trace, k),
            "Hard and soft EM": lambda trace, k: comparison_panels.compare_hard_and_soft(
                trace, *params
            ),
            "Length prior": prior_panel.compare_with_prior,
            "Another convention": lambda trace, k: comparison_panels.compare_conventions(
                trace, *params
            ),
            "The lattice of a word": lambda trace, k: word_panel.lattice_of_word(trace, k, follow),
            "The code": lambda trace, k: codes(trace),
            library_panel.TITLE: lambda trace, k: library_panel.train_one_yourself(key, trace),
        }
        panels.panel_choice(choices, trace, k)

    step_fragment(run.recording, key, below, key="train_unigram")


def codes(trace: UnigramTrace) -> None:
    """Show the plain and the fast code of a run, and the script that prints its steps."""
    settings = trace.settings
    if names := departures(settings):
        labels = {control.field: control.label for control in CONTROLS}
        st.info(
            "The plain code trains as the textbook does. Your run differs in: "
            f"{', '.join(labels.get(name, name) for name in names)}. The values beside the lines "
            "are your run's; the script follows the lines, so it prints other numbers."
        )
    show_both_codes(
        CODES,
        lambda: unigram_script(
            trace.word_counts, settings.desired, settings.prunings, settings.sub_iterations
        ),
    )


key, run = results.unigram_run(source, pipeline, settings, follow)
what_if_link(actions, "unigram")
main_fragment(key, run)
