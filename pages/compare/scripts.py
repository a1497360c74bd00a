"""Count how each tokenizer writes the scripts of a text, and how many tokens the words have."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from statistics import median

import plotly.graph_objects as go
from markupsafe import Markup

from pages.compare.tables import TableCell, html, number
from pages.shared.aligned.side_by_side import NamedTokenizer
from pages.shared.drawing.charts import FIXED
from tokenizers.measures.coverage import COMMON, coverage
from tokenizers.measures.metrics import line_spans, padding, tokens_of_words, word_spans
from tokenizers.progress import ProgressCallback

MAX_WORD_TOKENS = 12
"""Words of this many tokens or more share the chart's last bar."""
SCRIPT_NOTES = {
    COMMON: "shared by many: digits, spaces, marks",
    "Inherited": "marks on other letters",
}
PATTERNS = ("", "/", ".", "x", "-", "\\", "+", "|")
"""The hatching that marks each tokenizer's bars, in addition to their colour."""
HEIGHT = 360
SCRIPTS_NOTE = (
    "The share of the characters of each script that can be written: by a token that holds the "
    "whole character, or **in parts**, where several tokens share it (bytes). The rest became "
    "[UNK]. Characters for which there is no token, such as spaces that are dropped, count neither "
    "way."
)


@dataclass(frozen=True, slots=True)
class ScriptCounts:
    """How one tokenizer writes each script; `lengths` counts words by their number of tokens."""

    name: str
    scripts: Mapping[str, Mapping[str, int]]
    lengths: Mapping[int, int]
    lines: Sequence[int]
    """The number of tokens in each line of the text."""


def count_scripts(
    report: ProgressCallback, text: str, tokenizers: Sequence[NamedTokenizer]
) -> tuple[ScriptCounts, ...]:
    """Count for every tokenizer how the characters of each script are written."""
    words, lines = word_spans(text), line_spans(text)
    rows = []
    for one in tokenizers:
        found = one.encode(text)
        lengths = Counter(len(held) for held in tokens_of_words(words, found))
        scripts = {name: dict(ways) for name, ways in coverage(text, found).items()}
        held = [len(tokens) for tokens in tokens_of_words(lines, found)]
        rows.append(ScriptCounts(one.name, scripts, dict(sorted(lengths.items())), held))
    return tuple(rows)


def html_scripts(rows: Sequence[ScriptCounts]) -> Markup:
    """Return the table: a row for each script, a column for each tokenizer."""
    scripts = rows[0].scripts if rows else {}
    body = [
        [
            TableCell(script.replace("_", " "), below=SCRIPT_NOTES.get(script, "")),
            f"{sum(ways.values()):,}",
            *(coverage_cell(row.scripts[script]) for row in rows),
        ]
        for script, ways in scripts.items()
    ]
    columns = ["Script", "In the text", *(row.name for row in rows)]
    return html("What of each script can be written", columns, body)


def coverage_cell(counts: Mapping[str, int]) -> TableCell:
    """Return the share of a script that can be written, and below it the share written in parts.

    >>> coverage_cell({"whole": 1, "parts": 1, "unknown": 2, "dropped": 5})
    TableCell(text='50.0%', is_best=False, below='25.0% in parts')
    """
    whole, parts, unknown = (counts.get(way, 0) for way in ("whole", "parts", "unknown"))
    if not (total := whole + parts + unknown):
        return TableCell("–")
    below = f"{parts / total:.1%} in parts" if parts else ""
    return TableCell(f"{(whole + parts) / total:.1%}", below=below)


def shares(row: ScriptCounts) -> list[float]:
    """Return the fractions of words with 1, 2 … tokens; words without tokens do not count."""
    total = sum(count for tokens, count in row.lengths.items() if tokens)
    by_length = [0.0] * MAX_WORD_TOKENS
    for tokens, count in row.lengths.items():
        if tokens:
            by_length[min(tokens, MAX_WORD_TOKENS) - 1] += count / total
    return by_length


def lengths_chart(rows: Sequence[ScriptCounts]) -> go.Figure:
    """Draw the share of words with 1, 2 … tokens for each tokenizer."""
    labels = [str(n) for n in range(1, MAX_WORD_TOKENS)] + [f"{MAX_WORD_TOKENS} or more"]
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


def lengths_finding(rows: Sequence[ScriptCounts]) -> str:
    """Return a summary sentence that names the tokenizer with the most words of one token."""
    if not rows or not any(any(shares(row)) for row in rows):
        return "There are no words"
    best = max(rows, key=lambda row: shares(row)[0])
    return f"Most words as one token: {best.name}, {shares(best)[0]:.1%} of them"


# --- The lengths of sequences ---------------------------------------------------------------------

LINES_NOTE = (
    "Here each line is one sequence, as in a data set of sentences. A batch is a table, so shorter "
    "sequences are filled up with a **padding** token until all are as long as the longest."
)


def html_lines(rows: Sequence[ScriptCounts]) -> Markup:
    """Return the table of line lengths in tokens and of padding; empty for fewer than two lines."""
    if not rows or len(rows[0].lines) < 2:
        return Markup()
    columns = ["", "Shortest", "Median", "Nine in ten up to", "Longest", "Padding in one batch"]
    body = []
    for row in rows:
        lengths = sorted(row.lines)
        most = lengths[-(-9 * len(lengths) // 10) - 1]
        numbers = [f"{one:,g}" for one in (lengths[0], median(lengths), most, lengths[-1])]
        body.append([row.name, *numbers, number(padding(lengths), ".1%")])
    return html(f"How many tokens the {len(rows[0].lines):,} lines have", columns, body)
