"""Pack the frames of a run into compressed windows, each made when it is looked at.

`record` makes the head from the run's columns and a few frames; it lists the tokens that the steps
create. A window lists the other tokens that it shows. `frame_types.py` defines frames,
`pages/shared/player/message.d.ts` the packed form.
"""

import math
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache, cached_property
from hashlib import sha256
from threading import Lock
from typing import Any

import orjson

from lessons.format.words import RichText, Segment
from pages.shared.drawing.display_text import escape_invisible, show_spaces, tint
from pages.shared.recording import flow, frame_types
from pages.shared.recording.flow import FlowFrame
from tokenizers.errors import UserError
from tokenizers.progress import ProgressCallback

WINDOW = 20  # frames made at a time: some 20 ms of work
MAX_NEW = 100_000  # more tokens than a window shows besides those of the head
MAX_KEPT = 30_000_000  # bytes of windows kept, of all recordings together
ZLIB_LEVEL = 4  # output is a tenth larger than by default, in half the time
_DIGITS = "0123456789"
_KINDS: dict[str, type] = {
    "table": frame_types.TableFrame,
    "strips": frame_types.StripsFrame,
    "note": frame_types.NoteFrame,
    "lattice": frame_types.LatticeFrame,
    "flow": FlowFrame,
    "curves": frame_types.CurvesFrame,
    "code": frame_types.CodeFrame,
}


def record(
    title: str,
    parts: tuple[frame_types.PicturePart, ...],
    frames: frame_types.FrameSource,
    jump_targets: Iterable[frame_types.JumpTarget],
    rules: tuple[()] | tuple[str, str] = (),
) -> frame_types.Recording:
    """Return a recording of `frames`, whose windows are made when they are read.

    If two rules describe every step, `rules` names them, and each frame has its `other`. The space
    that the player reserves is that of the first window and of the frames that `frames` names as
    the largest. Raises UserError if there are no frames, if one of these frames does not match the
    parts or the number of rules, if a lattice does not match its arcs and positions, or if a line
    of code or a jump target is out of range.
    """
    if not frames:
        raise UserError("a recording needs at least one frame")
    packer = _Packer(parts, bool(rules), {}, 0)
    packer.row_of_tokens(tuple(frames.common_tokens))
    first = packer.window(frames, range(len(frames))[:WINDOW])
    packer.window(frames, [k for k in frames.largest if k >= WINDOW])
    packed_parts = [packer.part(i) for i in range(len(parts))]
    windows = WindowsOnDemand(parts, frames, bool(rules), tuple(packer.new))
    windows.first = _zip(first | {"tokens": []})  # the head has them
    last, numbers = len(frames) - 1, windows.numbers
    created = [-1 if token is None else numbers[token] for token in frames.new_tokens]
    head = _zip(
        {
            "title": escape_invisible(title),
            "last": last,
            "window": WINDOW,
            "longest": packer.longest,
            "parts": packed_parts,
            "rules": [escape_invisible(rule) for rule in rules],
            "jumpTargets": [_pack_jump_target(mark, last) for mark in jump_targets],
            "newTokens": [-1, *(created or [-1] * last)],
            "hasQuestions": packer.has_questions,
            "tokens": list(map(_pack_token, numbers)),
        }
    )
    key = _digest(head, repr(frames.content).encode("utf-8", "backslashreplace"))
    return frame_types.Recording(key, last, WINDOW, head, windows)


class _KeptWindows:
    """The windows that were read last, whatever their recordings."""

    def __init__(self) -> None:
        self._windows: OrderedDict[tuple[object, int], bytes] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def get(self, recording: object, number: int) -> bytes | None:
        with self._lock:
            if (recording, number) in self._windows:
                self._windows.move_to_end((recording, number))
            return self._windows.get((recording, number))

    def keep(self, recording: object, number: int, window: bytes) -> None:
        with self._lock:
            self._windows[recording, number] = window
            self._size += len(window)
            while self._size > MAX_KEPT:
                self._size -= len(self._windows.popitem(last=False)[1])


_KEPT = _KeptWindows()


class WindowsOnDemand(Sequence[bytes]):
    """The windows of a recording, made when they are read; the last ones read are kept.

    The head lists the tokens of the parts and of the first frames, and all that are common: other
    windows probably show them, too.
    """

    first = b""  # the first window, which another process needs at once; it is always kept

    def __init__(
        self,
        parts: tuple[frame_types.PicturePart, ...],
        frames: frame_types.FrameSource,
        has_rules: bool,
        common: tuple[str, ...],
    ) -> None:
        self._made_of = parts, frames, has_rules, common
        self._recording = object()  # its name among the kept windows
        self._lock = Lock()  # a class may ask for the same window at once

    def __reduce__(self) -> tuple[type, tuple[Any, ...], dict[str, bytes]]:
        return type(self), self._made_of, {"first": self.first}

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The numbers of the tokens that the head lists: the common ones and those created."""
        _, frames, _, common = self._made_of
        created = (token for token in frames.new_tokens if token is not None)
        return {token: n for n, token in enumerate(dict.fromkeys((*common, *created)))}

    def __len__(self) -> int:
        return -(-len(self._made_of[1]) // WINDOW)

    def __getitem__(self, index: int) -> bytes:
        number = range(len(self))[index]
        if not number and self.first:
            return self.first
        with self._lock:
            made = _KEPT.get(self._recording, number)
            if made is None:
                parts, frames, has_rules, _ = self._made_of
                first = len(self.numbers) + number * MAX_NEW
                packer = _Packer(parts, has_rules, self.numbers, first)
                positions = range(len(frames))[number * WINDOW :][:WINDOW]
                made = _zip(packer.window(frames, positions))
                _KEPT.keep(self._recording, number, made)
        return made


def make_whole(
    report: ProgressCallback, recording: frame_types.Recording
) -> frame_types.Recording | None:
    """Return the recording with all its windows made, for a file; None if the user stops it."""
    made: list[bytes] = []
    for window in recording.windows:
        made.append(window)
        if report(len(made), len(recording.windows)):
            return None
    return replace(recording, windows=tuple(made))


def _digest(*contents: bytes) -> str:
    return sha256(b"".join(contents)).hexdigest()[:16]


def _zip(value: Any) -> bytes:
    return zlib.compress(orjson.dumps(value), ZLIB_LEVEL)


def _pack_token(token: str) -> tuple[str, int]:
    return show_spaces(token), tint(token)


def _pack_jump_target(mark: frame_types.JumpTarget, last: int) -> list[Any]:
    if any(not 0 <= position <= last for position in mark.positions):
        raise UserError(f"the mark {mark.name!r} points outside positions 0 to {last}")
    return [escape_invisible(mark.name), sorted(mark.positions), mark.has_tick]


class _Packer:
    """Converts frames to compact JSON values, and measures them for the head.

    `numbers` are those of the head's tokens; the tokens of `new` follow from number `first` on.
    `most_lines` and `longest_labels` are each part's maxima over the frames, `longest` is the
    length of the longest sentence in characters; the player reserves this space. `states` has the
    arc states that each rule uses, for the legend.
    """

    def __init__(
        self,
        parts: tuple[frame_types.PicturePart, ...],
        has_rules: bool,
        numbers: dict[str, int],
        first: int,
    ) -> None:
        self.parts = parts
        self.kinds = tuple(_KINDS[part.kind] for part in parts)
        self.has_rules = has_rules
        self.most_lines, self.longest_labels = [0] * len(parts), [0] * len(parts)
        self.states: tuple[set[str], set[str]] = (set(), set())
        self.reasons: dict[RichText, int] = {}  # of the states of arcs; most are in many frames
        self.lines_with_values: set[int] = set()  # lines of code that ever have a result
        self.longest = 0
        self.numbers, self.first = numbers, first
        self.new: dict[str, int] = {}
        self.position = 0  # of the frame that is packed
        self.has_questions = False  # whether any frame has a question
        # Most tokens, rows and texts are the same in many frames.
        self._segments = cache(self._segment)
        self.row_of_tokens, self.pack_text = cache(self._token_row), cache(self._pack_text)
        self._cells = cache(lambda cells: [self._cell(cell) for cell in cells])

    def window(self, frames: frame_types.FrameSource, positions: Iterable[int]) -> dict[str, Any]:
        """Return the frames at some positions, with the tokens and reasons that they need."""
        packed = [self.frame(position, frames[position]) for position in positions]
        return {
            "first": self.first,
            "frames": packed,
            "reasons": list(map(self.pack_text, self.reasons)),
            "tokens": list(map(_pack_token, self.new)),
        }

    def _token_row(self, texts: tuple[str, ...]) -> list[int]:
        return [self.token(text) for text in texts]

    def token(self, text: str) -> int:
        number = self.numbers.get(text)
        return self.new.setdefault(text, self.first + len(self.new)) if number is None else number

    def _pack_text(self, text: RichText) -> list[Any]:
        return [self._segments(segment) for segment in text]

    def _segment(self, segment: Segment) -> str | list[Any]:
        if isinstance(segment, str):
            return escape_invisible(segment)
        kind, text = segment
        return [kind, self.token(text) if kind in ("token", "new") else escape_invisible(text)]

    def part(self, index: int) -> dict[str, Any]:
        part = self.parts[index]
        columns = [[escape_invisible(column.label), column.kind] for column in part.columns]
        packed: dict[str, Any] = {
            "kind": part.kind,
            "caption": escape_invisible(part.caption),
            "columns": columns,
            "when": part.when,
            "side": part.side,
            "lines": self.most_lines[index],
            "label": self.longest_labels[index],
            "minRows": part.min_rows,
        }
        if part.kind == "lattice":
            packed |= self._lattice(part)
        if part.flow:
            packed |= flow.pack_flow(part.flow, self.token)
        if part.curves:
            packed |= {
                "names": part.curves.names,
                "values": part.curves.values,
                "target": part.curves.target,
                "targetLabel": escape_invisible(part.curves.target_label),
            }
        if part.kind == "code":
            packed["code"] = [
                [escape_invisible(line), int(n in self.lines_with_values)]
                for n, line in enumerate(part.code)
            ]
        return packed

    def _lattice(self, part: frame_types.PicturePart) -> dict[str, Any]:
        if any(not 0 <= arc.start < arc.end <= len(part.letters) for arc in part.arcs):
            raise UserError(f"an arc lies outside positions 0 to {len(part.letters)}")
        return {
            "letters": [show_spaces(letter) for letter in part.letters],
            "arcs": [
                [
                    arc.start,
                    arc.end,
                    self.token(arc.piece),
                    escape_invisible(arc.note),
                    int(arc.is_known),
                ]
                for arc in part.arcs
            ],
            "states": ["".join(sorted(states)) for states in self.states],
        }

    def frame(self, position: int, frame: frame_types.Frame) -> dict[str, Any]:
        self.position = position
        if (frame.other is not None) != self.has_rules:
            raise UserError(f"frame {position} does not have the rules of the recording")
        packed = self._pack_frame(frame, 0)
        if frame.other:
            packed["other"] = self._pack_frame(frame.other, 1)
        return packed

    def _pack_frame(self, frame: frame_types.Frame, rule: int) -> dict[str, Any]:
        if tuple(map(type, frame.parts)) != self.kinds:
            raise UserError(f"the parts of frame {self.position} are not those of the recording")
        texts = [part if isinstance(part, str) else part[1] for part in frame.sentence]
        self.longest = max(self.longest, len("".join(texts)))
        packed: dict[str, Any] = {
            "sentence": self.pack_text(frame.sentence),
            "parts": [self._part_frame(i, value, rule) for i, value in enumerate(frame.parts)],
        }
        if frame.question:
            self.has_questions = True
            packed["question"] = self._question(frame.question)
        return packed

    def _part_frame(self, index: int, value: frame_types.PartFrame, rule: int) -> dict[str, Any]:
        if isinstance(value, frame_types.NoteFrame):
            return {"text": self.pack_text(value.text)}
        if isinstance(value, frame_types.LatticeFrame):
            return self._lattice_frame(self.parts[index], value, rule)
        if isinstance(value, FlowFrame):
            fixed = self.parts[index].flow
            assert fixed
            return flow.pack_flow_frame(fixed, value, self.pack_text)
        if isinstance(value, frame_types.CurvesFrame):
            return {"at": self.position, "labels": value.labels}
        if isinstance(value, frame_types.CodeFrame):
            return self._code_frame(self.parts[index], value)
        if isinstance(value, frame_types.TableFrame):
            lines: list[Any] = [self._row(row) for row in value.rows]
        else:
            lines = [self._strip(strip) for strip in value.strips]
            labels = [len(strip.label) for strip in value.strips]
            self.longest_labels[index] = max(self.longest_labels[index], *labels, 0)
        self.most_lines[index] = max(self.most_lines[index], len(lines) + bool(value.more))
        packed = {
            "lines": lines,
            "more": escape_invisible(value.more),
            "caption": escape_invisible(value.caption),
        }
        if isinstance(value, frame_types.StripsFrame) and value.withheld:
            packed["withheld"] = value.withheld
        if isinstance(value, frame_types.TableFrame) and value.headings:
            packed["headings"] = [escape_invisible(head) for head in value.headings]
        return packed

    def _lattice_frame(
        self, part: frame_types.PicturePart, value: frame_types.LatticeFrame, rule: int
    ) -> dict[str, Any]:
        sizes = (len(value.arcs), len(value.weights), len(value.nodes))
        if (
            sizes != (len(part.arcs), len(part.arcs), len(part.letters) + 1)
            or not set(value.arcs) <= set(frame_types.ARC_STATES)
            or not set(value.weights) <= set(_DIGITS)
            or not 0 <= (value.here or 0) <= len(part.letters)
            or len(value.reasons) not in (0, len(part.arcs))
        ):
            raise UserError(f"the lattice of frame {self.position} does not fit its part")
        self.states[rule].update(value.arcs)
        return {
            "arcs": value.arcs,
            "weights": value.weights,
            "nodes": [escape_invisible(node) for node in value.nodes],
            "here": value.here,
            "reasons": [
                self.reasons.setdefault(reason, len(self.reasons)) for reason in value.reasons
            ],
        }

    def _code_frame(
        self, part: frame_types.PicturePart, value: frame_types.CodeFrame
    ) -> dict[str, Any]:
        if not value.executed or any(not 0 <= line < len(part.code) for line, _ in value.executed):
            raise UserError(f"the lines of frame {self.position} are not those of its program")
        self.lines_with_values.update(line for line, result in value.executed if result)
        return {"executed": [[line, self.pack_text(result)] for line, result in value.executed]}

    def _row(self, row: frame_types.TableRow) -> list[Any]:
        return [self._cells(row.cells), row.mark, self.pack_text(row.reason)]

    def _cell(self, cell: frame_types.Cell) -> Any:
        if isinstance(cell, tuple):
            return self.row_of_tokens(cell)
        if isinstance(cell, str):
            return escape_invisible(cell)
        return cell if math.isfinite(cell) else str(cell).replace("inf", "∞").replace("-", "−")

    def _strip(self, strip: frame_types.TokenStrip) -> list[Any]:
        before = self.row_of_tokens(strip.before)
        after = 0 if strip.after == strip.before else self.row_of_tokens(strip.after)
        packed = [escape_invisible(strip.label), before, after, strip.new, int(strip.changed)]
        return [*packed, *strip.gaps] if any(strip.gaps) else packed

    def _question(self, question: frame_types.StepQuestion) -> dict[str, Any]:
        return {
            "prompt": self.pack_text(question.prompt),
            "options": [self.row_of_tokens(option) for option in question.options],
            "correct": question.correct,
            "explanation": self.pack_text(question.explanation),
            "hints": [self.pack_text(hint) for hint in question.hints],
            "after": question.after,
        }
