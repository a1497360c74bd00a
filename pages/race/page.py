"""Compare · Race: BPE and WordPiece grow, Unigram shrinks, and they meet at one size."""

from functools import partial

import streamlit as st

from pages.race import exports
from pages.race import panels as race_panels
from pages.race.frames import run_race
from pages.race.race import missed_goals
from pages.shared.controls import panels
from pages.shared.controls.heading import heading
from pages.shared.controls.markdown import escape_markdown
from pages.shared.corpus.corpus_picker import follow_word, pick_corpus
from pages.shared.export.document.blocks import Note
from pages.shared.export.document.show_blocks import show_blocks
from pages.shared.export.menu import export_menu
from pages.shared.player import step_fragment, stepper
from pages.shared.work import results
from tokenizers import bpe, wordpiece
from tokenizers.unigram import training

actions = heading(
    "Compare · Race", "two vocabularies grow, one shrinks: which pieces do they share?"
)
settings_in_header = partial(race_panels.goal_settings, actions)
learned_from, _, settings = pick_corpus(settings_in_header, default="prose", actions=actions)
goal, rule = settings.vocab_size, race_panels.rule()
follow = follow_word()

params = (learned_from, goal, rule, follow)
key = results.key_of("race", learned_from, goal, rule)
run = results.result_of(results.key_of(key, follow), run_race, "Training all three …", *params)
for note in run.race.notes:
    st.info(escape_markdown(note))

PANELS = {
    "Who has which piece": lambda k: race_panels.render_overlap(run.race, k),
    "Words cut alike": lambda k: race_panels.render_splits(run.race),
    "The code": lambda k: panels.show_code(bpe.train, wordpiece.train, training.train),
}


@st.fragment
def main_fragment() -> None:
    """Show the player and, below it, the comparison at the current position."""
    k = stepper(run.recording, key, key="race")
    notes = [Note(text) for text in (*missed_goals(run.race), race_panels.CONVENTIONS)]
    offer, left_out = partial(exports.race_exports, run), exports.left_out(PANELS)
    export_menu(run.recording, k, offer, notes=notes, left_out=left_out)
    show_blocks(notes)
    step_fragment(run.recording, key, below, key="race")


def below(k: int) -> None:
    """Show the chart of shares and the selected panel for position `k`."""
    race_panels.share_chart(run)
    panels.panel_choice(PANELS, k)


main_fragment()
