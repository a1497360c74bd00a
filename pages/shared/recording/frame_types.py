"""A film: everything the player shows of one run, as plain data made in Python.

Position 0 is before the first step; position k is just after step k. Each position is a `Frame`:
one sentence and the parts of the picture (a lattice, tables, strips of tokens, notes). A film may
tell every step by two rules. Left out: what the sentences say (each algorithm's own module), how
frames are packed (`packing.py`) and how they are drawn (pages/shared/player).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pages.shared.drawing.display_text import escape_invisible, show_spaces
from pages.shared.drawing.phrasing import RichText, Segment
from pages.shared.recording.flow import Flow, FlowFrame

LONGEST_STRIP = 60  # symbols of a word that can be taken in
Cell = tuple[str, ...] | float | str
"""Tokens in a "tokens" column, a number in "number", "bar" and "part", text in "text"."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; kind is "tokens", "number", "bar", "part" or "text".

    A bar is drawn in proportion to the largest in its column, and a part in proportion to 1, where
    the largest of all is not always among the rows. Put the number in a column of its own beside
    it, because a bar is not read aloud.
    """

    label: str
    kind: str


def columns(kinds: Mapping[str, str]) -> tuple[Column, ...]:
    """Return the columns of a table; `kinds` are those of their labels, see `Column`."""
    return tuple(Column(label, kind) for label, kind in kinds.items())


@dataclass(frozen=True, slots=True)
class Arc:
    """A piece from one position of a lattice to a later one; `note` is its number, as text.

    A character that is no piece, but has its arc all the same, is not `known`.
    """

    start: int
    end: int
    piece: str
    note: str = ""
    is_known: bool = True


@dataclass(frozen=True, slots=True)
class PicturePart:
    """What stays the same of one part through the film.

    `kind` is "table", "strips", "note", "lattice", "flow" or "code". `side` is the column it stands
    in, "left" or "right", or "" for the one that is usual for its kind; a lattice and a flow stand
    above both, code in a column of its own. `when` says which side of the step strips show: their
    tokens "before" it or "after" it. A lattice has the `letters` between its positions, and its
    `arcs`; a flow has its `flow`; `code` are the lines of a program.
    A table with `least` shows as many of its rows as there is room for, but never fewer.
    """

    kind: str
    caption: str
    columns: tuple[Column, ...] = ()
    when: str = "after"
    letters: tuple[str, ...] = ()
    arcs: tuple[Arc, ...] = ()
    side: str = ""
    flow: Flow | None = None
    code: tuple[str, ...] = ()
    min_rows: int = 0


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row; `why` is shown on a click.

    mark is "", "now" (chosen), "here" (what the step is about), "tied", "rejected" or "removed".
    """

    cells: tuple[Cell, ...]
    mark: str = ""
    reason: RichText = ()


@dataclass(frozen=True, slots=True)
class TableFrame:
    """A table at one position; `more` is its last line, such as "6 more, counts 2 and 3"."""

    rows: tuple[TableRow, ...]
    more: str = ""
    caption: str = ""  # instead of the part's own, when given
    headings: tuple[str, ...] = ()  # instead of the labels of the columns, when given


@dataclass(frozen=True, slots=True)
class TokenStrip:
    """One word's tokens before and after a step; `new` are indices into `after`."""

    label: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    new: tuple[int, ...] = ()
    changed: bool = False


@dataclass(frozen=True, slots=True)
class StripsFrame:
    """Strips at one position."""

    strips: tuple[TokenStrip, ...]
    more: str = ""
    caption: str = ""


@dataclass(frozen=True, slots=True)
class NoteFrame:
    """A small sentence at one position."""

    text: RichText


ARC_STATES = ".okcnb "
"""How an arc is drawn: "." ahead, "o" lost at an earlier step, "k" kept at an earlier step, "c" in
this step, "n" in this step and the winner, "b" on the path shown as the result, " " not at all."""


@dataclass(frozen=True, slots=True)
class LatticeFrame:
    """A lattice at one position of the film.

    `arcs` has a letter of `ARC_STATES` for each arc, `weights` a digit for how thick its line is.
    `nodes` says what stands under each position of the string: "" where nothing is known yet.
    `here` is the position of the string that the step is about. `why` says of each arc why it is
    drawn so, or is empty; it may be long, for only what changes from frame to frame is packed.
    """

    arcs: str
    weights: str
    nodes: tuple[str, ...]
    here: int | None = None
    reasons: tuple[RichText, ...] = ()


@dataclass(frozen=True, slots=True)
class CodeFrame:
    """A program at one position of the film: the lines that the step has run, in their order.

    Each is told by its number, from 0, with what it has made; the last one is lit.
    """

    executed: tuple[tuple[int, RichText], ...]


PartFrame = TableFrame | StripsFrame | NoteFrame | LatticeFrame | FlowFrame | CodeFrame


@dataclass(frozen=True, slots=True)
class StepQuestion:
    """The question about a frame's outcome; `right` are the indices of every right option.

    `hints` say of each option what the answer can be reasoned from, where that is given.
    """

    prompt: RichText
    options: tuple[tuple[str, ...], ...]
    correct: tuple[int, ...]
    explanation: RichText
    hints: tuple[RichText, ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """One position of a film; `makes` is the token that this step creates.

    `other` is the same step by the second rule of a film that has two.
    """

    sentence: RichText
    parts: tuple[PartFrame, ...]
    new_token: str | None = None
    question: StepQuestion | None = None
    other: "Frame | None" = None


@dataclass(frozen=True, slots=True)
class JumpTarget:
    """Positions to jump to, "the next step where <name>"; `tick` shows them under the scrubber."""

    name: str
    positions: tuple[int, ...]
    has_tick: bool = False


@dataclass(frozen=True, slots=True)
class Recording:
    """A packed film: zlib of compact JSON; `key` is a hash of the content."""

    key: str
    last: int
    head: bytes
    windows: tuple[bytes, ...]


def plain_text(sentence: RichText) -> str:
    """Return what a screen reader says for a sentence.

    >>> plain_text(("Merge ", ("token", "t "), " into ", ("new", "t e"), "."))
    'Merge t· into t·e.'
    """
    return "".join(_plain_segment(segment) for segment in sentence)


def _plain_segment(segment: Segment) -> str:
    if isinstance(segment, str):
        return escape_invisible(segment)
    kind, text = segment
    return show_spaces(text) if kind in ("token", "new") else escape_invisible(text)


def clip_strip(strip: TokenStrip) -> TokenStrip:
    """Return the strip, or of a very long one the part around the change, with … for the rest.

    >>> word = ("a",) * 100
    >>> len(clipped(Strip("", word, word)).before)
    61
    """
    if len(strip.before) <= LONGEST_STRIP:
        return strip
    at = max(strip.new[0] - LONGEST_STRIP // 4, 0) if strip.new else 0
    new = tuple(i - at + bool(at) for i in strip.new if i - at < LONGEST_STRIP)
    return TokenStrip(
        strip.label, _part(strip.before, at), _part(strip.after, at), new, strip.changed
    )


def _part(tokens: Sequence[str], at: int) -> tuple[str, ...]:
    end = at + LONGEST_STRIP
    head = ("…",) if at else ()
    tail = ("…",) if end < len(tokens) else ()
    return (*head, *tokens[at:end], *tail)
