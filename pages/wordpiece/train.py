"""WordPiece · Train: which pair has the highest score, and why not simply the most frequent one."""

from functools import partial

import streamlit as st

from pages.bpe import merging_panels
from pages.bpe.exports import merging_exports
from pages.shared.controls import panels as controls_panels
from pages.shared.controls.heading import heading
from pages.shared.controls.settings import for_wordpiece
from pages.shared.controls.what_if_link import redirect_old_link, what_if_link
from pages.shared.corpus.corpus_picker import describe_corpus, follow_word, pick_corpus
from pages.shared.export import library_panel
from pages.shared.export.menu import export_menu
from pages.shared.player import step_fragment, stepper
from pages.shared.work.results import RecordedTraining, find_or_train
from pages.wordpiece import exports, runs, vocabulary
from pages.wordpiece import panels as wordpiece_panels
from pages.wordpiece.runs import TopDownRun
from tokenizers import wordpiece
from tokenizers.wordpiece import top_down

_TOP_DOWN_LIBRARY = (
    "TensorFlow Text has this learner, as `wordpiece_tokenizer_learner_lib`. It needs all of "
    "TensorFlow, so the tests of this site do not run it, and there is no code for it here."
)
DEFAULT = "w1"  # the corpus if the URL names none
EXAMPLES = (DEFAULT, "course", "b2", "prose")

redirect_old_link("wordpiece", DEFAULT)
actions = heading("WordPiece · Train", "which pieces earn a place in the vocabulary, and why")
source, pipeline, settings = pick_corpus(for_wordpiece, DEFAULT, actions, EXAMPLES)
follow = follow_word()


@st.fragment
def merging_fragment(run: RecordedTraining, settings: wordpiece.Settings) -> None:
    """Show the player of a merging run and, below it, the panels for the current step."""
    k = stepper(run.recording, run.key, key="train_wordpiece")
    offer = partial(merging_exports, run.trace, k)
    export_menu(run.recording, k, offer, about=describe_corpus(pipeline, settings))

    def below(k: int) -> None:
        merging_panels.run_and_token(run.trace, k)
        compare = partial(wordpiece_panels.compare_rules, source, pipeline, settings)
        choices = {
            "The score, with its numbers": wordpiece_panels.score_with_numbers,
            "All scores": wordpiece_panels.all_scores,
            "The other rule beside it": compare,
            "By likelihood": wordpiece_panels.by_likelihood,
            "Vocabulary": merging_panels.vocabulary,
            "The code": lambda trace, k: merging_panels.codes(wordpiece_panels.CODES, trace),
            library_panel.TITLE: lambda trace, k: library_panel.train_one_yourself(run.key, trace),
        }
        controls_panels.panel_choice(choices, run.trace, k)

    step_fragment(run.recording, run.key, below, key="train_wordpiece")


@st.fragment
def top_down_fragment(key: str, run: TopDownRun, settings: top_down.TopDownSettings) -> None:
    """Show the player of a top-down run and, below it, the learned vocabulary and the code."""
    k = stepper(run.recording, key, key="train_top_down")
    model = vocabulary.model_of(run.vocab, settings, pipeline)
    offer = partial(exports.top_down_exports, run, settings, model)
    export_menu(run.recording, k, offer, about=describe_corpus(pipeline, settings))
    choices = {
        "Vocabulary": lambda: wordpiece_panels.pieces(run.vocab),
        "The code": lambda: controls_panels.show_code(
            top_down.train, top_down.count_parts, top_down.next_round
        ),
        library_panel.TITLE: lambda: library_panel.say_not_trained(_TOP_DOWN_LIBRARY),
    }
    controls_panels.panel_choice(choices)


if isinstance(settings, top_down.TopDownSettings):
    top_down_fragment(*vocabulary.top_down_run(source, pipeline, settings), settings)
else:
    run = find_or_train(runs.train, source, pipeline, settings, follow)
    what_if_link(actions, "wordpiece")
    merging_fragment(run, settings)
