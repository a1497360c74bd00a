"""A hint to train on a larger corpus if much of the user's text is unknown."""

from collections.abc import Mapping

import streamlit as st

from lessons.texts import TEXTS
from pages.shared.controls import sources, url_state, user_text
from pages.shared.drawing.phrasing import count_of
from tokenizers.measures.metrics import unknown_characters
from tokenizers.text.encoding import Encoding

MUCH = 0.1  # fraction of unknown characters up to which no hint is shown
LARGE = ("prose", "languages")


def hint_for_encoding(text: str, encoding: Encoding) -> None:
    """Show the hint if the encoding of the user's text has many unknown characters."""
    hint(text, len(unknown_characters(encoding)))


def hint(text: str, unknown: int, also: Mapping[str, str] | None = None) -> None:
    """Show the hint if `unknown` characters are many; its buttons also set the widgets `also`."""
    whole = st.session_state.get(user_text.TEXT)
    if whole is None or unknown <= MUCH * len(text):
        return
    best = max(LARGE, key=lambda name: _known(text, name))
    st.info(
        f"{count_of(unknown, 'character')} of {len(text):,} became unknown: the training "
        "text has too few letters and words for this one."
    )
    columns = st.columns([2, 2, 3])
    for column, source, name in zip(
        columns, (sources.USER_TEXT, best), ("your text", ""), strict=False
    ):
        label = f"Train on {name or TEXTS[best].title} instead"
        key = f"train_on_{source}"
        if column.button(label, key=key, on_click=_choose, args=(source, also), width="stretch"):
            st.rerun()  # the whole page: the button may be in a fragment


def _known(text: str, name: str) -> int:
    letters = set(TEXTS[name].text or "")
    return sum(letter in letters for letter in text)


def _choose(source: str, also: Mapping[str, str] | None) -> None:
    if source == sources.USER_TEXT:
        user_text.set_training_text(st.session_state[user_text.TEXT])
    sources.choose("corpus", source)
    for key, value in (also or {}).items():
        url_state.preset_widget(key, value)
