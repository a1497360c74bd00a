"""Offer published tokenizers in place of the one trained on a page, with the same player.

The pages that encode offer the published tokenizers and the visitor's own tokenizers of their kind.
A link with the same text and word leads to the page Real tokenizers, which shows the inside of a
tokenizer.
"""

from collections.abc import Iterable
from functools import partial
from typing import NoReturn

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.real import exports, inputs, model_picker
from pages.real.alternatives import alternatives
from pages.real.splitting import SplitText
from pages.real.stepping import step_word
from pages.shared.controls import url_state, user_tokenizer
from pages.shared.controls.heading import controls_row
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.short_text import short_text
from pages.shared.controls.url_state import segments
from pages.shared.export.menu import export_menu
from pages.shared.player import stepper
from pages.shared.routes import page_file
from pages.shared.training.published import SHORT_NAMES, PublishedTokenizer, apply_to_loaded
from pages.shared.training.words import TokenizedWord
from pages.shared.work.results import call, call_or_end_page
from tokenizers.runtime.encoders import Merging, Weighing
from tokenizers.runtime.wordpiece import WordPiece

BPE = ("gpt2", "cl100k", "o200k", "mistral-v1")
WORDPIECE = ("bert-uncased",)
UNIGRAM = ("unigram-english", "unigram-japanese")
OF_KIND = {BPE: Merging, WORDPIECE: WordPiece, UNIGRAM: Weighing}
"""For each group of published tokenizers, the class of the visitor's models offered with it."""
TRAINED_HERE = "here"


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
        name = segments(
            "Tokenizer",
            {TRAINED_HERE: here} | {name: escape_markdown(title) for name, title in titles.items()},
            TRAINED_HERE,
            key="tokenizer",
            label_visibility="collapsed",
        )
    if name != TRAINED_HERE:
        _show(controls_row() if is_row_full else row, name, titles[name], first, opening)


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
        word_player(model, word, split, about=title)
        alternatives(model, word)
        query = {"model": name, "say": text, "word": str(split.words.index(word) + 1)}
        if reading == "text":
            query["special"] = reading
        label = f"What is inside {escape_markdown(title)}: its stages, its vocabulary, its tokens →"
        st.page_link(page_file("real"), label=label, query_params=query)

    stage()
    inputs.warnings(model)
    url_state.end_early()


def word_player(
    model: PublishedTokenizer,
    word: TokenizedWord,
    split: SplitText,
    *,
    about: str,
    panels: Iterable[str] = (),
) -> None:
    """Show the player for a word of a text, and notes on its limits.

    For exported files, `about` names the tokenizer's origin, and `panels` the page's other panels.
    """
    found = call_or_end_page(model, apply_to_loaded, step_word, word)
    for note in found.notes:
        st.info(note)
    if found.recording:
        k = stepper(found.recording, found.recording.key, key="real")
        offer = partial(exports.of_word, model, word, split.encoding, call)
        export_menu(found.recording, k, offer, about=about, left_out=panels)
