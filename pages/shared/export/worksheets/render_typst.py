r"""Render worksheets as a Typst document, from which pdf.py makes a PDF.

Every text is a string literal of Typst's code, in which only `\` and `"` are special: no text can
be taken for markup or code. The layout is in worksheet.typ, the content model in content.py.
"""

from collections.abc import Iterable
from pathlib import Path

from pages.shared.drawing.display_text import direction, escape_invisible, show_spaces
from pages.shared.export.worksheets import content
from tokenizers.text.symbols import END_MARK

PAPERS = {"a4": "A4", "us-letter": "Letter"}
LONGEST_PAIR = 10  # characters of the longest pair that stays on one line
_APART = "\u2066{}\u2069"  # isolates left-to-right text, even next to Arabic
_FUNCTIONS = {content.Strong: "strong", content.Aside: "emph", content.NoBreak: "whole"}
"""Functions of worksheet.typ, or Typst's own."""
HANDWRITING, ANSWERED = "5mm", "3mm"  # heights of a cell


def worksheet_typst(worksheets: content.WorksheetSet, paper: str) -> str:
    """Return the document: the sheets, then their answers, each on a new page."""
    pages = [
        f"room = {ANSWERED if is_answers else HANDWRITING}; "
        + _call(
            "sheet",
            f"{number}",
            "true" if is_answers else "false",
            _string(escape_invisible(title)),
            _string(escape_invisible(label)),
            *map(_typst, blocks),
        )
        for number, (is_answers, title, label, blocks) in enumerate(worksheets.pages(), start=1)
    ]
    style = Path(__file__).with_name("worksheet.typ").read_text("utf-8")
    title, inside = _string(escape_invisible(worksheets.title)), "\n".join(pages)
    return f"{style}#paged({title}, {_string(paper)}, {{\nlet room = 0mm\n{inside}\n}})\n"


def _call(function: str, *arguments: str) -> str:
    return f"{function}({', '.join(arguments)})"


def _string(text: str) -> str:
    r"""Return a text as a string literal of Typst.

    >>> print(_string('a"\\#b'))
    "a\"\\#b"
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _tuple(items: Iterable[str]) -> str:
    return f"({''.join(f'{item}, ' for item in items)})"


def typst_of(*parts: content.InlinePart | content.Block) -> str:
    """Return parts or blocks as a Typst expression."""
    return " + ".join(map(_typst, parts)) or "none"


def _typst(part: content.InlinePart | content.Block) -> str:
    match part:
        case str():
            return _call("text", _string(escape_invisible(part)))
        case content.Tokens():
            return _tokens(part)
        case content.VisibleWord():
            return _call("word", _string(show_spaces(part.text)))
        case content.Strong() | content.Aside() | content.NoBreak():
            return _call(_FUNCTIONS[type(part)], typst_of(*part.parts))
        case content.Paragraph():
            return _call("note" if part.kind == "given" else "para", typst_of(*part.parts))
        case content.Grid():
            return _grid(part)
        case content.AnswerLine():
            return _call("line-of", _string(escape_invisible(part.prompt)), typst_of(*part.answer))
        case content.CheckBoxes():
            return " + ".join(map(_option, part.options))
        case content.SvgPicture():
            return _call("picture", _string(part.svg), _string(escape_invisible(part.title)))
        case content.Task():
            return _call("task", _string(escape_invisible(part.title)), *map(_typst, part.blocks))


def _tokens(row: content.Tokens) -> str:
    between = _string(" + " if row.is_pair else " ")
    shown = _call("tokens", between, _string(direction(row.tokens)), *map(_piece, row.tokens))
    is_short = sum(map(len, row.tokens)) <= LONGEST_PAIR
    return _call("whole", shown) if row.is_pair and is_short else shown


def _piece(token: str) -> str:
    """Return a token in a box; its end mark is isolated so that Arabic does not reverse it."""
    mark = END_MARK if token.endswith(END_MARK) and token != END_MARK else ""
    shown = show_spaces(token.removesuffix(mark)) + (_APART.format(mark) if mark else "")
    return _call("piece", _string(direction([token.removesuffix(mark)])), _string(shown))


def _grid(grid: content.Grid) -> str:
    if grid.tables == 1:
        return _table(grid.columns, grid.rows)
    parts = [_table(grid.columns, rows) if rows else "none" for rows in grid.parts()]
    return _call("side-by-side", *parts)


def _table(columns: content.Columns, rows: Iterable[tuple[content.WorksheetCell, ...]]) -> str:
    widths = _tuple(map(str, columns.values()))
    heads = _tuple(_string(escape_invisible(name)) for name in columns)
    return _call("table-of", widths, heads, *(_cell(cell) for row in rows for cell in row))


def _cell(cell: content.WorksheetCell) -> str:
    room, kind = (
        (f"{cell.lines} * room", "written") if cell.is_handwritten else (ANSWERED, "printed")
    )
    return _call("cell", room, _call(kind, typst_of(*cell.parts)))


def _option(one: content.CheckBox) -> str:
    note = ("   ", content.Aside(one.note)) if one.note else ()
    return _call("option", _string(one.mark), typst_of(*one.parts, *note))
