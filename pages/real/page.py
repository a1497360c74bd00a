"""Real tokenizers: how published models split a text, step by step, and what is inside them."""

import streamlit as st

from pages.real import chat_templates, inputs, model_picker, published_override
from pages.real import panels as real_panels
from pages.shared.controls import panels, settings
from pages.shared.controls.heading import heading
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.short_text import short_text
from tokenizers.runtime.tokenizer import Special

heading("Real tokenizers", "see how published models cut your text, and why they cut it so")
chosen = model_picker.pick()
model = chosen.model
st.caption(escape_markdown(chosen.about))
text = short_text("Your text", inputs.FIRST_TEXT, key="say", height=100)
chat_templates.templates(text)
reading: Special = inputs.special(model, text)
large = settings.presenter()
split = inputs.split(model, text, reading)
inputs.tokens(model, text, split)
chat_templates.mark_panel(model, text)

PANELS = {
    "The stages": lambda: real_panels.stages(model, text, reading),
    "Vocabulary": lambda: real_panels.vocabulary(model, split.encoding),
    "A token’s life": lambda: real_panels.token_history_panel(model, text, split.encoding),
    "Compare with": lambda: real_panels.comparison(chosen),
}


@st.fragment
def main_fragment() -> None:
    """Show the player for one word, and below it a chosen panel."""
    if split.words:
        word = inputs.word(split.words, text)
        published_override.word_player(model, word, split, large, about=chosen.about, panels=PANELS)
    else:
        st.info("There is nothing to step through yet. Write a text into the box.")
    inputs.warnings(model)
    panels.panel_choice(PANELS)


main_fragment()
