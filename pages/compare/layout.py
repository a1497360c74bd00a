"""Tokens of several tokenizers under the characters that they stand for: chunks, columns, cells.

A chunk is a word with the white space before it, or as much as no token reaches out of; its columns
end wherever a token of any row does. Left out: how it is drawn (strip.js).
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import regex

from pages.shared.drawing.tiles import tint, visible
from tokenizers.measures.agreement import Parts
from tokenizers.measures.metrics import Span
from tokenizers.text.encoding import Encoding

BREAKABLE = 24  # characters of a chunk from which on it may end inside a word
LONGEST_CHUNK = 48  # characters: here a chunk ends, whatever the tokens are
LONGEST_TILE = 32  # characters of a token that are drawn
_CLUSTER = regex.compile(r"\X")
_RIGHT_TO_LEFT = regex.compile(r"[\p{Bidi_Class=R}\p{Bidi_Class=AL}]")


@dataclass(frozen=True, slots=True)
class Tile:
    """A token as it is drawn, and its number from 0; `only`: no other that counts has it here."""

    text: str
    tint: int
    id: int
    unknown: bool
    only: bool
    token: int


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands under the columns from `first` up to `last`; several tiles share a character."""

    first: int
    last: int
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of the text: its columns, and a row of cells for each contestant.

    `raw` are stretches of the text with their columns. `ways` counts the different ways in which
    the contestants that count cut its words; `ends_line` follows a line feed.
    """

    raw: tuple[tuple[int, int, str], ...]
    rows: tuple[tuple[Cell, ...], ...]
    ways: int
    right_to_left: bool
    ends_line: bool


@dataclass(frozen=True, slots=True)
class Held:
    """A stretch of the text and the tokens that share it."""

    start: int
    end: int
    tokens: tuple[int, ...]


def held_by(found: Encoding) -> list[Held]:
    """Return the stretches that tokens stand for, tokens with a common character together.

    A token that stands for nothing is put to the token before it, if it touches that and belongs
    to the same word, else to the one after it.
    """
    held: list[Held] = []
    waiting: tuple[int, ...] = ()
    for n, (start, end) in enumerate(found.offsets):
        before = held[-1] if held else None
        joins = before and (
            start < before.end
            or (start == end == before.end and found.words[n] == found.words[n - 1])
        )
        if before and joins:
            reach = max(before.end, end)
            held[-1] = Held(before.start, reach, (*before.tokens, *waiting, n))
            waiting = ()
        elif start == end:
            waiting = (*waiting, n)
        else:
            held.append(Held(start, end, (*waiting, n)))
            waiting = ()
    if waiting and held:
        held[-1] = Held(held[-1].start, held[-1].end, (*held[-1].tokens, *waiting))
    return held


class Layout:
    """The rows of all contestants over what is shown of a text, from which chunks are cut."""

    def __init__(
        self,
        text: str,
        shown: Span,
        found: Sequence[Encoding],
        counted: Sequence[int],
        words: Sequence[Span],
        parts: Sequence[Sequence[Parts]],
    ) -> None:
        self._text, self._found, self._words, self._parts = text, found, words, parts
        self._start, self._end = shown
        self._rows = [
            [one for one in held_by(encoding) if one.end > shown[0] and one.start < shown[1]]
            for encoding in found
        ]
        self._word_ends = [end for _, end in words]
        self._row_ends = [[one.end for one in row] for row in self._rows]
        cut = [
            {self._seen(found[n].offsets[token]) for one in self._rows[n] for token in one.tokens}
            for n in counted
        ]
        spans = Counter(span for row in cut for span in row)
        self._lonely = {span for span, rows in spans.items() if rows == 1 and span}
        self._counted = set(counted) if len(counted) > 1 else set()

    def _seen(self, span: Span) -> Span | None:
        """Return a span without the white space around it; None where there is nothing else."""
        start, end = span
        while start < end and self._text[start].isspace():
            start += 1
        while start < end and self._text[end - 1].isspace():
            end -= 1
        return (start, end) if start < end else None

    def spans(self) -> Iterator[Span]:
        """Yield where the chunks are."""
        inside, begin = self._inside(), self._start
        for place in range(self._start + 1, self._end):
            if self._may_end(begin, place, place in inside):
                yield begin, place
                begin = place
        if begin < self._end:
            yield begin, self._end

    def _inside(self) -> set[int]:
        """Return the places that lie inside a token of any row, or inside a grapheme cluster.

        A token that is longer than what may be broken counts for nothing: else one that is unknown
        would keep all the others from going on in the next line.
        """
        held = (one for row in self._rows for one in row if one.end - one.start <= BREAKABLE)
        inside = {place for one in held for place in range(one.start + 1, one.end)}
        for cluster in _CLUSTER.finditer(self._text, self._start, self._end):
            inside.update(range(cluster.start() + 1, cluster.end()))
        return inside

    def _may_end(self, begin: int, place: int, is_inside: bool) -> bool:
        if place - begin >= LONGEST_CHUNK:
            return True
        if is_inside:
            return False
        before, after = self._text[place - 1], self._text[place]
        begins_word = after.isspace() and after != "\n" and not before.isspace()
        return begins_word or before == "\n" or place - begin >= BREAKABLE

    def chunk(self, start: int, end: int) -> Chunk:
        """Lay out one chunk."""
        rows = [list(self._between(n, start, end)) for n in range(len(self._rows))]
        ends = {start, end}
        for row in rows:
            ends.update(place for h in row for place in (max(h.start, start), min(h.end, end)))
        columns = {place: n for n, place in enumerate(sorted(ends))}
        text = self._text[start:end]
        return Chunk(
            raw=tuple(self._raw(text, start, columns)),
            rows=tuple(
                tuple(self._cell(n, one, columns, (start, end)) for one in row)
                for n, row in enumerate(rows)
            ),
            ways=self._ways(start, end),
            right_to_left=bool(_RIGHT_TO_LEFT.search(text)),
            ends_line=text.endswith("\n"),
        )

    def _between(self, row: int, start: int, end: int) -> Iterator[Held]:
        at = bisect_left(self._row_ends[row], start + 1)
        while at < len(self._rows[row]) and self._rows[row][at].start < end:
            yield self._rows[row][at]
            at += 1

    def _raw(
        self, text: str, start: int, columns: dict[int, int]
    ) -> Iterator[tuple[int, int, str]]:
        """Yield the text by columns, no grapheme cluster cut: it looks as it is written."""
        whole = {start + match.start() for match in _CLUSTER.finditer(text)}
        ends = [place for place in columns if place in whole] + [start + len(text)]
        for a, b in pairwise(sorted(ends)):
            yield columns[a], columns[b], text[a - start : b - start]

    def _cell(self, row: int, held: Held, columns: dict[int, int], chunk: Span) -> Cell:
        """Return a stretch as far as the chunk goes; an ellipsis where it does not end there."""
        start, end = max(held.start, chunk[0]), min(held.end, chunk[1])
        before = "…" if held.start < start else ""
        after = "…" if end < held.end else ""
        shown = self._text[start:end]
        tiles = tuple(self._tile(row, token, before, after, shown) for token in held.tokens)
        return Cell(columns[start], columns[end], tiles)

    def _tile(self, row: int, token: int, before: str, after: str, stretch: str) -> Tile:
        found = self._found[row]
        text = found.tokens[token]
        unknown = text != found.pieces[token]
        text = stretch if unknown else text  # not [UNK], but what it hides
        is_long = len(text) > LONGEST_TILE
        shown = before + visible(text[:LONGEST_TILE]) + (after or "…" * is_long)
        only = row in self._counted and self._seen(found.offsets[token]) in self._lonely
        return Tile(shown, tint(text), found.ids[token], unknown, only and not unknown, token)

    def _ways(self, start: int, end: int) -> int:
        """Return in how many different ways the words of a chunk are cut, the most of any word."""
        at, most = bisect_left(self._word_ends, start + 1), 1
        while at < len(self._words) and self._words[at][0] < end:
            most = max(most, len({row[at] for row in self._parts}))
            at += 1
        return most
