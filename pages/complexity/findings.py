"""The presentation of the counts of `counting.py`: a chart, verdicts and tables."""

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from pages.complexity.counts import (
    NUM_FITTED,
    OPERATIONS,
    OperationCount,
    OperationGrowth,
    claim_line,
    claimed_exponent,
    measured_exponent,
)
from pages.shared.drawing.charts import COLOURS, FIXED, SYMBOLS
from pages.shared.drawing.display_text import plain_table

EXPONENT_TOLERANCE = 0.1  # exponents this close count as equal
HEIGHT = 322  # px, under the rows of the legend


def chart(growth: OperationGrowth) -> go.Figure:
    """Draw the counts on logarithmic scales, each with its claimed slope."""
    lines = [part for n, series in enumerate(growth.series) for part in _lines(growth, series, n)]
    counts = [count for series in growth.series for count in series.counts if count > 0]
    layout = {
        "height": HEIGHT,
        "margin": {"t": 44, "r": 16, "b": 48, "l": 80},
        "xaxis": _axis(growth.axis, growth.sizes) | {"tickvals": growth.sizes},
        "yaxis": _axis(f"{growth.unit}s", counts),
        "legend": {"orientation": "h", "x": 0, "y": 1.01, "yanchor": "bottom"},
        "showlegend": True,
    }
    return go.Figure({"data": lines, "layout": layout})


def _axis(title: str, values: Sequence[int]) -> dict:
    low, high = math.log10(min(values, default=1)), math.log10(max(values, default=10))
    room = 0.06 * (high - low) + 0.05
    ticks = {"type": "log", "dtick": 1, "range": [low - room, high + room]}
    return {"title": title, "tickformat": ",", **ticks, **FIXED}


def _lines(growth: OperationGrowth, series: OperationCount, n: int) -> list[dict]:
    line = {
        "x": list(growth.sizes),
        "y": [count or None for count in series.counts],
        "mode": "lines+markers",
        "name": f"{series.name}, {series.claim.formula}",
        "line": {"width": 2, "color": COLOURS[n]},
        "marker": {"size": 8, "symbol": SYMBOLS[n]},
        "hovertemplate": "%{x:,}: %{y:,}<extra>" + series.name + "</extra>",
    }
    claim = {
        "x": list(growth.sizes),
        "y": [value or None for value in claim_line(series)],
        "mode": "lines",
        "showlegend": False,
        "line": {"width": 2, "color": COLOURS[n], "dash": "dot"},
        "opacity": 0.7,
        "hoverinfo": "skip",
    }
    return [line, claim]


# --- Words ----------------------------------------------------------------------------------------


def finding(growth: OperationGrowth) -> str:
    """Tell how the first count grows, and how the last compares with it at both ends."""
    first, last = growth.series[0], growth.series[-1]
    text = f"“{first.name}” grows too little to measure"
    if factor := _doubling(growth, first):
        more = "as many" if factor == "1.0" else f"{factor} times as many"
        takes = f"“{first.name}” takes {more} {growth.unit}s"
        text = f"When {growth.axis[0]} doubles, {takes}, {verdict(growth, first)}"
    if first is last or not last.counts or not last.counts[-1]:
        return text
    small, large = (_ratio_text(first.counts[n], last.counts[n], growth.unit) for n in (0, -1))
    text += f". “{last.name}” takes {large}"
    if small == large:
        return f"{text}, at the smallest size and at the largest"
    text += " at the largest size"
    return f"{text}, {small.removesuffix(f' {growth.unit}s')} at the smallest" if small else text


def _doubling(growth: OperationGrowth, series: OperationCount) -> str:
    """Return how many times a count grows when the input doubles; empty if it is too small."""
    power = measured_exponent(growth, series)
    return "" if power is None else f"{2**power:.1f}"


def _ratio_text(one: int, other: int, unit: str) -> str:
    """Return how many times more or fewer `other` is than `one`; empty if either is 0.

    >>> _ratio_text(10, 101, "step"), _ratio_text(34, 10, "step"), _ratio_text(100, 102, "step")
    ('10 times as many steps', '3.4 times fewer steps', 'as many steps')
    """
    if not one or not other:
        return ""
    times = max(one, other) / min(one, other)
    if times < 1.05:
        return f"as many {unit}s"
    written = f"{times:,.0f}" if times >= 10 else f"{times:.1f}"
    return f"{written} times {'as many' if other > one else 'fewer'} {unit}s"


def exponent_text(value: float | None) -> str:
    """Return a formatted exponent.

    >>> exponent_text(1.234), exponent_text(-0.001), exponent_text(None)
    ('1.23', '0.00', '–')
    """
    return "–" if value is None else f"{abs(value) if abs(value) < 0.005 else value:.2f}"


def verdict(growth: OperationGrowth, series: OperationCount) -> str:
    """Return how a count grows compared with its claim, in words."""
    power, bound = measured_exponent(growth, series), claimed_exponent(growth, series)
    if power is None or bound is None:
        return "too few operations to tell"
    if power < bound - EXPONENT_TOLERANCE:
        return f"less than {series.claim.formula} allows"
    if power > bound + EXPONENT_TOLERANCE:
        return f"more steeply than {series.claim.formula} at these sizes"
    return f"as {series.claim.formula} says"


def growth_table(growth: OperationGrowth) -> str:
    """Return an HTML table of the counts at every size."""
    names = [series.name for series in growth.series]
    rows = [
        [size, *(series.counts[n] for series in growth.series)]
        for n, size in enumerate(growth.sizes)
    ]
    return plain_table(f"{growth.unit.capitalize()}s at every size", [growth.axis, *names], rows)


def meanings(growth: OperationGrowth) -> tuple[str, tuple[str, ...], list[tuple[str, ...]]]:
    """Return the caption, columns and rows of a table on what is counted, and how it grows."""
    ends = [f"{growth.axis[0]} = {growth.sizes[n]:,}" for n in (0, -1)]
    columns = ("count", f"what one {growth.unit} is", *ends, f"when {growth.axis[0]} doubles")
    rows = [
        (
            series.name,
            series.meaning,
            *(f"{series.counts[n]:,}" for n in (0, -1)),
            f"{factor} times" if (factor := _doubling(growth, series)) else "–",
        )
        for series in growth.series
    ]
    return "What is counted", columns, rows


def claims_table(growths: Sequence[OperationGrowth]) -> str:
    """Return an HTML table of every count next to its claim, with exponents and verdict."""
    rows = [
        [
            OPERATIONS[growth.operation],
            series.name,
            f"{series.claim.formula}, {series.claim.source}",
            series.formula,
            exponent_text(claimed_exponent(growth, series)),
            exponent_text(measured_exponent(growth, series)),
            verdict(growth, series),
        ]
        for growth in growths
        for series in growth.series
    ]
    rows += [
        [name, "characters read", "O(n), the sources’ table", "n", "1.00", "1.00", "by definition"]
        for name in ("Splitting into words", "Splitting into characters")
    ]
    head = ["operation", "count", "claim", "formula here", "its exponent", "measured", "verdict"]
    caption = f"Claims and counts; exponents are fitted over the {NUM_FITTED} largest sizes"
    return plain_table(caption, head, rows)
