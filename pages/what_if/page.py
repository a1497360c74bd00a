"""Compare · What if: change one thing, train again, and step both runs side by side."""

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from lessons.format.words import RichText
from pages.shared.controls import panels, url_state
from pages.shared.controls.heading import heading
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.settings import TIES
from pages.shared.controls.unigram_settings import LOSS_TIES
from pages.shared.corpus.corpus_picker import describe_corpus
from pages.shared.export.catalog import ExportCatalog
from pages.shared.export.menu import export_menu
from pages.shared.player import stepper
from pages.shared.recording.frame_types import Recording, plain_text
from pages.shared.work.results import key_of, result_of
from pages.unigram.results import unigram_run
from pages.what_if import changes, counts, exports, unigram_runs
from pages.what_if import panels as what_if_panels
from pages.what_if.controls import choose_change
from pages.what_if.extending import extension_panel
from pages.what_if.transplant import transplant_panel
from pages.what_if.two_runs import (
    BranchChange,
    Change,
    CountChange,
    CountEdit,
    MoreMerges,
    NewVector,
    TieRuleChange,
)
from tokenizers.experiments.research import corpus_edit
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus
from tokenizers.unigram.settings import Settings

AGAIN = "Training again …"

actions = heading("Compare · What if", "change one thing and train again: what comes of it?")
row = st.container(horizontal=True, vertical_alignment="center", key="change_row")
source, pipeline, settings = what_if_panels.corpus_and_settings(actions, row)
about = describe_corpus(pipeline, settings)


@st.fragment
def both_runs(key: str, recording: Recording) -> None:
    """Show the player of both runs."""
    stepper(recording, key, key="train_twice")


def menu(
    recording: Recording,
    first: int,
    result: RichText,
    offer: Callable[[], ExportCatalog],
    left_out: tuple[str, ...],
) -> None:
    """Show the export menu; the HTML file opens at the `first` difference."""
    described = f"{about}. {plain_text(result)}"
    export_menu(recording, first, offer, about=described, left_out=left_out)


def chosen_change(
    corpus: Corpus, rules: Mapping[str, str], rule: str, trace: Trace | None
) -> Change:
    """Show the controls; return the change, or show what changes no run, and end the page."""
    with row:
        change = choose_change(corpus, rules, rule, trace)
    match change:
        case NewVector():
            transplant_panel()
        case MoreMerges() if trace:
            extension_panel(trace, change)
        case CountChange() | TieRuleChange() | BranchChange():
            return change
    url_state.end_early()


if isinstance(settings, Settings):
    key, run = unigram_run(source, pipeline, settings)
    change = chosen_change(run.trace.corpus, LOSS_TIES, settings.ties, None)
    key = key_of(key, change)
    changed, recording = result_of(key, unigram_runs.train_changed, AGAIN, run.trace, change)
    both_runs(key, recording)
    first = unigram_runs.differences(run.trace, changed)
    result = unigram_runs.describe_result(run.trace, changed, change)
    missing = ("The final vocabularies",)
    menu(recording, first[0] if first else 0, result, ExportCatalog, missing)
    what_if_panels.final_vocabularies(unigram_runs.vocabularies(run.trace, changed))
else:
    key = key_of("what if", source, pipeline, settings)
    learn = counts.train_whole, "Training …", source, pipeline, settings
    whole, notes = result_of(key, *learn)
    for note in notes:
        st.info(escape_markdown(note))
    change = chosen_change(whole.corpus, TIES, whole.settings.ties, whole)
    both = key_of(key, change)
    runs, recording = result_of(both, changes.train_changed, AGAIN, whole, change)
    both_runs(both, recording)
    # The menu is filled in last, so that all else is shown while every count is tried.
    below_player = st.container()
    what_if_panels.consequences(runs)
    offer = partial(exports.run_exports, runs)
    if isinstance(runs, CountEdit):
        what_if_panels.next_steps(runs)
        trying = counts.try_counts, "Training once for every count …", whole, runs.word
        probes = result_of(key_of(key, "counts", runs.word), *trying)
        what_if_panels.thresholds(runs, probes, key)
        offer = partial(exports.count_exports, runs, probes)
        if st.toggle("The code", key="code", **url_state.IN_URL):
            panels.show_code(
                corpus_edit.with_count,
                corpus_edit.first_difference,
                corpus_edit.probe,
                corpus_edit.bisect,
            )
    with below_player:
        result, missing = changes.describe_result(runs), exports.left_out(runs)
        menu(recording, runs.first or 0, result, offer, missing)
