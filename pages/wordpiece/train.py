"""WordPiece · Train: which pair has the highest score, and why not simply the most frequent one."""

from functools import partial

import streamlit as st

from pages.bpe import exports as bpe_taking
from pages.bpe import panels
from pages.shared.controls import panels as controls_panels
from pages.shared.controls.heading import heading
from pages.shared.controls.settings import TIES, for_wordpiece, presenter
from pages.shared.corpus import what_if
from pages.shared.corpus.corpus_picker import corpus_line, follow_word, in_words
from pages.shared.export.menu import export_menu
from pages.shared.player import step_fragment, stepper
from pages.shared.work.results import Trained, trained, twice
from pages.wordpiece import exports, runs, vocabulary
from pages.wordpiece import panels as wordpiece_panels
from pages.wordpiece.runs import TopDown
from tokenizers import wordpiece
from tokenizers.wordpiece import top_down

heading("WordPiece · Train", "which pieces earn a place in the vocabulary, and why")
left, middle, right = st.columns([6, 2, 2], vertical_alignment="center")
source, pipeline, settings = corpus_line(for_wordpiece, first="w1", row=(left, right))
follow, large = follow_word(), presenter()


@st.fragment
def merging(run: Trained, settings: wordpiece.Settings) -> None:
    """The player of a run that merges, and under it the panels for the step at which it rests."""
    k = stepper(run.film, run.key, key="train_wordpiece", presenter=large)
    offer = partial(bpe_taking.training, run.trace, k)
    export_menu(run.film, k, offer, about=in_words(pipeline, settings))

    def below(k: int) -> None:
        panels.run_and_token(run.trace, k)
        beside = partial(wordpiece_panels.beside, source, pipeline, settings)
        choices = {
            "The score, with its numbers": wordpiece_panels.score_with_numbers,
            "All scores": wordpiece_panels.all_scores,
            "The other rule beside it": beside,
            "By likelihood": wordpiece_panels.by_likelihood,
            "Vocabulary": panels.vocabulary,
            "The code": lambda trace, k: panels.codes(wordpiece_panels.CODES, trace),
        }
        controls_panels.panel_choice(choices, run.trace, k)

    step_fragment(run.film, run.key, below, key="train_wordpiece")


@st.fragment
def from_the_top(key: str, run: TopDown, settings: top_down.TopDownSettings) -> None:
    """The player of a run that goes from words to pieces, and under it what came of it."""
    k = stepper(run.film, key, key="train_top_down", presenter=large)
    model = vocabulary.model_of(run.vocab, settings, pipeline)
    offer = partial(exports.from_the_top, run, settings, model)
    export_menu(run.film, k, offer, about=in_words(pipeline, settings))
    choices = {
        "Vocabulary": lambda: wordpiece_panels.pieces(run.vocab),
        "The code": lambda: controls_panels.show_code(
            top_down.train, top_down.count_parts, top_down.next_round
        ),
    }
    controls_panels.panel_choice(choices)


if isinstance(settings, top_down.TopDownSettings):
    from_the_top(*vocabulary.top_down_run(source, pipeline, settings), settings)
else:
    run = trained(runs.train, source, pipeline, settings, follow)
    change = what_if.ask(middle, run.trace.corpus, TIES, settings.ties, run.trace)
    if change is None:
        merging(run, settings)
    else:
        two_runs = twice(runs.what_if, source, pipeline, settings, change)
        panels.two_stages(*two_runs, change, large)
