"""Plotly charts of a training run, and what changes on them from step to step.

A chart is the same at every step, so that the browser draws it once and it never flickers. The
finding, a sentence that stands above it, and the rule that lies over it are made for the step.
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
GREY = "#8a867e"  # seen on paper and on ink; the lines take the colours of the theme
MOST_POINTS = 1000  # more cannot be told apart on a screen
HEIGHT = 390
MARGIN = {"t": 30, "r": 24, "b": 44, "l": 70}  # around the plot, in px: the rule lies inside
FIXED = {"fixedrange": True, "automargin": False}  # else the plot's size changes with the numbers
GAP = 0.2  # between two rows of a chart, as a share of the plot
FAR_APART = 50  # from here on a logarithmic scale shows counts better

T = TypeVar("T")
P = ParamSpec("P")


class CachedFigure(go.Figure):
    """A figure that is not changed once it is shown: what is made of it is worked out once."""

    def cached_text(self, make: Callable[["CachedFigure"], str]) -> str:
        """Return what `make` makes of the figure, which is always the same function."""
        if not hasattr(self, "_text"):
            self._text = make(self)
        return self._text

    def to_dict(self) -> dict[str, Any]:
        """Return what the figure is made of; Streamlit asks for it twice whenever it is shown."""
        if not hasattr(self, "_made"):
            self._made = super().to_dict()
        return self._made


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart that can be taken along: its name, its figure, and what it shows, in a sentence.

    Where its x-axis has the steps of the run, `last` is the last of them. `table` names the table
    of the page that has its numbers; without one, they are taken along with the chart.
    """

    name: str
    figure: go.Figure
    finding: str
    last: int = 0
    table: str = ""


def cached_by_trace(
    draw: Callable[Concatenate[T, P], CachedFigure],
) -> Callable[Concatenate[T, P], CachedFigure]:
    """Keep what was last drawn of a record, for as long as the record is there.

    A chart is shown anew at every rest at a step, though it is the same; making it would take most
    of the server's time. What is given besides the record can be compared.
    """
    kept: WeakKeyDictionary[T, tuple[Any, CachedFigure]] = WeakKeyDictionary()

    @wraps(draw)
    def drawn(record: T, *args: P.args, **kwargs: P.kwargs) -> CachedFigure:
        last = kept.get(record)
        if last is None or last[0] != (args, kwargs):
            last = kept[record] = (args, kwargs), draw(record, *args, **kwargs)
        return last[1]

    return drawn


@cached_by_trace
def growth_chart(trace: Trace) -> CachedFigure:
    """Draw how the counts of the merged pairs fall, the text shortens and the vocabulary grows."""
    every = max(1, math.ceil(len(trace) / MOST_POINTS))
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
    """Return what the first `k` steps did to the text."""
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
    """Return how often `pair` is seen after step `k`."""
    now = [count for step, count in trace.pair_history.series(pair) if step <= k][-1]
    seen = f"occurs {times(now)}" if now else "no longer occurs"
    return f"{' + '.join(map(show_spaces, pair))} {seen} after step {k:,}"


def line(
    x: Sequence[int], y: Sequence[float], name: str, dash: str = "solid", yaxis: str = "y"
) -> dict:
    """Return a line that stays level from one step to the next."""
    return {
        "x": np.asarray(x),  # of a list, Plotly would look at every number several times
        "y": np.asarray(y),
        "yaxis": yaxis,
        "mode": "lines",
        "name": name,
        "line": {"shape": "hv", "width": 2, "dash": dash},
        "hovertemplate": "step %{x:,}: %{y:,}<extra>" + name + "</extra>",
    }


def unique_label(shown: str, longest: int, number: int) -> str:
    """Return a name, cut short, as Plotly takes it: none with another number is the same."""
    cut = shown if len(shown) <= longest else shown[: longest - 1] + "…"
    return escape(cut, quote=False) + "\u200b" * number


def row_heading(text: str, y: float) -> dict:
    """Return the heading of a row whose upper end is at `y`, as a share of the plot."""
    place = {"x": 0, "xanchor": "left", "xref": "paper"}
    place |= {"y": y, "yanchor": "bottom", "yref": "paper"}
    return {"text": text, "showarrow": False, "font": {"size": 14}} | place


def figure(lines: list[dict], last: int, **layout: Any) -> CachedFigure:
    """Return a figure over the steps from 0 to `last`, with their axis under the last row."""
    steps = {"title": "step", "range": [0, max(last, 1)], "tickformat": ","}
    layout["xaxis"] = {**steps, "anchor": lines[-1]["yaxis"], **FIXED}
    layout = {"showlegend": False} | layout
    layout |= {"height": HEIGHT, "margin": {**MARGIN, "autoexpand": False}, "hovermode": "x"}
    # Made of one dictionary: methods such as update_xaxes take five times as long.
    return CachedFigure({"data": lines, "layout": layout})
