"""Draw a chart's lines and the symbols on them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from pages.shared.drawing.charts import COLOURS
from pages.shared.drawing.svg.scales import Scale
from pages.shared.drawing.svg.texts import svg_text

SYMBOL_SIZE = 6  # the default size of a symbol
DASHES = {
    "dash": "9 5",
    "dot": "2 4",
    "dashdot": "9 4 2 4",
    "longdash": "15 6",
    "longdashdot": "15 5 2 5",
}
_SYMBOLS = {
    "square": "M-1-1H1V1H-1Z",
    "diamond": "M0-1.3L1.3 0L0 1.3L-1.3 0Z",
    "triangle-up": "M0-1.2L1.2 1H-1.2Z",
    "x": "M-1-1L1 1M1-1L-1 1",
    "circle": "M-1.1 0A1.1 1.1 0 1 1 1.1 0A1.1 1.1 0 1 1-1.1 0Z",
    "line-ew": "M-1 0H1",
}
_LINES = ("x", "line-ew")
"""Symbols without an interior."""
_ANCHORS = {"left": "end", "right": "start", "center": "middle"}

Point = tuple[float, float]


def line(one: Any, n: int, key: str, x: Scale, y: Scale) -> Iterator[str]:
    """Yield a line (interrupted where values are missing), its symbols and their labels."""
    mode = one.mode or "lines"
    points = [
        (x.at(a), y.at(b)) if x.has(a) and y.has(b) else None
        for a, b in zip(one.x, one.y, strict=True)
    ]
    if "lines" in mode:
        faint = f' opacity="{one.opacity}"' if one.opacity is not None else ""
        path = "".join(_path(part, one.line.shape) for part in _parts(points))
        clipped = f'clip-path="url(#{key}plot-{one.yaxis or "y"})"'
        yield f'<path d="{path}" fill="none" {clipped} {_stroke(one, n)}{faint}/>'
    if "markers" in mode:
        path = [_symbol(one, n, index, *point) for index, point in enumerate(points) if point]
        faint = one.marker.opacity
        yield from [f'<g opacity="{faint}">', *path, "</g>"] if faint is not None else path
    if "text" in mode:
        yield from (_label(one, index, *at) for index, at in enumerate(points) if at)


def clip(name: str, key: str, x: Scale, y: Scale) -> str:
    """Return the clip path of a chart's row, which hides the part of a fitted line outside it."""
    across = f'x="{x.start - 2:.1f}" width="{x.end - x.start + 4:.1f}"'
    down = f'y="{y.end - 2:.1f}" height="{y.start - y.end + 4:.1f}"'
    return f'<clipPath id="{key}plot-{name}"><rect {across} {down}/></clipPath>'


def legend_sample(one: Any, n: int, x: float, y: float) -> Iterator[str]:
    """Yield the legend's sample of a line."""
    if "lines" in (one.mode or "lines"):
        yield f'<path d="M{x} {y}h36" {_stroke(one, n)}/>'
    if "markers" in (one.mode or ""):
        yield _symbol(one, n, None, x + 18, y)


def _parts(points: Iterable[Point | None]) -> Iterator[list[Point]]:
    part: list[Point] = []
    for point in [*points, None]:
        if point:
            part.append(point)
        elif part:
            yield part
            part = []


def _path(points: Sequence[Point], shape: str | None) -> str:
    """Return a path from point to point, in steps if `shape` is "hv" or "hvh"."""
    path = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for (a, _), (c, d) in pairwise(points):
        if shape == "hv":
            path += f"H{c:.1f}V{d:.1f}"
        elif shape == "hvh":
            path += f"H{(a + c) / 2:.1f}V{d:.1f}H{c:.1f}"
        else:
            path += f"L{c:.1f} {d:.1f}"
    return path


def _color(one: Any, n: int) -> str:
    return one.line.color or one.marker.color or COLOURS[n % len(COLOURS)]


def _stroke(one: Any, n: int) -> str:
    dash = DASHES.get(one.line.dash or "solid")
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'stroke="{_color(one, n)}" stroke-width="{one.line.width or 2}"{dashed}'


def _per_point(value: Any, index: int | None, otherwise: Any) -> Any:
    """Return the property of one point: from a list, shared by all points, or `otherwise`."""
    if value is None or isinstance(value, str | int | float):
        return otherwise if value is None else value
    return otherwise if index is None else value[index]


def _symbol(one: Any, n: int, index: int | None, x: float, y: float) -> str:
    """Return a point's symbol, hollow if it is an open one; without `index`, the legend's."""
    symbol = str(
        _per_point(one.marker.symbol, index, None) or _per_point(one.marker.symbol, 0, "circle")
    )
    name = symbol.removesuffix("-open") if index is not None else symbol
    name = name.removesuffix("-open")
    half = _per_point(one.marker.size, index, SYMBOL_SIZE) / 2 + (0 if name == "line-ew" else 1)
    is_open = name in _LINES or (index is not None and symbol.endswith("-open"))
    edge = (one.marker.line.width or 2) / half if is_open else 0.1
    color = _color(one, n)
    inside = "none" if is_open else color
    return (
        f'<path d="{_SYMBOLS.get(name, _SYMBOLS["circle"])}" fill="{inside}" stroke="{color}"'
        f' transform="translate({x:.1f} {y:.1f}) scale({half:g})" stroke-width="{edge:.3g}"/>'
    )


def _label(one: Any, index: int, x: float, y: float) -> str:
    text, where = (
        _per_point(one.text, index, ""),
        _per_point(one.textposition, index, "middle center"),
    )
    down, across = where.split()
    shift = {"left": -12, "right": 12, "center": 0}[across]
    lower = {"top": -8, "middle": 4, "bottom": 18}[down]
    return svg_text(x + shift, y + lower, text or "", _ANCHORS[across])
