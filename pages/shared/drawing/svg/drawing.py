"""Render a Plotly figure as SVG: on white as a file, or in the colors of a page.

It supports what our charts use: lines with symbols, bars, rows of subplots, rules, headings and a
legend. Nothing is interactive except the rule at a step, which a page may move.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any
from zlib import crc32

import plotly.graph_objects as go

from pages.shared.drawing.charts import GREY
from pages.shared.drawing.display_text import INK
from pages.shared.drawing.svg import bars, curves
from pages.shared.drawing.svg.scales import Scale, Value, axis_of, scale
from pages.shared.drawing.svg.texts import SIZE, svg_text, unescape_plotly, width

WIDTH, HEIGHT = 760, 390  # px
HALF = 560  # px, the width of one of two charts side by side on a page
LEFT, RIGHT, TOP, BOTTOM = 84, 24, 34, 54  # around the plot
MAX_MARGIN = 260  # largest left or bottom margin; longer names are cut off
ROW = 20  # height of a row of the legend
SLANT = 40  # degrees, of names that do not fit side by side
TITLE_ROOM = 24  # px for the title of a scale
ROOM = 8  # px, between two names under the plot
_ANCHORS = {"left": "start", "right": "end", "center": "middle"}


@dataclass(frozen=True, slots=True)
class Plot:
    """The edges and scales of a plot; `drop` is the height of slanted names below it, or 0."""

    left: float
    top: float
    right: float
    bottom: float
    x: Scale
    ys: dict[str, Scale]
    drop: float


def render_svg(
    figure: go.Figure, title: str, key: str = "", last: int = 0, wide: int = WIDTH
) -> str:
    """Return the figure as self-contained SVG with this `title`.

    With a `key`, unique on the page, the SVG takes the page's colors. If its x-axis shows the steps
    up to `last`, it then has a vertical rule that the page can move.
    """
    is_file = not key
    # Two files may be embedded in one page, so their ids must differ too.
    key = key or f"chart-{crc32(unescape_plotly(title).encode()):08x}-"
    layout: Any = figure.layout
    lines: Any = figure.data
    named = [n for n, line in enumerate(lines) if line.name and line.showlegend is not False]
    # Plotly's default: a legend if there are two lines or more.
    shows = len(named) > 1 if layout.showlegend is None else layout.showlegend
    legend = named if shows else []
    height = int(layout.height or HEIGHT) + ROW * len(legend)
    plot, height = _plot(layout, lines, TOP + ROW * len(legend), (wide, height))
    parts = [
        *(part for n, line in enumerate(lines) for part in bars.hatching(line, n, key)),
        *(part for name in plot.ys for part in _grid(layout, name, plot)),
        *_rules(layout, plot),
        *(curves.clip(name, key, plot.x, y) for name, y in plot.ys.items()),
        *(part for n in range(len(lines)) for part in _line_or_bars(lines, n, key, layout, plot)),
        *(
            part
            for row, n in enumerate(legend)
            for part in _legend_row(lines[n], n, key, row, plot)
        ),
        *_headings(layout, plot),
        *([_step(plot, last)] if last and not is_file else []),
    ]
    return _svg_document(unescape_plotly(title), "\n".join(parts), (wide, height), is_file)


def _svg_document(title: str, inside: str, size: tuple[int, int], is_file: bool) -> str:
    wide, height = size
    ground = '<rect width="100%" height="100%" fill="#FFFFFF"/>\n' if is_file else ""
    font = ' font-family="Source Sans Pro, system-ui, sans-serif"' if is_file else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {wide} {height}"'
        f' width="{wide}" height="{height}" font-size="{SIZE}"'
        f' fill="{INK[0] if is_file else "currentColor"}"{font}>\n'
        f"<title>{escape(title)}</title>\n{ground}{inside}\n</svg>\n"
    )


# --- Layout ---------------------------------------------------------------------------------------


def _plot(layout: Any, lines: Sequence[Any], top: int, size: tuple[int, int]) -> tuple[Plot, int]:
    """Return the plot, with margins for names on the left and below, and the total height."""
    wide, height = size
    names = dict.fromkeys(line.yaxis or "y" for line in lines) or {"y": None}
    xs = [value for line in lines for value in _values(line, "x")]
    below = [text for _, text in scale(layout.xaxis, xs, 0, 1).ticks]
    drop = _drop(below, wide) if any(isinstance(value, str) for value in xs) else 0.0
    bottom, height = height - BOTTOM, height + int(drop)
    ys = {}
    for name in names:
        axis = axis_of(layout, name)
        low, high = axis.domain or (0, 1)
        in_row = [line for line in lines if (line.yaxis or "y") == name]
        found = [value for line in in_row for value in _values(line, "y")]
        tall = bottom - top
        ys[name] = scale(
            axis, found, bottom - low * tall, bottom - high * tall, _from_zero(in_row, "y")
        )
    labels = max((width(text) for y in ys.values() for _, text in y.ticks), default=0.0)
    title = TITLE_ROOM * any(axis_of(layout, name).title.text for name in names)
    left = min(max(LEFT, labels + 16 + title), MAX_MARGIN)
    x = scale(layout.xaxis, xs, left, wide - RIGHT, _from_zero(lines, "x"))
    return Plot(left, top, wide - RIGHT, bottom, x, ys, drop), height


def _drop(names: Sequence[str], whole: int) -> float:
    """Return the height of slanted names below the plot; 0 if they fit side by side."""
    wide = list(map(width, names))
    room = (whole - LEFT - RIGHT) / max(len(names), 1)
    if all((a + b) / 2 + ROOM < room for a, b in pairwise(wide)):
        return 0.0
    return min(max(wide) * math.sin(math.radians(SLANT)), MAX_MARGIN)


def _values(line: Any, axis: str) -> list[Value]:
    found = line[axis]
    return found.tolist() if hasattr(found, "tolist") else list(found)


def _from_zero(lines: Iterable[Any], axis: str) -> bool:
    """Return whether bars grow along an axis: horizontal ones along x, vertical ones along y."""
    return any(one.type == "bar" and (axis == "x") == (one.orientation == "h") for one in lines)


# --- Drawing --------------------------------------------------------------------------------------


def _line_or_bars(lines: Sequence[Any], n: int, key: str, layout: Any, plot: Plot) -> Iterable[str]:
    line = lines[n]
    x, y = plot.x, plot.ys[line.yaxis or "y"]
    if line.type == "bar":
        is_over = layout.barmode == "overlay"
        groups = [line] if is_over else [one for one in lines if one.type == "bar"]
        return bars.bars(line, n, key, groups, layout.bargap, x, y)
    return curves.line(line, n, key, x, y)


def _grid(layout: Any, name: str, plot: Plot) -> Iterator[str]:
    """Yield the grid lines, tick labels and axis titles of a row of the chart."""
    rule = f'stroke="{GREY}" stroke-opacity=".3"'
    x, y, axis = plot.x, plot.ys[name], axis_of(layout, name)
    for value, text in y.ticks:
        at = y.at(value)
        yield f'<path d="M{x.start:.1f} {at:.1f}H{x.end:.1f}" {rule}/>'
        yield svg_text(x.start - 8, at + 4, text, "end")
    if axis.title.text:
        middle = (y.start + y.end) / 2
        rotated = f'<g transform="rotate(-90 20 {middle:.1f})">'
        yield rotated + svg_text(20, middle, axis.title.text, "middle") + "</g>"
    if (layout.xaxis.anchor or "y") != name:
        return
    for value, text in x.ticks:
        at = x.at(value)
        if not x.names:
            yield f'<path d="M{at:.1f} {y.start:.1f}V{y.end:.1f}" {rule}/>'
        if plot.drop:
            slant = f' transform="rotate(-{SLANT} {at:.1f} {y.start + 14:.1f})"'
            yield svg_text(at, y.start + 14, text, "end", slant)
        else:
            yield svg_text(at, y.start + 18, text, "middle")
    if layout.xaxis.title.text:
        middle = (x.start + x.end) / 2
        yield svg_text(middle, y.start + 42 + plot.drop, layout.xaxis.title.text, "middle")


def _legend_row(line: Any, n: int, key: str, row: int, plot: Plot) -> Iterator[str]:
    """Yield a row of the legend."""
    x, y = plot.left, 20 + ROW * row
    if line.type == "bar":
        yield bars.legend_sample(line, n, key, x, y)
    else:
        yield from curves.legend_sample(line, n, x, y)
    yield svg_text(x + 46, y + 4, line.name, "start")


def _rules(layout: Any, plot: Plot) -> Iterator[str]:
    """Yield the figure's vertical rules."""
    for shape in layout.shapes or ():
        if shape.x0 == shape.x1 and plot.x.has(shape.x0):
            dash = curves.DASHES.get(shape.line.dash or "solid", "")
            yield (
                f'<path d="M{plot.x.at(shape.x0):.1f} {plot.top}V{plot.bottom}" '
                f'stroke-dasharray="{dash}" stroke="{shape.line.color or GREY}" stroke-width="2"/>'
            )


def _step(plot: Plot, last: int) -> str:
    """Return the movable rule, which is at the first step unless the page sets `--at`."""
    start, end = plot.x.at(0.0), plot.x.at(float(last))
    return (
        f'<path class="step" data-last="{last}" data-width="{end - start:.1f}" '
        f'style="transform:translateX(calc(var(--at, 0) * {end - start:.1f}px))" '
        f'd="M{start:.1f} {plot.top}V{plot.bottom}" stroke="{GREY}" stroke-width="2" '
        f'stroke-dasharray="{curves.DASHES["dot"]}"/>'
    )


def _headings(layout: Any, plot: Plot) -> Iterator[str]:
    """Yield the annotations: headings of rows, labels of rules and lines."""
    for one in layout.annotations or ():
        is_share = one.xref == "paper"
        at = plot.left + one.x * (plot.right - plot.left) if is_share else plot.x.at(one.x)
        if one.yref == "paper":
            y = plot.bottom - one.y * (plot.bottom - plot.top) - 8
        else:
            y = plot.ys[one.yref or "y"].at(one.y) - 4
        yield svg_text(at, y, one.text or "", _ANCHORS.get(one.xanchor, "middle"))
