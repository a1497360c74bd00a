"""The tokenizers that the user has loaded from files or from the hub, kept for the session.

They are loaded on the page Real tokenizers and offered, only to their user, wherever the bundled
ones are. Each has a unique title and URL name. This file also has the controls for special tokens.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import replace

import streamlit as st

from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.url_state import IN_URL, segments
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
"""Per session: each takes up memory until the session ends."""
SPECIAL_MODES = {"control": "Special tokens", "text": "Plain text"}
"""How special tokens in a text can be read."""
_STATE_KEY = "own_tokenizers"


def add(key: str, info: TokenizerInfo, origin: str, replaced: str = "") -> UserTokenizer:
    """Add a tokenizer to the session and return it; `key` identifies its content.

    A tokenizer that was already added becomes the newest; the one named `replaced`, and the oldest
    of too many, are dropped.
    """
    before = {one.name: one for one in user_tokenizers() if one.name != replaced}
    digest = hashlib.sha256(key.encode()).hexdigest()[:12]
    tokenizer = before.pop(f"{USER_PREFIX}-{digest}", None)
    tokenizer = tokenizer or UserTokenizer(
        f"{USER_PREFIX}-{digest}", replace(info, name=_title(info.name, before)), origin
    )
    st.session_state[_STATE_KEY] = (tokenizer, *before.values())[:MOST_TOKENIZERS]
    register(tokenizer)
    return tokenizer


def _title(name: str, others: dict[str, UserTokenizer]) -> str:
    """Return the name, with a number appended if its short form is in use."""
    in_use = {shorten_filename(tokenizer.title, LONGEST_TITLE) for tokenizer in others.values()}
    titles = (name, *(f"{name} ({n})" for n in range(2, MOST_TOKENIZERS + 1)))
    return next(one for one in titles if shorten_filename(one, LONGEST_TITLE) not in in_use)


def user_tokenizers() -> tuple[UserTokenizer, ...]:
    """Return the tokenizers of this session, the newest first."""
    found: tuple[UserTokenizer, ...] = st.session_state.get(_STATE_KEY, ())
    for tokenizer in found:
        register(tokenizer)  # another session with the same file may have ended
    return found


def published_kinds() -> dict[str, str]:
    """Return the titles of all published tokenizers by kind of tokenizer, the user's last."""
    names = [one.name for one in user_tokenizers()]
    return PACK | {REAL + name: PublishedTokenizer(name).title for name in names}


def special_tokens_control(text: str, names: Iterable[str], who: str = "Read") -> Special:
    """Show a control for how the tokenizers `names` read special tokens, if the text has any."""
    if not (found := specials_in(text, names)):
        return "control"
    label = escape_markdown(f"{who} {' '.join(found)} as")
    chosen = segments(label, SPECIAL_MODES, "control", key="special")
    return "text" if chosen == "text" else "control"


def added_tokens_control(names: Iterable[str], *, is_short: bool = False) -> bool:
    """Show a switch for the tokens that the tokenizers `names` put around a text, if any does.

    While the switch is off, all tokenizers are measured on the text alone. If it `is_short`, a
    bubble beside it says which tokens these are.
    """
    models = [PublishedTokenizer(name) for name in names]
    listed = [f"{escape_markdown(one.title)}: {one.adds}" for one in models if one.adds]
    if not listed:
        return False
    label = f"Include the tokens that a model adds ({'; '.join(listed)})"
    if is_short:
        return st.toggle("Added tokens", key="added", help=label, **IN_URL)
    return st.toggle(label, key="added", **IN_URL)
