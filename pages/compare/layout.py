"""Tokens of several tokenizers under the characters that they stand for: chunks, columns, cells.

A chunk is a word with the white space before it, or as much as no token reaches out of; its columns
end wherever a token of any row does. They are tuples, which JSON writes as arrays: strip.js takes
them as they are, and is what draws them.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

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


class Tile(NamedTuple):
    """A token as it is drawn, and its number from 0; `only`: no other that counts has it here."""

    text: str
    tint: int
    id: int
    unknown: bool
    only: bool
    token: int


class Cell(NamedTuple):
    """What stands under the columns from `first` up to `last`; several tiles share a character."""

    first: int
    last: int
    tiles: tuple[Tile, ...]


class Chunk(NamedTuple):
    """A part of the text: its columns, and a row of cells for each contestant.

    `raw` are stretches of the text with their columns. `ways` counts the different ways in which
    the contestants that count cut its words; `ends_line` follows a line feed.
    """

    raw: tuple[tuple[int, int, str], ...]
    rows: tuple[tuple[Cell, ...], ...]
    ways: int
    right_to_left: bool
    ends_line: bool


class Held(NamedTuple):
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
    reach = 0  # where the last of them ends
    for n, (start, end) in enumerate(found.offsets):
        if held and (
            start < reach or (start == end == reach and found.words[n] == found.words[n - 1])
        ):
            reach = max(reach, end)
            held[-1] = Held(held[-1].start, reach, (*held[-1].tokens, *waiting, n))
            waiting = ()
        elif start == end:
            waiting = (*waiting, n)
        else:
            reach = end
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
        self._seen = [
            {
                token: self._without_space(one.offsets[token])
                for held in row
                for token in held.tokens
            }
            for row, one in zip(self._rows, found, strict=True)
        ]
        cut = [set(self._seen[n].values()) for n in counted]
        spans = Counter(span for row in cut for span in row)
        self._lonely = {span for span, rows in spans.items() if rows == 1 and span}
        self._counted = set(counted) if len(counted) > 1 else set()
        self._clusters = {one.start() for one in _CLUSTER.finditer(text, *shown)}

    def _without_space(self, span: Span) -> Span | None:
        """Return a span without the white space around it; None where there is nothing else."""
        text = self._text[slice(*span)]
        start = span[0] + len(text) - len(text.lstrip())
        return (start, start + len(text.strip())) if text.strip() else None

    def spans(self) -> Iterator[Span]:
        """Yield where the chunks are."""
        inside, begin = self._inside(), self._start
        for place in range(self._start + 1, self._end):
            if self._may_end(begin, place, place in inside or place not in self._clusters):
                yield begin, place
                begin = place
        if begin < self._end:
            yield begin, self._end

    def _inside(self) -> set[int]:
        """Return the places that lie inside a token of any row.

        A token that is longer than what may be broken counts for nothing: else one that is unknown
        would keep all the others from going on in the next line.
        """
        held = (one for row in self._rows for one in row if one.end - one.start <= BREAKABLE)
        return {place for one in held for place in range(one.start + 1, one.end)}

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
        rows = [self._between(n, start, end) for n in range(len(self._rows))]
        ends = {start, end}
        for row in rows:
            ends.update([place for held in row for place in held[:2] if start < place < end])
        columns = {place: n for n, place in enumerate(sorted(ends))}
        text = self._text[start:end]
        return Chunk(
            raw=tuple(self._raw(start, end, columns)),
            rows=tuple(
                tuple([self._cell(n, one, columns, start, end) for one in row])
                for n, row in enumerate(rows)
            ),
            ways=self._ways(start, end),
            right_to_left=not text.isascii() and bool(_RIGHT_TO_LEFT.search(text)),
            ends_line=text.endswith("\n"),
        )

    def _between(self, row: int, start: int, end: int) -> list[Held]:
        held = self._rows[row]
        first = bisect_right(held, start, key=lambda one: one.end)
        return held[first : bisect_left(held, end, key=lambda one: one.start)]

    def _raw(self, start: int, end: int, columns: dict[int, int]) -> Iterator[tuple[int, int, str]]:
        """Yield the text by columns, no grapheme cluster cut: it looks as it is written."""
        whole = [place for place in columns if place in self._clusters and start < place < end]
        for a, b in pairwise([start, *whole, end]):
            yield columns[a], columns[b], self._text[a:b]

    def _cell(self, row: int, held: Held, columns: dict[int, int], start: int, end: int) -> Cell:
        """Return a stretch as far as the chunk goes; an ellipsis where it does not end there."""
        before = "…" if held.start < start else ""
        after = "…" if end < held.end else ""
        start, end = max(held.start, start), min(held.end, end)
        shown = self._text[start:end]
        tiles = tuple([self._tile(row, token, before, after, shown) for token in held.tokens])
        return Cell(columns[start], columns[end], tiles)

    def _tile(self, row: int, token: int, before: str, after: str, stretch: str) -> Tile:
        found = self._found[row]
        text = found.tokens[token]
        unknown = text != found.pieces[token]
        text = stretch if unknown else text  # not [UNK], but what it hides
        shown = visible(text[:LONGEST_TILE])
        after = after or "…" * (len(text) > LONGEST_TILE)
        only = not unknown and row in self._counted and self._seen[row][token] in self._lonely
        return Tile(before + shown + after, tint(text), found.ids[token], unknown, only, token)

    def _ways(self, start: int, end: int) -> int:
        """Return in how many different ways the words of a chunk are cut, the most of any word."""
        at, most = bisect_right(self._words, start, key=lambda span: span[1]), 1
        while at < len(self._words) and self._words[at][0] < end:
            most = max(most, len({row[at] for row in self._parts}))
            at += 1
        return most
