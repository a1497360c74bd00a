"""Count and chart the words of a text that a list of whole words lacks, by size of the list."""

from collections import Counter
from collections.abc import Sequence

import plotly.graph_objects as go

from pages.shared.drawing.charts import FIXED
from pages.shared.training.source import CorpusSource
from tokenizers import baselines
from tokenizers.progress import ProgressCallback

HEIGHT = 300
CAPS = (100, 1_000, 10_000)
"""Sizes named in the summary sentence, if the list is longer."""

Rows = Sequence[tuple[int, int]]
"""Pairs of a list's size and the number of the text's words that the list lacks."""


def unknown_words(report: ProgressCallback, source: CorpusSource, text: str) -> Rows:
    """Count a text's unknown words at every size of a list of the source's frequent words."""
    learned = source.counts or Counter(source.text.split())
    return baselines.unknown_by_size(learned, text.split())


def words_chart(rows: Rows) -> go.Figure:
    """Draw the fraction of the text's words that are unknown, by size of the list."""
    line = {
        "type": "scatter",
        "mode": "lines",
        "line": {"shape": "hv", "width": 2},
        "x": [size for size, _ in rows if size],
        "y": [unknown / rows[0][1] for size, unknown in rows if size],
        "hovertemplate": "%{x:,} words: %{y:.1%} unknown<extra></extra>",
    }
    layout = {
        "height": HEIGHT,
        "margin": {"t": 10, "r": 20, "b": 50, "l": 70},
        "xaxis": {"title": "words in the list", "type": "log", "dtick": 1, **FIXED}
        | {"tickformat": ","},
        "yaxis": {"title": "unknown", "tickformat": ".0%", "range": [0, 1.02], **FIXED},
    }
    return go.Figure({"data": [line], "layout": layout})


def words_finding(rows: Rows) -> str:
    """Return a summary sentence with the fraction of unknown words at a few sizes.

    >>> words_finding([(0, 4), (1, 2), (300, 1)])
    'Unknown words: with a list of the 100 most frequent ones 50.0%, with all 300 25.0%.'
    """
    most = rows[-1][0]
    lists = {size: f"{size:,}" for size in CAPS if size < most} | {most: f"all {most:,}"}
    if CAPS[0] < most:
        lists[CAPS[0]] = f"a list of the {CAPS[0]} most frequent ones"
    parts = (f"with {one} {share(rows, size):.1%}" for size, one in lists.items())
    return f"Unknown words: {', '.join(parts)}."


def share(rows: Rows, size: int) -> float:
    """Return the fraction of the text's words that a list of this size lacks."""
    return min(unknown for at, unknown in rows if at <= size) / rows[0][1]
