"""The player that steps through one word of a text with a published tokenizer."""

from collections.abc import Iterable
from functools import partial

import streamlit as st

from pages.real import exports
from pages.real.splitting import SplitText
from pages.real.stepping import step_word
from pages.shared.export.menu import export_menu
from pages.shared.player import stepper
from pages.shared.training.published import PublishedTokenizer, apply_to_loaded
from pages.shared.training.words import TokenizedWord
from pages.shared.work.results import call, call_or_end_page


def show(
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
