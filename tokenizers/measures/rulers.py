"""Four rulers of one text, which mark its units for the eye, Unicode, a file, and a model.

A *grapheme cluster* looks like one character (`é`, `नि`), a *code point* has a number in Unicode, a
*byte* is UTF-8's unit, and a *token* is a tokenizer's unit. All marks are positioned in bytes of
the raw text, so the rulers line up.
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
    """One unit of a ruler; start and end are byte offsets."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class SplitMark:
    """A cluster or code point that several tokens share; `tokens` contains the tokens' indices."""

    mark: RulerMark
    tokens: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rulers:
    """The rulers of one text.

    The first three cover the text without a gap. Bytes are written as two hexadecimal digits. The
    tokens' marks may leave gaps (dropped characters) or be empty (an inserted mark). They overlap
    where the text was normalized, because its original bytes cannot be divided among the tokens and
    each token spans them all.
    """

    clusters: tuple[RulerMark, ...]
    code_points: tuple[RulerMark, ...]
    utf8: tuple[RulerMark, ...]
    tokens: tuple[RulerMark, ...]

    @property
    def glyphs(self) -> tuple[RulerMark, ...]:
        """The bytes' ruler, with each byte written as GPT-2's glyph."""
        return tuple(
            RulerMark(mark.start, mark.end, GLYPH_OF_BYTE[int(mark.text, 16)]) for mark in self.utf8
        )

    @property
    def split_clusters(self) -> tuple[SplitMark, ...]:
        """The clusters that more than one token shares."""
        return _split_marks(self.clusters, self.tokens)

    @property
    def split_code_points(self) -> tuple[SplitMark, ...]:
        """The code points that more than one token shares."""
        return _split_marks(self.code_points, self.tokens)


def rulers(text: str, encoding: Encoding) -> Rulers:
    """Return the rulers of a raw text; raises UserError if the text contains a lone surrogate.

    >>> ends = rulers("né", Encoding((), (), (), (), ()))
    >>> [[mark.text for mark in ruler] for ruler in (ends.code_points, ends.utf8, ends.glyphs)]
    [['n', 'é'], ['6E', 'C3', 'A9'], ['n', 'Ã', '©']]
    """
    raw = text.encode()
    offsets = [0, *accumulate(len(character.encode()) for character in text)]
    clusters = [match.span() for match in _CLUSTER.finditer(text)]
    return Rulers(
        tuple([RulerMark(offsets[a], offsets[b], text[a:b]) for a, b in clusters]),
        tuple([RulerMark(*ends, text[n]) for n, ends in enumerate(pairwise(offsets))]),
        tuple([RulerMark(n, n + 1, f"{byte:02X}") for n, byte in enumerate(raw)]),
        tuple(_token_marks(raw, offsets, encoding)),
    )


def _token_marks(raw: bytes, offsets: list[int], encoding: Encoding) -> Iterator[RulerMark]:
    """Yield the tokens' marks; tokens that share a character are located by their bytes."""
    spans = [(offsets[start], offsets[end]) for start, end in encoding.offsets]
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
    """Return the last token of the run of overlapping tokens that starts at `first`."""
    last, reach = first, spans[first][1]
    while last + 1 < len(spans) and spans[last + 1][0] < reach:
        last += 1
        reach = max(reach, spans[last][1])
    return last


def _byte_ends(pieces: tuple[str, ...], raw: bytes) -> list[int]:
    """Return the pieces' boundaries if the pieces spell exactly `raw`; else an empty list."""
    spelled = [_bytes_of(piece) for piece in pieces]
    return [0, *accumulate(map(len, spelled))] if b"".join(spelled) == raw else []


def _bytes_of(piece: str) -> bytes:
    """Return a piece's bytes; a character that is not a glyph becomes FF, which is never UTF-8."""
    if piece in BYTES:
        return bytes([BYTES[piece]])
    return bytes(BYTE_OF_GLYPH.get(glyph, 0xFF) for glyph in piece)


def _split_marks(
    marks: tuple[RulerMark, ...], tokens: tuple[RulerMark, ...]
) -> tuple[SplitMark, ...]:
    """Return those of `marks` that two or more tokens share; `marks` must cover the text."""
    starts = [mark.start for mark in marks]
    tokens_of: dict[int, list[int]] = {}
    for n, token in enumerate(tokens):
        if token.start < token.end:
            low, high = bisect_right(starts, token.start) - 1, bisect_right(starts, token.end - 1)
            for index in range(low, high):
                tokens_of.setdefault(index, []).append(n)
    return tuple(
        [SplitMark(marks[i], tuple(n)) for i, n in sorted(tokens_of.items()) if len(n) > 1]
    )
