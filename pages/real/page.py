"""Real tokenizers: how published models split a text, step by step, and what is inside them."""

import streamlit as st

from pages.real import chat_templates, inputs, model_picker, word_player
from pages.real import panels as real_panels
from pages.real.ids import panel as ids_panel
from pages.real.ids import reading as ids_reading
from pages.shared.controls import panels
from pages.shared.controls.heading import heading
from pages.shared.controls.short_text import short_text
from tokenizers.runtime.tokenizer import Special

actions = heading("Real tokenizers", "how published models cut your text: click a token to see why")
chosen = model_picker.pick(actions)
model = chosen.model
with st.container(horizontal=True, vertical_alignment="center", key="text_and_template"):
    text = short_text(
        "Your text",
        inputs.FIRST_TEXT,
        key="say",
        label_visibility="collapsed",
        longest=ids_reading.longest_text(),
    )
    is_of_ids = ids_reading.reads_ids(text)
    chat_templates.templates(text)
decoded = ids_reading.decode_box(model, text) if is_of_ids else None
text = decoded.text if decoded else text
reading: Special = inputs.special(model, text)
split = inputs.split(model, text, reading)

PANELS = {
    "The stages": lambda: real_panels.stages(model, text, reading),
    "Ids": lambda: ids_panel.show(model, text, reading, split, decoded),
    "Vocabulary": lambda: real_panels.vocabulary(model, split.encoding),
    "A token’s life": lambda: real_panels.token_history_panel(model, text, split.encoding),
    "Compare with": lambda: real_panels.comparison(chosen),
}


@st.fragment
def main_fragment() -> None:
    """Show the tokens, the player for the word of one of them, and below it a chosen panel."""
    if decoded:
        ids_reading.show(model, decoded, about=chosen.about, panels=PANELS)
    elif word := inputs.choose_word(model, text, split):
        word_player.show(model, word, split, about=chosen.about, panels=PANELS)
    else:
        st.info("There is nothing to step through yet. Write a text into the box.")
    chat_templates.mark_panel(model, text)
    inputs.warnings(model)
    panels.panel_choice(PANELS)


main_fragment()
