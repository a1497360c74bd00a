"""Stability is measured by the effect of one changed letter on a text's tokens.

A letter is replaced by the next one of the alphabet, and the tokens before and after are compared
by their edit distance (Levenshtein): the minimum number of insertions, deletions and replacements.
"""

from collections.abc import Iterator, Sequence
from string import ascii_lowercase, ascii_uppercase

import regex

from tokenizers.text.alignment import changed_part

_LETTER = regex.compile(r"\p{L}")
_NEXT = {
    letter: row[(n + 1) % len(row)]
    for row in (ascii_lowercase, ascii_uppercase)
    for n, letter in enumerate(row)
}


def next_letter(letter: str) -> str:
    """Return the letter after this one, `a` after `z`, and outside a to z the next code point.

    If the next code point is not a letter, the previous one is returned. If that one is not a
    letter either, the letter itself is returned.

    >>> [next_letter(letter) for letter in "azZщ漢"]
    ['b', 'a', 'A', 'ъ', '漣']
    """
    if letter in _NEXT:
        return _NEXT[letter]
    near = (chr(code) for code in (ord(letter) + 1, ord(letter) - 1) if 0 <= code < 0x110000)
    return next((other for other in near if _LETTER.match(other)), letter)


def letter_positions(text: str, limit: int) -> list[int]:
    """Return the positions of at most `limit` letters, evenly spread starting at the first.

    >>> letter_positions("a-b c", 2)
    [0, 2]
    """
    positions = [match.start() for match in _LETTER.finditer(text)]
    if len(positions) <= limit:
        return positions
    return [positions[n * len(positions) // limit] for n in range(limit)]


def with_next_letter(text: str, position: int) -> str:
    """Return the text with the letter at `position` replaced by the next one."""
    return text[:position] + next_letter(text[position]) + text[position + 1 :]


def edit_distance(before: Sequence[str], after: Sequence[str]) -> int:
    """Return the Levenshtein distance between two sequences.

    >>> edit_distance(["low", "er"], ["l", "ow", "er"])
    2
    """
    here, there = changed_part(before, after)
    rest, row = after[there], list(range(len(after[there]) + 1))
    for n, token in enumerate(before[here], start=1):
        row = list(_next_row(row, n, token, rest))
    return row[-1]


def _next_row(row: Sequence[int], first: int, token: str, other: Sequence[str]) -> Iterator[int]:
    """Yield the row of Levenshtein's table that follows `row`."""
    left = first
    yield left
    for n, one in enumerate(other):
        left = min(left + 1, row[n + 1] + 1, row[n] + (token != one))
        yield left
