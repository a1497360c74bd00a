"""Four rulers of one text: what counts as one for the eye, for Unicode, for a file, for a model.

A *grapheme cluster* is what the eye takes for one character (`é`, `नि`), a *code point* is what
Unicode numbers, a *byte* what UTF-8 stores, a *token* what a tokenizer makes of it. All marks count
bytes of the raw text, so the rulers can be laid under each other.
Leaves out how the tokens come about, and where a ruler is drawn.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

import regex

from tokenizers.text.encoding import Encoding
from tokenizers.text.symbols import BYTE_OF_GLYPH, GLYPH_OF_BYTE
from tokenizers.unigram import BYTES

_CLUSTER = regex.compile(r"\X")


@dataclass(frozen=True, slots=True)
class RulerMark:
    """What lies between two places of a ruler, which are counted in bytes from the beginning."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class SplitMark:
    """A cluster or a code point of which several tokens hold a part; `tokens` are their indices."""

    mark: RulerMark
    tokens: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rulers:
    """The rulers of one text.

    The first three cover it without a gap. Bytes are written as two hexadecimal digits. The marks
    of tokens may leave gaps (what no token stands for), be empty (a mark that was put in) or
    overlap: where the text was changed before it was cut, nobody can say which of the bytes that
    were there belong to which token, and each token has them all.
    """

    clusters: tuple[RulerMark, ...]
    code_points: tuple[RulerMark, ...]
    utf8: tuple[RulerMark, ...]
    tokens: tuple[RulerMark, ...]

    @property
    def glyphs(self) -> tuple[RulerMark, ...]:
        """The bytes once more, each as the glyph that GPT-2 gave it."""
        return tuple(
            RulerMark(mark.start, mark.end, GLYPH_OF_BYTE[int(mark.text, 16)]) for mark in self.utf8
        )

    @property
    def split_clusters(self) -> tuple[SplitMark, ...]:
        """The clusters of which more than one token holds a part."""
        return _split_marks(self.clusters, self.tokens)

    @property
    def split_code_points(self) -> tuple[SplitMark, ...]:
        """The code points of which more than one token holds a part."""
        return _split_marks(self.code_points, self.tokens)


def rulers(text: str, encoding: Encoding) -> Rulers:
    """Lay the rulers along a raw text; `encoding` is that of this very text.

    Raises ValueError for a lone surrogate.

    >>> ends = rulers("né", Encoding((), (), (), (), ()))
    >>> [[mark.text for mark in ruler] for ruler in (ends.code_points, ends.utf8, ends.glyphs)]
    [['n', 'é'], ['6E', 'C3', 'A9'], ['n', 'Ã', '©']]
    """
    raw = text.encode()
    places = [0, *accumulate(len(character.encode()) for character in text)]
    clusters = [match.span() for match in _CLUSTER.finditer(text)]
    return Rulers(
        tuple([RulerMark(places[a], places[b], text[a:b]) for a, b in clusters]),
        tuple([RulerMark(*ends, text[n]) for n, ends in enumerate(pairwise(places))]),
        tuple([RulerMark(n, n + 1, f"{byte:02X}") for n, byte in enumerate(raw)]),
        tuple(_token_marks(raw, places, encoding)),
    )


def _token_marks(raw: bytes, places: list[int], encoding: Encoding) -> Iterator[RulerMark]:
    """Yield the marks of the tokens; those that share a character are told apart by their bytes."""
    spans = [(places[start], places[end]) for start, end in encoding.offsets]
    first = 0
    while first < len(spans):
        last = _last_of_run(spans, first)
        start, end = spans[first][0], max(span[1] for span in spans[first : last + 1])
        ends = _byte_ends(encoding.pieces[first : last + 1], raw[start:end]) if last > first else []
        marks = [(start + a, start + b) for a, b in pairwise(ends)] or spans[first : last + 1]
        for n, mark in enumerate(marks, start=first):
            yield RulerMark(*mark, encoding.tokens[n])
        first = last + 1


def _last_of_run(spans: list[tuple[int, int]], first: int) -> int:
    """Return the last token that shares a character with one before it, from `first` on."""
    last, reach = first, spans[first][1]
    while last + 1 < len(spans) and spans[last + 1][0] < reach:
        last += 1
        reach = max(reach, spans[last][1])
    return last


def _byte_ends(pieces: tuple[str, ...], raw: bytes) -> list[int]:
    """Return where the pieces begin and end if they spell these very bytes; else nothing."""
    spelled = [_bytes_of(piece) for piece in pieces]
    return [0, *accumulate(map(len, spelled))] if b"".join(spelled) == raw else []


def _bytes_of(piece: str) -> bytes:
    """Return the bytes of a piece that may be part of a character, else FF, never UTF-8."""
    if piece in BYTES:
        return bytes([BYTES[piece]])
    return bytes(BYTE_OF_GLYPH.get(glyph, 0xFF) for glyph in piece)


def _split_marks(
    marks: tuple[RulerMark, ...], tokens: tuple[RulerMark, ...]
) -> tuple[SplitMark, ...]:
    """Return the marks that two tokens or more hold a part of; `marks` cover the text."""
    starts = [mark.start for mark in marks]
    holders: dict[int, list[int]] = {}
    for n, token in enumerate(tokens):
        if token.start < token.end:
            low, high = bisect_right(starts, token.start) - 1, bisect_right(starts, token.end - 1)
            for place in range(low, high):
                holders.setdefault(place, []).append(n)
    return tuple(
        [SplitMark(marks[at], tuple(n)) for at, n in sorted(holders.items()) if len(n) > 1]
    )
