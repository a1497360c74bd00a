"""The chart that compares segmentations drawn at random with their exact probabilities."""

import math
import random
from collections import Counter
from collections.abc import Sequence

import plotly.graph_objects as go

from pages.shared.drawing.charts import unique_label
from pages.shared.drawing.display_text import show_spaces
from tokenizers.lattice import Path
from tokenizers.lattice.sampling import Sampler

DRAWS = 1_000
MAX_SHOWN = 12  # segmentations, the most probable ones
LONGEST_NAME = 30


def draw(sampler: Sampler, seed: int, number: int = DRAWS) -> Counter[Path]:
    """Return how often each segmentation comes up in `number` draws."""
    rng = random.Random(seed)
    return Counter(sampler.draw(rng) for _ in range(number))


def distance(some: Sequence[float], others: Sequence[float]) -> float:
    """Return the total variation distance between two distributions over the same outcomes.

    >>> distance([0.5, 0.5], [1.0, 0.0])
    0.5
    """
    return math.fsum(abs(a - b) for a, b in zip(some, others, strict=True)) / 2


def draws_chart(sampler: Sampler, paths: Sequence[Path], drawn: Counter[Path]) -> go.Figure:
    """Draw each segmentation's relative frequency as a bar, and its probability as a marker."""
    shown = paths[:MAX_SHOWN]
    splits = ["|".join(map(show_spaces, sampler.lattice.pieces(path))) for path in shown]
    names = [unique_label(split, LONGEST_NAME, n) for n, split in enumerate(splits)]
    total = drawn.total()
    bars = {
        "type": "bar",
        "x": names,
        "y": [drawn[path] / total for path in shown],
        "name": "drawn",
        "hovertemplate": "drawn: %{y:.1%}<extra></extra>",
    }
    exact = {
        "type": "scatter",
        "mode": "markers",
        "x": names,
        "y": [sampler.probability(path) for path in shown],
        "name": "exact",
        "marker": {"symbol": "line-ew-open", "size": 26, "line": {"width": 3}},
        "hovertemplate": "exact: %{y:.1%}<extra></extra>",
    }
    layout = {
        "height": 340,
        "margin": {"t": 10, "r": 10, "b": 90, "l": 60},
        "xaxis": {"type": "category", "fixedrange": True, "automargin": True},
        "yaxis": {"title": "share of the draws", "tickformat": ".0%", "fixedrange": True},
        "legend": {"orientation": "h", "y": 1.08},
        "bargap": 0.45,
    }
    return go.Figure({"data": [bars, exact], "layout": layout})


def describe_draws(ways: int) -> str:
    """Return a summary sentence for the chart of a text with `ways` segmentations."""
    return f"{min(MAX_SHOWN, ways)} segmentations: how often each was drawn, and how often exactly."
