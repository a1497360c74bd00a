"""Real tokenizers: how published models split a text, step by step, and what is inside them."""

from functools import partial

import streamlit as st

from pages.real import inputs, model_picker, word_player
from pages.real import panels as real_panels
from pages.real.chat.panel import chat_panel, mark_panel
from pages.real.ids import panel as ids_panel
from pages.real.ids import reading as ids_reading
from pages.real.residue_panel import residue_panel
from pages.real.segmentations import panel as ways_panel
from pages.shared.controls import panels
from pages.shared.controls.heading import heading
from tokenizers.runtime.tokenizer import Special

actions = heading("Real tokenizers", "how published models cut your text: click a token to see why")
chosen = model_picker.pick(actions)
model = chosen.model
text, is_of_ids, chat = inputs.text_or_chat(
    model, ids_reading.longest_text(), ids_reading.reads_ids
)
decoded = ids_reading.decode_box(model, text) if is_of_ids else None
text = decoded.text if decoded else text
reading: Special = "control" if chat else inputs.special(model, text)
split = inputs.split(model, text, reading, is_chat=chat is not None)

PANELS = ({"The chat": partial(chat_panel, model, *chat, split)} if chat else {}) | {
    "The stages": lambda: real_panels.stages(model, text, reading),
    "Other ways to split it": lambda: ways_panel.show(chosen, text, reading),
    "Ids": lambda: ids_panel.show(model, text, reading, split, decoded),
    "Vocabulary": lambda: real_panels.vocabulary(model, split.encoding),
    "A token’s life": lambda: real_panels.token_history_panel(model, text, split.encoding),
    "Merge residues": lambda: residue_panel(model, text),
    "Compare with": lambda: real_panels.comparison(chosen),
}


@st.fragment
def main_fragment() -> None:
    """Show the tokens, the player for the word of one of them, and below it a chosen panel."""
    if decoded:
        ids_reading.show(model, decoded, about=chosen.about, panels=PANELS)
    elif word := inputs.choose_word(model, text, split, chat and chat.tokens):
        word_player.show(model, word, split, about=chosen.about, panels=PANELS)
    else:
        st.info("There is nothing to step through yet. Write a text into the box.")
    mark_panel(model, text, is_chat=chat is not None)
    inputs.warnings(model)
    panels.panel_choice(PANELS)


main_fragment()
