"""A film: everything the player shows of one run, as plain data made in Python.

Position 0 is before the first step; position k is just after step k. Each position is a `Frame`:
one sentence and the parts under it (tables, strips of tokens, notes). `make_film` packs the
frames into compressed windows, with every token interned once in the head. Left out: what the
sentences say (each algorithm's own module) and how it is drawn (pages/widgets/player).
"""

import json
import math
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from pages.figures.tiles import printable, tint, visible

WINDOW = 500  # frames in one packed window

Segment = str | tuple[str, str]
"""Plain text, or (kind, text) with kind "token", "new", "strong", "word" or "tie"."""
Say = tuple[Segment, ...]
Cell = tuple[str, ...] | float | str
"""Tokens in a "tokens" column, a number in "number" and "bar", text in "text"."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; kind is "tokens", "number", "bar" or "text".

    A bar is drawn in proportion to the largest in its column; put the number in a column of its
    own beside it, because a bar is not read aloud.
    """

    label: str
    kind: str


@dataclass(frozen=True, slots=True)
class Part:
    """What stays the same of one part through the film; kind is "table", "strips" or "note".

    `when` says which side of the step strips show: their tokens "before" it or "after" it.
    """

    kind: str
    caption: str
    columns: tuple[Column, ...] = ()
    when: str = "after"


@dataclass(frozen=True, slots=True)
class Row:
    """A row; mark is "", "now" (chosen), "tied" or "rejected"; `why` is shown on a click."""

    cells: tuple[Cell, ...]
    mark: str = ""
    why: Say = ()


@dataclass(frozen=True, slots=True)
class TableAt:
    """A table at one position; `more` is its last line, such as "6 more, counts 2 and 3"."""

    rows: tuple[Row, ...]
    more: str = ""
    caption: str = ""  # instead of the part's own, when given


@dataclass(frozen=True, slots=True)
class Strip:
    """One word's tokens before and after a step; `new` are indices into `after`."""

    label: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    new: tuple[int, ...] = ()
    changed: bool = False


@dataclass(frozen=True, slots=True)
class StripsAt:
    """Strips at one position."""

    strips: tuple[Strip, ...]
    more: str = ""
    caption: str = ""


@dataclass(frozen=True, slots=True)
class NoteAt:
    """A small sentence at one position."""

    say: Say


PartAt = TableAt | StripsAt | NoteAt
_KINDS: dict[str, type] = {"table": TableAt, "strips": StripsAt, "note": NoteAt}


@dataclass(frozen=True, slots=True)
class Ask:
    """The question about a frame's outcome; `right` are the indices of every right option."""

    prompt: Say
    options: tuple[tuple[str, ...], ...]
    right: tuple[int, ...]
    why: Say


@dataclass(frozen=True, slots=True)
class Frame:
    """One position of a film; `makes` is the token that this step creates."""

    say: Say
    parts: tuple[PartAt, ...]
    makes: str | None = None
    ask: Ask | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """Positions to jump to, "the next step where <name>"; `tick` shows them under the scrubber."""

    name: str
    positions: tuple[int, ...]
    tick: bool = False


@dataclass(frozen=True, slots=True)
class Film:
    """A packed film: zlib of compact JSON; `key` is a hash of the content."""

    key: str
    last: int
    head: bytes
    windows: tuple[bytes, ...]


def plain_text(say: Say) -> str:
    """Return what a screen reader says for a sentence.

    >>> plain_text(("Merge ", ("token", "t "), " into ", ("new", "t e"), "."))
    'Merge t· into t·e.'
    """
    return "".join(_plain_segment(segment) for segment in say)


def _text_of(segment: Segment) -> str:
    return segment if isinstance(segment, str) else segment[1]


def _plain_segment(segment: Segment) -> str:
    if isinstance(segment, str):
        return printable(segment)
    kind, text = segment
    return visible(text) if kind in ("token", "new") else printable(text)


def make_film(
    title: str, parts: tuple[Part, ...], frames: Iterable[Frame], marks: Iterable[Mark]
) -> Film:
    """Pack frames, taken one at a time, into a film.

    Raises ValueError when there is no frame, when a frame does not have exactly one value for
    each part, and when a mark points outside the film.
    """
    packer = _Packer(parts)
    windows = tuple(_zip(window) for window in _chunks(map(packer.frame, frames)))
    last = len(packer.makes) - 1
    if last < 0:
        raise ValueError("a film needs at least one frame")
    head = _zip(
        {
            "title": printable(title),
            "last": last,
            "window": WINDOW,
            "longest": packer.longest,
            "parts": [packer.part(i) for i in range(len(parts))],
            "marks": [_mark(mark, last) for mark in marks],
            "makes": packer.makes,
            "asks": packer.asks,
            "tokens": packer.tokens,
        }
    )
    return Film(sha256(b"".join((head, *windows))).hexdigest()[:16], last, head, windows)


def _zip(value: Any) -> bytes:
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return zlib.compress(text.encode())


def _chunks(frames: Iterator[Any]) -> Iterator[list[Any]]:
    window: list[Any] = []
    for frame in frames:
        window.append(frame)
        if len(window) == WINDOW:
            yield window
            window = []
    if window:
        yield window


def _mark(mark: Mark, last: int) -> list[Any]:
    if any(not 0 <= position <= last for position in mark.positions):
        raise ValueError(f"the mark {mark.name!r} points outside positions 0 to {last}")
    return [printable(mark.name), sorted(mark.positions), mark.tick]


class _Packer:
    """Turns frames into compact JSON values and gathers what the head needs.

    Tokens become numbers, in the order of their first appearance. `rooms` remembers the fullest
    frame of each part (lines, longest label) and `longest` the longest sentence, in characters,
    so that the player can reserve the space.
    """

    def __init__(self, parts: tuple[Part, ...]) -> None:
        self.parts = parts
        self.rooms = [[0, 0] for _ in parts]
        self.longest = 0
        self.tokens: list[tuple[str, int]] = []
        self.makes: list[int] = []
        self.asks = False  # whether any frame has a question
        self._numbers: dict[str, int] = {}

    def token(self, text: str) -> int:
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = len(self.tokens)
            self.tokens.append((visible(text), tint(text)))
        return number

    def row_of_tokens(self, texts: tuple[str, ...]) -> list[int]:
        return [self.token(text) for text in texts]

    def say(self, say: Say) -> list[Any]:
        return [self._segment(segment) for segment in say]

    def _segment(self, segment: Segment) -> Any:
        if isinstance(segment, str):
            return printable(segment)
        kind, text = segment
        return [kind, self.token(text) if kind in ("token", "new") else printable(text)]

    def part(self, index: int) -> dict[str, Any]:
        part, room = self.parts[index], self.rooms[index]
        columns = [[printable(column.label), column.kind] for column in part.columns]
        return {
            "kind": part.kind,
            "caption": printable(part.caption),
            "columns": columns,
            "when": part.when,
            "lines": room[0],
            "label": room[1],
        }

    def frame(self, frame: Frame) -> dict[str, Any]:
        position = len(self.makes)
        kinds = tuple(_KINDS[part.kind] for part in self.parts)
        if tuple(type(value) for value in frame.parts) != kinds:
            raise ValueError(f"the parts of frame {position} are not those of the film")
        self.longest = max(self.longest, len("".join(map(_text_of, frame.say))))
        self.makes.append(-1 if frame.makes is None else self.token(frame.makes))
        packed: dict[str, Any] = {
            "say": self.say(frame.say),
            "parts": [self._part_at(i, value) for i, value in enumerate(frame.parts)],
        }
        if frame.ask:
            self.asks = True
            packed["ask"] = self._ask(frame.ask)
        return packed

    def _part_at(self, index: int, value: PartAt) -> dict[str, Any]:
        if isinstance(value, NoteAt):
            return {"say": self.say(value.say)}
        if isinstance(value, TableAt):
            lines: list[Any] = [self._row(row) for row in value.rows]
        else:
            lines = [self._strip(strip) for strip in value.strips]
            self._reserve(index, 1, max((len(strip.label) for strip in value.strips), default=0))
        self._reserve(index, 0, len(lines) + bool(value.more))
        return {
            "lines": lines,
            "more": printable(value.more),
            "caption": printable(value.caption),
        }

    def _reserve(self, index: int, what: int, size: int) -> None:
        self.rooms[index][what] = max(self.rooms[index][what], size)

    def _row(self, row: Row) -> list[Any]:
        return [[self._cell(cell) for cell in row.cells], row.mark, self.say(row.why)]

    def _cell(self, cell: Cell) -> Any:
        if isinstance(cell, tuple):
            return self.row_of_tokens(cell)
        if isinstance(cell, str):
            return printable(cell)
        return cell if math.isfinite(cell) else str(cell).replace("inf", "∞").replace("-", "−")

    def _strip(self, strip: Strip) -> list[Any]:
        before = self.row_of_tokens(strip.before)
        after = 0 if strip.after == strip.before else self.row_of_tokens(strip.after)
        return [printable(strip.label), before, after, strip.new, int(strip.changed)]

    def _ask(self, ask: Ask) -> dict[str, Any]:
        return {
            "prompt": self.say(ask.prompt),
            "options": [self.row_of_tokens(option) for option in ask.options],
            "right": ask.right,
            "why": self.say(ask.why),
        }
