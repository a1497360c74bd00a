"""Render worksheets as one HTML file, with a new page for each student and the answers last.

The browser prints it on A4 or Letter, without a script. Answers are where the blank sheets have
room for them. The content model is in content.py.
"""

from collections.abc import Iterable
from pathlib import Path

from markupsafe import Markup

from pages.shared.drawing.display_text import direction, escape_invisible, html_token, show_spaces
from pages.shared.drawing.markup import Cell, each, html, joined, table
from pages.shared.export.standalone_html import FILE_SHELL_JS, html_text, render_file
from pages.shared.export.worksheets import content

HERE = Path(__file__).parent
LINE = 7  # mm, the height of a line of handwriting in a cell with several
_HOW = (
    "Use your browser’s Print, on A4 or Letter, in black and white or in color: {} to hand out, "
    "each beginning on a new page, then the answers."
)
_TAGS = {
    content.Strong: "<b>{}</b>",
    content.Aside: "<i>{}</i>",
    content.NoBreak: '<span class="whole">{}</span>',
}
_NAME = Markup('<p class="name"><span>Name</span><span>Date</span></p>')


def worksheet_html(worksheets: content.WorksheetSet) -> str:
    """Return the file: the sheets, then their answers in the same order."""
    body = joined(
        html(
            '<article class="{}"><h2>{}</h2><p class="label">{}</p>{}{}</article>\n',
            "sheet answers" if is_answers else "sheet",
            escape_invisible(title),
            escape_invisible(label),
            "" if is_answers else _NAME,
            html_of(*blocks),
        )
        for is_answers, title, label, blocks in worksheets.pages()
    )
    return render_file(
        HERE / "worksheet.html",
        f"{FILE_SHELL_JS}ignoreHistoryErrors();\ninitThemeButton();\nreportHeight();\n",
        {
            "title": html_text(worksheets.title),
            "purpose": html_text(_HOW.format(worksheets.count_text)),
            "styles": f"<style>{(HERE / 'worksheet.css').read_text('utf-8')}</style>",
            "sheets": body,
        },
    )


def html_of(*parts: content.InlinePart | content.Block) -> Markup:
    """Return parts or blocks as HTML."""
    return joined(map(_html, parts))


def _html(part: content.InlinePart | content.Block) -> Markup:
    match part:
        case str():
            return html_text(part)
        case content.Tokens():
            return _tokens(part)
        case content.VisibleWord():
            return html('<bdi class="word">{}</bdi>', show_spaces(part.text))
        case content.Strong() | content.Aside() | content.NoBreak():
            return html(_TAGS[type(part)], html_of(*part.parts))
        case content.Paragraph():
            kind = html(' class="{}"', part.kind) if part.kind else ""
            return html("<p{}>{}</p>", kind, html_of(*part.parts))
        case content.Grid():
            return _grid(part)
        case content.AnswerLine():
            line = '<p class="line"><span>{}</span><b>{}</b></p>'
            return html(line, escape_invisible(part.prompt), html_of(*part.answer))
        case content.CheckBoxes():
            return html('<ul class="options">{}</ul>', joined(map(_option, part.options)))
        case content.SvgPicture():
            return html('<div class="picture">{}</div>', part.svg)
        case content.Task():
            task = '<section class="task"><h3>{}</h3>{}</section>'
            return html(task, escape_invisible(part.title), html_of(*part.blocks))


def _tokens(row: content.Tokens) -> Markup:
    boxes = [html('<bdi class="piece">{}</bdi>', html_token(token)) for token in row.tokens]
    kind = Markup('class="pair" ') if row.is_pair else ""
    inside = joined(boxes, " + " if row.is_pair else " ")
    return html('<span {}dir="{}">{}</span>', kind, direction(row.tokens), inside)


def _grid(grid: content.Grid) -> Markup:
    if grid.tables == 1:
        return _table(grid.columns, grid.rows)
    parts = [_table(grid.columns, rows) if rows else "" for rows in grid.parts()]
    return html('<div class="side-by-side">{}</div>', each("<div>{}</div>", parts))


def _table(columns: content.Columns, rows: Iterable[tuple[content.WorksheetCell, ...]]) -> Markup:
    return table(
        [Cell(escape_invisible(name), f' style="width:{wide}%"') for name, wide in columns.items()],
        (map(_cell, row) for row in rows),
        kind="grid",
        has_names=False,
        box=None,
    )


def _cell(cell: content.WorksheetCell) -> Cell:
    kind = ' class="write"' if cell.is_handwritten else ""
    if cell.lines > 1:
        kind += f' style="height:{LINE * cell.lines}mm"'
    return Cell(html_of(*cell.parts), kind)


def _option(one: content.CheckBox) -> Markup:
    return html(
        '<li><span class="box">{}</span><span>{} {}</span></li>',
        one.mark,
        html_of(*one.parts),
        html_of(content.Aside(one.note)) if one.note else "",
    )
