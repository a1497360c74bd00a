"""WordPiece · Encode: a text is split into the longest pieces of the vocabulary that fit."""

from functools import partial

import streamlit as st

from pages.real import published_override
from pages.shared.controls import panels, settings, url_state
from pages.shared.controls.heading import heading
from pages.shared.corpus import larger_corpus_hint
from pages.shared.corpus.corpus_picker import corpus_line, in_words
from pages.shared.export.menu import export_menu
from pages.shared.player import stepper
from pages.shared.training.tokenizer_kinds import is_large
from pages.shared.work.results import encoded, key_of
from pages.wordpiece import exports, runs, vocabulary
from pages.wordpiece import panels as wordpiece_panels
from tokenizers import wordpiece
from tokenizers.wordpiece.matching import match_steps

FIRST_TEXT = "fused funny sunflowers"
OPENING = "knowing rewritten"
OPENING_STEP = 4
"""Where the first piece is found in it, by what was trained ahead, after longer ones failed."""

heading("WordPiece · Encode", "take the longest piece that fits, then continue where it ends")
published_override.instead(published_override.WORDPIECE, FIRST_TEXT, opening=OPENING)
source, pipeline, chosen = corpus_line(settings.for_wordpiece, first="w1", ahead="wordpiece")
large = settings.presenter()
opening = OPENING if is_large(source) else ""
text, more, less = vocabulary.inputs(FIRST_TEXT, opening)
key, learned = vocabulary.trained(source, pipeline, chosen)
model = vocabulary.changed(learned, more, less)
words = model.pipeline(text).words
encoding = wordpiece.encode(text, model)
larger_corpus_hint.offer_for(text, encoding)
film = encoded(key_of(key, text, list(model.vocab)), runs.encode_wordpiece, text, model)
if text == opening:
    url_state.set_initial_step(film.key, OPENING_STEP)

PANELS = {
    "Tokens and ids": lambda: panels.show_tokens(
        text, encoding, model, wordpiece.decode(encoding.ids, model)
    ),
    "LinMaxMatch": lambda: vocabulary.automaton(words, model),
    "Vocabulary": lambda: wordpiece_panels.pieces(tuple(model.vocab)),
    "The code": lambda: panels.show_code(match_steps),
}


@st.fragment
def stage() -> None:
    """The player, and below it the tokens of the whole text."""
    k = stepper(film, film.key, key="match", presenter=large)
    offer = partial(exports.encoding, words, encoding, model)
    export_menu(film, k, offer, about=in_words(pipeline, chosen), left_out=PANELS)
    panels.panel_choice(PANELS)


stage()
