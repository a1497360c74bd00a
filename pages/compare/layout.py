"""Tokens of several tokenizers under the characters that they stand for: chunks, columns, cells.

A chunk is a word with the white space before it, or as much as no token reaches out of; its columns
end wherever a token of any row does. A token that stands for no character has a column of its own,
beside those of the text. They are tuples, which JSON writes as arrays: aligned_view.js takes them as they
are, draws them, and breaks a chunk that is wider than the page.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import regex

from pages.shared.drawing.display_text import tint, visible
from tokenizers.measures.agreement import Parts
from tokenizers.measures.metrics import Span
from tokenizers.text.encoding import Encoding

LONGEST_JOINT = 24  # characters of a token that keeps the words in it together
LONGEST_COLUMN = 16  # characters: as wide as a phone has room for
LONGEST_TILE = 32  # characters of a token that are drawn
_CLUSTER = regex.compile(r"\X")


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

    `raw` are stretches of the text with their columns; where one begins, a line may begin. `ways`
    counts the different ways in which the contestants that count cut its words; `ends_line` follows
    a line feed.
    """

    raw: tuple[tuple[int, int, str], ...]
    rows: tuple[tuple[Cell, ...], ...]
    ways: int
    ends_line: bool


AFTER, BEFORE, TEXT = range(3)
"""At one place of the text: what comes after the text before it, before the text behind it, it."""
Place = tuple[int, int]


class Held(NamedTuple):
    """A stretch of the text and the tokens that share it.

    An empty stretch has tokens that stand for no character; `kind` is on which side of it they are.
    """

    start: int
    end: int
    tokens: tuple[int, ...]
    kind: int = TEXT

    @property
    def begins(self) -> Place:
        """Where it begins, in order with all others."""
        return self.start, self.kind

    @property
    def ends(self) -> Place:
        """Where it ends."""
        return self.end, AFTER if self.kind == TEXT else self.kind


def held_by(found: Encoding, length: int) -> list[Held]:
    """Return the stretches of a text of this length that tokens stand for, in order.

    Tokens with a common character share one. A token that stands for nothing lies after the token
    before it, if it touches that and belongs to the same word, else before the one after it. Those
    that a model puts around a text lie at its ends.
    """
    held: list[Held] = []
    last = -1  # which of them has characters
    reach = 0
    for n, (start, end) in enumerate(found.offsets):
        is_added = found.words[n] < 0
        if is_added or start == end >= reach:
            place = start if not is_added else length if last >= 0 else 0
            touches = last >= 0 and place == reach and found.words[n] == found.words[n - 1]
            kind = AFTER if touches or 0 < place == length else BEFORE
            if held and held[-1].begins == (place, kind):
                held[-1] = held[-1]._replace(tokens=(*held[-1].tokens, n))
            else:
                held.append(Held(place, place, (n,), kind))
            reach = max(reach, place)
        elif last >= 0 and start < reach:
            tokens = [token for one in held[last:] for token in one.tokens]
            reach = max(reach, end)
            held[last:] = [Held(held[last].start, reach, (*tokens, n))]
        else:
            reach, last = end, len(held)
            held.append(Held(start, end, (n,)))
    return held


def _within(held: Sequence[Held], start: int, end: int) -> Sequence[Held]:
    """Return those of a part of the text."""
    first = bisect_right(held, (start, AFTER), key=lambda one: one.ends)
    return held[first : bisect_left(held, (end, BEFORE), key=lambda one: one.begins)]


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
        self._rows = [_within(held_by(encoding, len(text)), *shown) for encoding in found]
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
            if place not in inside and self._begins_word(place):
                yield begin, place
                begin = place
        if begin < self._end:
            yield begin, self._end

    def _inside(self) -> set[int]:
        """Return the places that lie inside a token of any row.

        A very long one counts for nothing: else one that is unknown would keep all the words of the
        others together.
        """
        held = (one for row in self._rows for one in row if one.end - one.start <= LONGEST_JOINT)
        return {place for one in held for place in range(one.start + 1, one.end)}

    def _begins_word(self, place: int) -> bool:
        before, after = self._text[place - 1], self._text[place]
        if place not in self._clusters:
            return False
        return before == "\n" or (after.isspace() and after != "\n" and not before.isspace())

    def chunk(self, start: int, end: int) -> Chunk:
        """Lay out one chunk."""
        rows = [_within(row, start, end) for row in self._rows]
        places = {start, end}
        beside: set[Place] = set()
        for row in rows:
            places.update([place for held in row for place in held[:2] if start < place < end])
            beside.update([held.begins for held in row if held.kind != TEXT])
        places |= self._inside_long(sorted(places))
        columns = _Columns([*((place, TEXT) for place in places), *beside])
        text = self._text[start:end]
        return Chunk(
            raw=tuple(self._raw(start, end, columns)),
            rows=tuple(
                tuple([self._cell(n, one, columns, start, end) for one in row])
                for n, row in enumerate(rows)
            ),
            ways=self._ways(start, end),
            ends_line=text.endswith("\n"),
        )

    def _inside_long(self, places: Sequence[int]) -> set[int]:
        """Return more places, so that no column is wider than a phone."""
        more: set[int] = set()
        for a, b in pairwise(places):
            last = a
            for place in range(a + LONGEST_COLUMN, b):
                if place - last >= LONGEST_COLUMN and place in self._clusters:
                    more.add(place)
                    last = place
        return more

    def _raw(self, start: int, end: int, columns: "_Columns") -> Iterator[tuple[int, int, str]]:
        """Yield the text by columns, no grapheme cluster cut: it looks as it is written."""
        whole = [place for place in columns.places if place in self._clusters]
        for a, b in pairwise([start, *[one for one in whole if start < one < end], end]):
            yield columns.begins((a, TEXT)), columns.ends(b), self._text[a:b]

    def _cell(self, row: int, held: Held, columns: "_Columns", start: int, end: int) -> Cell:
        """Return a stretch as far as the chunk goes; an ellipsis where it does not end there."""
        if held.kind != TEXT:
            first = columns.begins(held.begins)
            return Cell(first, first + 1, tuple([self._tile(row, n) for n in held.tokens]))
        before = "…" if held.start < start else ""
        after = "…" if end < held.end else ""
        start, end = max(held.start, start), min(held.end, end)
        shown = self._text[start:end]
        tiles = tuple([self._tile(row, token, before, after, shown) for token in held.tokens])
        return Cell(columns.begins((start, TEXT)), columns.ends(end), tiles)

    def _tile(
        self, row: int, token: int, before: str = "", after: str = "", stretch: str = ""
    ) -> Tile:
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


class _Columns:
    """The columns of a chunk, by where they begin; the last place is where the last one ends."""

    def __init__(self, places: Iterable[Place]) -> None:
        self._places = sorted(places)
        self._number = {place: n for n, place in enumerate(self._places)}
        self.places = [place for place, kind in self._places if kind == TEXT]

    def begins(self, place: Place) -> int:
        """Return the number of the column that begins here."""
        return self._number[place]

    def ends(self, place: int) -> int:
        """Return the number behind that of the column of text that ends here."""
        return bisect_left(self._places, (place, AFTER))
