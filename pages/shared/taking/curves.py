"""A line chart of the app as SVG, on a white ground, as it stands in a page or on a slide.

It draws a figure of Plotly's, and of that what our line charts use: lines with their shapes, dashes
and signs, logarithmic or even scales, rows below each other, rules and headings, a legend. Bars and
all that moves are left out.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any

import plotly.graph_objects as go

from pages.shared.drawing.charts import COLOURS, GREY
from pages.shared.drawing.tiles import INK, printable

WIDTH, HEIGHT = 760, 390  # px
LEFT, RIGHT, TOP, BOTTOM = 84, 24, 34, 54  # around the plot
ROW = 20  # of the legend
SIGN = 4.0  # half of a sign's size
ROOM = 0.05  # beside the first and the last value, as a share
TICKS = 6  # about so many on a scale
DASHES = {
    "dash": "9 5",
    "dot": "2 4",
    "dashdot": "9 4 2 4",
    "longdash": "15 6",
    "longdashdot": "15 5 2 5",
}
_SIGNS = {
    "square": "M-1-1H1V1H-1Z",
    "diamond": "M0-1.3L1.3 0L0 1.3L-1.3 0Z",
    "triangle-up": "M0-1.2L1.2 1H-1.2Z",
    "x": "M-1-1L1 1M1-1L-1 1",
    "circle": "M-1.1 0A1.1 1.1 0 1 1 1.1 0A1.1 1.1 0 1 1-1.1 0Z",
}


Ticks = tuple[tuple[float, str], ...]
"""Values, and what is written there."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Where values lie between two ends, in px; `low` and `high` are logarithms if it `is_log`."""

    low: float
    high: float
    start: float
    end: float
    is_log: bool
    ticks: Ticks

    def at(self, value: float) -> float:
        """Return where a value lies."""
        shown = math.log10(value) if self.is_log else value
        share = (shown - self.low) / ((self.high - self.low) or 1.0)
        return self.start + share * (self.end - self.start)

    def has(self, value: float | None) -> bool:
        """Tell whether a value can be drawn at all."""
        return value is not None and math.isfinite(value) and not (self.is_log and value <= 0)


def as_svg(figure: go.Figure, title: str) -> str:
    """Return the figure as SVG that needs nothing else; `title` says what it shows."""
    layout: Any = figure.layout
    lines = list(figure.data)
    named = [n for n, line in enumerate(lines) if line.name and line.showlegend is not False]
    legend = named if layout.showlegend else []
    top = TOP + ROW * len(legend)
    height = int(layout.height or HEIGHT) + ROW * len(legend)
    plot = (LEFT, top, WIDTH - RIGHT, height - BOTTOM)
    xs = _scale(layout.xaxis, [x for line in lines for x in line.x], plot[0], plot[2])
    names = dict.fromkeys(line.yaxis or "y" for line in lines)
    ys = {name: _rows(layout, name, lines, plot) for name in names}
    parts = [
        *(part for name, y in ys.items() for part in _grid(layout, name, xs, y)),
        *_rules(layout, xs, plot),
        *(_clip(name, xs, y) for name, y in ys.items()),
        *(part for n, line in enumerate(lines) for part in _line(line, n, xs, ys)),
        *(part for row, n in enumerate(legend) for part in _named(lines[n], n, row)),
        *_headings(layout, xs, plot),
    ]
    shown = escape(printable(title))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {height}"'
        f' width="{WIDTH}" height="{height}" font-size="13" fill="{INK[0]}"'
        ' font-family="Source Sans Pro, system-ui, sans-serif">\n'
        f'<title>{shown}</title>\n<rect width="100%" height="100%" fill="#FFFFFF"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


# --- Scales ---------------------------------------------------------------------------------------


def _rows(layout: Any, name: str, lines: Sequence[Any], plot: tuple[float, ...]) -> Scale:
    """Return the scale of a row of the chart; its upper end has the smaller coordinate."""
    axis = _axis(layout, name)
    low, high = axis.domain or (0, 1)
    tall = plot[3] - plot[1]
    values = [y for line in lines if (line.yaxis or "y") == name for y in line.y]
    return _scale(axis, values, plot[3] - low * tall, plot[3] - high * tall)


def _axis(layout: Any, name: str) -> Any:
    return layout[f"yaxis{name.removeprefix('y')}"]


def _scale(axis: Any, found: Sequence[float | None], start: float, end: float) -> Scale:
    is_log = axis.type == "log"
    values = [float(v) for v in found if v is not None and (v > 0 or not is_log)]
    values = [math.log10(v) for v in values] if is_log else values
    low, high = min(values, default=0.0), max(values, default=1.0)
    if axis.range:
        low, high = map(float, axis.range)
    elif axis.rangemode == "tozero":
        low, high = min(low, 0.0), high + ROOM * (high - min(low, 0.0))
    else:
        room = ROOM * (high - low) or 0.5
        low, high = low - room, high + room
    ticks = _shown(_ticks(axis, low, high, is_log), low, high, is_log)
    return Scale(low, high, start, end, is_log, ticks)


def _ticks(axis: Any, low: float, high: float, is_log: bool) -> Iterator[tuple[float, str]]:
    """Yield the values with a tick, and what stands there."""
    if axis.tickvals is not None:
        texts = axis.ticktext or [None] * len(axis.tickvals)
        for value, text in zip(axis.tickvals, texts, strict=True):
            yield float(value), printable(str(text)) if text else _written(axis, float(value))
        return
    if is_log:
        powers = range(math.floor(low), math.ceil(high) + 1)
        digits = (1,) if high - low > 2 else (1, 2, 5)
        values = [digit * 10.0**power for power in powers for digit in digits]
        between = [value for value in values if low <= math.log10(value) <= high]
    else:
        step = _even((high - low) / TICKS)
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        between = [number * step for number in range(first, last + 1)]
    yield from ((value, _written(axis, value)) for value in between)


def _shown(ticks: Iterable[tuple[float, str]], low: float, high: float, is_log: bool) -> Ticks:
    """Return the ticks that lie on the scale."""
    room = 1e-9 + 1e-6 * (high - low)
    places = [(math.log10(value) if is_log else value, value, text) for value, text in ticks]
    return tuple([(v, text) for at, v, text in places if low - room <= at <= high + room])


def _even(size: float) -> float:
    """Return the next larger one of 1, 2, 5, 10, 20, 50 …

    >>> _even(3), _even(0.012), _even(80)
    (5.0, 0.02, 100.0)
    """
    power = 10.0 ** math.floor(math.log10(size or 1.0))
    return float(f"{next(m for m in (1, 2, 5, 10) if m * power >= size * 0.999) * power:.9g}")


def _written(axis: Any, value: float) -> str:
    if (axis.tickformat or "").endswith("%"):
        return f"{value:.0%}"
    return f"{value:,.0f}" if value == round(value) else f"{value:.6g}"


# --- What is drawn --------------------------------------------------------------------------------


def _grid(layout: Any, name: str, x: Scale, y: Scale) -> Iterator[str]:
    """Yield the lines and numbers of a row, and the names of its scales."""
    rule = f'stroke="{GREY}" stroke-opacity=".3"'
    axis, middle = _axis(layout, name), (y.start + y.end) / 2
    for value, text in y.ticks:
        at = y.at(value)
        yield f'<path d="M{x.start:.1f} {at:.1f}H{x.end:.1f}" {rule}/>'
        yield _text(x.start - 8, at + 4, text, "end")
    turned = f'<g transform="rotate(-90 20 {middle:.1f})">'
    yield turned + _text(20, middle, _title(axis), "middle") + "</g>"
    if (layout.xaxis.anchor or "y") != name:
        return
    for value, text in x.ticks:
        at = x.at(value)
        yield f'<path d="M{at:.1f} {y.start:.1f}V{y.end:.1f}" {rule}/>'
        yield _text(at, y.start + 18, text, "middle")
    yield _text((x.start + x.end) / 2, y.start + 42, _title(layout.xaxis), "middle")


def _title(axis: Any) -> str:
    return axis.title.text or ""


def _line(line: Any, n: int, x: Scale, ys: dict[str, Scale]) -> Iterator[str]:
    """Yield a line, in pieces where values are missing, and the signs on it."""
    y, mode = ys[line.yaxis or "y"], line.mode or "lines"
    faint = f' opacity="{line.opacity}"' if line.opacity is not None else ""
    points = [
        (x.at(a), y.at(b)) if x.has(a) and y.has(b) else None
        for a, b in zip(line.x, line.y, strict=True)
    ]
    if "lines" in mode:
        drawn = "".join(_path(part, line.line.shape) for part in _parts(points))
        clipped = f'clip-path="url(#plot-{line.yaxis or "y"})"'
        yield f'<path d="{drawn}" fill="none" {clipped} {_stroke(line, n)}{faint}/>'
    if "markers" in mode:
        yield from (_sign(line, n, *point) for point in points if point)


def _clip(name: str, x: Scale, y: Scale) -> str:
    """Return the edge of a row: a claimed slope may run out of it."""
    across = f'x="{x.start - 2:.1f}" width="{x.end - x.start + 4:.1f}"'
    down = f'y="{y.end - 2:.1f}" height="{y.start - y.end + 4:.1f}"'
    return f'<clipPath id="plot-{name}"><rect {across} {down}/></clipPath>'


def _parts(points: Iterable[tuple[float, float] | None]) -> Iterator[list[tuple[float, float]]]:
    part: list[tuple[float, float]] = []
    for point in [*points, None]:
        if point:
            part.append(point)
        elif part:
            yield part
            part = []


def _path(points: Sequence[tuple[float, float]], shape: str | None) -> str:
    """Return a path from point to point, in steps where the line has that shape."""
    drawn = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for (a, _), (c, d) in pairwise(points):
        if shape == "hv":
            drawn += f"H{c:.1f}V{d:.1f}"
        elif shape == "hvh":
            drawn += f"H{(a + c) / 2:.1f}V{d:.1f}H{c:.1f}"
        else:
            drawn += f"L{c:.1f} {d:.1f}"
    return drawn


def _colour(line: Any, n: int) -> str:
    return str(line.line.color or line.marker.color or COLOURS[n % len(COLOURS)])


def _stroke(line: Any, n: int) -> str:
    dash = DASHES.get(line.line.dash or "solid")
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'stroke="{escape(_colour(line, n))}" stroke-width="{line.line.width or 2}"{dashed}'


def _sign(line: Any, n: int, x: float, y: float) -> str:
    shape = _SIGNS.get(line.marker.symbol or "circle", _SIGNS["circle"])
    colour = escape(_colour(line, n))
    place = f'transform="translate({x:.1f} {y:.1f}) scale({SIGN})"'
    return f'<path d="{shape}" {place} fill="{colour}" stroke="{colour}" stroke-width=".4"/>'


def _named(line: Any, n: int, row: int) -> Iterator[str]:
    """Yield a row of the legend."""
    y = 20 + ROW * row
    if "lines" in (line.mode or "lines"):
        yield f'<path d="M{LEFT} {y}h36" {_stroke(line, n)}/>'
    if "markers" in (line.mode or ""):
        yield _sign(line, n, LEFT + 18, y)
    yield _text(LEFT + 46, y + 4, line.name, "start")


def _rules(layout: Any, x: Scale, plot: tuple[float, ...]) -> Iterator[str]:
    """Yield the upright rules."""
    for shape in layout.shapes or ():
        if shape.x0 == shape.x1 and x.has(shape.x0):
            dash = DASHES.get(shape.line.dash or "solid", "")
            yield (
                f'<path d="M{x.at(shape.x0):.1f} {plot[1]}V{plot[3]}" stroke-dasharray="{dash}" '
                f'stroke="{escape(str(shape.line.color or GREY))}" stroke-width="2"/>'
            )


def _headings(layout: Any, x: Scale, plot: tuple[float, ...]) -> Iterator[str]:
    """Yield what is written on the plot: the headings of rows, the names of rules."""
    for one in layout.annotations or ():
        is_share = one.xref == "paper"
        at = plot[0] + one.x * (plot[2] - plot[0]) if is_share else x.at(float(one.x))
        y = plot[3] - one.y * (plot[3] - plot[1])
        yield _text(at, y - 8, one.text or "", "start" if is_share else "middle")


def _text(x: float, y: float, text: str, anchor: str) -> str:
    shown = escape(printable(text))
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{shown}</text>'
