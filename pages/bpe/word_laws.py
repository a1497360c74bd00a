"""Zipf's and Heaps' laws for the text of a BPE run, and what each further merge saves."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from pages.shared.drawing.charts import COLOURS, DASHES, FIXED, GREY
from pages.shared.drawing.phrasing import count_of
from pages.shared.training.source import CorpusSource
from tokenizers.measures.power_laws import (
    LEAST_COUNT,
    PowerLaw,
    by_rank,
    distinct_read,
    fit_heaps,
    fit_power_law,
    fit_zipf,
    spread,
)
from tokenizers.progress import ProgressCallback
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Pipeline

MOST_POINTS = 300  # of a curve: on a logarithmic scale, more are indistinguishable
HEIGHT = 300
PARTS = 10  # of a run, to compare what its merges save


@dataclass(frozen=True, slots=True)
class HeapsCurve:
    """Some points of the curve of distinct words, its end, and the fit of all its points."""

    points: Sequence[tuple[int, int]]
    words: int
    distinct: int
    law: PowerLaw | None


def heaps(report: ProgressCallback, source: CorpusSource, pipeline: Pipeline) -> HeapsCurve:
    """Count the distinct words of a text in the order in which they are read."""
    curve = distinct_read(_in_words(pipeline).words(source.text or ""))
    points = [(n + 1, curve[n]) for n in spread(len(curve), MOST_POINTS)]
    return HeapsCurve(points, len(curve), curve[-1] if curve else 0, fit_heaps(curve))


def _in_words(pipeline: Pipeline) -> Pipeline:
    """Return the pipeline, split at spaces if it does not split the text into words."""
    return Pipeline(pipeline.normalizers) if pipeline.pre_tokenizer == "none" else pipeline


def zipf_chart(trace: Trace, k: int) -> go.Figure:
    """Draw the frequencies of words, and of the pieces after step `k`, by rank."""
    lines = []
    for n, (name, ranked) in enumerate(_ranked(trace, k).items()):
        points = [(rank + 1, ranked[rank]) for rank in spread(len(ranked), MOST_POINTS)]
        lines.append(_curve(points, name, n))
    return _log_log(lines, "rank", "occurs")


def _ranked(trace: Trace, k: int) -> dict[str, list[int]]:
    words, pieces = trace.corpus.word_counts, trace.state(k).token_counts
    if trace.corpus.text is not None and trace.corpus.pipeline.pre_tokenizer == "none":
        words = Counter(_in_words(trace.corpus.pipeline).words(trace.corpus.text))
    return {"words": by_rank(words), "pieces": by_rank(pieces)}


def zipf_finding(trace: Trace, k: int) -> str:
    """Return a sentence with the exponents fitted to words and pieces."""
    parts: list[str] = []
    for name, ranked in _ranked(trace, k).items():
        law, used = fit_zipf(ranked), sum(count >= LEAST_COUNT for count in ranked)
        if law is None:
            parts.append(f"too few {name} occur {LEAST_COUNT} times or more")
        else:
            shown = f"{-law.exponent:.2f} (ranks 1 to {used:,}, R² {law.r2:.3f})"
            parts.append(f"for {name} {shown}")
    return f"Zipf’s exponent: {'; '.join(parts)}"


def heaps_chart(curve: HeapsCurve) -> go.Figure:
    """Draw the number of distinct words by the number of words read, and the fitted power."""
    lines = [_curve(curve.points, "distinct words", 0)]
    if curve.law:
        ends = [curve.points[0][0], curve.points[-1][0]]
        fitted = [(n, curve.law.at(n)) for n in ends]
        lines.append(_curve(fitted, "the fitted power", 1) | {"line": {"dash": "dot"}})
        lines[-1]["line"]["color"] = GREY
    return _log_log(lines, "words read", "distinct words", legend_at=0)


def heaps_finding(curve: HeapsCurve) -> str:
    """Return a sentence with the curve's end and its exponent."""
    ends = f"{count_of(curve.words, 'word')} read, {curve.distinct:,} of them distinct"
    if curve.law is None:
        return f"Heaps’ law needs more words: {ends}"
    return f"Heaps’ exponent: {curve.law.exponent:.2f} ({ends}, R² {curve.law.r2:.3f})"


def savings_finding(trace: Trace) -> str:
    """Say how many tokens the first and the last tenth of the merges save, and how it falls."""
    saved = [a - b for a, b in zip(trace.num_tokens, trace.num_tokens[1:], strict=False)]
    part = len(saved) // PARTS
    if not part:
        return f"With {PARTS} merges or more, this says how much less each further one saves."
    total, first, last = sum(saved), sum(saved[:part]), sum(saved[-part:])
    merges = count_of(part, "merge")
    sentence = (
        f"Each further piece buys less: of {count_of(total, 'token')} that all {len(saved):,} "
        f"merges save, the first {merges} save {first / total:.1%}, and the last {part:,} save "
        f"{last / total:.1%}."
    )
    law = fit_power_law(range(1, len(saved) + 1), saved)
    if law is None or law.exponent >= 0:
        return sentence
    return (
        f"{sentence} What merge n saves falls about as 1 / n to the power {-law.exponent:.2f} "
        f"(R² {law.r2:.3f}): the frequent pairs go first."
    )


METHOD = (
    "Fitted by least squares on the logarithms of both numbers; for Zipf at every rank that occurs "
    f"at least {LEAST_COUNT} times, for Heaps at every word. Rare words weigh much in such a fit, "
    "and other methods, such as maximum likelihood, give other exponents."
)


def _curve(points: Sequence[tuple[int, float]], name: str, n: int) -> dict:
    xs, ys = zip(*points, strict=True) if points else ((), ())
    return {
        "type": "scatter",
        "mode": "lines",
        "x": xs,
        "y": ys,
        "name": name,
        "line": {"width": 2, "color": COLOURS[n], "dash": DASHES[n]},
        "hovertemplate": "%{x:,}: %{y:,.0f}<extra>" + name + "</extra>",
    }


def _log_log(lines: list[dict], x: str, y: str, legend_at: int = 1) -> go.Figure:
    axis = {"type": "log", "dtick": 1, "tickformat": ",", **FIXED}
    layout = {
        "height": HEIGHT,
        "margin": {"t": 10, "r": 20, "b": 50, "l": 70},
        "xaxis": {"title": x, **axis},
        "yaxis": {"title": y, **axis},
        "legend": {"x": legend_at, "xanchor": "right" if legend_at else "left", "y": 1},
        "showlegend": True,
    }
    return go.Figure({"data": lines, "layout": layout})
