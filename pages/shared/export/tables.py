"""Export tables as CSV for a spreadsheet, and as HTML inside a file.

Both formats escape invisible characters, as in ⟨U+202E⟩; the exact text is in the JSON trace.
"""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from pages.shared.drawing import markup
from pages.shared.drawing.display_text import escape_invisible
from pages.shared.drawing.markup import html
from tokenizers.text.encoding import Encoding

Value = str | int | float
_FORMULA = ("=", "+", "-", "@")


@dataclass(frozen=True, slots=True)
class ExportTable:
    """A named table; with `by_step`, the first column holds the number of a step."""

    name: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[Value]]
    by_step: bool = False


def token_table(encoding: Encoding) -> ExportTable:
    """Return a table of tokens with their ids and spans."""
    tokens = zip(encoding.tokens, encoding.ids, encoding.offsets, strict=True)
    rows = [(n, token, id_, *span) for n, (token, id_, span) in enumerate(tokens, start=1)]
    return ExportTable("Tokens", ("number", "token", "id", "from character", "to character"), rows)


def as_csv(table: ExportTable) -> bytes:
    r"""Return the table as CSV in UTF-8 with a byte order mark, which Excel requires.

    A text that starts like a formula is prefixed with an apostrophe, which makes a spreadsheet
    read it as text.

    >>> as_csv(ExportTable("", ("piece", "count"), [("=1+1", -2), ("a,b", 3)])).decode("utf-8-sig")
    'piece,count\r\n\'=1+1,-2\r\n"a,b",3\r\n'
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(map(_cell, table.columns))
    writer.writerows([_cell(value) for value in row] for row in table.rows)
    return out.getvalue().encode("utf-8-sig")


def _cell(value: Value) -> Value:
    if not isinstance(value, str):
        return value
    text = escape_invisible(value)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text


def as_html(table: ExportTable) -> Markup:
    """Return the table as collapsed HTML; with `by_step`, rows have a `data-step` attribute.

    >>> html = as_html(ExportTable("", "xy", [("<b>", 1200)]))
    >>> "<td><bdi>&lt;b&gt;</bdi></td><td>1,200</td>" in html
    True
    """
    name = escape_invisible(table.name)
    return html(
        "<details><summary>{} ({:,})</summary>{}</details>",
        name,
        len(table.rows),
        markup.table(
            map(escape_invisible, table.columns),
            (map(_shown, row) for row in table.rows),
            has_names=False,
            box="",
            label=name,
            row_attributes=[f' data-step="{row[0]}"' for row in table.rows if table.by_step],
        ),
    )


def _shown(value: Value) -> Markup | str:
    if isinstance(value, str):
        # `html` would take ten times as long, and a table may have very many cells.
        return Markup(f"<bdi>{escape(escape_invisible(value))}</bdi>")
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}"
