"""Packing a film: frames become compressed windows, with every token interned once in the head.

What a frame holds is in `frame_types.py`; what becomes of it in the browser in pages/shared/player.
"""

import math
import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from itertools import islice
from typing import Any

import orjson

from pages.shared.drawing.display_text import printable, tint, visible
from pages.shared.drawing.phrasing import RichText, Segment
from pages.shared.recording import flow, frame_types
from pages.shared.recording.flow import FlowAt
from tokenizers.errors import UserError

WINDOW = 500  # frames in one packed window
QUICKLY = 4  # of zlib's levels: a tenth larger than at its usual one, in half of the time
_DIGITS = "0123456789"
_KINDS: dict[str, type] = {
    "table": frame_types.TableAt,
    "strips": frame_types.StripsAt,
    "note": frame_types.NoteAt,
    "lattice": frame_types.LatticeAt,
    "flow": FlowAt,
    "code": frame_types.CodeAt,
}


def make_film(
    title: str,
    parts: tuple[frame_types.Part, ...],
    frames: Iterable[frame_types.Frame],
    marks: Iterable[frame_types.Mark],
    rules: tuple[()] | tuple[str, str] = (),
) -> frame_types.Recording:
    """Pack frames, taken one at a time, into a film.

    `rules` names the two rules by which every step is told, if there are two: then each frame has
    its `other`. Raises ValueError when there is no frame, when a frame does not have exactly one
    value for each part or not as many rules as the film, when a lattice's value does not fit its
    arcs and positions, when lines of code have run that are not there, and when a mark points
    outside the film.
    """
    packer = _Packer(parts, bool(rules))
    windows = tuple(_zip(window) for window in _chunks(map(packer.frame, frames)))
    last = len(packer.makes) - 1
    if last < 0:
        raise UserError("a film needs at least one frame")
    head = _zip(
        {
            "title": printable(title),
            "last": last,
            "window": WINDOW,
            "longest": packer.longest,
            "parts": [packer.part(i) for i in range(len(parts))],
            "rules": [printable(rule) for rule in rules],
            "marks": [_mark(mark, last) for mark in marks],
            "makes": packer.makes,
            "asks": packer.asks,
            "tokens": packer.tokens,
        }
    )
    return frame_types.Recording(
        sha256(b"".join((head, *windows))).hexdigest()[:16], last, head, windows
    )


def _zip(value: Any) -> bytes:
    return zlib.compress(orjson.dumps(value), QUICKLY)


def _chunks(frames: Iterator[Any]) -> Iterator[list[Any]]:
    while window := list(islice(frames, WINDOW)):
        yield window


def _mark(mark: frame_types.Mark, last: int) -> list[Any]:
    if any(not 0 <= position <= last for position in mark.positions):
        raise UserError(f"the mark {mark.name!r} points outside positions 0 to {last}")
    return [printable(mark.name), sorted(mark.positions), mark.tick]


class _Reasons:
    """Why the arcs of a lattice are drawn as they are, by one rule.

    `of_arcs` has of each arc, in turn, a position of the film and the number of what is said from
    there on: most arcs keep their reason for many steps.
    """

    def __init__(self, arcs: int) -> None:
        self.says: list[RichText] = []
        self.of_arcs: list[list[int]] = [[] for _ in range(arcs)]
        self._numbers: dict[RichText, int] = {}
        self._before: tuple[RichText, ...] = ((),) * arcs

    def note(self, position: int, why: tuple[RichText, ...]) -> None:
        why = why or ((),) * len(self.of_arcs)
        for arc, (before, now) in enumerate(zip(self._before, why, strict=True)):
            if now is not before and now != before:
                self.of_arcs[arc] += (position, self._number(now))
        self._before = why

    def _number(self, say: RichText) -> int:
        if say not in self._numbers:
            self._numbers[say] = len(self.says)
            self.says.append(say)
        return self._numbers[say]


class _Packer:
    """Turns frames into compact JSON values and gathers what the head needs.

    Tokens become numbers, in the order of their first appearance. `most_lines` and `longest_labels`
    are of the fullest frames of each part, `longest` of the longest sentence, in characters, so
    that the player can reserve the space; `states` which states of arcs each rule draws, for the
    legend.
    """

    def __init__(self, parts: tuple[frame_types.Part, ...], has_rules: bool) -> None:
        self.parts = parts
        self.kinds = tuple(_KINDS[part.kind] for part in parts)
        self.has_rules = has_rules
        self.most_lines, self.longest_labels = [0] * len(parts), [0] * len(parts)
        self.states: tuple[set[str], set[str]] = (set(), set())
        arcs = next((len(part.arcs) for part in parts if part.kind == "lattice"), 0)
        self.reasons = (_Reasons(arcs), _Reasons(arcs))
        self.valued: set[int] = set()  # lines of code that ever have a value beside them
        self.longest = 0
        self.tokens: list[tuple[str, int]] = []
        self.makes: list[int] = []
        self.asks = False  # whether any frame has a question
        # From step to step most tokens and rows, and most of what is said, stay as they are.
        self.token, self._segments = cache(self._number), cache(self._segment)
        self.row_of_tokens, self.say = cache(self._token_row), cache(self._say)
        self._cells = cache(lambda cells: [self._cell(cell) for cell in cells])

    def _token_row(self, texts: tuple[str, ...]) -> list[int]:
        return [self.token(text) for text in texts]

    def _number(self, text: str) -> int:
        self.tokens.append((visible(text), tint(text)))
        return len(self.tokens) - 1

    def _say(self, say: RichText) -> list[Any]:
        return [self._segments(segment) for segment in say]

    def _segment(self, segment: Segment) -> str | list[Any]:
        if isinstance(segment, str):
            return printable(segment)
        kind, text = segment
        return [kind, self.token(text) if kind in ("token", "new") else printable(text)]

    def part(self, index: int) -> dict[str, Any]:
        part = self.parts[index]
        columns = [[printable(column.label), column.kind] for column in part.columns]
        packed: dict[str, Any] = {
            "kind": part.kind,
            "caption": printable(part.caption),
            "columns": columns,
            "when": part.when,
            "side": part.side,
            "lines": self.most_lines[index],
            "label": self.longest_labels[index],
            "least": part.least,
        }
        if part.kind == "lattice":
            packed |= self._lattice(part)
        if part.flow:
            packed |= flow.packed(part.flow, self.token)
        if part.kind == "code":
            packed["code"] = [
                [printable(line), int(n in self.valued)] for n, line in enumerate(part.code)
            ]
        return packed

    def _lattice(self, part: frame_types.Part) -> dict[str, Any]:
        if any(not 0 <= arc.start < arc.end <= len(part.letters) for arc in part.arcs):
            raise UserError(f"an arc lies outside positions 0 to {len(part.letters)}")
        return {
            "letters": [visible(letter) for letter in part.letters],
            "arcs": [
                [arc.start, arc.end, self.token(arc.piece), printable(arc.note), int(arc.known)]
                for arc in part.arcs
            ],
            "states": ["".join(sorted(states)) for states in self.states],
            "reasons": [
                [[self.say(say) for say in reasons.says], reasons.of_arcs]
                for reasons in self.reasons
            ],
        }

    def frame(self, frame: frame_types.Frame) -> dict[str, Any]:
        if (frame.other is not None) != self.has_rules:
            raise UserError(f"frame {len(self.makes)} does not have the rules of the film")
        packed = self._one(frame, 0)
        if frame.other:
            packed["other"] = self._one(frame.other, 1)
        self.makes.append(-1 if frame.makes is None else self.token(frame.makes))
        return packed

    def _one(self, frame: frame_types.Frame, rule: int) -> dict[str, Any]:
        if tuple(map(type, frame.parts)) != self.kinds:
            raise UserError(f"the parts of frame {len(self.makes)} are not those of the film")
        texts = [part if isinstance(part, str) else part[1] for part in frame.say]
        self.longest = max(self.longest, len("".join(texts)))
        packed: dict[str, Any] = {
            "say": self.say(frame.say),
            "parts": [self._part_at(i, value, rule) for i, value in enumerate(frame.parts)],
        }
        if frame.ask:
            self.asks = True
            packed["ask"] = self._ask(frame.ask)
        return packed

    def _part_at(self, index: int, value: frame_types.PartAt, rule: int) -> dict[str, Any]:
        if isinstance(value, frame_types.NoteAt):
            return {"say": self.say(value.say)}
        if isinstance(value, frame_types.LatticeAt):
            return self._lattice_at(self.parts[index], value, rule)
        if isinstance(value, FlowAt):
            fixed = self.parts[index].flow
            assert fixed
            return flow.packed_at(fixed, value, self.say)
        if isinstance(value, frame_types.CodeAt):
            return self._code_at(self.parts[index], value)
        if isinstance(value, frame_types.TableAt):
            lines: list[Any] = [self._row(row) for row in value.rows]
        else:
            lines = [self._strip(strip) for strip in value.strips]
            labels = [len(strip.label) for strip in value.strips]
            self.longest_labels[index] = max(self.longest_labels[index], *labels, 0)
        self.most_lines[index] = max(self.most_lines[index], len(lines) + bool(value.more))
        packed = {
            "lines": lines,
            "more": printable(value.more),
            "caption": printable(value.caption),
        }
        if isinstance(value, frame_types.TableAt) and value.heads:
            packed["heads"] = [printable(head) for head in value.heads]
        return packed

    def _lattice_at(
        self, part: frame_types.Part, value: frame_types.LatticeAt, rule: int
    ) -> dict[str, Any]:
        sizes = (len(value.arcs), len(value.weights), len(value.nodes))
        if (
            sizes != (len(part.arcs), len(part.arcs), len(part.letters) + 1)
            or not set(value.arcs) <= set(frame_types.ARC_STATES)
            or not set(value.weights) <= set(_DIGITS)
            or not 0 <= (value.here or 0) <= len(part.letters)
            or len(value.why) not in (0, len(part.arcs))
        ):
            raise UserError(f"the lattice of frame {len(self.makes)} does not fit its part")
        self.states[rule].update(value.arcs)
        self.reasons[rule].note(len(self.makes), value.why)
        return {
            "arcs": value.arcs,
            "weights": value.weights,
            "nodes": [printable(node) for node in value.nodes],
            "here": value.here,
        }

    def _code_at(self, part: frame_types.Part, value: frame_types.CodeAt) -> dict[str, Any]:
        if not value.ran or any(not 0 <= line < len(part.code) for line, _ in value.ran):
            raise UserError(f"the lines of frame {len(self.makes)} are not those of its program")
        self.valued.update(line for line, say in value.ran if say)
        return {"ran": [[line, self.say(say)] for line, say in value.ran]}

    def _row(self, row: frame_types.Row) -> list[Any]:
        return [self._cells(row.cells), row.mark, self.say(row.why)]

    def _cell(self, cell: frame_types.Cell) -> Any:
        if isinstance(cell, tuple):
            return self.row_of_tokens(cell)
        if isinstance(cell, str):
            return printable(cell)
        return cell if math.isfinite(cell) else str(cell).replace("inf", "∞").replace("-", "−")

    def _strip(self, strip: frame_types.Strip) -> list[Any]:
        before = self.row_of_tokens(strip.before)
        after = 0 if strip.after == strip.before else self.row_of_tokens(strip.after)
        return [printable(strip.label), before, after, strip.new, int(strip.changed)]

    def _ask(self, ask: frame_types.Ask) -> dict[str, Any]:
        return {
            "prompt": self.say(ask.prompt),
            "options": [self.row_of_tokens(option) for option in ask.options],
            "right": ask.right,
            "why": self.say(ask.why),
            "hints": [self.say(hint) for hint in ask.hints],
        }
