"""The tables of a comparison, as HTML: what a text became, and what it costs in a model.

A number that is the best of its column says so in a word. Left out: how figures come about
(`tokenizers/measures/metrics.py`, `side_by_side.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from pages.compare.side_by_side import Compared, Figures, Pair
from pages.shared.drawing.prices import WIDTHS, memory_said
from pages.shared.drawing.tiles import printable
from tokenizers.measures.metrics import (
    Metrics,
    attention_pairs,
    embedding_bytes,
    embedding_parameters,
    logits,
)

_STYLE = (
    "<style>.pp-compare{overflow-x:auto}.pp-compare table{border-collapse:collapse;"
    "font-variant-numeric:tabular-nums}"
    ".pp-compare caption{text-align:left;opacity:.85;padding-bottom:.3rem;font-weight:600}"
    ".pp-compare :is(th,td){padding:.3rem .9rem .3rem 0;text-align:right;vertical-align:baseline;"
    "border-bottom:1px solid color-mix(in srgb,currentColor 18%,transparent)}"
    ".pp-compare th{font-weight:600;line-height:1.25}.pp-compare .l{text-align:left}"
    ".pp-compare tbody th{white-space:nowrap}.pp-compare td.l{min-width:12rem}"
    ".pp-compare small{font-size:.8rem;opacity:.85;font-weight:400}"
    ".pp-compare b+small{margin-left:.3em}</style>"
)


@dataclass(frozen=True, slots=True)
class Shown:
    """A cell: its words, whether they are the best of the column, what stands small below."""

    text: str
    best: bool = False
    below: str = ""


def html(
    caption: str, columns: Sequence[str], rows: Sequence[Sequence[Shown | str]], left: int = 1
) -> str:
    """Return HTML of a table; the first cell of a row names it, `left` columns are words.

    >>> '<th scope="row" class="l">BPE</th><td><b>3</b> <small>best</small></td>' in html(
    ...     "c", ["", "tokens"], [["BPE", Shown("3", True)]]
    ... )
    True
    """
    head = "".join(
        f'<th scope="col"{_left(n < left)}>{escape(name)}</th>' for n, name in enumerate(columns)
    )
    body = "".join(
        "<tr>" + "".join(_cell(cell, n, n < left) for n, cell in enumerate(row)) + "</tr>"
        for row in rows
    )
    name = f"<caption>{escape(printable(caption))}</caption>"
    table = f"<table>{name}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    label = escape(printable(caption), quote=True)
    region = f'<div class="pp-compare" tabindex="0" role="region" aria-label="{label}">'
    return f"{_STYLE}{region}{table}</div>"


def _left(is_left: bool) -> str:
    return ' class="l"' if is_left else ""


def _cell(cell: Shown | str, column: int, is_left: bool) -> str:
    shown = cell if isinstance(cell, Shown) else Shown(cell)
    text = escape(printable(shown.text))
    text = f"<b>{text}</b> <small>best</small>" if shown.best else text
    text += f"<br><small>{escape(printable(shown.below))}</small>" if shown.below else ""
    if column == 0:
        return f'<th scope="row"{_left(is_left)}>{text}</th>'
    return f"<td{_left(is_left)}>{text}</td>"


def ranked(
    values: Sequence[float | None], texts: Sequence[str], largest: bool = False
) -> list[Shown]:
    """Return the cells of a column, the best marked unless more than two of them are.

    >>> [cell.best for cell in ranked([3, 1, 2], "abc")]
    [False, True, False]
    """
    known = [value for value in values if value is not None]
    best = (max if largest else min)(known) if known else None
    tops = sum(value == best for value in known)
    marks = 0 < tops <= 2 and tops < len(values)
    return [
        Shown(text, marks and value is not None and value == best)
        for value, text in zip(values, texts, strict=True)
    ]


# --- What the text became, and what that costs ----------------------------------------------------

BECAME = (
    *("", "Tokens", "Tokens per character", "Characters per token", "Tokens per word"),
    *("Unknown tokens", "Characters lost", "Pieces", "Comes back?"),
)
BECAME_MEANS = (
    "**Characters** are code points, spaces included. A **word** is a run without white space; "
    "**tokens per word** (fertility) counts for each word the tokens that hold a part of it, so "
    "tokens of spaces alone do not count. **Unknown tokens** became [UNK]: their characters are "
    "**lost**. **Pieces** are what the vocabulary has, [UNK] not counted. **Comes back**: the ids, "
    "decoded, give exactly the original text. The best of a column is marked, but in columns that "
    "count tokens never one that lost characters, because [UNK] is cheap."
)


def became(rows: Sequence[Figures]) -> str:
    """Return the table of what the text became."""
    found = [row.metrics for row in rows]
    columns = [
        _spared(found, [m.tokens for m in found], [f"{m.tokens:,}" for m in found]),
        _spared(found, *_twos([m.tokens_per_character for m in found])),
        _spared(found, *_twos([m.characters_per_token for m in found]), largest=True),
        _spared(found, *_twos([m.fertility for m in found])),
        ranked(
            [m.unknown_rate for m in found], [_with_share(m.unknown, m.unknown_rate) for m in found]
        ),
        ranked([m.lost for m in found], [_with_share(m.lost, m.lost_rate) for m in found]),
        [Shown(f"{m.vocabulary:,}") for m in found],
        [Shown(returns_said(row.returns)) for row in rows],
    ]
    names = [Shown(row.name) for row in rows]
    return html("What the text became", BECAME, list(zip(names, *columns, strict=True)))


def _twos(values: Sequence[float | None]) -> tuple[Sequence[float | None], list[str]]:
    return values, ["–" if value is None else f"{value:.2f}" for value in values]


def _spared(
    found: Sequence[Metrics],
    values: Sequence[float | None],
    texts: Sequence[str],
    largest: bool = False,
) -> list[Shown]:
    """Return a column in which who lost characters is not the best: [UNK] is cheap."""
    kept = [None if m.lost else value for m, value in zip(found, values, strict=True)]
    return ranked(kept, texts, largest)


def _with_share(number: int, share: float | None) -> str:
    return f"{number:,} ({share:.1%})" if number and share else "0"


def returns_said(place: int) -> str:
    """Return whether a text comes back, and where it first does not.

    >>> returns_said(-1), returns_said(28)
    ('yes', 'no, from character 29 on')
    """
    return "yes" if place < 0 else f"no, from character {place + 1:,} on"


COSTS = (
    *("", "Ids V", "Numbers V · d", "Memory", "Logits T · V", "Pairs of positions T²"),
    "T² beside that of characters",
)
COSTS_MEAN = (
    "The **embedding table** has a row of d numbers for every id, that of [UNK] too; where the "
    "output layer is not tied to it, there is a second one of that size. The output layer gives "
    "a **logit** for every id at every position: the shape [B, T, V] for B texts. The **softmax** "
    "makes probabilities of each V of them. **T²** is the number of pairs of positions that full "
    "self-attention weighs in each head of each layer, were this text one sequence of T tokens. "
    "1 MB is a million bytes, 1 MiB is 2²⁰."
)


def costs(rows: Sequence[Figures], width: int, precision: str) -> str:
    """Return the table of what vocabulary and length cost in a model of that width."""
    found = [row.metrics for row in rows]
    numbers = [embedding_parameters(row.rows, width) for row in rows]
    sizes = [embedding_bytes(row.rows, width, WIDTHS[precision]) for row in rows]
    scores = [logits(row.metrics.tokens, row.rows) for row in rows]
    pairs = [attention_pairs(row.metrics.tokens) for row in rows]
    beside = [
        pair / row.metrics.characters**2 if row.metrics.characters else None
        for pair, row in zip(pairs, rows, strict=True)
    ]
    columns = [
        ranked([row.rows for row in rows], [f"{row.rows:,}" for row in rows]),
        ranked(numbers, [f"{number:,}" for number in numbers]),
        ranked(sizes, [memory_said(size) for size in sizes]),
        _spared(found, scores, [f"{number:,}" for number in scores]),
        _spared(found, pairs, [f"{pair:,}" for pair in pairs]),
        _spared(found, beside, ["–" if share is None else f"{share:.1%}" for share in beside]),
    ]
    names = [Shown(row.name) for row in rows]
    caption = f"What it costs in a model of width {width:,}, in {precision}"
    return html(caption, COSTS, list(zip(names, *columns, strict=True)))


# --- Who agrees with whom -------------------------------------------------------------------------

AGREE_MEANS = (
    "Above: the words that both cut alike. Below it: of all places inside words where either cuts, "
    "the share where both do (100% where neither cuts). A word in which either has an [UNK] does "
    "not count (–: no other is left)."
)


def agreement(compared: Compared) -> str:
    """Return the table of how far each two contestants agree."""
    names = [row.name for row in compared.figures]
    found = {(pair.one, pair.other): pair for pair in compared.pairs}
    rows = [
        [Shown(name), *(_pair(found.get((min(a, b), max(a, b)))) for b in range(len(names)))]
        for a, name in enumerate(names)
    ]
    caption = f"Who agrees: words out of {compared.words:,}, and the share of common cuts"
    return html(caption, ["", *names], rows)


def _pair(pair: Pair | None) -> Shown:
    if not pair:
        return Shown("")
    share = pair.found.share
    return Shown(f"{pair.found.alike:,}", below="–" if share is None else f"{share:.0%}")
