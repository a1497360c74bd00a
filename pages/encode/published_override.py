"""Offer published tokenizers in place of the one trained on a page, with the same player.

The pages that encode offer the published tokenizers and the visitor's own tokenizers of their kind.
A link with the same text and word leads to the page Real tokenizers, which shows the inside of a
tokenizer.
"""

from typing import NoReturn

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.real import inputs, model_picker, word_player
from pages.real.alternatives import alternatives
from pages.shared.controls import url_state, user_tokenizer
from pages.shared.controls.heading import controls_row
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.short_text import short_text
from pages.shared.controls.url_state import choice, segments
from pages.shared.routes import page_file
from pages.shared.training.published import SHORT_NAMES, PublishedTokenizer
from tokenizers.runtime.inspection.encoders import Merging, Weighing
from tokenizers.runtime.models.wordpiece import WordPiece

BPE = ("gpt2", "cl100k", "o200k", "gpt-oss", "qwen3", "deepseek-v3", "mistral-tekken", "mistral-v1")
WORDPIECE = ("bert-uncased",)
UNIGRAM = ("unigram-english", "unigram-japanese")
OF_KIND = {BPE: Merging, WORDPIECE: WordPiece, UNIGRAM: Weighing}
"""For each group of published tokenizers, the class of the visitor's models offered with it."""
TRAINED_HERE = "here"
_MOST_SEGMENTS = 5  # more do not fit beside the text


def choose_published(
    row: DeltaGenerator,
    names: tuple[str, ...],
    first: str,
    here: str = "Trained here",
    opening: str = "",
    *,
    is_row_full: bool = False,
) -> None:
    """Choose the tokenizer in `row`; for a published one, show its steps and end the page run.

    The text to split is in this row, too, or in one below it if `is_row_full`.

    `first` and `opening` are initial texts, as in `short_text`; `here` is the label of the page's
    own tokenizer.
    """
    titles = {name: SHORT_NAMES[name] for name in names}
    for brought in user_tokenizer.user_tokenizers():
        if issubclass(brought.info.model, OF_KIND[names]):
            titles[brought.name] = PublishedTokenizer(brought.name).title
    with row:
        name = _choose({TRAINED_HERE: here} | titles)
    if name != TRAINED_HERE:
        _show(controls_row() if is_row_full else row, name, titles[name], first, opening)


def _choose(titles: dict[str, str]) -> str:
    """Offer a few tokenizers side by side, more of them in a list."""
    if len(titles) > _MOST_SEGMENTS:
        return choice(
            "Tokenizer", titles, TRAINED_HERE, key="tokenizer", widget_key="tokenizer_box",
            label_visibility="collapsed", width=220,
        )  # fmt: skip
    escaped = {name: escape_markdown(title) for name, title in titles.items()}
    return segments(
        "Tokenizer", escaped, TRAINED_HERE, key="tokenizer", label_visibility="collapsed"
    )


def _show(row: DeltaGenerator, name: str, title: str, first: str, opening: str) -> NoReturn:
    chosen = model_picker.by_name(name)
    model = chosen.model
    text = short_text("Text to split", first, key="say", bare_url_default=opening, row=row)
    st.caption(escape_markdown(chosen.about))
    reading = inputs.special(model, text)
    split = inputs.split(model, text, reading)

    @st.fragment
    def stage() -> None:
        """Show the tokens, the player for the word of one of them, and a link to its inside."""
        word = inputs.choose_word(model, text, split)
        if not word:
            st.info("There is nothing to step through yet. Write a text into the box.")
            return
        word_player.show(model, word, split, about=title)
        alternatives(model, word)
        query = {"model": name, "say": text, "word": str(split.words.index(word) + 1)}
        if reading == "text":
            query["special"] = reading
        label = f"What is inside {escape_markdown(title)}: its stages, its vocabulary, its tokens →"
        st.page_link(page_file("real"), label=label, query_params=query)

    stage()
    inputs.warnings(model)
    url_state.end_early()
