"""Sheets to print as one HTML file: one for each student, each on new paper, the answers last.

The browser does the printing, on A4 or Letter; no script takes part in it. What is filled in on the
sheet of answers stands where the students write. Left out: what is on the sheets (worksheet.py of
BPE, and of the lessons).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from pages.shared.drawing.markup import each, html, joined
from pages.shared.drawing.phrases import count_of
from pages.shared.drawing.tiles import direction, html_written, printable, visible
from pages.shared.taking.one_file import HERE, text, written

_HOW = (
    "Use your browser’s Print, on A4 or Letter, in black and white or in color: {} to hand out, "
    "each beginning on a new page, then the answers."
)
_NAME = Markup('<p class="name"><span>Name</span><span>Date</span></p>')


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a student gets, and the same with the answers; `note` says what is special about it."""

    blank: Markup
    filled: Markup
    note: str = ""


def handout_file(title: str, sheets: Sequence[Sheet], seed: int) -> str:
    """Return the file: the sheets in their order, then the answers in the same order."""
    labels = [_label(n, len(sheets), seed) for n in range(1, len(sheets) + 1)]
    labeled = list(zip(labels, sheets, strict=True))
    body = [
        *(_page("sheet", title, label, one, _NAME + one.blank) for label, one in labeled),
        *(
            _page("sheet answers", f"Answers · {title}", label, one, one.filled)
            for label, one in labeled
        ),
    ]
    many = count_of(len(sheets), "sheet")
    script = (HERE / "around.js").read_text("utf-8") + "makeDo();\nofferLight();\ntellHeight();\n"
    return written(
        HERE / "handout.html",
        script,
        {
            "title": text(title),
            "purpose": text(_HOW.format(many)),
            "way_out": "",
            "styles": f"<style>{(HERE / 'handout.css').read_text('utf-8')}</style>",
            "sheets": joined(body),
        },
    )


def _label(number: int, of: int, seed: int) -> str:
    return f"Sheet {number} of {of} · seed {seed}" if of > 1 else ""


def _page(kind: str, title: str, label: str, sheet: Sheet, inside: Markup) -> Markup:
    said = " · ".join(filter(None, (label, sheet.note)))
    return html(
        '<article class="{}"><h2>{}</h2><p class="label">{}</p>{}</article>\n',
        *(kind, printable(title), printable(said), inside),
    )


# ---- what a sheet is made of ----


def task(title: str, *inside: Markup) -> Markup:
    """Return a part of a sheet that stays on one page."""
    return html('<section class="task"><h3>{}</h3>{}</section>', title, joined(inside))


def told(sentence: str, *values: object) -> Markup:
    """Return what students are told to do; whoever has the answers needs no telling."""
    return html(f'<p class="told">{sentence}</p>', *values)


def pieces(tokens: Sequence[str]) -> Markup:
    """Return tokens in boxes, one after the other, which need no colour."""
    return html('<span dir="{}">{}</span>', direction(tokens), joined(map(piece, tokens), " "))


def pair(tokens: Sequence[str]) -> Markup:
    """Return the tokens of a pair with a plus between them."""
    inside = joined(map(piece, tokens), " + ")
    return html('<span class="pair" dir="{}">{}</span>', direction(tokens), inside)


def word(written: str) -> Markup:
    """Return a word of the text, with its spaces to be seen."""
    return html('<bdi class="word">{}</bdi>', visible(written))


def piece(token: str) -> Markup:
    """Return a token in a box."""
    return html('<bdi class="piece">{}</bdi>', html_written(token))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a student writes: on the blank sheet there is room for it."""

    said: object


Columns = Mapping[str, int]
"""The names of the columns, and how wide each is: in percent, whatever is written in it."""


def grid(columns: Columns, rows: Sequence[Sequence[object]], is_filled: bool) -> Markup:
    """Return a table with ruled cells, in which an Answer is left out unless it is filled in."""
    head = joined(
        html('<th scope="col" style="width:{}%">{}</th>', wide, name)
        for name, wide in columns.items()
    )
    body = [joined(_cell(value, is_filled) for value in row) for row in rows]
    return html(
        '<table class="grid"><thead><tr>{}</tr></thead><tbody>{}</tbody></table>',
        *(head, each("<tr>{}</tr>", body)),
    )


def _cell(value: object, is_filled: bool) -> Markup:
    if isinstance(value, Answer):
        return html('<td class="write">{}</td>', value.said if is_filled else "")
    return html("<td>{}</td>", value)


def side_by_side(
    columns: Columns, rows: Sequence[Sequence[object]], is_filled: bool, tables: int
) -> Markup:
    """Return a long table as so many short ones beside each other."""
    height = -(-len(rows) // tables) or 1
    parts = [rows[n : n + height] for n in range(0, len(rows), height)]
    parts += [()] * (tables - len(parts))  # of few rows: the others keep their width
    inside = joined(
        html("<div>{}</div>", grid(columns, part, is_filled) if part else "") for part in parts
    )
    return html('<div class="beside">{}</div>', inside)


def line(said: str, answer: object, is_filled: bool) -> Markup:
    """Return a line to write on."""
    return html('<p class="line"><span>{}</span><b>{}</b></p>', said, answer if is_filled else "")
