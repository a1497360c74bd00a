"""Derive linear, logarithmic or categorical scales from Plotly's axes, with our own ticks."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pages.shared.drawing.svg.texts import unescape_plotly

ROOM = 0.05  # before the first and after the last value, as a fraction of their range
TICKS = 6  # approximate number on a scale

Value = float | str | None
Ticks = tuple[tuple[float, str], ...]
"""Values and their labels."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps values to px between `start` and `end`; `low` and `high` are logarithms if `is_log`.

    `names` maps categories to 0, 1, 2 …
    """

    low: float
    high: float
    start: float
    end: float
    is_log: bool
    ticks: Ticks
    names: Mapping[str, int] = field(default_factory=dict)

    def at(self, value: float | str) -> float:
        """Return the position of a value in px."""
        number = self.names[value] if isinstance(value, str) else value
        shown = math.log10(number) if self.is_log else number
        share = (shown - self.low) / ((self.high - self.low) or 1.0)
        return self.start + share * (self.end - self.start)

    def has(self, value: Value) -> bool:
        """Return whether a value can be drawn."""
        if isinstance(value, str):
            return value in self.names
        return value is not None and math.isfinite(value) and not (self.is_log and value <= 0)


def axis_of(layout: Any, name: str) -> Any:
    """Return the axis that a line names, such as "y2"."""
    return layout[f"{name[0]}axis{name[1:]}"]


def scale(
    axis: Any, found: Sequence[Value], start: float, end: float, from_zero: bool = False
) -> Scale:
    """Return an axis's scale for the values `found`; it includes 0 if bars start `from_zero`."""
    if any(isinstance(value, str) for value in found):
        return _category_scale(
            axis, [value for value in found if isinstance(value, str)], start, end
        )
    is_log = axis.type == "log"
    numbers = [float(v) for v in found if v is not None and not isinstance(v, str)]
    values = [math.log10(v) if is_log else v for v in numbers if v > 0 or not is_log]
    low, high = min(values, default=0.0), max(values, default=1.0)
    if axis.range:
        low, high = map(float, axis.range)
    elif axis.rangemode == "tozero" or from_zero:
        low, high = min(low, 0.0), high + ROOM * (high - min(low, 0.0))
    else:
        room = ROOM * (high - low) or 0.5
        low, high = low - room, high + room
    return Scale(low, high, start, end, is_log, tuple(_ticks(axis, low, high, is_log)))


def _category_scale(axis: Any, found: Sequence[str], start: float, end: float) -> Scale:
    names = {name: n for n, name in enumerate(dict.fromkeys(found))}
    low, high = map(float, axis.range or (-0.5, len(names) - 0.5))
    ticks = tuple([(float(n), unescape_plotly(name)) for name, n in names.items()])
    return Scale(low, high, start, end, False, ticks, names)


def _ticks(axis: Any, low: float, high: float, is_log: bool) -> Iterator[tuple[float, str]]:
    """Yield the values with a tick, and their labels."""
    if axis.tickvals is not None:
        room = 1e-9 + 1e-6 * (high - low)
        texts = axis.ticktext or [None] * len(axis.tickvals)
        for value, text in zip(map(float, axis.tickvals), texts, strict=True):
            if low - room <= (math.log10(value) if is_log else value) <= high + room:
                yield value, unescape_plotly(str(text)) if text else _format_tick(axis, value)
        return
    if is_log:
        powers = range(math.floor(low), math.ceil(high) + 1)
        digits = (1,) if high - low > 2 else (1, 2, 5) if high - low > 1 else range(1, 10)
        values = [digit * 10.0**power for power in powers for digit in digits]
        between = [value for value in values if low <= math.log10(value) <= high]
    else:
        step = _round_step((high - low) / TICKS)
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        between = [number * step for number in range(first, last + 1)]
    yield from ((value, _format_tick(axis, value)) for value in between)


def _round_step(size: float) -> float:
    """Return the next larger number of 1, 2, 5, 10, 20, 50 …

    >>> _round_step(3), _round_step(0.012), _round_step(80)
    (5.0, 0.02, 100.0)
    """
    power = 10.0 ** math.floor(math.log10(size or 1.0))
    return float(f"{next(m for m in (1, 2, 5, 10) if m * power >= size * 0.999) * power:.9g}")


def _format_tick(axis: Any, value: float) -> str:
    """Return the label of a tick, with a real minus sign."""
    if (axis.tickformat or "").endswith("%"):
        return f"{value:.0%}"
    shown = f"{value:,.0f}" if value == round(value) else f"{value:.6g}"
    return shown.replace("-", "−")
