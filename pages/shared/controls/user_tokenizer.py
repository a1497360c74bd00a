"""The tokenizers that a visitor brought as files or from the hub, kept for this visit.

They are opened on the page Real tokenizers. Covers keeping them, offering them where those of the
pack are offered, and asking how published tokenizers read special tokens and whether they add some.
No other visitor can choose them, and each has a name of its own, on the screen and in the address.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import replace

import streamlit as st

from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.url_state import IN_ADDRESS, segments
from pages.shared.drawing.display_text import shorten_filename
from pages.shared.training.published import (
    LONGEST_TITLE,
    PACK,
    REAL,
    USER_PREFIX,
    PublishedTokenizer,
    TokenizerInfo,
    UserTokenizer,
    register,
    specials_in,
)
from tokenizers.runtime.tokenizer import Special

MOST_TOKENIZERS = 4
"""Kept at a time: each takes up memory for as long as the visit lasts."""
SPECIAL_MODES = {"control": "Special tokens", "text": "Plain text"}
"""How the special tokens that a text holds can be read."""
_STATE_KEY = "own_tokenizers"


def add(key: str, opened: TokenizerInfo, about: str) -> UserTokenizer:
    """Keep a tokenizer beside those that are there, and return it; `key` says what is in it.

    What has been kept before is the newest again. Where there would be too many, the oldest goes.
    """
    before = {own.name: own for own in user_tokenizers()}
    digest = hashlib.sha256(key.encode()).hexdigest()[:12]
    own = before.pop(f"{USER_PREFIX}-{digest}", None)
    own = own or UserTokenizer(
        f"{USER_PREFIX}-{digest}", replace(opened, name=_title(opened.name, before)), about
    )
    st.session_state[_STATE_KEY] = (own, *before.values())[:MOST_TOKENIZERS]
    register(own)
    return own


def _title(name: str, others: dict[str, UserTokenizer]) -> str:
    """Return the name, with a number behind it if another one looks the same where it is short."""
    taken = {shorten_filename(own.title, LONGEST_TITLE) for own in others.values()}
    titles = (name, *(f"{name} ({n})" for n in range(2, MOST_TOKENIZERS + 1)))
    return next(one for one in titles if shorten_filename(one, LONGEST_TITLE) not in taken)


def user_tokenizers() -> tuple[UserTokenizer, ...]:
    """Return the tokenizers of this visit, the newest first."""
    found: tuple[UserTokenizer, ...] = st.session_state.get(_STATE_KEY, ())
    for own in found:
        register(own)  # another visit with the same file may have ended
    return found


def published_kinds() -> dict[str, str]:
    """Return the kinds of all published tokenizers by their titles, the visitor's own last."""
    return PACK | {REAL + own.name: PublishedTokenizer(own.name).title for own in user_tokenizers()}


def special_tokens_control(text: str, names: Iterable[str], who: str = "Read") -> Special:
    """Ask how these tokenizers read the special tokens in a text, if there are any."""
    if not (found := specials_in(text, names)):
        return "control"
    label = escape_markdown(f"{who} {' '.join(found)} as")
    chosen = segments(label, SPECIAL_MODES, "control", key="special")
    return "text" if chosen == "text" else "control"


def added_tokens_control(names: Iterable[str]) -> bool:
    """Ask whether a text gets the tokens that these tokenizers put around it, if any does.

    Without them, all count the same: the text itself.
    """
    models = [PublishedTokenizer(name) for name in names]
    listed = [f"{escape_markdown(one.title)}: {one.adds}" for one in models if one.adds]
    if not listed:
        return False
    label = f"Include the tokens that a model puts around a text ({'; '.join(listed)})"
    return st.toggle(label, key="added", **IN_ADDRESS)
