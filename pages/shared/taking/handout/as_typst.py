r"""Sheets to print as a document of Typst, from which pdf.py makes a PDF.

Every text stands in a string of Typst's code, where nothing but `\` and `"` means anything: so no
text can be taken for markup, or run. How things look is in sheets.typ. Left out: what is on the
sheets (content.py), and the fonts.
"""

from collections.abc import Iterable
from functools import singledispatch
from pathlib import Path

from pages.shared.drawing.tiles import direction, printable, visible
from pages.shared.taking.handout.content import (
    Aside,
    Block,
    Cell,
    Grid,
    Line,
    Option,
    Options,
    Paragraph,
    Part,
    Picture,
    Printout,
    Strong,
    Task,
    Tokens,
    Whole,
    Word,
)
from tokenizers.text.symbols import END_MARK

PAPERS = {"a4": "A4", "us-letter": "Letter"}
LONGEST_PAIR = 10  # characters of a pair that stays on one line
_APART = "\u2066{}\u2069"  # what is in it runs from the left to the right, beside Arabic, too
_FUNCTIONS = {Strong: "strong", Aside: "emph", Whole: "whole"}  # of sheets.typ, or Typst's own
HANDWRITING, ANSWERED = "5mm", "3mm"  # the room in a cell


def typst_file(printout: Printout, paper: str) -> str:
    """Return the document: the sheets, and after them their answers, each on new paper."""
    pages = [
        f"room = {ANSWERED if is_answers else HANDWRITING}; "
        + _call(
            "sheet",
            f"{number}",
            "true" if is_answers else "false",
            _string(printable(title)),
            _string(printable(label)),
            *map(_typst, blocks),
        )
        for number, (is_answers, title, label, blocks) in enumerate(printout.pages(), start=1)
    ]
    style = Path(__file__).with_name("sheets.typ").read_text("utf-8")
    title, inside = _string(printable(printout.title)), "\n".join(pages)
    return f"{style}#paged({title}, {_string(paper)}, {{\nlet room = 0mm\n{inside}\n}})\n"


def typst_of(*parts: Part | Block) -> str:
    """Return parts or blocks as an expression in Typst's code, one after the other."""
    return " + ".join(map(_typst, parts)) or "none"


def _call(function: str, *arguments: str) -> str:
    return f"{function}({', '.join(arguments)})"


def _string(text: str) -> str:
    r"""Return a text that is visible as a string of Typst.

    >>> print(_string('a"\\#b'))
    "a\"\\#b"
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _tuple(items: Iterable[str]) -> str:
    return f"({''.join(f'{item}, ' for item in items)})"


@singledispatch
def _typst(part: object) -> str:
    """Return a part or a block as Typst's code; here a text, and below each kind of its own."""
    return _call("text", _string(printable(str(part))))


@_typst.register
def _(part: Tokens) -> str:
    shown = [_piece(token) for token in part.tokens]
    between = _string(" + " if part.is_pair else " ")
    row = _call("tokens", between, _string(direction(part.tokens)), *shown)
    is_short = sum(map(len, part.tokens)) <= LONGEST_PAIR
    return _call("whole", row) if part.is_pair and is_short else row


def _piece(token: str) -> str:
    """Return a token in a box; its end mark is kept apart, or Arabic would turn it round."""
    mark = END_MARK if token.endswith(END_MARK) and token != END_MARK else ""
    shown = visible(token.removesuffix(mark)) + (_APART.format(mark) if mark else "")
    return _call("piece", _string(direction([token.removesuffix(mark)])), _string(shown))


@_typst.register
def _(part: Word) -> str:
    return _call("word", _string(visible(part.written)))


@_typst.register
def _(part: Strong | Aside | Whole) -> str:
    return _call(_FUNCTIONS[type(part)], typst_of(*part.said))


@_typst.register
def _(block: Paragraph) -> str:
    return _call("note" if block.kind == "given" else "para", typst_of(*block.said))


@_typst.register
def _(block: Grid) -> str:
    if block.tables == 1:
        return _table(block, block.rows)
    return _call("beside", *(_table(block, rows) if rows else "none" for rows in block.parts()))


def _table(block: Grid, rows: Iterable[tuple[Cell, ...]]) -> str:
    cells = [_cell(cell) for row in rows for cell in row]
    widths = _tuple(f"{wide}" for wide in block.columns.values())
    heads = _tuple(_string(printable(name)) for name in block.columns)
    return _call("table-of", widths, heads, *cells)


def _cell(cell: Cell) -> str:
    room, kind = (f"{cell.lines} * room", "written") if cell.is_written else (ANSWERED, "printed")
    return _call("cell", room, _call(kind, typst_of(*cell.said)))


@_typst.register
def _(block: Line) -> str:
    return _call("line-of", _string(printable(block.said)), typst_of(*block.answer))


@_typst.register
def _(block: Options) -> str:
    return " + ".join(map(_option, block.options))


def _option(one: Option) -> str:
    note = ("   ", Aside(one.note)) if one.note else ()
    return _call("option", _string(one.mark), typst_of(*one.said, *note))


@_typst.register
def _(block: Picture) -> str:
    return _call("picture", _string(block.svg), _string(printable(block.title)))


@_typst.register
def _(block: Task) -> str:
    return _call("task", _string(printable(block.title)), *map(_typst, block.blocks))
