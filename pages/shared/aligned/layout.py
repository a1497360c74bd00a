"""Lay out several tokenizers' tokens in chunks, under the characters that they stand for.

A chunk is a word with the white space before it, or the shortest text whose ends no token crosses.
A column ends wherever a token of any row ends. A token that stands for no character has its own
column beside the columns of the text. The types are tuples, which become JSON arrays.
aligned_view.js reads them unchanged, draws them, and breaks chunks that are wider than the page.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import regex

from pages.shared.drawing.display_text import show_spaces, tint
from tokenizers.measures.agreement import WordTokens
from tokenizers.measures.metrics import Span
from tokenizers.text.encoding import Encoding

MAX_JOINING_CHARS = 24  # characters of the longest token that joins its words into one chunk
MAX_COLUMN_CHARS = 16  # characters of a column, which must fit on a phone
MAX_TILE_CHARS = 32  # characters of a token that are drawn
_CLUSTER = regex.compile(r"\X")


class AlignedTile(NamedTuple):
    """A drawn token and its index; `is_unique` if no other counted tokenizer has the same here."""

    text: str
    tint: int
    id: int
    is_unknown: bool
    is_unique: bool
    token: int


class AlignedCell(NamedTuple):
    """The tiles under the columns `first` to `last` - 1; several tiles may share one character."""

    first: int
    last: int
    tiles: tuple[AlignedTile, ...]


class Chunk(NamedTuple):
    """A part of the text in columns, and a row of cells for each tokenizer.

    `raw` holds stretches of the text with their columns; a line may begin at each stretch.
    `num_splits` is the largest number of ways in which the counted tokenizers split one of its
    words. `ends_line` says whether the chunk ends in a line feed.
    """

    raw: tuple[tuple[int, int, str], ...]
    rows: tuple[tuple[AlignedCell, ...], ...]
    num_splits: int
    ends_line: bool


AFTER, BEFORE, TEXT = range(3)
"""The order at one offset: tokens of the text before it, tokens of the text after it, text."""
Boundary = tuple[int, int]


class TokenStretch(NamedTuple):
    """A stretch of the text and the tokens that share it.

    An empty stretch has tokens that stand for no character; `kind` says which side they belong to.
    """

    start: int
    end: int
    tokens: tuple[int, ...]
    kind: int = TEXT

    @property
    def begin(self) -> Boundary:
        """The stretch's start, as a boundary to sort by."""
        return self.start, self.kind

    @property
    def stop(self) -> Boundary:
        """The stretch's end, as a boundary to sort by."""
        return self.end, AFTER if self.kind == TEXT else self.kind


def token_stretches(encoding: Encoding, length: int) -> list[TokenStretch]:
    """Return in order the stretches, in a text of `length` characters, that tokens stand for.

    Tokens with a character in common share a stretch. A token that stands for no character lies
    after the previous token if the two touch and belong to one word, or else before the next token.
    Tokens that a model puts around a text lie at its ends.
    """
    stretches: list[TokenStretch] = []
    last = -1  # index of the last stretch with characters
    covered = 0
    for n, (start, end) in enumerate(encoding.offsets):
        is_added = encoding.words[n] < 0
        if is_added or start == end >= covered:
            offset = start if not is_added else length if last >= 0 else 0
            touches = last >= 0 and offset == covered and encoding.words[n] == encoding.words[n - 1]
            kind = AFTER if touches or 0 < offset == length else BEFORE
            if stretches and stretches[-1].begin == (offset, kind):
                stretches[-1] = stretches[-1]._replace(tokens=(*stretches[-1].tokens, n))
            else:
                stretches.append(TokenStretch(offset, offset, (n,), kind))
            covered = max(covered, offset)
        elif last >= 0 and start < covered:
            tokens = [token for one in stretches[last:] for token in one.tokens]
            covered = max(covered, end)
            stretches[last:] = [TokenStretch(stretches[last].start, covered, (*tokens, n))]
        else:
            covered, last = end, len(stretches)
            stretches.append(TokenStretch(start, end, (n,)))
    return stretches


def _within(stretches: Sequence[TokenStretch], start: int, end: int) -> Sequence[TokenStretch]:
    """Return the stretches inside a part of the text."""
    first = bisect_right(stretches, (start, AFTER), key=lambda one: one.stop)
    return stretches[first : bisect_left(stretches, (end, BEFORE), key=lambda one: one.begin)]


class AlignedLayout:
    """Lays out the rows of all tokenizers for the part of a text that is shown, in chunks."""

    def __init__(
        self,
        text: str,
        shown: Span,
        encodings: Sequence[Encoding],
        counted: Sequence[int],
        words: Sequence[Span],
        parts: Sequence[Sequence[WordTokens]],
    ) -> None:
        self._text, self._encodings, self._words, self._parts = text, encodings, words, parts
        self._start, self._end = shown
        self._rows = [
            _within(token_stretches(encoding, len(text)), *shown) for encoding in encodings
        ]
        self._visible_spans = [
            {
                token: self._without_space(one.offsets[token])
                for held in row
                for token in held.tokens
            }
            for row, one in zip(self._rows, encodings, strict=True)
        ]
        cut = [set(self._visible_spans[n].values()) for n in counted]
        spans = Counter(span for row in cut for span in row)
        self._unique = {span for span, rows in spans.items() if rows == 1 and span}
        self._counted = set(counted) if len(counted) > 1 else set()
        self._clusters = {one.start() for one in _CLUSTER.finditer(text, *shown)}

    def _without_space(self, span: Span) -> Span | None:
        """Return a span without white space at its ends; None if it has nothing else."""
        text = self._text[slice(*span)]
        start = span[0] + len(text) - len(text.lstrip())
        return (start, start + len(text.strip())) if text.strip() else None

    def spans(self) -> Iterator[Span]:
        """Yield the spans of the chunks."""
        inside, begin = self._inside_tokens(), self._start
        for offset in range(self._start + 1, self._end):
            if offset not in inside and self._begins_word(offset):
                yield begin, offset
                begin = offset
        if begin < self._end:
            yield begin, self._end

    def _inside_tokens(self) -> set[int]:
        """Return the offsets that lie inside a token of any row.

        Skips tokens longer than `MAX_JOINING_CHARS`, because a long unknown token would join all
        its words into one chunk.
        """
        held = (
            one for row in self._rows for one in row if one.end - one.start <= MAX_JOINING_CHARS
        )
        return {place for one in held for place in range(one.start + 1, one.end)}

    def _begins_word(self, offset: int) -> bool:
        before, after = self._text[offset - 1], self._text[offset]
        if offset not in self._clusters:
            return False
        return before == "\n" or (after.isspace() and after != "\n" and not before.isspace())

    def chunk(self, start: int, end: int) -> Chunk:
        """Lay out one chunk."""
        rows = [_within(row, start, end) for row in self._rows]
        offsets = {start, end}
        empty_boundaries: set[Boundary] = set()
        for row in rows:
            offsets.update([place for held in row for place in held[:2] if start < place < end])
            empty_boundaries.update([held.begin for held in row if held.kind != TEXT])
        offsets |= self._breaks_in_long(sorted(offsets))
        columns = _Columns([*((place, TEXT) for place in offsets), *empty_boundaries])
        text = self._text[start:end]
        return Chunk(
            raw=tuple(self._text_by_columns(start, end, columns)),
            rows=tuple(
                tuple([self._cell(n, one, columns, start, end) for one in row])
                for n, row in enumerate(rows)
            ),
            num_splits=self._num_splits(start, end),
            ends_line=text.endswith("\n"),
        )

    def _breaks_in_long(self, offsets: Sequence[int]) -> set[int]:
        """Return further offsets that keep every column narrower than a phone."""
        more: set[int] = set()
        for a, b in pairwise(offsets):
            last = a
            for offset in range(a + MAX_COLUMN_CHARS, b):
                if offset - last >= MAX_COLUMN_CHARS and offset in self._clusters:
                    more.add(offset)
                    last = offset
        return more

    def _text_by_columns(
        self, start: int, end: int, columns: "_Columns"
    ) -> Iterator[tuple[int, int, str]]:
        """Yield stretches of the text with their columns, without splitting a grapheme cluster."""
        whole = [offset for offset in columns.offsets if offset in self._clusters]
        for a, b in pairwise([start, *[one for one in whole if start < one < end], end]):
            yield columns.starting_at((a, TEXT)), columns.ending_at(b), self._text[a:b]

    def _cell(
        self, row: int, tokens_here: TokenStretch, columns: "_Columns", start: int, end: int
    ) -> AlignedCell:
        """Return a cell for the part of a stretch inside the chunk; an ellipsis marks the rest."""
        if tokens_here.kind != TEXT:
            first = columns.starting_at(tokens_here.begin)
            return AlignedCell(
                first, first + 1, tuple([self._tile(row, n) for n in tokens_here.tokens])
            )
        before = "…" if tokens_here.start < start else ""
        after = "…" if end < tokens_here.end else ""
        start, end = max(tokens_here.start, start), min(tokens_here.end, end)
        shown = self._text[start:end]
        tiles = tuple(
            [self._tile(row, token, before, after, shown) for token in tokens_here.tokens]
        )
        return AlignedCell(columns.starting_at((start, TEXT)), columns.ending_at(end), tiles)

    def _tile(
        self, row: int, token: int, before: str = "", after: str = "", stretch: str = ""
    ) -> AlignedTile:
        found = self._encodings[row]
        text = found.tokens[token]
        unknown = text != found.pieces[token]
        text = stretch if unknown else text  # the text that became [UNK]
        shown = show_spaces(text[:MAX_TILE_CHARS])
        after = after or "…" * (len(text) > MAX_TILE_CHARS)
        only = (
            not unknown and row in self._counted and self._visible_spans[row][token] in self._unique
        )
        return AlignedTile(
            before + shown + after, tint(text), found.ids[token], unknown, only, token
        )

    def _num_splits(self, start: int, end: int) -> int:
        """Return the largest number of different splits that any word of the chunk has."""
        at, most = bisect_right(self._words, start, key=lambda span: span[1]), 1
        while at < len(self._words) and self._words[at][0] < end:
            most = max(most, len({row[at] for row in self._parts}))
            at += 1
        return most


class _Columns:
    """The columns of a chunk, by where they begin; the last boundary ends the last column."""

    def __init__(self, boundaries: Iterable[Boundary]) -> None:
        self._boundaries = sorted(boundaries)
        self._number = {boundary: n for n, boundary in enumerate(self._boundaries)}
        self.offsets = [offset for offset, kind in self._boundaries if kind == TEXT]

    def starting_at(self, boundary: Boundary) -> int:
        """Return the index of the column that begins at `boundary`."""
        return self._number[boundary]

    def ending_at(self, offset: int) -> int:
        """Return the index after the column of text that ends at `offset`."""
        return bisect_left(self._boundaries, (offset, AFTER))
