"""How corpus surgery looks: sentences with tiles, the two runs as a table, the chart of counts."""

from collections.abc import Sequence
from html import escape

import plotly.graph_objects as go

from pages.shared.drawing.charts import FIXED, GREY
from pages.shared.drawing.phrases import Say, times
from pages.shared.drawing.tiles import NOW, html_tiles, printable, tint, visible
from pages.surgery.operation import Aligned, Made, Operation, intervals
from pages.surgery.reasons import Rival
from tokenizers.experiments.surgery import Evidence, Probe, by_count
from tokenizers.merging.state import Pair

_STYLE = (
    "<style>.pp-say{font-size:1.25rem;line-height:2;margin:0}.pp-why{margin:0;line-height:2}"
    ".pp-say .pp-tiles,.pp-why .pp-tiles,.pp-runs .pp-tiles{display:inline-flex;"
    "vertical-align:middle;flex-wrap:nowrap}"
    ".pp-runs{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    ".pp-runs caption{text-align:left;opacity:.8;padding-bottom:.3rem}"
    ".pp-runs :is(th,td){padding:.2rem .7rem .2rem .4rem;text-align:left;font-weight:400;"
    "border-bottom:1px solid color-mix(in srgb,currentColor 18%,transparent);white-space:nowrap}"
    ".pp-runs thead th{font-weight:600}.pp-runs .n{text-align:right}"
    ".pp-runs .other{padding-left:1.2rem}"
    f".pp-runs .first{{background:color-mix(in srgb,light-dark({NOW[0]},{NOW[1]}) 12%,transparent);"
    f"box-shadow:inset .1875rem 0 light-dark({NOW[0]},{NOW[1]})}}"
    ".pp-across{overflow-x:auto}</style>"
)
LAYOUT = {"height": 360, "margin": {"t": 40, "r": 24, "b": 44, "l": 70}, "showlegend": False}


def html_say(say: Say, kind: str = "pp-say") -> str:
    """Return HTML of a sentence with tiles in it; `kind` is "pp-say", large, or "pp-why".

    >>> html_say(("a < ", ("strong", "b"))).rpartition("</style>")[2]
    '<p class="pp-say">a &lt; <strong>b</strong></p>'
    """
    return f'{_STYLE}<p class="{kind}">{"".join(map(_segment, say))}</p>'


def _segment(segment: str | tuple[str, str]) -> str:
    if isinstance(segment, str):
        return escape(printable(segment))
    kind, text = segment
    if kind in ("token", "new"):
        return _tile(text)
    tag = {"strong": "strong", "word": "i"}.get(kind, "span")
    return f"<{tag}>{escape(printable(text))}</{tag}>"


def _tile(token: str) -> str:
    return (
        '<span class="pp-tiles"><span>'
        f'<bdi class="t{tint(token)}">{escape(visible(token), quote=True)}</bdi></span></span>'
    )


def _table(caption: str, head: str, body: str) -> str:
    name = escape(printable(caption), quote=True)
    # The first row of tiles brings the style of all of them.
    return (
        f"{_STYLE}{html_tiles([]).partition('<div')[0]}"
        f'<div class="pp-across" role="region" aria-label="{name}" tabindex="0">'
        f'<table class="pp-runs"><caption>{name}</caption><thead>{head}</thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def html_runs(operation: Operation, rows: Sequence[Aligned]) -> str:
    """Return HTML of the merges of both runs under each other, step by step."""
    scored = not by_count(operation.whole.settings)
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
    return _table(caption, head, body)


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
    return (
        f'<td{kind}>{_pair(made.pair)}</td><td class="n">{made.count:,}</td>{score}<td>{where}</td>'
    )


def _pair(pair: Pair) -> str:
    return f"{_tile(pair[0])} + {_tile(pair[1])}"


def html_rivals(operation: Operation, rivals: Sequence[Rival]) -> str:
    """Return HTML of the numbers of both pairs just before the first merge that changes."""
    scored = not by_count(operation.whole.settings)
    names = ("before", "now")
    word = escape(printable(visible(operation.word)))
    heads = "".join(
        f'<th scope="col" class="n">seen {name}</th>'
        + (f'<th scope="col">score {name}</th>' if scored else "")
        for name in names
    )
    head = f'<tr><th scope="col">pair</th><th scope="col" class="n">in “{word}”</th>{heads}</tr>'
    rows = (
        f'<tr><th scope="row">{_pair(rival.before.pair)}</th>'
        f'<td class="n">{rival.before.in_word:,} ×</td>'
        f"{_evidence(rival.before, scored)}{_evidence(rival.now, scored)}</tr>"
        for rival in rivals
    )
    caption = f"Just before merge {operation.first or 0:,}, when every word is split alike in both"
    return _table(caption, head, "".join(rows))


def _evidence(known: Evidence, scored: bool) -> str:
    count = f'<td class="n">{known.count:,}</td>'
    if not scored:
        return count
    a, b = known.parts
    score = f"{known.count:,} / ({a:,} × {b:,}) = {known.count / (a * b):.4g}" if a * b else "–"
    return f"{count}<td>{score}</td>"


def html_intervals(probes: Sequence[Probe]) -> str:
    """Return HTML of which counts change which merge first."""
    head = '<tr><th scope="col">count</th><th scope="col">first merge that changes</th></tr>'
    body = "".join(
        f'<tr><th scope="row">{low:,}{f" to {high:,}" if high > low else ""}</th>'
        f"<td>{'none' if first is None else f'{first:,}'}</td></tr>"
        for low, high, first in intervals(probes)
    )
    return _table("What each count does", head, body)


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
