"""BPE · Encode: a new text is split by applying the learned merges again, lowest rank first."""

from functools import partial

import streamlit as st

from pages.bpe import panels as bpe_panels
from pages.bpe import results, taking
from pages.real import beside
from pages.shared.controls import panels, settings
from pages.shared.controls.heading import heading
from pages.shared.controls.short_text import short_text
from pages.shared.corpus import larger
from pages.shared.corpus.corpus_line import corpus_line, in_words
from pages.shared.player import stepper
from pages.shared.taking.menu import take
from tokenizers import bpe
from tokenizers.text.encoding import decode

FIRST_TEXT = "lowest newcomer"

heading("BPE · Encode", "apply the learned merges, in order, to new text")
beside.instead(beside.BPE, FIRST_TEXT)
source, pipeline, chosen = corpus_line(settings.for_bpe, ahead="bpe")
dropout = settings.dropout()
large = settings.presenter()
text = short_text("Text to encode", FIRST_TEXT, key="say")
key, model, merges = results.model(source, pipeline, chosen)
encoding = bpe.encode(text, model, dropout)
larger.offer_for(text, encoding)
film = results.bpe_encoding(text, model, key, dropout)

PANELS = {
    "Tokens and ids": lambda: panels.tokens(text, encoding, model, decode(encoding.ids, model)),
    "How a token was built": lambda: bpe_panels.tree(merges, 0),
    "The code": lambda: panels.code(bpe.merge_steps),
}


@st.fragment
def stage() -> None:
    """The player, and below it the tokens of the whole text."""
    k = stepper(film, film.key, key="encode", presenter=large)
    offer = partial(taking.encoding, model.pipeline(text).words, encoding, model, dropout)
    take(film, k, offer, about=in_words(pipeline, chosen), panels=PANELS)
    panels.chosen(PANELS)


stage()
