"""What sheets to print are made of. It is written once, and drawn as HTML and by Typst.

A sheet is a row of blocks, and what is said in a block is a row of parts. Every text in it is as it
came from its source: render_html.py and render_typst.py make it visible, and harmless. Left out: what is
asked on a sheet (worksheet.py of BPE, Unigram and others, and worksheet.py of the lessons).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import TypeVar

from pages.shared.drawing.phrasing import count_of

T = TypeVar("T")
MADE_UP = "the words are made up"


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens in boxes, one after the other, which need no color; those of a pair with a plus."""

    tokens: tuple[str, ...]
    is_pair: bool = False


@dataclass(frozen=True, slots=True)
class VisibleWord:
    """A word of the text, with its spaces to be seen."""

    text: str


@dataclass(frozen=True, slots=True)
class Strong:
    """What stands out."""

    parts: "Parts"


@dataclass(frozen=True, slots=True)
class Aside:
    """What is said in passing, such as a reason."""

    parts: "Parts"


@dataclass(frozen=True, slots=True)
class NoBreak:
    """What stays on one line."""

    parts: "Parts"


InlinePart = str | Tokens | VisibleWord | Strong | Aside | NoBreak
Parts = tuple[InlinePart, ...]


def pieces(tokens: Iterable[str]) -> Tokens:
    """Return tokens in boxes, one after the other."""
    return Tokens(tuple(tokens))


def piece(token: str) -> Tokens:
    """Return a token in a box."""
    return Tokens((token,))


def pair(tokens: Iterable[str]) -> Tokens:
    """Return the tokens of a pair with a plus between them."""
    return Tokens(tuple(tokens), is_pair=True)


def as_parts(value: object) -> Parts:
    """Return anything as a row of parts: a number is written out.

    >>> said(12), said(("a", Word("b")))
    (('12',), ('a', Word(written='b')))
    """
    if isinstance(value, tuple):
        return value
    return (value if isinstance(value, InlinePart) else f"{value}",)


def fill_template(template: str, *values: object) -> Parts:
    """Return a sentence of ours with its `{}` filled in, by texts, numbers and parts.

    >>> say("{} × {:,}", Word("low"), 1200)
    (Word(written='low'), ' × ', '1,200')
    """
    parts: list[InlinePart] = []
    for n, (text, name, form, _) in enumerate(Formatter().parse(template)):
        if text:
            parts.append(text)
        if name is not None:
            value = values[int(name) if name else n]
            parts += as_parts(f"{value:{form}}") if form else as_parts(value)
    return tuple(parts)


def joined(rows: Iterable[object], between: InlinePart = "") -> Parts:
    """Return rows of parts one after the other, with `between` between them.

    >>> joined(["a", Word("b")], ", ")
    ('a', ', ', Word(written='b'))
    """
    parts: list[InlinePart] = []
    for row in rows:
        parts += (between, *as_parts(row)) if parts and between else as_parts(row)
    return tuple(parts)


# ---- blocks ----


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph: `kind` is "told" for what students are told to do, or "given", or neither."""

    parts: Parts
    kind: str = ""


@dataclass(frozen=True, slots=True)
class WorksheetCell:
    """What stands in a table; what `is_written` there by students has room, and stands out.

    On the blank sheet there is room for so many `lines` of handwriting.
    """

    parts: Parts
    is_handwritten: bool = False
    lines: int = 1


Columns = Mapping[str, int]
"""The names of the columns, and how wide each is: in percent, whatever is written in it."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with ruled cells; a long one is so many short `tables` beside each other."""

    columns: Columns
    rows: tuple[tuple[WorksheetCell, ...], ...]
    tables: int = 1

    def parts(self) -> list[tuple[tuple[WorksheetCell, ...], ...]]:
        """Return the rows of each of the tables; of few rows, the others keep their width."""
        height = -(-len(self.rows) // self.tables) or 1
        parts = [self.rows[n : n + height] for n in range(0, len(self.rows), height)]
        return parts + [()] * (self.tables - len(parts))


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A line to write on, after what is asked."""

    prompt: str
    answer: Parts


@dataclass(frozen=True, slots=True)
class CheckBox:
    """What can be checked: its mark, what it says, and what is said to it in the answers."""

    mark: str
    parts: Parts
    note: Parts = ()


@dataclass(frozen=True, slots=True)
class CheckBoxes:
    """Boxes to check, or to number."""

    options: tuple[CheckBox, ...]


@dataclass(frozen=True, slots=True)
class SvgPicture:
    """A picture in black and white, as SVG; `title` says what it shows."""

    svg: str
    title: str


@dataclass(frozen=True, slots=True)
class Task:
    """A part of a sheet that stays on one page."""

    title: str
    blocks: "tuple[Block, ...]"


Block = Paragraph | Grid | AnswerLine | CheckBoxes | SvgPicture | Task


@dataclass(frozen=True, slots=True)
class Worksheet:
    """What a student gets, and the same with the answers; `note` says what is special about it."""

    blank: tuple[Block, ...]
    filled: tuple[Block, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class WorksheetSet:
    """The sheets of a class: one for each student, and the answers, which come last."""

    title: str
    sheets: tuple[Worksheet, ...]
    seed: int

    @property
    def count_text(self) -> str:
        """How many sheets there are, in words."""
        return count_of(len(self.sheets), "sheet")

    def pages(self) -> Iterable[tuple[bool, str, str, tuple[Block, ...]]]:
        """Yield all that is printed, the answers last: whether it is answers, title, label, blocks.

        The label tells a sheet from the others, and its answers from theirs. Whoever has the
        answers needs no telling what to do.
        """
        of = len(self.sheets)
        for is_answers in (False, True):
            title = f"Answers · {self.title}" if is_answers else self.title
            for number, sheet in enumerate(self.sheets, start=1):
                which = f"Sheet {number} of {of} · seed {self.seed}" if of > 1 else ""
                label = " · ".join(filter(None, (which, sheet.note)))
                blocks = _without_instructions(sheet.filled) if is_answers else sheet.blank
                yield is_answers, title, label, blocks


def _without_instructions(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Return blocks without what students are told to do."""
    return tuple(
        [
            Task(one.title, _without_instructions(one.blocks)) if isinstance(one, Task) else one
            for one in blocks
            if not (isinstance(one, Paragraph) and one.kind == "told")
        ]
    )


def sheets_of(
    tasks: Iterable[T], blocks: Callable[[T, bool], Iterable[Block]], note: str = ""
) -> tuple[Worksheet, ...]:
    """Return a sheet of each task, all of which but the first, with its `note`, are made up.

    `blocks` is given a task, and whether its answers are filled in.
    """
    return tuple(
        [
            Worksheet(tuple(blocks(one, False)), tuple(blocks(one, True)), MADE_UP if n else note)
            for n, one in enumerate(tasks)
        ]
    )


def instruction(template: str, *values: object) -> Paragraph:
    """Return what students are told to do."""
    return Paragraph(fill_template(template, *values), "told")


def given(template: str, *values: object) -> Paragraph:
    """Return what is known before the questions."""
    return Paragraph(fill_template(template, *values), "given")


def task(title: str, *blocks: Block) -> Task:
    """Return a part of a sheet that stays on one page."""
    return Task(title, blocks)


@dataclass(frozen=True, slots=True)
class AnswerCell:
    """What a student writes: on the blank sheet there is room for it, so many lines."""

    content: object
    lines: int = 1


def grid(
    columns: Columns, rows: Sequence[Sequence[object]], is_filled: bool, tables: int = 1
) -> Grid:
    """Return a table, in which an Answer is left out unless it is filled in."""
    cells = tuple([tuple([_cell(one, is_filled) for one in row]) for row in rows])
    return Grid(columns, cells, tables)


def _cell(value: object, is_filled: bool) -> WorksheetCell:
    if isinstance(value, AnswerCell):
        return (
            WorksheetCell((), True, value.lines)
            if not is_filled
            else WorksheetCell(as_parts(value.content), True)
        )
    return WorksheetCell(as_parts(value))


def answer_line(prompt: str, answer: object, is_filled: bool) -> AnswerLine:
    """Return a line to write on."""
    return AnswerLine(prompt, as_parts(answer) if is_filled else ())
