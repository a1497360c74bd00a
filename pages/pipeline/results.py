"""A text's journey through the stages, laid out in the worker pool."""

import streamlit as st

from pages.pipeline import laid_out
from pages.shared.learning import kinds
from pages.shared.learning.published import Published
from pages.shared.work.results import key_of, result_of
from tokenizers.faces import never


def journey(
    text: str,
    model: kinds.Model | Published,
    off: tuple[str, ...],
    first: int,
    names: dict[str, str],
) -> tuple[str, laid_out.Laid]:
    """Return a text on its way through the stages, shown from its token `first` on, and its key."""
    key = key_of("journey", text, model, off, first, names)
    if isinstance(model, Published):
        return key, _published(text, model, first, names)
    asked = text, model, off, first, names
    return key, result_of(key, laid_out.lay_out, "Following the text …", *asked)


@st.cache_resource(max_entries=16, show_spinner="Following the text …")
def _published(text: str, model: Published, first: int, names: dict[str, str]) -> laid_out.Laid:
    """Follow a text here, where the file of a published model is open already."""
    return laid_out.lay_out(never, text, model, (), first, names)
