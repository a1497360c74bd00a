"""HTML for `st.html`, escaped in one place.

Templates are trusted; values are escaped unless they are `Markup`, which only these functions make
from text. So no text from a user is ever taken as HTML.
"""

from collections.abc import Iterable
from itertools import chain, repeat
from typing import NamedTuple

from markupsafe import Markup, escape


def html(template: str, *values: object) -> Markup:
    """Fill the `{}` of a template with escaped values.

    >>> html("<p>{}: {:,}</p>", html("<b>{}</b>", "a < b"), 1200)
    Markup('<p><b>a &lt; b</b>: 1,200</p>')
    """
    return Markup(template).format(*values)


def joined(parts: Iterable[str], between: str = "") -> Markup:
    """Return the joined parts; `between` is trusted, like a template.

    >>> joined(["a & b", html("<b>{}</b>", "c")], "<br>")
    Markup('a &amp; b<br><b>c</b>')
    """
    return Markup(between).join(parts)


def each(template: str, values: Iterable[object]) -> Markup:
    """Return the template once for each value.

    >>> each("<li>{}</li>", ["a", "<b>"])
    Markup('<li>a</li><li>&lt;b&gt;</li>')
    """
    return joined(html(template, value) for value in values)


class Cell(NamedTuple):
    """A cell of a table; `attributes` are trusted HTML, such as ` class="n"`."""

    content: object
    attributes: str = ""


NUMBER = ' class="n"'
"""The attribute of cells with numbers, which are aligned on the right."""
SCROLLS = "pp-across"
"""The class of the box around a table that may be wider than its place."""


def table(
    columns: Iterable[object],
    rows: Iterable[Iterable[object]],
    caption: str = "",
    *,
    kind: str = "",
    has_names: bool = True,
    box: str | None = SCROLLS,
    label: str = "",
    row_attributes: Iterable[str] = (),
) -> Markup:
    """Return a table of the class `kind`; each cell is a `Cell` or its content, which is escaped.

    If `has_names`, the first cell of a row is its heading. A column without a name has a plain
    cell, because a screen reader would announce an empty heading. `row_attributes` are trusted
    HTML for each row. The table is in a region of the class `box` that scrolls, also by keyboard,
    and is named by `label` or else by the caption; without a region if `box` is None.

    >>> found = table(["", Cell("tokens", NUMBER)], [["BPE", Cell("< 2", NUMBER)]], box=None)
    >>> '<thead><tr><td></td><th scope="col" class="n">tokens</th></tr></thead>' in found
    True
    >>> '<tbody><tr><th scope="row">BPE</th><td class="n">&lt; 2</td></tr></tbody>' in found
    True
    """
    # Not by `html`, which is ten times slower: a table may have very many cells.
    heads = (
        _cell(name, "th", ' scope="col"') if _is_named(name) else _cell(name, "td", "")
        for name in columns
    )
    starts = chain((f"<tr{attributes}>" for attributes in row_attributes), repeat("<tr>"))
    body = (
        start + _row(row, has_names) + "</tr>" for start, row in zip(starts, rows, strict=False)
    )
    says = html("<caption><span>{}</span></caption>", caption) if caption else ""
    of_kind = f' class="{kind}"' if kind else ""
    whole = (
        f"<table{of_kind}>{says}<thead><tr>{''.join(heads)}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody></table>"
    )
    if box is None:
        return Markup(whole)
    of_box = f' class="{box}"' if box else ""
    region = html('tabindex="0" role="region" aria-label="{}"', label or caption)
    return Markup(f"<div{of_box} {region}>{whole}</div>")


def _is_named(column: object) -> bool:
    return bool(column.content if isinstance(column, Cell) else column)


def _row(row: Iterable[object], has_names: bool) -> str:
    kinds = chain([("th", ' scope="row"')] if has_names else [], repeat(("td", "")))
    return "".join(_cell(cell, *kind) for cell, kind in zip(row, kinds, strict=False))


def _cell(cell: object, tag: str, scope: str) -> str:
    content, attributes = cell if isinstance(cell, Cell) else (cell, "")
    return f"<{tag}{scope}{attributes}>{escape(content)}</{tag}>"
