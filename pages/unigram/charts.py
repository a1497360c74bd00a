"""Plotly charts of a Unigram run's log-likelihood, vocabulary size, single pieces and ranks.

As in `pages/shared/drawing/charts.py`, a chart over steps is the same at every step.
"""

import math
from collections.abc import Mapping, Sequence
from html import escape

import plotly.graph_objects as go

from pages.shared.drawing.charts import (
    COLOURS,
    DASHES,
    FIXED,
    GAP,
    SYMBOLS,
    CachedFigure,
    Chart,
    cached_by_trace,
    figure,
    line,
    row_heading,
    unique_label,
)
from pages.shared.drawing.display_text import show_spaces
from pages.shared.drawing.phrasing import count_of
from pages.unigram.frames.tables import as_dict, e_steps, likelihoods
from pages.unigram.numbers import log_of, probability
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.unigram.steps import Expectation

PIECES = 5  # lines in one chart
LONGEST_NAME = 12
LABEL_GAP = 0.07  # between the names of two lines, as a fraction of the height
MOST_POINTS = 2_000
FEW = 100  # up to so many dots are drawn large


@cached_by_trace
def likelihood_chart(trace: UnigramTrace) -> CachedFigure:
    """Draw the log-likelihood at every E step and, below, the number of pieces."""
    values = likelihoods(trace)
    sizes = [len(step.log_probs) for step in trace.steps]
    half = (1 - GAP) / 2
    rising = {
        **line([k for k, _ in values], [value for _, value in values], "log-likelihood"),
        "mode": "lines+markers",
        "line": {"shape": "linear", "width": 2},
        "marker": {"size": 6},
        "hovertemplate": "step %{x:,}: %{y:,.2f} nats<extra></extra>",
    }
    return figure(
        [rising, line(list(range(1, len(sizes) + 1)), sizes, "pieces", yaxis="y2")],
        len(trace),
        yaxis={"title": "nats", "domain": [1 - half, 1], **FIXED},
        yaxis2={"title": "pieces", "domain": [0, half], "rangemode": "tozero", **FIXED},
        annotations=[
            row_heading("Log-likelihood of the text, at every E step", 1),
            row_heading("Pieces in the vocabulary", half),
        ],
    )


def likelihood_finding(trace: UnigramTrace, k: int) -> str:
    """Return a summary sentence with the log-likelihood and the vocabulary size at step `k`."""
    earlier = e_steps(trace, k)
    if not earlier:
        return "We know the log-likelihood after the first E step"
    size = count_of(len(earlier[-1].log_probs), "piece")
    value = log_of(earlier[-1].log_likelihood)
    return f"At the last E step: {size}, and a log-likelihood of {value} nats"


def run_chart(trace: UnigramTrace, k: int) -> Chart:
    """Return the chart of log-likelihood and vocabulary size, with its summary at step `k`."""
    chart, finding = likelihood_chart(trace), likelihood_finding(trace, k)
    return Chart("The chart of the run", chart, finding, len(trace), table="Steps")


# --- Single pieces --------------------------------------------------------------------------------


def leading_pieces(trace: UnigramTrace, wanted: str = "") -> list[str]:
    """Return the run's most probable final pieces, single characters last, and `wanted`."""
    last = as_dict(trace.steps[-1].log_probs)
    ranked = sorted(last, key=lambda piece: (len(piece) == 1, -last[piece]))[:PIECES]
    if wanted and wanted not in ranked:
        ranked = [wanted, *ranked[: PIECES - 1]]
    return ranked


def probability_series(trace: UnigramTrace, piece: str) -> list[tuple[int, float | None]]:
    """Return (step, probability) for every step but E steps; None where the piece is absent."""
    series: list[tuple[int, float | None]] = []
    for k, step in enumerate(trace.steps, start=1):
        if not isinstance(step, Expectation):
            log = step.log_probs.get(piece)
            series.append((k, None if log is None else math.exp(log)))
    return series


@cached_by_trace
def pieces_chart(trace: UnigramTrace, pieces: Sequence[str]) -> CachedFigure:
    """Draw the probabilities of `pieces` over the steps, each line with its name at the end."""
    lines, ends = [], []
    for n, piece in enumerate(pieces):
        series = probability_series(trace, piece)
        name = piece_label(piece, n)
        lines.append(
            {
                "x": [k for k, _ in series],
                "y": [p for _, p in series],
                "yaxis": "y",
                "mode": "lines",
                "name": name,
                "line": {"shape": "hv", "width": 2, "color": COLOURS[n], "dash": DASHES[n]},
                "hovertemplate": "step %{x:,}: %{y:.4g}<extra>" + name + "</extra>",
            }
        )
        ends += [(k, p, name) for k, p in series if p is not None][-1:]
    most = max((p for line_ in lines for p in line_["y"] if p is not None), default=1.0)
    yaxis = {"title": "probability", "range": [0, 1.1 * most], **FIXED}
    return figure(lines, len(trace), yaxis=yaxis, annotations=_end_labels(ends, LABEL_GAP * most))


def _end_labels(ends: Sequence[tuple[int, float, str]], gap: float) -> list[dict]:
    """Return labels for the lines' ends (step, probability, name), at least `gap` apart."""
    labels, below = [], -gap
    for k, p, name in sorted(ends, key=lambda end: end[1]):
        below = max(p, below + gap)
        position = {"x": k, "y": below, "xanchor": "right", "yanchor": "bottom"}
        labels.append({"text": name, "showarrow": False, "font": {"size": 13}} | position)
    return labels


def pieces_finding(trace: UnigramTrace, pieces: Sequence[str], k: int) -> str:
    """Return a summary sentence with the first piece's probability after step `k`."""
    if not pieces:
        return "No pieces are left"
    known = [p for step, p in probability_series(trace, pieces[0]) if step <= k]
    if not known:
        return "Take a step to see how the pieces that end up most probable got there"
    if known[-1] is None:
        return f"{show_spaces(pieces[0])} is not in the vocabulary after step {k:,}"
    return f"{show_spaces(pieces[0])} has probability {probability(known[-1])} after step {k:,}"


def probability_chart(trace: UnigramTrace, pieces: Sequence[str], k: int) -> Chart:
    """Return the chart of `pieces`, with its summary sentence at step `k`."""
    chart, finding = pieces_chart(trace, pieces), pieces_finding(trace, pieces, k)
    return Chart("The chart of single pieces", chart, finding, len(trace))


def piece_label(piece: str, number: int) -> str:
    """Return a piece as a Plotly label; labels with different `number` never coincide."""
    return unique_label(show_spaces(piece), LONGEST_NAME, number)


# --- Two runs, and several losses -----------------------------------------------------------------


def comparison_chart(traces: Mapping[str, UnigramTrace]) -> go.Figure:
    """Draw the log-likelihoods of the named runs over their E steps."""
    lines = []
    for n, (name, trace) in enumerate(traces.items()):
        values = [step.log_likelihood for step in e_steps(trace)]
        lines.append(
            {
                "x": list(range(1, len(values) + 1)),
                "y": values,
                "mode": "lines+markers",
                "name": escape(name, quote=False),
                "line": {"width": 2, "color": COLOURS[n], "dash": DASHES[n]},
                "marker": {"size": 6, "symbol": SYMBOLS[n]},
                "hovertemplate": "E step %{x:,}: %{y:,.2f} nats<extra></extra>",
            }
        )
    return _plain(lines, "E step", "log-likelihood, nats")


def ranks_chart(
    pieces: Sequence[str], ranks: Mapping[str, Sequence[float]], first: str
) -> go.Figure:
    """Plot each piece's rank by every other loss against its rank by the loss `first`."""
    every = max(1, -(-len(pieces) // MOST_POINTS))
    names = [piece_label(piece, 0) for piece in pieces[::every]]
    size = 8 if len(names) <= FEW else 4
    dots = [
        {
            "x": list(ranks[first][::every]),
            "y": list(values[::every]),
            "mode": "markers",
            "name": escape(name, quote=False),
            "text": names,
            "marker": {"size": size, "symbol": SYMBOLS[n], "color": COLOURS[n], "opacity": 0.7},
            "hovertemplate": "%{text}: %{x:,} → %{y:,}<extra></extra>",
        }
        for n, (name, values) in enumerate(ranks.items())
        if name != first
    ]
    return _plain(dots, f"rank by {first}", "rank by another loss")


def _plain(lines: list[dict], x: str, y: str) -> go.Figure:
    layout = {
        "height": 340,
        "margin": {"t": 30, "r": 16, "b": 44, "l": 76},
        "xaxis": {"title": x, "tickformat": ",", **FIXED},
        "yaxis": {"title": y, "tickformat": ",", **FIXED},
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        "showlegend": True,
    }
    return go.Figure({"data": lines, "layout": layout})
