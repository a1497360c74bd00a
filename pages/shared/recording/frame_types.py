"""A recording: everything the player shows of one run, as plain data made in Python.

Position 0 is before the first step, position k just after step k. Each position has a `Frame`: one
sentence and the parts of the picture (a lattice, tables, strips of tokens, notes). A recording may
describe every step by two rules. `packing.py` packs frames, `pages/shared/player` draws them; each
algorithm's own module writes the sentences.
"""

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from lessons.format.words import RichText, Segment
from pages.shared.drawing.display_text import escape_invisible, show_spaces
from pages.shared.recording.flow import Flow, FlowFrame

MAX_STRIP_SYMBOLS = 60  # symbols of a word that are shown
ELLIPSIS = "…"  # replaces the other symbols
Cell = tuple[str, ...] | float | str
"""Tokens in a "tokens" column, a number in "number", "bar" and "part", text in "text"."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; `kind` is "tokens", "number", "bar", "part" or "text".

    A bar is scaled to the largest value of its column, a part to 1 (use it where the largest value
    may be hidden). Screen readers skip bars, so put the number in another column, too.
    """

    label: str
    kind: str


def make_columns(kinds: Mapping[str, str]) -> tuple[Column, ...]:
    """Return columns from a mapping of labels to kinds (see `Column`)."""
    return tuple(Column(label, kind) for label, kind in kinds.items())


@dataclass(frozen=True, slots=True)
class Arc:
    """A piece from one position of a lattice to a later one; `note` is its number as text.

    `is_known` is false for the arc of a character that is not a piece.
    """

    start: int
    end: int
    piece: str
    note: str = ""
    is_known: bool = True


@dataclass(frozen=True, slots=True)
class Curves:
    """Lines over all positions of a recording, and the `target` that they run to.

    `values` has each line's value at every position.
    """

    names: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    target: float
    target_label: str


@dataclass(frozen=True, slots=True)
class PicturePart:
    """The constant properties of one part of the picture.

    `kind` is "table", "strips", "note", "lattice", "flow" or "code". `side` is its column, "left",
    "right" or "across", or "" for the default of its kind; a lattice or a flow is above the
    columns, and code has a column of its own. Strips show the tokens "before" or "after" (`when`)
    the step. A lattice has the `letters` between its positions and `arcs`, a flow has `flow`,
    curves have `curves`, and `code` are the lines of a program.
    A table with `min_rows` shows as many rows as fit on the screen, but never fewer than these.
    """

    kind: str
    caption: str
    columns: tuple[Column, ...] = ()
    when: str = "after"
    letters: tuple[str, ...] = ()
    arcs: tuple[Arc, ...] = ()
    side: str = ""
    flow: Flow | None = None
    curves: Curves | None = None
    code: tuple[str, ...] = ()
    min_rows: int = 0


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row; its `reason` is shown on a click.

    `mark` is "", "now" (chosen), "here" (the subject of the step), "tied", "rejected" or "removed".
    """

    cells: tuple[Cell, ...]
    mark: str = ""
    reason: RichText = ()


@dataclass(frozen=True, slots=True)
class TableFrame:
    """The contents of a table; `more` is its last line, such as "6 more, counts 2 and 3"."""

    rows: tuple[TableRow, ...]
    more: str = ""
    caption: str = ""  # replaces the part's caption, if given
    headings: tuple[str, ...] = ()  # replace the columns' labels, if given


@dataclass(frozen=True, slots=True)
class TokenStrip:
    """One word's tokens before and after a step; `new` are indices into `after`.

    A strip of several words has a gap before some tokens, by their indices before and after.
    """

    label: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    new: tuple[int, ...] = ()
    changed: bool = False
    gaps: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())


@dataclass(frozen=True, slots=True)
class StripsFrame:
    """The contents of a part that shows strips of tokens.

    `more` is its last line. `withheld` stands in place of all strips while the step is asked about,
    if they would give the answer away.
    """

    strips: tuple[TokenStrip, ...]
    more: str = ""
    caption: str = ""
    withheld: str = ""


@dataclass(frozen=True, slots=True)
class NoteFrame:
    """The text of a note."""

    text: RichText


ARC_STATES = ".okcnb "
"""How an arc is drawn: "." not reached yet, "o" lost earlier, "k" kept at an earlier step,
"c" compared in this step, "n" winner of this step, "b" on the resulting path, " " not at all."""


@dataclass(frozen=True, slots=True)
class LatticeFrame:
    """The contents of a lattice.

    `arcs` has a letter of `ARC_STATES` for each arc, `weights` a digit for the width of its line,
    `nodes` the text under each position of the string ("" if unknown yet). `here` is the position
    that the step is about. `reasons` explains the state of each arc, or is empty; long texts are
    fine, since only changes from frame to frame are packed.
    """

    arcs: str
    weights: str
    nodes: tuple[str, ...]
    here: int | None = None
    reasons: tuple[RichText, ...] = ()


@dataclass(frozen=True, slots=True)
class CurvesFrame:
    """The texts beside the runners, one on each line of a part with curves."""

    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CodeFrame:
    """The program lines that a step has executed, in order, as (index of the line, result).

    The last line is highlighted.
    """

    executed: tuple[tuple[int, RichText], ...]


PartFrame = (
    TableFrame | StripsFrame | NoteFrame | LatticeFrame | FlowFrame | CurvesFrame | CodeFrame
)


@dataclass(frozen=True, slots=True)
class StepQuestion:
    """The question about a frame's outcome; `correct` are the indices of all correct options.

    `hints`, if any, have one fact for each option, from which the answer can be derived. The answer
    shows `after` so many more steps.
    """

    prompt: RichText
    options: tuple[tuple[str, ...], ...]
    correct: tuple[int, ...]
    explanation: RichText
    hints: tuple[RichText, ...] = ()
    after: int = 0


@dataclass(frozen=True, slots=True)
class Frame:
    """One position of a recording.

    `other` shows the same step by the second rule, in a recording with two rules.
    """

    sentence: RichText
    parts: tuple[PartFrame, ...]
    question: StepQuestion | None = None
    other: "Frame | None" = None


@dataclass(frozen=True, slots=True)
class JumpTarget:
    """Positions to jump to, "the next step where <name>"; `has_tick` marks them on the slider."""

    name: str
    positions: tuple[int, ...]
    has_tick: bool = False


class FrameSource(Sequence[Frame]):
    """The frames of a run, each made when it is looked at.

    A source is plain data, because a worker sends it to the page's process.
    """

    @abstractmethod
    def frame(self, k: int) -> Frame:
        """Return frame `k`, counted from 0, which depends on the run and `k` alone."""

    @property
    @abstractmethod
    def content(self) -> object:
        """What the frames are made of, as values whose `repr` tells runs apart."""

    @property
    @abstractmethod
    def largest(self) -> Collection[int]:
        """The positions of frames that probably need the most space, or have what others lack."""

    @property
    def new_tokens(self) -> Sequence[str | None]:
        """The tokens that the steps from 1 on create; () if no step creates any."""
        return ()

    @property
    def common_tokens(self) -> Sequence[str]:
        """Tokens that frames show again and again."""
        return ()

    def __getitem__(self, k: int) -> Frame:
        return self.frame(range(len(self))[k])


class RunFrames(FrameSource):
    """The frames of a training run, of which another page shows the table and the strips."""

    @abstractmethod
    def picture(self, k: int) -> tuple[TableFrame, StripsFrame]:
        """Return the table and the strips of frame `k`."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Recording:
    """A recording packed as zlib-compressed JSON, in windows of `window` frames.

    `last` is its last position, `key` a hash of its content. `windows` are made when they are read.
    """

    key: str
    last: int
    window: int
    head: bytes
    windows: Sequence[bytes]


def plain_text(sentence: RichText) -> str:
    """Return a sentence as plain text, as a screen reader reads it.

    >>> plain_text(("Merge ", ("token", "t "), " into ", ("new", "t e"), "."))
    'Merge t· into t·e.'
    """
    return "".join(_plain_segment(segment) for segment in sentence)


def _plain_segment(segment: Segment) -> str:
    if isinstance(segment, str):
        return escape_invisible(segment)
    kind, text = segment
    return show_spaces(text) if kind in ("token", "new") else escape_invisible(text)


def clip_strip(strip: TokenStrip, most: int = MAX_STRIP_SYMBOLS) -> TokenStrip:
    """Return the strip; cut a long one to `most` tokens around the change, with … for the rest.

    >>> word = ("a",) * 100
    >>> len(clip_strip(TokenStrip("", word, word)).before)
    61
    """
    if len(strip.before) <= most:
        return strip
    at = max(strip.new[0] - most // 4, 0) if strip.new else 0

    def within(indices: Sequence[int]) -> tuple[int, ...]:
        return tuple(i - at + bool(at) for i in indices if 0 <= i - at < most)

    before, after = _part(strip.before, at, most), _part(strip.after, at, most)
    gaps = within(strip.gaps[0]), within(strip.gaps[1])
    return TokenStrip(strip.label, before, after, within(strip.new), strip.changed, gaps)


def _part(tokens: Sequence[str], at: int, most: int) -> tuple[str, ...]:
    end = at + most
    head = (ELLIPSIS,) if at else ()
    tail = (ELLIPSIS,) if end < len(tokens) else ()
    return (*head, *tokens[at:end], *tail)
