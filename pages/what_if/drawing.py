"""The table and the chart of the effect of each count."""

from collections.abc import Sequence

import plotly.graph_objects as go

from pages.shared.drawing.charts import FIXED, GREY
from pages.shared.drawing.markup import table
from pages.what_if.counts import intervals
from pages.what_if.two_runs import CountEdit
from tokenizers.experiments.research.corpus_edit import Probe

LAYOUT = {"height": 360, "margin": {"t": 40, "r": 24, "b": 44, "l": 70}, "showlegend": False}


def html_intervals(probes: Sequence[Probe]) -> str:
    """Return an HTML table of the first merge that each range of counts changes."""
    rows = [
        (f"{low:,} to {high:,}" if high > low else f"{low:,}", f"{first:,}" if first else "none")
        for low, high, first in intervals(probes)
    ]
    columns = ("count", "first merge that changes")
    return table(columns, rows, "What each count does", kind="pp-runs")


def counts_chart(probes: Sequence[Probe], edit: CountEdit) -> go.Figure:
    """Draw the first merge that changes against the word's count; the top row means none."""
    nothing = len(edit.whole) + 2
    counts = [probe.count for probe in probes]
    firsts = [nothing if probe.first is None else probe.first for probe in probes]
    texts = ["none" if probe.first is None else f"merge {probe.first:,}" for probe in probes]
    drawn = {
        "x": counts,
        "y": firsts,
        "text": texts,
        "mode": "lines+markers" if len(counts) <= 60 else "lines",
        "line": {"shape": "hvh", "width": 2, "color": "#0072B2"},
        "marker": {"size": 7},
        "hovertemplate": "seen %{x:,}: %{text}<extra></extra>",
    }
    ticks = sorted({probe.first for probe in probes if probe.first is not None})
    every = max(1, -(-len(ticks) // 8))
    shown = [1, *[tick for tick in ticks[::every] if tick > 1]]
    low, high = min(counts, default=0), max(counts, default=1)
    marks = [(edit.old, "dot", "in the corpus")]
    if low <= edit.count <= high and edit.count != edit.old:
        marks.append((edit.count, "solid", "yours"))
    layout = LAYOUT | {
        "xaxis": {"title": "count of the word", "range": [low - 0.7, high + 0.7], **FIXED},
        "yaxis": {
            "title": "first merge that changes",
            "range": [0, nothing + 1],
            "tickvals": [*shown, nothing],
            "ticktext": [*(f"{tick:,}" for tick in shown), "none"],
            **FIXED,
        },
        "shapes": [_rule(at, dash) for at, dash, _ in marks],
        "annotations": [_name(at, name) for at, _, name in marks],
    }
    layout["xaxis"]["tickformat"] = ","
    return go.Figure({"data": [drawn], "layout": layout})


def _rule(count: int, dash: str) -> dict:
    line = {"color": GREY, "dash": dash, "width": 2}
    position = {"x0": count, "x1": count, "y0": 0, "y1": 1, "yref": "paper"}
    return {"type": "line", "line": line, "layer": "below"} | position


def _name(count: int, text: str) -> dict:
    position = {"x": count, "y": 1, "yref": "paper", "yanchor": "bottom"}
    return {"text": f"{text}: {count:,}", "showarrow": False, "font": {"size": 13}} | position
