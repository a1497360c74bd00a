"""Plotly charts of a training run.

A chart is the same at every step: the browser draws it once, without flicker. Only the summary
sentence above the chart (its finding) and the vertical rule over it depend on the step.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from html import escape
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
import plotly.graph_objects as go

from pages.shared.drawing.display_text import show_spaces
from pages.shared.drawing.phrasing import times
from tokenizers.record.trace import Trace

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#8a867e")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "solid")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x")
GREY = "#8a867e"  # visible on light and dark; lines take the colours of the theme
MAX_POINTS = 1000  # more are indistinguishable on a screen
HEIGHT = 390
MARGIN = {"t": 30, "r": 24, "b": 44, "l": 70}  # around the plot, in px: the rule lies inside
FIXED = {"fixedrange": True, "automargin": False}  # otherwise the plot resizes with its numbers
GAP = 0.2  # between two rows of a chart, as a fraction of the plot
FAR_APART = 50  # ratio of counts above which a logarithmic scale is better

T = TypeVar("T")
P = ParamSpec("P")


class CachedFigure(go.Figure):
    """An immutable figure that caches what is derived from it."""

    def cached_text(self, render: Callable[["CachedFigure"], str]) -> str:
        """Return `render(self)`, computed once; always pass the same function."""
        if not hasattr(self, "_text"):
            self._text = render(self)
        return self._text

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as a dict, cached: Streamlit calls this twice per display."""
        if not hasattr(self, "_made"):
            self._made = super().to_dict()
        return self._made


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart for export; `finding` is a sentence that summarizes what it shows.

    If its x-axis shows steps, `last` is the last step. `table` names the page's table that has the
    chart's numbers; without such a table, the numbers are exported with the chart.
    """

    name: str
    figure: go.Figure
    finding: str
    last: int = 0
    table: str = ""


def cached_by_trace(
    draw: Callable[Concatenate[T, P], CachedFigure],
) -> Callable[Concatenate[T, P], CachedFigure]:
    """Cache the last figure of each trace, for as long as the trace exists.

    A chart is displayed again at every step; building it each time would take most of the server's
    time. The other arguments must be comparable.
    """
    cache: WeakKeyDictionary[T, tuple[Any, CachedFigure]] = WeakKeyDictionary()

    @wraps(draw)
    def cached(trace: T, *args: P.args, **kwargs: P.kwargs) -> CachedFigure:
        last = cache.get(trace)
        if last is None or last[0] != (args, kwargs):
            last = cache[trace] = (args, kwargs), draw(trace, *args, **kwargs)
        return last[1]

    return cached


@cached_by_trace
def growth_chart(trace: Trace) -> CachedFigure:
    """Draw how the counts of the merged pairs fall, the text shortens and the vocabulary grows."""
    every = max(1, math.ceil(len(trace) / MAX_POINTS))
    steps = [*range(0, len(trace), every), len(trace)]
    merged = [step for step in steps if step]
    counts = [trace.counts[step - 1] for step in merged]
    spreads = bool(counts) and max(counts) > FAR_APART * min(counts)
    half = (1 - GAP) / 2
    above = {"title": "count", "domain": [1 - half, 1], **FIXED}
    below = {"title": "number", "domain": [0, half], "rangemode": "tozero", **FIXED}
    return figure(
        [
            line(merged, counts, "count"),
            line(steps, [trace.num_tokens[step] for step in steps], "tokens", yaxis="y2"),
            line(steps, [trace.vocab_sizes[step] for step in steps], "pieces", "dash", "y2"),
        ],
        len(trace),
        yaxis=above | ({"type": "log", "dtick": 1} if spreads else {}),
        yaxis2=below,
        annotations=[
            row_heading("Count of the merged pair", 1),
            row_heading("Tokens in the text, and pieces (dashed)", half),
        ],
    )


def growth_finding(trace: Trace, k: int) -> str:
    """Describe the effect of the first `k` steps on the text."""
    if not k:
        return f"The text starts with {trace.num_tokens[0]:,} tokens"
    fewer = 1 - trace.num_tokens[k] / trace.num_tokens[0]
    return f"After {k:,} of {len(trace):,} merges: {fewer:.1%} fewer tokens"


@cached_by_trace
def pair_chart(trace: Trace, pair: tuple[str, str]) -> CachedFigure:
    """Draw how often `pair` was seen at every step of the run."""
    series = trace.pair_history.series(pair)
    steps = [*(step for step, _ in series), len(trace)]
    counts = [count for _, count in series]
    series_line = line(steps, [*counts, counts[-1]], "count")
    yaxis = {"title": "count", "rangemode": "tozero", **FIXED}
    return figure([series_line], len(trace), yaxis=yaxis)


def pair_finding(trace: Trace, pair: tuple[str, str], k: int) -> str:
    """Describe how often `pair` occurs after step `k`."""
    now = [count for step, count in trace.pair_history.series(pair) if step <= k][-1]
    seen = f"occurs {times(now)}" if now else "no longer occurs"
    return f"{' + '.join(map(show_spaces, pair))} {seen} after step {k:,}"


def line(
    x: Sequence[int], y: Sequence[float], name: str, dash: str = "solid", yaxis: str = "y"
) -> dict:
    """Return a line of a chart, drawn in steps."""
    return {
        "x": np.asarray(x),  # Plotly would check every number of a list several times
        "y": np.asarray(y),
        "yaxis": yaxis,
        "mode": "lines",
        "name": name,
        "line": {"shape": "hv", "width": 2, "dash": dash},
        "hovertemplate": "step %{x:,}: %{y:,}<extra>" + name + "</extra>",
    }


def unique_label(shown: str, longest: int, number: int) -> str:
    """Return `shown` shortened and escaped for Plotly; `number` invisible spaces make it unique."""
    short = shown if len(shown) <= longest else shown[: longest - 1] + "…"
    return escape(short, quote=False) + "\u200b" * number


def row_heading(text: str, y: float) -> dict:
    """Return the heading of a row whose upper end is at `y`, a fraction of the plot."""
    position = {"x": 0, "xanchor": "left", "xref": "paper"}
    position |= {"y": y, "yanchor": "bottom", "yref": "paper"}
    return {"text": text, "showarrow": False, "font": {"size": 14}} | position


def figure(lines: list[dict], last: int, **layout: Any) -> CachedFigure:
    """Return a figure whose x-axis, below the last row, shows the steps 0 to `last`."""
    steps = {"title": "step", "range": [0, max(last, 1)], "tickformat": ","}
    layout["xaxis"] = {**steps, "anchor": lines[-1]["yaxis"], **FIXED}
    layout = {"showlegend": False} | layout
    layout |= {"height": HEIGHT, "margin": {**MARGIN, "autoexpand": False}, "hovermode": "x"}
    # One dictionary: methods such as update_xaxes take five times as long.
    return CachedFigure({"data": lines, "layout": layout})
