"""Draw a chart's bars, vertical or horizontal, and side by side if it has several bar series.

Series may differ in hatching as well as in color, for black-and-white paper. Stacked bars are not
supported.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from pages.shared.drawing.charts import COLOURS
from pages.shared.drawing.svg.scales import Scale

GAP = 0.2  # between two categories, as a fraction of a category
TILE = 8  # px, the size of a hatching pattern
_UP, _DOWN = "M-2 2L2-2M0 8L8 0M6 10L10 6", "M-2 6L2 10M0 0L8 8M6-2L10 2"
_HATCHES = {
    "/": _UP,
    "\\": _DOWN,
    "x": _UP + _DOWN,
    "-": "M0 4H8",
    "|": "M4 0V8",
    "+": "M0 4H8M4 0V8",
    ".": "M3.6 4h1",
}


def bars(
    group: Any, n: int, key: str, groups: Sequence[Any], gap: float | None, x: Scale, y: Scale
) -> Iterator[str]:
    """Yield the bars of the series `group`; `groups` has all bar series of the figure."""
    is_horizontal = group.orientation == "h"
    along, across = (x, y) if is_horizontal else (y, x)
    names, lengths = (group.y, group.x) if is_horizontal else (group.x, group.y)
    size = abs(across.end - across.start) / (across.high - across.low)
    wide = size * (1 - (GAP if gap is None else gap)) / len(groups)
    row = next(number for number, other in enumerate(groups) if other is group)
    zero = along.at(0.0)
    for name, length in zip(names, lengths, strict=True):
        if not (across.has(name) and along.has(length)):
            continue
        start = across.at(name) + wide * (row - len(groups) / 2)
        low, high = sorted((zero, along.at(length)))
        if is_horizontal:
            yield _box(group, n, key, low, start, high - low, wide)
        else:
            yield _box(group, n, key, start, low, wide, high - low)


def legend_sample(one: Any, n: int, key: str, x: float, y: float) -> str:
    """Return the legend's sample of a bar series."""
    return _box(one, n, key, x, y - 6, 36, 12)


def hatching(one: Any, n: int, key: str) -> Iterator[str]:
    """Yield a bar series' hatching pattern, if it has one; the bars refer to it."""
    pattern = _HATCHES.get(one.marker.pattern.shape or "") if one.type == "bar" else None
    if pattern:
        yield (
            f'<pattern id="{key}hatch-{n}" width="{TILE}" height="{TILE}"'
            f' patternUnits="userSpaceOnUse"><path d="{pattern}" stroke="{_color(one, n)}"'
            ' stroke-width="1.6" fill="none" stroke-linecap="round"/></pattern>'
        )


def _box(one: Any, n: int, key: str, x: float, y: float, wide: float, tall: float) -> str:
    color = _color(one, n)
    box = f'x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}"'
    if (one.marker.pattern.shape or "") not in _HATCHES:
        return f'<rect class="bar" {box} fill="{color}"/>'
    return f'<rect class="bar" {box} fill="url(#{key}hatch-{n})" stroke="{color}"/>'


def _color(one: Any, n: int) -> str:
    return one.marker.color or COLOURS[n % len(COLOURS)]
