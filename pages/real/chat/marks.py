"""Find the chat marks in a text, and count the text's tokens in both readings of the marks."""

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from pages.real.chat.templates import CHAT_TEMPLATES
from tokenizers.runtime.tokenizer import LoadedTokenizer


@dataclass(frozen=True, slots=True)
class MarkCounts:
    """How often a mark occurs, its id if it is a special token, and its tokens if it is text."""

    mark: str
    times: int
    id: int | None
    num_plain: int


def count_both_readings(
    loaded: LoadedTokenizer, text: str, add_special_tokens: bool
) -> tuple[str, list[MarkCounts]]:
    """Return a sentence on the number of tokens in both readings, and the marks, if any."""
    found = marks_in(loaded, text)
    return (_describe_totals(loaded, text, found, add_special_tokens) if found else ""), found


def marks_in(loaded: LoadedTokenizer, text: str) -> list[MarkCounts]:
    """Return the marks in a text, of this tokenizer and of all families, in order of occurrence."""
    known = {mark for chat in CHAT_TEMPLATES.values() for mark in chat.marks} | set(loaded.specials)
    found = sorted((mark for mark in known if mark and mark in text), key=text.index)
    return [
        MarkCounts(mark, text.count(mark), loaded.specials.get(mark), _num_plain(loaded, mark))
        for mark in found
    ]


def _num_plain(loaded: LoadedTokenizer, text: str) -> int:
    """Return the number of tokens of a text alone, read as plain text."""
    return len(loaded.encode(text, special="text", add_special_tokens=False).ids)


def _describe_totals(
    loaded: LoadedTokenizer, text: str, found: Sequence[MarkCounts], add_special_tokens: bool
) -> str:
    """Describe the number of tokens by both readings of the marks."""
    plain = len(loaded.encode(text, special="text", add_special_tokens=add_special_tokens).ids)
    if all(one.id is not None for one in found):
        control = len(loaded.encode(text, add_special_tokens=add_special_tokens).ids)
        return f"Special tokens: {control:,} tokens, or {plain:,} as plain text"
    num_added = plain - _num_plain(loaded, text)  # tokens that the tokenizer puts around a text
    marked = num_added + _num_with_marks(loaded, text, [one.mark for one in found])
    return f"Special tokens: {plain:,} tokens as plain text, {marked:,} where each mark is one"


def _num_with_marks(loaded: LoadedTokenizer, text: str, marks: Sequence[str]) -> int:
    """Return the number of tokens if each of these marks were one token."""
    pattern = "|".join(map(regex.escape, sorted(marks, key=len, reverse=True)))
    parts = regex.split(pattern, text)
    return sum(_num_plain(loaded, part) for part in parts) + len(parts) - 1
