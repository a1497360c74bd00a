"""WordPiece · Encode: a text is cut up by the longest pieces of the vocabulary that fit."""

import streamlit as st

from pages.widgets import address, matching, panels, settings, training, wordpiece_panels
from pages.widgets.heading import heading
from pages.widgets.player import player
from pages.widgets.source import corpus_line
from tokenizers import wordpiece
from tokenizers.matching import match_steps

heading("WordPiece · Encode", "take the longest piece that fits, then go on from where it ends")
source, pipeline, chosen = corpus_line(settings.for_wordpiece, first="w1")
large = settings.presenter()
text, more, less = matching.inputs("fused funny sunflowers", 1_500)
key, learned = matching.trained(source, pipeline, chosen)
model = matching.changed(learned, more, less)
words = model.pipeline(text).words
encoding = wordpiece.encode(text, model)
film = training.wordpiece_encoding(text, model, key)

PANELS = {
    "Tokens and ids": lambda: panels.tokens(
        text, encoding, model, wordpiece.decode(encoding.ids, model)
    ),
    "LinMaxMatch": lambda: matching.automaton(words, model),
    "Vocabulary": lambda: wordpiece_panels.pieces(tuple(model.vocab)),
    "The code": lambda: panels.code(match_steps),
}


@st.fragment
def stage() -> None:
    """The player, and under it what the whole text became."""
    at = address.step(film.key, film.last)
    k = player(film, key="match", step=at, presenter=large, parameter="step")
    address.write_step(film.key, k)
    panels.chosen(PANELS)


stage()
