"""What the films share in saying things: counts, lists, names, and long words cut short."""

import math
from collections.abc import Sequence

from pages.shared.drawing.tiles import visible
from tokenizers.text.symbols import BYTE_OF_GLYPH

Segment = str | tuple[str, str]
"""Plain text, or (kind, text) with kind "token", "new", "strong", "word" or "tie"."""


Say = tuple[Segment, ...]


LONGEST_NAME = 24  # characters of a word that a sentence can bear


def count_of(number: int, noun: str, plural: str = "") -> str:
    """Return the number with its noun.

    >>> count_of(1, "word"), count_of(1200, "word"), count_of(2, "pass", "passes")
    ('1 word', '1,200 words', '2 passes')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def times(number: int) -> str:
    """Return how often, in words where there are words.

    >>> times(1), times(2), times(1200)
    ('once', 'twice', '1,200 times')
    """
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")


def listed(items: Sequence[Say]) -> Say:
    """Return the items with commas and a last "and".

    >>> listed([("a",), ("b",), ("c",)])
    ('a', ', ', 'b', ' and ', 'c')
    """
    said: list[Segment] = []
    for n, item in enumerate(items):
        if n:
            said.append(" and " if n == len(items) - 1 else ", ")
        said.extend(item)
    return tuple(said)


def named(word: str) -> tuple[str, str]:
    """Return the word as a segment of a sentence: its spaces visible, cut where it is long.

    >>> named(" low")
    ('word', '·low')
    """
    shown = visible(word)
    return "word", shown if len(shown) <= LONGEST_NAME else shown[: LONGEST_NAME - 1] + "…"


def byte_legend(token: str) -> Say:
    """Return what a token of byte glyphs stands for; nothing where that is plain to see.

    >>> byte_legend("low")
    ()
    >>> byte_legend("Î¬")[2:]
    (' is the bytes CE AC', ', which spell ', ('word', 'ά'))
    """
    if token.isascii():
        return ()
    raw = bytes(BYTE_OF_GLYPH[glyph] for glyph in token)
    said = (" · ", ("token", token), f" is the bytes {raw[:12].hex(' ').upper()}")
    try:
        return (*said, ", which spell ", named(raw.decode()))
    except UnicodeDecodeError:
        return (*said, ", which is not a whole character")


def ways(number: int) -> str:
    """Return a number of segmentations; an enormous one by its power of ten.

    >>> ways(1), ways(9), ways(2**70), ways(2**40_000)
    ('1 way', '9 ways', 'about 10^21 ways', 'about 10^12,041 ways')
    """
    if number >= 10**15:
        return f"about 10^{int(math.log10(number)):,} ways"  # not by str(): of a long text too long
    return count_of(number, "way")
