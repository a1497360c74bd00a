"""The chart of a comparison: how many tokens words have."""

from collections.abc import Sequence
from html import escape

import plotly.graph_objects as go

from pages.compare.scripts import MOST_TOLD, Spread, shares
from pages.shared.drawing.charts import FIXED

PATTERNS = ("", "/", ".", "x", "-", "\\", "+", "|")
"""How the bars of each tokenizer are hatched, beside their colour."""
HEIGHT = 360


def lengths_chart(rows: Sequence[Spread]) -> go.Figure:
    """Draw for each tokenizer which share of the words has 1, 2 … tokens."""
    labels = [str(n) for n in range(1, MOST_TOLD)] + [f"{MOST_TOLD} or more"]
    bars = [
        {
            "type": "bar",
            "x": labels,
            "y": shares(row),
            "name": escape(row.name, quote=False),
            "marker": {"pattern": {"shape": PATTERNS[n % len(PATTERNS)], "solidity": 0.35}},
            "hovertemplate": "%{x} tokens: %{y:.1%} of the words<extra>"
            + escape(row.name, quote=False)
            + "</extra>",
        }
        for n, row in enumerate(rows)
    ]
    layout = {
        "height": HEIGHT,
        "margin": {"t": 10, "r": 10, "b": 50, "l": 70},
        "xaxis": {"title": "tokens per word", "type": "category", **FIXED},
        "yaxis": {"title": "share of words", "tickformat": ".0%", "range": [0, 1], **FIXED},
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom"},
    }
    return go.Figure({"data": bars, "layout": layout})
