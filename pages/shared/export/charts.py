"""Charts in an HTML file, in the page's colors, each with a collapsed table of its numbers."""

from collections.abc import Iterable
from typing import Any
from zlib import crc32

from markupsafe import Markup

from pages.shared.drawing.charts import Chart
from pages.shared.drawing.display_text import escape_invisible
from pages.shared.drawing.markup import html, joined
from pages.shared.drawing.svg.drawing import render_svg
from pages.shared.drawing.svg.scales import axis_of
from pages.shared.drawing.svg.texts import unescape_plotly
from pages.shared.export import tables


def as_html(charts: Iterable[Chart]) -> Markup:
    """Return the charts as HTML; their names, which differ, make the ids of their elements."""
    return html('<div class="charts">{}</div>', joined(map(_as_html, charts)))


def _as_html(chart: Chart) -> Markup:
    key = f"chart-{crc32(chart.name.encode('utf-8', 'replace')):x}-"
    return html(
        '<figure class="chart"><figcaption>{}</figcaption>'
        '<div tabindex="0" role="region" aria-label="{}">{}</div>{}</figure>',
        escape_invisible(chart.finding),
        escape_invisible(chart.name),
        Markup(render_svg(chart.figure, chart.finding, key, chart.last)),
        "" if chart.table else tables.as_html(chart_values(chart)),
    )


def chart_values(chart: Chart) -> tables.ExportTable:
    """Return a table of a chart's numbers, with one row per point or bar."""
    layout: Any = chart.figure.layout
    lines: Any = chart.figure.data
    titles = {axis_of(layout, line.yaxis or "y").title.text or "value" for line in lines}
    value = titles.pop() if len(titles) == 1 else "value"
    has_texts = any(_is_each(line.text) for line in lines)
    rows = []
    for line in lines:
        texts = line.text if _is_each(line.text) else [""] * len(line.x)
        for x, y, text in zip(_of(line.x), _of(line.y), texts, strict=True):
            row = [unescape_plotly(line.name or ""), _cell(x), _cell(y)]
            rows.append([*row, unescape_plotly(text)] if has_texts else row)
    columns = ("shown", axis_of(layout, "x").title.text or "place", value)
    if has_texts:
        columns += ("name",)
    return tables.ExportTable(f"{chart.name}, in numbers", columns, rows)


def _is_each(text: Any) -> bool:
    """Return whether `text` holds one text per point, and not one for all points."""
    return text is not None and not isinstance(text, str)


def _of(values: Any) -> list[Any]:
    return values.tolist() if hasattr(values, "tolist") else list(values)


def _cell(value: Any) -> tables.Value:
    if isinstance(value, str):
        return unescape_plotly(value)
    return "" if value is None else value
