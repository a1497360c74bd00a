"""What one changed letter does to the tokens of a text.

A letter is replaced by the next one of the alphabet, and the tokens before and after are compared
by their edit distance (Levenshtein): the fewest tokens that must be put in, taken out or replaced
by another to get from one to the other.
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
    """Return the letter after this one: `a` after `z`; beyond a to z the next code point.

    Where the next code point is no letter, it is the one before; where that is none, too, the
    letter stays as it is.

    >>> [next_letter(letter) for letter in "azZщ漢"]
    ['b', 'a', 'A', 'ъ', '漣']
    """
    if letter in _NEXT:
        return _NEXT[letter]
    near = (chr(code) for code in (ord(letter) + 1, ord(letter) - 1) if 0 <= code < 0x110000)
    return next((other for other in near if _LETTER.match(other)), letter)


def letter_positions(text: str, limit: int) -> list[int]:
    """Return the places of letters, at most so many, evenly spread from the first on.

    >>> letter_positions("a-b c", 2)
    [0, 2]
    """
    places = [match.start() for match in _LETTER.finditer(text)]
    if len(places) <= limit:
        return places
    return [places[n * len(places) // limit] for n in range(limit)]


def with_next_letter(text: str, place: int) -> str:
    """Return the text with the letter at `place` replaced by the next one."""
    return text[:place] + next_letter(text[place]) + text[place + 1 :]


def edit_distance(before: Sequence[str], after: Sequence[str]) -> int:
    """Return the fewest insertions, deletions and replacements from one sequence to the other.

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
