"""How corpus surgery looks: the two runs as a table, the chart of counts."""

from collections.abc import Sequence
from html import escape

import plotly.graph_objects as go

from pages.shared.drawing.charts import FIXED, GREY
from pages.shared.drawing.phrases import times
from pages.shared.drawing.said import html_pair, table_of
from pages.shared.drawing.tiles import printable, visible
from pages.surgery.operation import Aligned, Made, Operation, intervals
from tokenizers.experiments.surgery import Probe

LAYOUT = {"height": 360, "margin": {"t": 40, "r": 24, "b": 44, "l": 70}, "showlegend": False}


def html_runs(operation: Operation, rows: Sequence[Aligned]) -> str:
    """Return HTML of the merges of both runs under each other, step by step."""
    scored = operation.whole.settings.by_score
    columns = 4 if scored else 3
    names = (_seen(operation.old), _seen(operation.count))
    groups = "".join(
        f'<th scope="colgroup" colspan="{columns}"{other}>{escape(name)}</th>'
        for name, other in zip(names, ("", ' class="other"'), strict=True)
    )
    score = '<th scope="col" class="n">score</th>' if scored else ""
    heads = "".join(
        f'<th scope="col"{other}>merge</th><th scope="col" class="n">seen</th>{score}'
        '<th scope="col">other run</th>'
        for other in ("", ' class="other"')
    )
    head = f'<tr><th scope="col" rowspan="2">step</th>{groups}</tr><tr>{heads}</tr>'
    body = "".join(_row(row, row.step == operation.first, scored) for row in rows)
    word = printable(visible(operation.word))
    skipped = rows[0].step - 1 if rows else 0
    caption = f"The merges of both runs, the first with “{word}” as it is in the corpus."
    if skipped:
        caption += f" Merges 1 to {skipped:,}, not shown, are the same pairs."
    return table_of(caption, head, body)


def _seen(count: int) -> str:
    return f"seen {times(count)}" if count else "not there"


def _row(row: Aligned, is_first: bool, scored: bool) -> str:
    kind = ' class="first"' if is_first else ""
    step = f"{row.step:,}" + (" first change" if is_first else "")
    cells = _cells(row.whole, row, scored, "") + _cells(row.changed, row, scored, ' class="other"')
    return f'<tr{kind}><th scope="row">{step}</th>{cells}</tr>'


def _cells(made: Made | None, row: Aligned, scored: bool, kind: str) -> str:
    if made is None:
        return f'<td{kind} colspan="{4 if scored else 3}">the run has ended</td>'
    score = f'<td class="n">{float(made.score):.4g}</td>' if scored else ""
    where = "same" if row.is_same else "never" if not made.elsewhere else f"step {made.elsewhere:,}"
    pair, count = html_pair(made.pair), f'<td class="n">{made.count:,}</td>'
    return f"<td{kind}>{pair}</td>{count}{score}<td>{where}</td>"


def html_intervals(probes: Sequence[Probe]) -> str:
    """Return HTML of which counts change which merge first."""
    head = '<tr><th scope="col">count</th><th scope="col">first merge that changes</th></tr>'
    body = "".join(
        f'<tr><th scope="row">{low:,}{f" to {high:,}" if high > low else ""}</th>'
        f"<td>{'none' if first is None else f'{first:,}'}</td></tr>"
        for low, high, first in intervals(probes)
    )
    return table_of("What each count does", head, body)


def counts_chart(probes: Sequence[Probe], operation: Operation) -> go.Figure:
    """Draw the first merge that changes over the counts of the word; above all: none does."""
    nothing = len(operation.whole) + 2
    counts = [probe.count for probe in probes]
    firsts = [nothing if probe.first is None else probe.first for probe in probes]
    said = ["none" if probe.first is None else f"merge {probe.first:,}" for probe in probes]
    drawn = {
        "x": counts,
        "y": firsts,
        "text": said,
        "mode": "lines+markers" if len(counts) <= 60 else "lines",
        "line": {"shape": "hvh", "width": 2, "color": "#0072B2"},
        "marker": {"size": 7},
        "hovertemplate": "seen %{x:,}: %{text}<extra></extra>",
    }
    ticks = sorted({probe.first for probe in probes if probe.first is not None})
    every = max(1, -(-len(ticks) // 8))
    shown = [1, *[tick for tick in ticks[::every] if tick > 1]]
    low, high = min(counts, default=0), max(counts, default=1)
    marks = [(operation.old, "dot", "in the corpus")]
    if low <= operation.count <= high and operation.count != operation.old:
        marks.append((operation.count, "solid", "yours"))
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
    place = {"x0": count, "x1": count, "y0": 0, "y1": 1, "yref": "paper"}
    return {"type": "line", "line": line, "layer": "below"} | place


def _name(count: int, text: str) -> dict:
    place = {"x": count, "y": 1, "yref": "paper", "yanchor": "bottom"}
    return {"text": f"{text}: {count:,}", "showarrow": False, "font": {"size": 13}} | place
