"""Tables of our own words and numbers, where a space is a space: see `tiles.html_table` for tokens.

A table that is wider than the page scrolls by itself.
"""

from collections.abc import Sequence
from html import escape

from pages.figures.tiles import printable

_STYLE = (
    "<style>.pp-plain{overflow-x:auto}.pp-plain table{border-collapse:collapse;"
    "font-variant-numeric:tabular-nums}.pp-plain caption{text-align:left;opacity:.85;"
    "padding-bottom:.3rem}.pp-plain :is(th,td){text-align:left;vertical-align:top;"
    "padding:.18rem 1.1rem .18rem 0;border-bottom:1px solid "
    "color-mix(in srgb,currentColor 18%,transparent)}.pp-plain thead th{font-weight:600}"
    ".pp-plain tbody th{font-weight:400}.pp-plain .n{text-align:right}</style>"
)


def plain_table(caption: str, columns: Sequence[str], rows: Sequence[Sequence[str | int]]) -> str:
    """Return HTML of a table for `st.html`; the first cell of a row is its heading.

    >>> '<th scope="row">a b</th><td class="n">1,200</td>' in plain_table("", "xy", [("a b", 1200)])
    True
    """
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in columns)
    body = "".join(f"<tr>{_heading(row[0])}{''.join(map(_cell, row[1:]))}</tr>" for row in rows)
    name = escape(printable(caption))
    return (
        f'{_STYLE}<div class="pp-plain" tabindex="0" role="region" aria-label="{name}"><table>'
        f"<caption>{name}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _heading(value: str | int) -> str:
    return f'<th scope="row">{_text(value)}</th>'


def _cell(value: str | int) -> str:
    kind = ' class="n"' if isinstance(value, int) else ""
    return f"<td{kind}>{_text(value)}</td>"


def _text(value: str | int) -> str:
    return f"{value:,}" if isinstance(value, int) else escape(printable(value))
