"""BPE · Train: which pair is merged next, and why, from the first merge to the last."""

from functools import partial

import streamlit as st

from pages.bpe import exports, panels, runs
from pages.shared.controls import panels as controls_panels
from pages.shared.controls.heading import heading
from pages.shared.controls.settings import TIES, for_bpe, presenter
from pages.shared.corpus import what_if
from pages.shared.corpus.corpus_picker import corpus_line, follow_word, in_words
from pages.shared.export.menu import export_menu
from pages.shared.player import step_fragment, stepper
from pages.shared.work.results import trained, twice

heading("BPE · Train", "merge the most frequent pair of neighbors, again and again")
left, middle, right = st.columns([6, 2, 2], vertical_alignment="center")
source, pipeline, settings = corpus_line(for_bpe, row=(left, right))
follow, large = follow_word(), presenter()
run = trained(runs.train, source, pipeline, settings, follow)
change = what_if.ask(middle, run.trace.corpus, TIES, settings.ties, run.trace)

PANELS = {
    "The count, word by word": panels.count_word_by_word,
    "All pairs": panels.all_pairs,
    "Vocabulary": panels.vocabulary,
    "The code": lambda trace, k: panels.codes(panels.CODES, trace),
}


@st.fragment
def stage() -> None:
    """The player, and below it the panels for the current step."""
    k = stepper(run.film, run.key, key="train", presenter=large)
    offer = partial(exports.training, run.trace, k)
    export_menu(run.film, k, offer, about=in_words(pipeline, settings), left_out=PANELS)
    step_fragment(run.film, run.key, below, key="train")


def below(k: int) -> None:
    """The panels for a step."""
    panels.run_and_token(run.trace, k)
    controls_panels.panel_choice(PANELS, run.trace, k)


if change is None:
    stage()
else:
    two_runs = twice(runs.what_if, source, pipeline, settings, change)
    panels.two_stages(*two_runs, change, large)
