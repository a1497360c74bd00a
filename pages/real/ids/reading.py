"""Read the text box as ids: offered when its text looks like ids, in place of the text's split.

The tokens are a row as those of a text, with their text and a verdict under it. The player below
decodes them one at a time.
"""

import re
from collections.abc import Iterable
from functools import partial

import streamlit as st

from pages.real import inputs
from pages.real.ids.decoding import DecodedIds, IdDifference, decode_ids
from pages.real.ids.stream_frames import record_stream
from pages.shared.controls import url_state
from pages.shared.controls.markdown import escape_markdown
from pages.shared.drawing.display_text import escape_invisible, html_tiles
from pages.shared.drawing.phrasing import count_of
from pages.shared.export.catalog import ExportCatalog
from pages.shared.export.menu import export_menu
from pages.shared.export.tables import token_table
from pages.shared.limits import MAX_ID_CHARS, MAX_IN_URL
from pages.shared.player import go_to_step, stepper
from pages.shared.training.published import PublishedTokenizer
from pages.shared.work.results import call
from tokenizers.errors import user_message
from tokenizers.text.id_list import looks_like_ids, read_ids

SWITCH = "as_ids"
"""The URL parameter of the switch that has the text read as ids."""
MAX_TEXT_CHARS = 2_000
"""Characters of the decoded text that are shown; the file of tokens has all of it."""
_DIGIT = re.compile("[0-9]")
_WIDGET = "read_as_ids"
_KEY = "id_stream"
_CLICKED = "id_stream.clicked"


def is_switched_on() -> bool:
    """Return whether the box is read as ids, by the URL or else by the switch."""
    incoming = url_state.incoming(SWITCH)
    if incoming is not None:
        set_switch(incoming == "1")
    elif url_state.was_removed(SWITCH):
        set_switch(False)
    return st.session_state.get(_WIDGET, False)


def set_switch(is_on: bool) -> None:
    """Set the switch before it is shown."""
    url_state.preset_widget(_WIDGET, is_on)


def longest_text() -> int:
    """Return how many characters of the box are read: of ids more than of a text."""
    return MAX_ID_CHARS if is_switched_on() else MAX_IN_URL


def reads_ids(text: str) -> bool:
    """Offer to read a text as ids if it looks like ids; return whether to do so.

    A text without any digit, such as a template chosen since, is read as text again.
    """
    is_on = False
    if (is_switched_on() and _DIGIT.search(text)) or looks_like_ids(text):
        hint = "These look like ids: show the text that they stand for."
        is_on = st.toggle("Read as ids", key=_WIDGET, help=hint)
    url_state.set_switch(SWITCH, is_on)
    return is_on


def decode_box(model: PublishedTokenizer, text: str) -> DecodedIds:
    """Return what the ids in the box spell; if there are none, say why and end the page run."""
    try:
        ids = read_ids(text)
        if len(text) in (MAX_IN_URL, MAX_ID_CHARS) and text[-1].isdigit() and len(ids) > 1:
            del ids[-1]
            st.caption("The last number may be cut off where the box ends, so it is left out.")
        decoded = call(model, decode_ids, tuple(ids))
    except ValueError as error:
        st.error(escape_markdown(user_message(error)))
        st.caption(
            "Ids belong to one tokenizer: choose the one that they come from. To read the box as a "
            "text again, switch off *Read as ids*."
        )
        url_state.end_early()
    if len(text) > MAX_IN_URL:
        st.caption(
            f"The address has only the first {MAX_IN_URL:,} characters of the ids: paste them "
            "again after a reload."
        )
    return decoded


def show(
    model: PublishedTokenizer, decoded: DecodedIds, *, about: str, panels: Iterable[str] = ()
) -> None:
    """Show ids with their tokens and their text, and the player that decodes them one by one."""
    chosen = inputs.choose_token(model, decoded.split, _summary(decoded))
    if chosen != st.session_state.get(_CLICKED, 0):
        st.session_state[_CLICKED] = chosen
        go_to_step(_KEY, chosen)
    _text(decoded)
    recording = record_stream(decoded)
    k = stepper(recording, recording.key, key=_KEY)
    tokens = partial(token_table, decoded.split.encoding)
    export_menu(
        recording, k, lambda: ExportCatalog(tables={"Tokens": tokens}), about=about, left_out=panels
    )


def _summary(decoded: DecodedIds) -> str:
    parts = [count_of(len(decoded.ids), "id"), count_of(len(decoded.text), "character")]
    if decoded.left_out:
        parts.append(f"{count_of(len(decoded.left_out), 'special token')} left out of the text")
    return " · ".join(parts)


def _text(decoded: DecodedIds) -> None:
    more = len(decoded.text) - MAX_TEXT_CHARS
    shown = "\n".join(map(escape_invisible, decoded.text[:MAX_TEXT_CHARS].split("\n")))
    with st.container(key="text_of_ids"):
        st.code(shown + f" … and {more:,} more characters" * (more > 0), None, wrap_lines=True)
        st.caption(escape_markdown(decoded.verdict))


def show_difference(difference: IdDifference) -> None:
    """Show the given ids and the text's own, around the tokens in which they differ."""
    rows = (("Your ids", difference.given), ("What the text gives", difference.own))
    for title, (tokens, ids, new, hidden) in rows:
        more = f" · {count_of(hidden, 'more token')}" if hidden else ""
        st.markdown(f"**{title}**, from token {difference.first + 1:,} on{more}")
        st.html(html_tiles(tokens, ids=ids, new=new, label=title))
