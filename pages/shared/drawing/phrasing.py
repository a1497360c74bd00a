"""What the films share in saying things: names, sums, how often, and long words cut short.

Counts are said as in lessons, by `count_of`.
"""

import math
from collections.abc import Sequence
from decimal import Decimal

from lessons.format.words import count_of
from pages.shared.drawing.display_text import show_spaces
from tokenizers.text.symbols import BYTE_OF_GLYPH

Segment = str | tuple[str, str]
"""Plain text, or (kind, text) with kind "token", "new", "strong", "word" or "tie"."""
RichText = tuple[Segment, ...]

LONGEST_NAME = 24  # characters of a word that a sentence can bear
MOST_DIGITS = 6  # behind the point, to make a sum add up


def times(number: int) -> str:
    """Return how often, in words where there are words.

    >>> times(1), times(2), times(1200)
    ('once', 'twice', '1,200 times')
    """
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")


def word_segment(word: str) -> tuple[str, str]:
    """Return the word as a segment of a sentence: its spaces visible, cut where it is long.

    >>> named(" low")
    ('word', '·low')
    """
    shown = show_spaces(word)
    return "word", shown if len(shown) <= LONGEST_NAME else shown[: LONGEST_NAME - 1] + "…"


def byte_legend(token: str) -> RichText:
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
        return (*said, ", which spell ", word_segment(raw.decode()))
    except UnicodeDecodeError:
        return (*said, ", which is not a whole character")


def format_sum(terms: Sequence[float], digits: int = 2) -> tuple[list[str], str]:
    """Return the terms of a sum and the sum as they are written, so that what is written adds up.

    All are rounded, to so many `digits` behind the point as that takes. Where no precision does it,
    the last digit of the largest term gives way.

    >>> adding_up([-2.996, -1.897])
    (['−2.996', '−1.897'], '−4.893')
    >>> adding_up([0.5, 0.25, 0.25])
    (['0.50', '0.25', '0.25'], '1.00')
    """
    return format_sums([terms], digits)[0]


def format_sums(sums: Sequence[Sequence[float]], digits: int = 2) -> list[tuple[list[str], str]]:
    """Return of each sum in one formula what `adding_up` does: all with as many digits.

    >>> alike([[-2.996, -1.897], [-1.0, -0.5]])
    [(['−2.996', '−1.897'], '−4.893'), (['−1.000', '−0.500'], '−1.500')]
    """
    found = []
    for precision in range(digits, max(digits, MOST_DIGITS) + 1):
        found = [
            (
                [round(Decimal(term), precision) for term in terms],
                round(Decimal(math.fsum(terms)), precision),
            )
            for terms in sums
        ]
        if all(sum(written) == whole for written, whole in found):
            break
    for terms, (written, whole) in zip(sums, found, strict=True):
        if terms:
            largest = max(range(len(terms)), key=lambda n: abs(terms[n]))
            written[largest] += whole - sum(written)
    return [
        ([format_decimal(one) for one in terms], format_decimal(whole)) for terms, whole in found
    ]


def format_decimal(value: Decimal) -> str:
    """Return a decimal number with a real minus sign, and none for zero.

    >>> decimal_of(Decimal("-1.50")), decimal_of(Decimal("-0.00"))
    ('−1.50', '0')
    """
    return f"{value:,f}".replace("-", "−") if value else "0"


def ways_text(number: int) -> str:
    """Return a number of segmentations; an enormous one by its power of ten.

    >>> ways(1), ways(9), ways(2**70), ways(2**40_000)
    ('1 way', '9 ways', 'about 10^21 ways', 'about 10^12,041 ways')
    """
    if number >= 10**15:
        return f"about 10^{int(math.log10(number)):,} ways"  # not by str(): of a long text too long
    return count_of(number, "way")
