"""Conversations as the families of models write them, and both readings of the marks in them.

A chat model is given one text, in which marks such as `<|im_start|>` say who speaks. They are
special tokens of that family, and ordinary text to every other tokenizer. Leaves out how a program
makes such a text of messages.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import regex
import streamlit as st

from pages.shared.controls import address, memory
from pages.shared.controls.plain import as_is
from pages.shared.drawing.phrases import count_of
from pages.shared.drawing.tiles import plain_table
from tokenizers.loaded.tokenizer import Loaded


@dataclass(frozen=True, slots=True)
class Chat:
    """A family's way to write a conversation; `marks` are its own special tokens."""

    name: str
    title: str
    used_by: str
    marks: tuple[str, ...]
    text: str


_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
CHATS = {row["name"]: Chat(**row | {"marks": tuple(row["marks"])}) for row in _TABLE["chat"]}


@dataclass(frozen=True, slots=True)
class Reading:
    """A mark of a text: how often it is there, its id if it is a special token, as plain text."""

    mark: str
    times: int
    id: int | None
    plain: int


def templates(text: str) -> None:
    """Offer the templates; the one that the box holds is marked."""
    chosen = next((name for name, chat in CHATS.items() if chat.text == text), None)
    address.put("chat", chosen)
    st.pills(
        "Or start from a chat template",
        list(CHATS),
        key="chat",
        format_func=lambda name: CHATS[name].title,
        on_change=_take,
    )
    if chosen:
        st.caption(as_is(f"Written so by {CHATS[chosen].used_by}. Edit it as you like."))


def _take() -> None:
    if chosen := st.session_state["chat"]:
        memory.split_only(CHATS[chosen].text)


def readings_of(loaded: Loaded, text: str) -> list[Reading]:
    """Return the marks in a text, of this tokenizer and of all families, in their order there."""
    known = {mark for chat in CHATS.values() for mark in chat.marks} | set(loaded.specials)
    found = sorted((mark for mark in known if mark and mark in text), key=text.index)
    return [
        Reading(mark, text.count(mark), loaded.specials.get(mark), _plain(loaded, mark))
        for mark in found
    ]


def _plain(loaded: Loaded, text: str) -> int:
    """Return how many tokens a text is as plain text, alone."""
    return len(loaded.encode(text, special="text", add_special_tokens=False).ids)


def readings(loaded: Loaded, text: str) -> None:
    """Show both readings of the marks in a text, and what they come to; nothing without marks."""
    if not (found := readings_of(loaded, text)):
        return
    with st.expander(_total(loaded, text, found)):
        rows = [
            (one.mark, one.times, _as_special(one), count_of(one.plain, "token")) for one in found
        ]
        columns = ("in your text", "times", "as a special token", "as plain text")
        st.html(plain_table("Two readings of the same characters", columns, rows))
        st.caption(
            "An API takes messages and writes the marks itself: its counts include them, each as "
            "one token, even where the published file lacks them. What a person types should "
            "be read as plain text: otherwise anybody could forge a message."
        )


def _total(loaded: Loaded, text: str, found: Sequence[Reading]) -> str:
    """Say how many tokens the text is, by both readings of its marks."""
    plain = len(loaded.encode(text, special="text").ids)
    if all(one.id is not None for one in found):
        control = len(loaded.encode(text).ids)
        return f"Special tokens: {control:,} tokens, or {plain:,} as plain text"
    around = plain - _plain(loaded, text)  # what the tokenizer itself puts around a text
    marked = around + _with_marks(loaded, text, [one.mark for one in found])
    return f"Special tokens: {plain:,} tokens as plain text, {marked:,} where each mark is one"


def _with_marks(loaded: Loaded, text: str, marks: Sequence[str]) -> int:
    """Return how many tokens a text would be if each of these marks were one."""
    pattern = "|".join(map(regex.escape, sorted(marks, key=len, reverse=True)))
    parts = regex.split(pattern, text)
    return sum(_plain(loaded, part) for part in parts) + len(parts) - 1


def _as_special(one: Reading) -> str:
    return "not in this file" if one.id is None else f"1 token, id {one.id:,}"
