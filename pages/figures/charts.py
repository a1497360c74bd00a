"""Plotly charts of a training run; the finding is in the title, the step is a vertical rule."""

from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from pages.figures.phrases import times
from pages.figures.tiles import visible
from tokenizers.trace import Trace

GREY = "#8a867e"  # seen on paper and on ink; the lines take the colours of the theme
MOST_POINTS = 1000  # more cannot be told apart on a screen
HEIGHT = 380
FAR_APART = 50  # from here on a logarithmic scale shows counts better


def plain(text: str) -> str:
    """Return text for a chart, where Plotly would take < and & for markup.

    >>> plain("<b> & c")
    '&lt;b>·&amp;·c'
    """
    return visible(text).replace("&", "&amp;").replace("<", "&lt;")


def growth_chart(trace: Trace, k: int) -> go.Figure:
    """Draw how the counts of the merged pairs fall, the text shortens and the vocabulary grows."""
    names = (
        "Count of the merged pair",
        "Tokens in the text, and pieces in the vocabulary (dashed)",
    )
    figure = make_subplots(
        rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.2, subplot_titles=names
    )
    steps = _thinned(len(trace))
    merged = [step for step in steps if step]
    counts = [trace.counts[step - 1] for step in merged]
    _line(figure, merged, counts, "times seen")
    tokens = [trace.num_tokens[step] for step in steps]
    pieces = [trace.vocab_sizes[step] for step in steps]
    _line(figure, steps, tokens, "tokens", row=2)
    _line(figure, steps, pieces, "pieces", row=2, dash="dash")
    figure.update_xaxes(range=[0, max(len(trace), 1)], fixedrange=True)
    figure.update_xaxes(title="step", row=2, col=1)
    scale = "log" if counts and max(counts) > FAR_APART * min(counts) else "linear"
    figure.update_yaxes(title="times seen", type=scale, fixedrange=True, row=1, col=1)
    figure.update_yaxes(title="number", rangemode="tozero", fixedrange=True, row=2, col=1)
    figure.update_annotations(x=0, xanchor="left", font_size=14)
    return _dressed(figure, _growth_title(trace, k), k)


def _growth_title(trace: Trace, k: int) -> str:
    if not k:
        return f"At the start the text has {trace.num_tokens[0]:,} tokens"
    fewer = 1 - trace.num_tokens[k] / trace.num_tokens[0]
    return f"After {k:,} of {len(trace):,} merges: {fewer:.0%} fewer tokens"


def pair_chart(trace: Trace, pair: tuple[str, str], k: int) -> go.Figure:
    """Draw how often `pair` was seen at every step of the run."""
    series = trace.pair_history.series(pair)
    steps = [*(step for step, _ in series), len(trace)]
    counts = [count for _, count in series]
    figure = make_subplots()
    _line(figure, steps, [*counts, counts[-1]], "times seen")
    figure.update_xaxes(title="step", range=[0, max(len(trace), 1)], fixedrange=True)
    figure.update_yaxes(title="times seen", rangemode="tozero", fixedrange=True)
    now = [count for step, count in series if step <= k][-1]
    seen = f"seen {times(now)}" if now else "seen no more"
    return _dressed(figure, f"{' + '.join(map(plain, pair))}: {seen} after step {k:,}", k)


def _thinned(last: int) -> list[int]:
    """Return the steps from 0 to `last`, or about `MOST_POINTS` of them evenly spread."""
    every = max(1, -(-last // MOST_POINTS))
    steps = list(range(0, last + 1, every))
    return steps if steps[-1] == last else [*steps, last]


def _line(
    figure: go.Figure,
    x: Sequence[int],
    y: Sequence[int],
    name: str,
    row: int = 1,
    dash: str = "solid",
) -> None:
    """Add a line that stays level from one step to the next."""
    figure.add_scatter(
        x=x,
        y=y,
        mode="lines",
        name=name,
        line={"shape": "hv", "width": 2, "dash": dash},
        hovertemplate="step %{x:,}: %{y:,}<extra>" + name + "</extra>",
        row=row,
        col=1,
    )


def _dressed(figure: go.Figure, title: str, k: int) -> go.Figure:
    figure.add_vline(x=k, line={"color": GREY, "width": 1.5, "dash": "dot"})
    figure.update_layout(
        title={"text": title, "x": 0, "xanchor": "left", "font": {"size": 17}},
        height=HEIGHT,
        margin={"l": 64, "r": 12, "t": 78, "b": 44},
        showlegend=False,
        uirevision="same",
        hovermode="x",
    )
    return figure
