"""How published tokenizers read special tokens that stand in a text: asked where it matters."""

from collections.abc import Iterable

import streamlit as st

from pages.shared.controls.address import choice
from pages.shared.controls.plain import as_is
from pages.shared.learning.published import specials_in
from tokenizers.loaded.tokenizer import Special


def special(text: str, names: Iterable[str], who: str = "Read") -> Special:
    """Ask how these tokenizers read the special tokens in a text, if there are any."""
    if not (found := specials_in(text, names)):
        return "control"
    options = {"control": "Special tokens", "text": "Plain text"}
    label, widget = as_is(f"{who} {' '.join(found)} as"), st.segmented_control
    chosen = choice(label, options, "control", key="special", widget=widget, required=True)
    return "text" if chosen == "text" else "control"
