"""Sheets to print as one HTML file: one for each student, each on new paper, the answers last.

The browser does the printing, on A4 or Letter; no script takes part in it. What is filled in on the
sheet of answers stands where the students write. Left out: what is on the sheets (content.py).
"""

from collections.abc import Iterable
from functools import singledispatch
from pathlib import Path

from markupsafe import Markup

from pages.shared.drawing import markup
from pages.shared.drawing.markup import each, html
from pages.shared.drawing.tiles import direction, html_written, printable, visible
from pages.shared.taking.handout.content import (
    Aside,
    Block,
    Cell,
    Columns,
    Grid,
    Line,
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
from pages.shared.taking.one_file import AROUND_JS, text, written

HERE = Path(__file__).parent
LINE = 7  # mm: a line of handwriting, where there is more than one
_HOW = (
    "Use your browser’s Print, on A4 or Letter, in black and white or in color: {} to hand out, "
    "each beginning on a new page, then the answers."
)
_TAGS = {Strong: "<b>{}</b>", Aside: "<i>{}</i>", Whole: '<span class="whole">{}</span>'}
_NAME = Markup('<p class="name"><span>Name</span><span>Date</span></p>')


def handout_file(printout: Printout) -> str:
    """Return the file: the sheets in their order, then the answers in the same order."""
    body = markup.joined(
        html(
            '<article class="{}"><h2>{}</h2><p class="label">{}</p>{}{}</article>\n',
            "sheet answers" if is_answers else "sheet",
            printable(title),
            printable(label),
            "" if is_answers else _NAME,
            html_of(*blocks),
        )
        for is_answers, title, label, blocks in printout.pages()
    )
    return written(
        HERE / "handout.html",
        f"{AROUND_JS}makeDo();\nofferLight();\ntellHeight();\n",
        {
            "title": text(printout.title),
            "purpose": text(_HOW.format(printout.how_many)),
            "way_out": "",
            "styles": f"<style>{(HERE / 'handout.css').read_text('utf-8')}</style>",
            "sheets": body,
        },
    )


def html_of(*parts: Part | Block) -> Markup:
    """Return parts or blocks as HTML, one after the other."""
    return markup.joined(map(_html, parts))


@singledispatch
def _html(part: object) -> Markup:
    """Return a part or a block as HTML; here a text, and below each kind of its own."""
    return text(str(part))


@_html.register
def _(part: Tokens) -> Markup:
    boxes = [html('<bdi class="piece">{}</bdi>', html_written(token)) for token in part.tokens]
    kind = Markup('class="pair" ') if part.is_pair else ""
    inside = markup.joined(boxes, " + " if part.is_pair else " ")
    return html('<span {}dir="{}">{}</span>', kind, direction(part.tokens), inside)


@_html.register
def _(part: Word) -> Markup:
    return html('<bdi class="word">{}</bdi>', visible(part.written))


@_html.register
def _(part: Strong | Aside | Whole) -> Markup:
    return html(_TAGS[type(part)], html_of(*part.said))


@_html.register
def _(block: Paragraph) -> Markup:
    kind = html(' class="{}"', block.kind) if block.kind else ""
    return html("<p{}>{}</p>", kind, html_of(*block.said))


@_html.register
def _(block: Grid) -> Markup:
    if block.tables == 1:
        return _table(block.columns, block.rows)
    parts = [_table(block.columns, rows) if rows else "" for rows in block.parts()]
    return html('<div class="beside">{}</div>', each("<div>{}</div>", parts))


def _table(columns: Columns, rows: Iterable[tuple[Cell, ...]]) -> Markup:
    head = markup.joined(
        html('<th scope="col" style="width:{}%">{}</th>', wide, printable(name))
        for name, wide in columns.items()
    )
    body = each("<tr>{}</tr>", (markup.joined(map(_cell, row)) for row in rows))
    return html(
        '<table class="grid"><thead><tr>{}</tr></thead><tbody>{}</tbody></table>', head, body
    )


def _cell(cell: Cell) -> Markup:
    kind = Markup(' class="write"') if cell.is_written else Markup()
    if cell.lines > 1:
        kind += html(' style="height:{}mm"', LINE * cell.lines)
    return html("<td{}>{}</td>", kind, html_of(*cell.said))


@_html.register
def _(block: Line) -> Markup:
    answer = html_of(*block.answer)
    return html('<p class="line"><span>{}</span><b>{}</b></p>', printable(block.said), answer)


@_html.register
def _(block: Options) -> Markup:
    items = (
        html(
            '<li><span class="box">{}</span><span>{} {}</span></li>',
            one.mark,
            html_of(*one.said),
            html_of(Aside(one.note)) if one.note else "",
        )
        for one in block.options
    )
    return html('<ul class="options">{}</ul>', markup.joined(items))


@_html.register
def _(block: Picture) -> Markup:
    return html('<div class="picture">{}</div>', Markup(block.svg))  # ours: see pictures.py


@_html.register
def _(block: Task) -> Markup:
    inside = html_of(*block.blocks)
    return html('<section class="task"><h3>{}</h3>{}</section>', printable(block.title), inside)
