"""The user's texts: short ones are in the URL, long ones in the browser's local storage.

There are four: `TEXT`, the text to split on every page; `TRAINING`, a training text; `TABLE`, a
table of words and counts; and `CHAT`, a conversation as JSON. A new text to split is the training
text as well, until the user enters a separate training text; `set_split_text` sets only the text to
split.

A text of up to `MAX_IN_URL` characters is the URL parameter `text`. A longer one is in the
browser's local storage under its hash, and the URL has `kept=<hash>`: the text survives a reload or
a server restart, but another browser cannot get it. No text is written to disk, except that the web
server holds an upload of more than 1 MB in a temporary file.
"""

import hashlib
import re
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import streamlit as st
from streamlit.components.v2 import component
from streamlit.delta_generator import DeltaGenerator

from pages.shared.controls import outdated_values, sources, typed_text, url_state
from pages.shared.limits import MAX_IN_URL

Slot = Literal["own_text", "own_training_text", "own_table", "own_chat"]
TEXT: Slot = "own_text"
TRAINING: Slot = "own_training_text"
TABLE: Slot = "own_table"
CHAT: Slot = "own_chat"
_HAS_TRAINING_TEXT = "training_text_is_typed"
OWN_TEXT = "Your own text"
LONGEST_STORED = 2_000_000
"""Characters of a text stored in the browser; its storage holds some five million."""

_HERE = Path(__file__).parent
_JS = (_HERE.parent / "storage.js", _HERE / "user_text.js")
_browser = component(
    "browser_memory", js="\n".join(file.read_text(encoding="utf-8") for file in _JS)
)


@dataclass(frozen=True, slots=True)
class UserText:
    """The user's text, or the reason why there is none (yet)."""

    state: Literal["none", "here", "asking", "missing"]
    text: str = ""
    is_persistent: bool = True
    """Whether the text survives a reload of the page."""


def text_box(
    label: str,
    default: str = "",
    height: int = 120,
    container: DeltaGenerator | None = None,
    slot: Slot = TEXT,
    *,
    is_empty: bool = False,
    **widget_options: Any,
) -> UserText:
    """Show a box with the user's text, or `default`, and a note if a reload would lose it.

    The state is "asking" while the browser looks up a long text: the page reruns on its response.
    If the box is in a popover, `container` is a place outside of it for the component that asks
    the browser, and for the note: the content of a closed popover does not exist in the browser.
    If `is_empty`, the box shows none of this, and waits for a text.
    """
    in_sight = container or nullcontext()
    if typed_text.has_missed_input("text_box", slot):
        accept_box(slot)
    with in_sight:
        current = UserText("here") if is_empty else current_text(slot)
    shown = default if current.state == "none" else current.text
    typed_text.set_box_text("text_box", shown, slot)
    # `shown` is passed because session state is sent once: a popover opened later would be empty.
    st.text_area(
        label,
        shown,
        key="text_box",
        height=height,
        disabled=current.state == "asking",
        **{"on_change": accept_box, "args": (slot,), **widget_options},
    )
    with in_sight:
        show_loss_note(current)
    return UserText("here", default) if current.state == "none" else current


def has_own(default: str) -> bool:
    """Whether the box is going to show a text of the user's, other than `default`."""
    if url_state.was_removed("text", "kept"):
        return False
    text = url_state.incoming("text")
    text = st.session_state.get(TEXT) if text is None else text
    return text not in (None, default) or url_state.incoming("kept") is not None


def example_choice(
    label: str, examples: Mapping[str, tuple[str, str]], default: str, *, key: str, **more: Any
) -> tuple[str, bool]:
    """Choose the example whose text the box shows; a newly chosen one replaces the user's text.

    `examples` has the titles and texts by name. While the box has a text of the user's, the choice
    says so, not the title of an example. Returns the example's name, and whether it is new.
    """
    adopted = f"{key}.adopted"
    before = st.session_state.get(adopted)
    named = url_state.incoming(key) or st.session_state.get(key) or default
    titles = {name: title for name, (title, _) in examples.items()}
    is_kept = before in (None, named)  # else the text is about to be replaced
    if is_kept and named in examples and has_own(examples[named][1]):
        titles[named] = OWN_TEXT
    chosen = url_state.choice(label, titles, default, key=key, **more)
    st.session_state[adopted] = chosen
    is_new = chosen != before
    if is_new and before and url_state.incoming("text") is url_state.incoming("kept") is None:
        store_text(None)
    return chosen, is_new


def current_text(slot: Slot = TEXT) -> UserText:
    """Return the user's text in `slot`; called once in every run of a page that shows it."""
    incoming_text, incoming_hash = url_state.incoming("text"), url_state.incoming("kept")
    if incoming_text is not None:
        store_text(incoming_text, slot)
    elif incoming_hash is not None:
        return _request_from_browser(incoming_hash, slot)
    elif url_state.was_removed("text", "kept"):
        st.session_state[slot] = None
    text = st.session_state.get(slot)
    if text is None:
        return UserText("none")
    _write_address(text)
    return UserText("here", text, _persist(text))


def store_text(text: str | None, slot: Slot = TEXT) -> None:
    """Set the user's text in `slot` and in the URL; None removes it."""
    set_text(text, slot)
    _write_address(text)


def set_text(text: str | None, slot: Slot = TEXT) -> None:
    """Set the user's text in `slot` without changing the URL."""
    st.session_state[slot] = text
    if slot == TEXT and text is not None:
        if not st.session_state.get(_HAS_TRAINING_TEXT):
            st.session_state[TRAINING] = text
        sources.follow_text()


def set_training_text(text: str) -> None:
    """Set a training text that later texts to split do not replace."""
    st.session_state[_HAS_TRAINING_TEXT] = True
    store_text(text, TRAINING)


def set_split_text(text: str | None) -> None:
    """Set the text to split, or None, without changing the training text."""
    st.session_state[TEXT] = text


def content_hash(text: str) -> str:
    """Return sixteen hex digits of the text's SHA-256.

    >>> content_hash("low lower lowest")
    '6e4d16cc619cbd58'
    """
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def accept_box(slot: Slot) -> None:
    """Take the text of the box as the user's text in `slot`."""
    text = st.session_state["text_box"]
    if outdated_values.is_outdated("text_box", text):
        return
    set_training_text(text) if slot == TRAINING else store_text(text, slot)
    typed_text.note_known("text_box", text, slot)


def _write_address(text: str | None) -> None:
    fits = text is not None and len(text) <= MAX_IN_URL
    url_state.set_param("text", text if fits else None)
    url_state.set_param(
        "kept", content_hash(text) if text and not fits and _may_store(text) else None
    )


def _may_store(text: str) -> bool:
    return len(text) <= LONGEST_STORED and _browser_has().get(content_hash(text)) is not False


def _persist(text: str) -> bool:
    """Return whether a reload keeps the text; send a long text to the browser once."""
    if len(text) <= MAX_IN_URL:
        return True
    if not _may_store(text):
        return False
    name = content_hash(text)
    if name not in _browser_has():
        _browser(
            key="memory",
            data={"store": {"hash": name, "text": text}},
            on_answer_change=_accept_answer,
        )
    return True


def _request_from_browser(text_hash: str, slot: Slot) -> UserText:
    if not re.fullmatch("[0-9a-f]{16}", text_hash) or _browser_has().get(text_hash) is False:
        return UserText("missing", is_persistent=False)
    _browser(key="memory", data={"find": text_hash}, on_answer_change=partial(_accept_answer, slot))
    return UserText("asking")


def _accept_answer(slot: Slot = TEXT) -> None:
    """Process the browser's response; a text with a wrong hash counts as missing."""
    answer = st.session_state["memory"]["answer"]
    if stored := answer.get("stored"):
        _browser_has()[stored] = True
    elif failed := answer.get("failed"):
        _browser_has()[failed] = False
    elif name := answer.get("found"):
        text = answer.get("text")
        _browser_has()[name] = isinstance(text, str) and content_hash(text) == name
        if _browser_has()[name]:
            store_text(text, slot)


def _browser_has() -> dict[str, bool]:
    """Return, by hash, whether the browser has a text that it was asked for or sent."""
    return st.session_state.setdefault("browser_has", {})


def show_loss_note(current: UserText) -> None:
    """Say so if the browser is being asked for a text, does not have it, or does not store it."""
    if current.state == "asking":
        st.caption("Getting your text back from this browser …")
    elif current.state == "missing":
        st.info(
            "This link names a text that is stored in another browser, or no longer stored in this "
            "one. Paste the text again."
        )
    elif not current.is_persistent:
        st.caption(
            "Your browser does not store this text, so it will be gone after a reload. Save it as "
            "a file if you want to keep it."
        )
        st.download_button("Save the text as a file", current.text, "text.txt", on_click="ignore")
