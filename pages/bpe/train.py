"""BPE · Train: which pair is merged next, and why, from the first merge to the last."""

from functools import partial

import streamlit as st

from pages.bpe import exports, merging_panels, origin_panels, other_rules_panels, runs
from pages.shared.controls import panels as controls_panels
from pages.shared.controls.heading import heading
from pages.shared.controls.settings import for_bpe_across
from pages.shared.controls.what_if_link import redirect_old_link, what_if_link
from pages.shared.corpus.corpus_picker import describe_corpus, follow_word, pick_corpus
from pages.shared.export import library_panel
from pages.shared.export.menu import export_menu
from pages.shared.player import step_fragment, stepper
from pages.shared.work.results import find_or_train
from tokenizers.bpe.superwords import SuperwordSettings

DEFAULT = "b2"  # the corpus if the URL names none
EXAMPLES = (DEFAULT, "course", "b5", "gage", "prose")

redirect_old_link("bpe", DEFAULT)
actions = heading("BPE · Train", "merge the most frequent pair of neighbors, again and again")
source, pipeline, settings = pick_corpus(for_bpe_across, DEFAULT, actions, EXAMPLES)
follow = follow_word()
run = find_or_train(runs.train, source, pipeline, settings, follow)
is_across = isinstance(settings, SuperwordSettings)
if not is_across:  # What if has no lines
    what_if_link(actions, "bpe")

PANELS = {
    "The count, word by word": merging_panels.count_word_by_word,
    "All pairs": merging_panels.all_pairs,
    "Vocabulary": merging_panels.vocabulary,
    "Across spaces": other_rules_panels.across_spaces,
    "Longer pieces": other_rules_panels.long_pieces,
    "The code": lambda trace, k: merging_panels.codes(merging_panels.CODES, trace),
}
if not is_across:  # no library trains across spaces; the others are about words, and about bytes
    PANELS[library_panel.TITLE] = lambda trace, k: library_panel.train_one_yourself(run.key, trace)
    PANELS[origin_panels.COMPRESSION] = origin_panels.compressed
    PANELS[origin_panels.LAWS] = partial(origin_panels.laws, source, pipeline)


@st.fragment
def main_fragment() -> None:
    """Show the player and, below it, the panels for the current step."""
    k = stepper(run.recording, run.key, key="train")
    offer = partial(exports.merging_exports, run.trace, k)
    export_menu(run.recording, k, offer, about=describe_corpus(pipeline, settings), left_out=PANELS)
    step_fragment(run.recording, run.key, below, key="train")


def below(k: int) -> None:
    """Show the panels for step `k`."""
    merging_panels.run_and_token(run.trace, k)
    controls_panels.panel_choice(PANELS, run.trace, k)


main_fragment()
