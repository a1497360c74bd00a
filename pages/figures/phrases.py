"""What the films share in saying things: counts, lists, names, and long words cut short."""

from collections.abc import Sequence

from pages.figures.film import Say, Segment, Strip
from pages.figures.tiles import visible
from tokenizers.symbols import BYTE_OF_GLYPH

LONGEST_NAME = 24  # characters of a word that a sentence can bear
LONGEST_STRIP = 60  # symbols of a word that can be taken in


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
        return (*said, ", no whole character")


def clipped(strip: Strip) -> Strip:
    """Return the strip, or of a very long one the part around the change, with … for the rest.

    >>> word = ("a",) * 100
    >>> len(clipped(Strip("", word, word)).before)
    61
    """
    if len(strip.before) <= LONGEST_STRIP:
        return strip
    at = max(strip.new[0] - LONGEST_STRIP // 4, 0) if strip.new else 0
    new = tuple(i - at + bool(at) for i in strip.new if i - at < LONGEST_STRIP)
    return Strip(strip.label, _part(strip.before, at), _part(strip.after, at), new, strip.changed)


def _part(tokens: Sequence[str], at: int) -> tuple[str, ...]:
    end = at + LONGEST_STRIP
    return (*["…"][: at and 1], *tokens[at:end], *["…"][: end < len(tokens)])
