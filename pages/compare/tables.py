"""The tables of a comparison, as HTML: what a text became, and what it costs in a model.

A number that is the best of its column says so in a word. Left out: how figures come about
(`tokenizers/measures/metrics.py`, `side_by_side.py`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from pages.compare.side_by_side import Compared, Figures
from pages.shared.drawing import markup
from pages.shared.drawing.prices import WIDTHS, memory_said
from pages.shared.drawing.tiles import printable
from tokenizers.measures.agreement import Agreement
from tokenizers.measures.metrics import (
    Metrics,
    attention_pairs,
    embedding_bytes,
    embedding_parameters,
    logits,
)

_STYLE = Markup(
    "<style>.pp-compare{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    ".pp-compare caption{text-align:left;opacity:.85;padding-bottom:.3rem;font-weight:600}"
    ".pp-compare :is(th,td){padding:.3rem .9rem .3rem 0;text-align:right;vertical-align:baseline;"
    "border-bottom:1px solid color-mix(in srgb,currentColor 18%,transparent)}"
    ".pp-compare th{font-weight:600;line-height:1.25}.pp-compare .l{text-align:left}"
    ".pp-compare tbody th{white-space:nowrap}.pp-compare td.l{min-width:12rem}"
    ".pp-compare small{font-size:.8rem;opacity:.85;font-weight:400}"
    ".pp-compare b+small{margin-left:.3em}"
    "@media print{.pp-compare{font-size:.85rem}.pp-compare :is(th,td){padding-right:.5rem}}</style>"
)


@dataclass(frozen=True, slots=True)
class Shown:
    """A cell: its words, whether they are the best of the column, what stands small below."""

    text: str
    best: bool = False
    below: str = ""


Cell = Shown | str


def html(
    caption: str, columns: Sequence[str], rows: Sequence[Sequence[Cell]], left: int = 1
) -> Markup:
    """Return HTML of a table; the first cell of a row names it, `left` columns are words.

    >>> '<th scope="row" class="l">BPE</th><td><b>3</b> <small>best</small></td>' in html(
    ...     "c", ["", "tokens"], [["BPE", Shown("3", True)]]
    ... )
    True
    """
    kinds = [Markup(' class="l"') if n < left else "" for n in range(len(columns))]
    head = markup.joined(map(markup.head_cell, columns, kinds))
    cells = (markup.joined(_cell(cell, n, kinds[n]) for n, cell in enumerate(row)) for row in rows)
    body = markup.each("<tr>{}</tr>", cells)
    return _STYLE + markup.table("pp-compare", printable(caption), head, body)


def _cell(cell: Cell, column: int, kind: str) -> Markup:
    shown = cell if isinstance(cell, Shown) else Shown(cell)
    text = "<b>{}</b> <small>best</small>" if shown.best else "{}"
    below = "<br><small>{}</small>" if shown.below else ""
    said = markup.html(text + below, printable(shown.text), printable(shown.below))
    return markup.html("<td{}>{}</td>" if column else '<th scope="row"{}>{}</th>', kind, said)


def html_of_columns(caption: str, columns: Mapping[str, Sequence[Cell]]) -> Markup:
    """Return HTML of a table, given by columns."""
    return html(caption, list(columns), list(zip(*columns.values(), strict=True)))


def number(value: float | None, form: str) -> str:
    """Return a number in a format; a dash where there is none.

    >>> number(0.5, ".0%"), number(None, ".2f")
    ('50%', '–')
    """
    return "–" if value is None else f"{value:{form}}"


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

BECAME_MEANS = (
    "**Characters** are code points, spaces included. A **word** is a run without white space; "
    "**tokens per word** (fertility) counts for each word the tokens that hold a part of it, so "
    "tokens of spaces alone do not count. **Unknown tokens** became [UNK]: their characters are "
    "**lost**. **Pieces** are what the vocabulary has, [UNK] not counted. **Comes back**: the ids, "
    "decoded, give exactly the original text. The best of a column is marked, but in columns that "
    "count tokens never one that lost characters, because [UNK] is cheap."
)


def became(rows: Sequence[Figures]) -> Markup:
    """Return the table of what the text became."""
    found = [row.metrics for row in rows]
    lengths = [m.characters_per_token for m in found]
    unknown = [_with_share(m.unknown, m.unknown_rate) for m in found]
    lost = [_with_share(m.lost, m.lost_rate) for m in found]
    columns = {
        "": [row.name for row in rows],
        "Tokens": _spared(found, [m.tokens for m in found], ","),
        "Tokens per character": _spared(found, [m.tokens_per_character for m in found], ".2f"),
        "Characters per token": _spared(found, lengths, ".2f", largest=True),
        "Tokens per word": _spared(found, [m.fertility for m in found], ".2f"),
        "Unknown tokens": ranked([m.unknown_rate for m in found], unknown),
        "Characters lost": ranked([m.lost for m in found], lost),
        "Pieces": [f"{m.vocabulary:,}" for m in found],
        "Comes back?": [returns_said(row.returns) for row in rows],
    }
    return html_of_columns("What the text became", columns)


def _spared(
    found: Sequence[Metrics], values: Sequence[float | None], form: str, largest: bool = False
) -> list[Shown]:
    """Return a column in which who lost characters is not the best: [UNK] is cheap."""
    kept = [None if m.lost else value for m, value in zip(found, values, strict=True)]
    return ranked(kept, [number(value, form) for value in values], largest)


def _with_share(count: int, share: float | None) -> str:
    return f"{count:,} ({share:.1%})" if count and share else "0"


def returns_said(place: int) -> str:
    """Return whether a text comes back, and where it first does not.

    >>> returns_said(-1), returns_said(28)
    ('yes', 'no, from character 29 on')
    """
    return "yes" if place < 0 else f"no, from character {place + 1:,} on"


COSTS_MEAN = (
    "The **embedding table** has a row of d numbers for every id, that of [UNK] too; where the "
    "output layer is not tied to it, there is a second one of that size. The output layer gives "
    "a **logit** for every id at every position: the shape [B, T, V] for B texts. The **softmax** "
    "makes probabilities of each V of them. **T²** is the number of pairs of positions that full "
    "self-attention weighs in each head of each layer, were this text one sequence of T tokens. "
    "1 MB is a million bytes, 1 MiB is 2²⁰."
)


def costs(rows: Sequence[Figures], width: int, precision: str) -> Markup:
    """Return the table of what vocabulary and length cost in a model of that width."""
    found = [row.metrics for row in rows]
    numbers = [embedding_parameters(row.rows, width) for row in rows]
    sizes = [embedding_bytes(row.rows, width, WIDTHS[precision]) for row in rows]
    pairs = [attention_pairs(m.tokens) for m in found]
    beside = [
        pair / m.characters**2 if m.characters else None
        for pair, m in zip(pairs, found, strict=True)
    ]
    columns = {
        "": [row.name for row in rows],
        "Ids V": ranked([row.rows for row in rows], [f"{row.rows:,}" for row in rows]),
        "Numbers V · d": ranked(numbers, [f"{one:,}" for one in numbers]),
        "Memory": ranked(sizes, list(map(memory_said, sizes))),
        "Logits T · V": _spared(found, [logits(r.metrics.tokens, r.rows) for r in rows], ","),
        "Pairs of positions T²": _spared(found, pairs, ","),
        "T² beside that of characters": _spared(found, beside, ".1%"),
    }
    return html_of_columns(f"What it costs in a model of width {width:,}, in {precision}", columns)


# --- Who agrees with whom -------------------------------------------------------------------------

AGREE_MEANS = (
    "Above: the words that both cut alike. Below it: of all places inside words where either cuts, "
    "the share where both do (100% where neither cuts). A word in which either has an [UNK] does "
    "not count (–: no other is left)."
)


def agreement(compared: Compared) -> Markup:
    """Return the table of how far each two contestants agree."""
    names = [row.name for row in compared.figures]
    rows = [
        [name, *(_pair(compared.pairs.get((min(a, b), max(a, b)))) for b in range(len(names)))]
        for a, name in enumerate(names)
    ]
    caption = f"Who agrees: words out of {compared.words:,}, and the share of common cuts"
    return html(caption, ["", *names], rows)


def _pair(found: Agreement | None) -> Cell:
    if not found:
        return ""
    return Shown(f"{found.alike:,}", below=number(found.share, ".0%"))
