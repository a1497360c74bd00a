"""WordPiece · Encode: split a text into the longest pieces of the vocabulary that fit."""

from functools import partial

import streamlit as st

from pages.encode import published_override
from pages.shared.controls import panels, settings
from pages.shared.controls.heading import controls_row, heading
from pages.shared.corpus import larger_corpus_hint
from pages.shared.corpus.corpus_picker import describe_corpus, pick_corpus
from pages.shared.export.menu import export_menu
from pages.shared.player import stepper
from pages.shared.work.results import encoding_recording, key_of
from pages.wordpiece import exports, runs, vocabulary
from pages.wordpiece import panels as wordpiece_panels
from tokenizers import wordpiece
from tokenizers.wordpiece.matching import match_ends

FIRST_TEXT = "fused funny sunflowers"

actions = heading(
    "WordPiece · Encode", "take the longest piece that fits, then continue where it ends"
)
row = controls_row()
published_override.choose_published(row, published_override.WORDPIECE, FIRST_TEXT)
source, pipeline, chosen = pick_corpus(
    settings.for_wordpiece, default="w1", actions=actions, pretrained_kind="wordpiece"
)
text, more, less = vocabulary.inputs(row, FIRST_TEXT)
key, learned = vocabulary.load_or_train(source, pipeline, chosen)
model = vocabulary.edit_vocabulary(learned, more, less)
words = model.pipeline(text).words
encoding = wordpiece.encode(text, model)
vocabulary.offer_experiment(row, encoding, less)
larger_corpus_hint.hint_for_encoding(text, encoding)
recording = encoding_recording(
    key_of(key, text, list(model.vocab)), runs.encode_wordpiece, text, model
)

PANELS = {
    "Tokens and ids": lambda: panels.show_tokens(
        text, encoding, model, wordpiece.decode(encoding.ids, model)
    ),
    "LinMaxMatch": lambda: vocabulary.render_automaton(words, model),
    "Vocabulary": lambda: wordpiece_panels.pieces(tuple(model.vocab)),
    "The code": lambda: panels.show_code(match_ends),
}


@st.fragment
def main_fragment() -> None:
    """Show the player and, below it, the panels, such as the tokens of the whole text."""
    k = stepper(recording, recording.key, key="match")
    offer = partial(exports.encoding_exports, words, encoding, model)
    export_menu(recording, k, offer, about=describe_corpus(pipeline, chosen), left_out=PANELS)
    panels.panel_choice(PANELS)


main_fragment()
