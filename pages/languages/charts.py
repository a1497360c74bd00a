"""The charts of each language's cost, under several tokenizers and at one share of the mix."""

from collections.abc import Mapping, Sequence
from html import escape

import plotly.graph_objects as go

from pages.languages.findings import MAX_UNKNOWN_SHARE, groups, mix_name, name_of
from pages.languages.study import MEASURES, PASSAGES, SHARES, MixResult, Study, cost
from pages.shared.drawing.charts import COLOURS, FIXED, SYMBOLS

SIZES = (17, 12, 7, 7, 9, 13)  # of the dots of each tokenizer, to see all that overlap
MOSTLY_UNKNOWN = "more than a fifth of the text is unknown"


def bars_chart(study: Study, measure: str, at: int) -> go.Figure:
    """Draw every language's cost at one share of the mix; languages without a value have no bar.

    Languages whose text is mostly unknown have hatched bars.
    """
    rows = [row for _, members in groups(study, measure) for row in members][::-1]
    unsure = [row.unknown[at] >= MAX_UNKNOWN_SHARE for row in rows]
    hatched = {"pattern": {"shape": "/"}, "color": COLOURS[0]}
    layout = {
        "height": 24 * len(rows) + 90,
        "barmode": "overlay",
        "xaxis": {"title": MEASURES[measure]},
        "showlegend": any(unsure),
    }
    looks = ({"marker": {"color": COLOURS[0]}}, {"marker": hatched, "name": MOSTLY_UNKNOWN})
    bars = [
        {
            "type": "bar",
            "orientation": "h",
            "x": [
                row.values[at] if (row.unknown[at] >= MAX_UNKNOWN_SHARE) == is_unsure else None
                for row in rows
            ],
            "y": [name_of(row.code) for row in rows],
            **look,
        }
        for is_unsure, look in enumerate(looks)
    ]
    return go.Figure({"data": bars, "layout": layout})


def three_texts_chart(study: Study, at: int, measure: str) -> go.Figure:
    """Draw every language's cost under three tokenizers; dots are hollow if mostly unknown."""
    codes = [row.code for _, rows in groups(study, measure) for row in rows]
    results = {
        "English alone": study.english,
        mix_name(study.request, SHARES[at]): study.mixes[at],
        f"all {len(PASSAGES)} in equal parts": study.everything,
    }
    return dots(results, codes[::-1], measure)


def dots(results: Mapping[str, MixResult], codes: Sequence[str], measure: str) -> go.Figure:
    """Draw the cost of every language under some tokenizers, the last language on top.

    The marks of up to five differ; beyond, a mark repeats in another colour.
    """
    most = max(cost(way, code, measure) or 0.0 for way in results.values() for code in codes)
    lines = []
    for n, (name, way) in enumerate(results.items()):
        unsure = [way.cuts[code].unknown_share >= MAX_UNKNOWN_SHARE for code in codes]
        symbol = SYMBOLS[n % len(SYMBOLS)]
        shapes = [f"{symbol}-open" if is_unsure else symbol for is_unsure in unsure]
        shown = escape(name, quote=False)
        lines.append(
            {
                "x": [cost(way, code, measure) for code in codes],
                "y": [name_of(code) for code in codes],
                "mode": "markers",
                "cliponaxis": False,
                "name": shown,
                "marker": {
                    "size": SIZES[n % len(SIZES)],
                    "symbol": shapes,
                    "color": COLOURS[n % len(COLOURS)],
                },
                "hovertemplate": "%{y}: %{x:.2f}<extra>" + shown + "</extra>",
            }
        )
    layout = {
        "height": 30 * len(codes) + 90,
        "margin": {"t": 40, "r": 16, "b": 44, "l": 150},
        "xaxis": {"title": MEASURES[measure], "range": [0, most * 1.05], **FIXED},
        "yaxis": {"range": [-0.6, len(codes) - 0.4], "dtick": 1, **FIXED},
        "legend": {"orientation": "h", "x": 0, "y": 1.01, "yanchor": "bottom"},
        "showlegend": True,
    }
    return go.Figure({"data": lines, "layout": layout})
