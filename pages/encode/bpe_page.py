"""BPE · Encode: split a new text by applying the learned merges to it, lowest rank first."""

from functools import partial

import streamlit as st

from pages.bpe import exports, not_text, results, runs
from pages.bpe import merging_panels as bpe_panels
from pages.encode import published_override
from pages.shared.controls import panels, settings
from pages.shared.controls.heading import controls_row, heading
from pages.shared.controls.short_text import short_text
from pages.shared.corpus import larger_corpus_hint
from pages.shared.corpus.corpus_picker import describe_corpus, pick_corpus
from pages.shared.export.menu import export_menu
from pages.shared.player import stepper
from pages.shared.work.results import encoding_recording, key_of
from tokenizers import bpe
from tokenizers.text.encoding import decode

FIRST_TEXT = "lowest newcomer"

actions = heading("BPE · Encode", "apply the learned merges, in order, to new text")
row = controls_row()
published_override.choose_published(row, published_override.BPE, FIRST_TEXT)
source, pipeline, chosen = pick_corpus(settings.for_bpe, actions=actions, pretrained_kind="bpe")
dropout = settings.dropout()
text = short_text("Text to encode", FIRST_TEXT, key="say", row=row)
key, model, merges = results.load_or_train(source, pipeline, chosen)
encoding = bpe.encode(text, model, dropout)
larger_corpus_hint.hint_for_encoding(text, encoding)
recording = encoding_recording(key_of(key, text, dropout), runs.encode_bpe, text, model, dropout)

PANELS = {
    "Tokens and ids": lambda: panels.show_tokens(
        text, encoding, model, decode(encoding.ids, model)
    ),
    "How a token was built": lambda: bpe_panels.tree(merges, 0),
    "The code": lambda: panels.show_code(bpe.merge_steps, bpe.merge_by_rank),
}
if chosen.base == "bytes":
    PANELS[not_text.PANEL] = lambda: not_text.render_bytes(model)


@st.fragment
def main_fragment() -> None:
    """Show the player and, below it, the panels, such as the tokens of the whole text."""
    k = stepper(recording, recording.key, key="encode")
    offer = partial(exports.encoding_exports, model.pipeline(text).words, encoding, model, dropout)
    export_menu(recording, k, offer, about=describe_corpus(pipeline, chosen), left_out=PANELS)
    panels.panel_choice(PANELS)


main_fragment()
