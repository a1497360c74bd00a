"""The content model of worksheets.

A worksheet is a sequence of blocks, and the text of a block is a sequence of inline parts. Texts
are not escaped here, but in render_html.py. The tasks are in the worksheet.py files of BPE, Unigram
and others, and of the lessons.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import TypeVar

from markupsafe import Markup

from pages.shared.drawing.phrasing import count_of

T = TypeVar("T")
MADE_UP = "the words are made up"


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens in boxes without color; if they are a pair, there is a plus between them."""

    tokens: tuple[str, ...]
    is_pair: bool = False


@dataclass(frozen=True, slots=True)
class VisibleWord:
    """A word of the text, with its spaces made visible."""

    text: str


@dataclass(frozen=True, slots=True)
class Strong:
    """Bold text."""

    parts: "Parts"


@dataclass(frozen=True, slots=True)
class Aside:
    """Italic text, such as a reason."""

    parts: "Parts"


@dataclass(frozen=True, slots=True)
class NoBreak:
    """Text without line breaks."""

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
    """Convert a value to inline parts; numbers become text.

    >>> as_parts(12), as_parts(("a", VisibleWord("b")))
    (('12',), ('a', VisibleWord(text='b')))
    """
    if isinstance(value, tuple):
        return value
    return (value if isinstance(value, InlinePart) else f"{value}",)


def fill_template(template: str, *values: object) -> Parts:
    """Fill the `{}` of a template with texts, numbers and parts.

    >>> fill_template("{} × {:,}", VisibleWord("low"), 1200)
    (VisibleWord(text='low'), ' × ', '1,200')
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
    """Join the parts of all `rows`, with `between` between two rows.

    >>> joined(["a", VisibleWord("b")], ", ")
    ('a', ', ', VisibleWord(text='b'))
    """
    parts: list[InlinePart] = []
    for row in rows:
        parts += (between, *as_parts(row)) if parts and between else as_parts(row)
    return tuple(parts)


# ---- blocks ----


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; its CSS class `kind` is "instruction", "given", or ""."""

    parts: Parts
    kind: str = ""


@dataclass(frozen=True, slots=True)
class WorksheetCell:
    """A table cell; if it `is_handwritten`, it has room for `lines` of writing and bold answers."""

    parts: Parts
    is_handwritten: bool = False
    lines: int = 1


Columns = Mapping[str, int]
"""The names of the columns and their fixed widths in percent."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with ruled cells; a long one is split into `tables` side by side."""

    columns: Columns
    rows: tuple[tuple[WorksheetCell, ...], ...]
    tables: int = 1

    def parts(self) -> list[tuple[tuple[WorksheetCell, ...], ...]]:
        """Return the rows of each table; missing tables are empty, to keep the widths."""
        height = -(-len(self.rows) // self.tables) or 1
        parts = [self.rows[n : n + height] for n in range(0, len(self.rows), height)]
        return parts + [()] * (self.tables - len(parts))


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A line to write on, after a prompt."""

    prompt: str
    answer: Parts


@dataclass(frozen=True, slots=True)
class CheckBox:
    """A box to check, with `mark` inside, its text, and a `note` that is shown in the answers."""

    mark: str
    parts: Parts
    note: Parts = ()


@dataclass(frozen=True, slots=True)
class CheckBoxes:
    """Boxes to check, or to number."""

    options: tuple[CheckBox, ...]


@dataclass(frozen=True, slots=True)
class SvgPicture:
    """A black and white picture as SVG; `title` is its text alternative."""

    svg: Markup
    title: str


@dataclass(frozen=True, slots=True)
class Task:
    """A part of a worksheet that stays on one page."""

    title: str
    blocks: "tuple[Block, ...]"


Block = Paragraph | Grid | AnswerLine | CheckBoxes | SvgPicture | Task


@dataclass(frozen=True, slots=True)
class Worksheet:
    """A student's blank worksheet and its copy with answers; `note` is part of their label."""

    blank: tuple[Block, ...]
    filled: tuple[Block, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class WorksheetSet:
    """The worksheets of a class, one for each student; their answers are printed last.

    `overview` is printed before the answers: what a teacher needs of all sheets on one page.
    """

    title: str
    sheets: tuple[Worksheet, ...]
    seed: int
    overview: tuple[Block, ...] = ()

    @property
    def count_text(self) -> str:
        """The number of sheets as text."""
        return count_of(len(self.sheets), "sheet")

    def pages(self) -> Iterable[tuple[bool, str, str, tuple[Block, ...]]]:
        """Yield (is_answers, title, label, blocks) of all sheets, then of their answers.

        A sheet and its answers have the same label. Answers have no instructions.
        """
        of = len(self.sheets)
        for is_answers in (False, True):
            title = f"Answers · {self.title}" if is_answers else self.title
            if is_answers and self.overview:
                yield True, title, f"All sheets · seed {self.seed}", self.overview
            for number, sheet in enumerate(self.sheets, start=1):
                which = f"Sheet {number} of {of} · seed {self.seed}" if of > 1 else ""
                label = " · ".join(filter(None, (which, sheet.note)))
                blocks = _without_instructions(sheet.filled) if is_answers else sheet.blank
                yield is_answers, title, label, blocks


def _without_instructions(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Return the blocks except instructions, which are also removed from tasks."""
    return tuple(
        [
            Task(one.title, _without_instructions(one.blocks)) if isinstance(one, Task) else one
            for one in blocks
            if not (isinstance(one, Paragraph) and one.kind == "instruction")
        ]
    )


def sheets_of(
    tasks: Iterable[T], blocks: Callable[[T, bool], Iterable[Block]], note: str = ""
) -> tuple[Worksheet, ...]:
    """Return a worksheet for each task; the first has the `note`, the others `MADE_UP`.

    `blocks` takes a task and whether to fill in the answers, and returns the task's blocks.
    """
    return tuple(
        [
            Worksheet(tuple(blocks(one, False)), tuple(blocks(one, True)), MADE_UP if n else note)
            for n, one in enumerate(tasks)
        ]
    )


def instruction(template: str, *values: object) -> Paragraph:
    """Return an instruction to students."""
    return Paragraph(fill_template(template, *values), "instruction")


def given(template: str, *values: object) -> Paragraph:
    """Return a paragraph with the facts that a task starts from."""
    return Paragraph(fill_template(template, *values), "given")


def task(title: str, *blocks: Block) -> Task:
    """Return a part of a worksheet that stays on one page."""
    return Task(title, blocks)


@dataclass(frozen=True, slots=True)
class AnswerCell:
    """A cell for a student's answer, with room for `lines` lines on the blank sheet."""

    content: object
    lines: int = 1


def grid(
    columns: Columns, rows: Sequence[Sequence[object]], is_filled: bool, tables: int = 1
) -> Grid:
    """Return a table; the content of an AnswerCell is omitted unless `is_filled`."""
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
