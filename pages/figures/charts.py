"""Plotly charts of a training run, and what changes on them from step to step.

A chart is the same at every step, so that the browser draws it once and it never flickers. The
finding, a sentence that stands above it, and the rule that lies over it are made for the step.
"""

from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from pages.figures.phrases import times
from pages.figures.tiles import visible
from tokenizers.trace import Trace

GREY = "#8a867e"  # seen on paper and on ink; the lines take the colours of the theme
MOST_POINTS = 1000  # more cannot be told apart on a screen
HEIGHT = 370
MARGIN = {"t": 30, "r": 24, "b": 44, "l": 70}  # around the plot, in px: the rule lies inside
GAP = 0.2  # between two rows of a chart, as a share of the plot
FAR_APART = 50  # from here on a logarithmic scale shows counts better


def plain(text: str) -> str:
    """Return text for a chart, where Plotly would take < and & for markup.

    >>> plain("<b> & c")
    '&lt;b>·&amp;·c'
    """
    return visible(text).replace("&", "&amp;").replace("<", "&lt;")


def growth_chart(trace: Trace) -> go.Figure:
    """Draw how the counts of the merged pairs fall, the text shortens and the vocabulary grows."""
    names = ("Count of the merged pair", "Tokens in the text, and pieces (dashed)")
    figure = make_subplots(
        rows=2, cols=1, shared_xaxes=True, vertical_spacing=GAP, subplot_titles=names
    )
    steps = _thinned(len(trace))
    merged = [step for step in steps if step]
    counts = [trace.counts[step - 1] for step in merged]
    _line(figure, merged, counts, "times seen")
    tokens = [trace.num_tokens[step] for step in steps]
    pieces = [trace.vocab_sizes[step] for step in steps]
    _line(figure, steps, tokens, "tokens", row=2)
    _line(figure, steps, pieces, "pieces", row=2, dash="dash")
    if counts and max(counts) > FAR_APART * min(counts):
        figure.update_yaxes(type="log", dtick=1, row=1, col=1)
    figure.update_yaxes(title="times seen", row=1, col=1)
    figure.update_yaxes(title="number", rangemode="tozero", row=2, col=1)
    figure.update_xaxes(title="step", row=2, col=1)
    figure.update_annotations(x=0, xanchor="left", font_size=14)
    return _dressed(figure, len(trace))


def growth_finding(trace: Trace, k: int) -> str:
    """Return what the first `k` steps did to the text."""
    if not k:
        return f"At the start the text has {trace.num_tokens[0]:,} tokens"
    fewer = 1 - trace.num_tokens[k] / trace.num_tokens[0]
    return f"After {k:,} of {len(trace):,} merges: {fewer:.0%} fewer tokens"


def pair_chart(trace: Trace, pair: tuple[str, str]) -> go.Figure:
    """Draw how often `pair` was seen at every step of the run."""
    series = trace.pair_history.series(pair)
    steps = [*(step for step, _ in series), len(trace)]
    counts = [count for _, count in series]
    figure = make_subplots()
    _line(figure, steps, [*counts, counts[-1]], "times seen")
    figure.update_xaxes(title="step")
    figure.update_yaxes(title="times seen", rangemode="tozero")
    return _dressed(figure, len(trace))


def pair_finding(trace: Trace, pair: tuple[str, str], k: int) -> str:
    """Return how often `pair` is seen after step `k`."""
    now = [count for step, count in trace.pair_history.series(pair) if step <= k][-1]
    seen = f"seen {times(now)}" if now else "seen no more"
    return f"{' + '.join(map(visible, pair))}: {seen} after step {k:,}"


_RULE_STYLE = (
    "<style>[class*=-with-rule]{position:relative}"
    "[class*=-with-rule]>:has(.pp-rule){position:absolute;inset:0;pointer-events:none}"
    f".pp-rule{{position:absolute;inset:{' '.join(f'{px}px' for px in MARGIN.values())}}}"
    ".pp-rule div{position:absolute;inset-block:0;display:grid;grid-auto-rows:1fr;"
    f"row-gap:{GAP:.0%}}}"
    f".pp-rule i{{border-left:2px dotted {GREY}}}</style>"
)


def step_rule(k: int, last: int, rows: int = 1) -> str:
    """Return HTML of a vertical rule at step `k` of `last`, over a chart of so many rows.

    The chart and the rule stand in one container whose key ends in `-with-rule`.

    >>> step_rule(5, 10).rpartition("</style>")[2]
    '<div class="pp-rule" aria-hidden="true"><div style="left:50.00%"><i></i></div></div>'
    """
    at = f"left:{k / max(last, 1):.2%}"
    rule = f'<div class="pp-rule" aria-hidden="true"><div style="{at}">{"<i></i>" * rows}</div></div>'
    return _RULE_STYLE + rule


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


def _dressed(figure: go.Figure, last: int) -> go.Figure:
    figure.update_xaxes(range=[0, max(last, 1)], tickformat=",", fixedrange=True, automargin=False)
    figure.update_yaxes(fixedrange=True, automargin=False)
    figure.update_layout(height=HEIGHT, margin=MARGIN, showlegend=False, hovermode="x")
    return figure
