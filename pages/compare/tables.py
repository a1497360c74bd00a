"""The tables of a comparison, as HTML, show what a text became and what it costs in a model.

The best cell of a column is marked by a word. The figures come from
`tokenizers/measures/metrics.py` and `side_by_side.py`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from pages.shared.aligned.side_by_side import Comparison, TokenizerFigures
from pages.shared.drawing import markup
from pages.shared.drawing.display_text import escape_invisible
from pages.shared.drawing.prices import WIDTHS, memory_text
from tokenizers.measures.agreement import Agreement
from tokenizers.measures.metrics import (
    Metrics,
    attention_pairs,
    embedding_bytes,
    embedding_parameters,
    logits,
)


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell's text, whether it is the best of its column, and small text below."""

    text: str
    is_best: bool = False
    below: str = ""


CellValue = TableCell | str


def html(
    caption: str, columns: Sequence[str], rows: Sequence[Sequence[CellValue]], left: int = 1
) -> Markup:
    """Return an HTML table; each row's first cell is its heading, `left` columns align left.

    >>> '<th scope="row" class="l">BPE</th><td><b>3</b> <small>best</small></td>' in html(
    ...     "c", ["", "tokens"], [["BPE", TableCell("3", True)]]
    ... )
    True
    """
    kinds = [' class="l"' if n < left else "" for n in range(len(columns))]
    return markup.table(
        map(markup.Cell, columns, kinds),
        (map(_cell, row, kinds) for row in rows),
        escape_invisible(caption),
        kind="pp-compare",
    )


def _cell(value: CellValue, kind: str) -> markup.Cell:
    cell = value if isinstance(value, TableCell) else TableCell(value)
    text = "<b>{}</b> <small>best</small>" if cell.is_best else "{}"
    below = "<br><small>{}</small>" if cell.below else ""
    content = markup.html(text + below, escape_invisible(cell.text), escape_invisible(cell.below))
    return markup.Cell(content, kind)


def html_of_columns(caption: str, columns: Mapping[str, Sequence[CellValue]]) -> Markup:
    """Return an HTML table from its columns."""
    return html(caption, list(columns), list(zip(*columns.values(), strict=True)))


def number(value: float | None, form: str) -> str:
    """Return a formatted number; a dash for None.

    >>> number(0.5, ".0%"), number(None, ".2f")
    ('50%', '–')
    """
    return "–" if value is None else f"{value:{form}}"


def ranked(
    values: Sequence[float | None], texts: Sequence[str], largest: bool = False
) -> list[TableCell]:
    """Return the cells of a column, with the best ones marked unless more than two tie.

    >>> [cell.is_best for cell in ranked([3, 1, 2], "abc")]
    [False, True, False]
    """
    known = [value for value in values if value is not None]
    best = (max if largest else min)(known) if known else None
    tops = sum(value == best for value in known)
    marks = 0 < tops <= 2 and tops < len(values)
    return [
        TableCell(text, marks and value is not None and value == best)
        for value, text in zip(values, texts, strict=True)
    ]


# --- What the text became, and what that costs ----------------------------------------------------

TEXT_NOTE = (
    "**Characters** are code points, spaces included. A **word** is a run without white space; "
    "**tokens per word** (fertility) counts for each word the tokens that hold a part of it, so "
    "tokens of spaces alone do not count. **Unknown tokens** became [UNK]: their characters are "
    "**lost**. **Pieces** are what the vocabulary has, [UNK] not counted. **Comes back**: the ids, "
    "decoded, give exactly the original text. The best of a column is marked, but in columns that "
    "count tokens never one that lost characters, because [UNK] is cheap."
)


def text_table(rows: Sequence[TokenizerFigures]) -> Markup:
    """Return the table of what the text became."""
    found = [row.metrics for row in rows]
    lengths = [m.characters_per_token for m in found]
    unknown = [_with_share(m.unknown, m.unknown_rate) for m in found]
    lost = [_with_share(m.lost, m.lost_rate) for m in found]
    columns = {
        "": [row.name for row in rows],
        "Tokens": _ranked_if_lossless(found, [m.tokens for m in found], ","),
        "Tokens per character": _ranked_if_lossless(
            found, [m.tokens_per_character for m in found], ".2f"
        ),
        "Characters per token": _ranked_if_lossless(found, lengths, ".2f", largest=True),
        "Tokens per word": _ranked_if_lossless(found, [m.fertility for m in found], ".2f"),
        "Unknown tokens": ranked([m.unknown_rate for m in found], unknown),
        "Characters lost": ranked([m.lost for m in found], lost),
        "Pieces": [f"{m.vocabulary:,}" for m in found],
        "Comes back?": [round_trip_text(row.first_loss) for row in rows],
    }
    return html_of_columns("What the text became", columns)


def _ranked_if_lossless(
    found: Sequence[Metrics], values: Sequence[float | None], form: str, largest: bool = False
) -> list[TableCell]:
    """Return a column that never marks a tokenizer with losses as best, since [UNK] is cheap."""
    kept = [None if m.lost else value for m, value in zip(found, values, strict=True)]
    return ranked(kept, [number(value, form) for value in values], largest)


def _with_share(count: int, share: float | None) -> str:
    return f"{count:,} ({share:.1%})" if count and share else "0"


def round_trip_text(first_loss: int) -> str:
    """Return whether decoding gives a text back, or else the first character that differs.

    >>> round_trip_text(-1), round_trip_text(28)
    ('yes', 'no, from character 29 on')
    """
    return "yes" if first_loss < 0 else f"no, from character {first_loss + 1:,} on"


COSTS_NOTE = (
    "The **embedding table** has a row of d numbers for every id, that of [UNK] too; where the "
    "output layer is not tied to it, there is a second one of that size. The output layer gives "
    "a **logit** for every id at every position: the shape [B, T, V] for B texts. The **softmax** "
    "makes probabilities of each V of them. **T²** is the number of pairs of positions that full "
    "self-attention weighs in each head of each layer, were this text one sequence of T tokens. "
    "1 MB is a million bytes, 1 MiB is 2²⁰."
)


def costs(rows: Sequence[TokenizerFigures], width: int, precision: str) -> Markup:
    """Return the table of what the vocabulary and the text cost in a model of this width."""
    found = [row.metrics for row in rows]
    numbers = [embedding_parameters(row.num_ids, width) for row in rows]
    sizes = [embedding_bytes(row.num_ids, width, WIDTHS[precision]) for row in rows]
    pairs = [attention_pairs(m.tokens) for m in found]
    relative = [
        pair / m.characters**2 if m.characters else None
        for pair, m in zip(pairs, found, strict=True)
    ]
    columns = {
        "": [row.name for row in rows],
        "Ids V": ranked([row.num_ids for row in rows], [f"{row.num_ids:,}" for row in rows]),
        "Numbers V · d": ranked(numbers, [f"{one:,}" for one in numbers]),
        "Memory": ranked(sizes, list(map(memory_text, sizes))),
        "Logits T · V": _ranked_if_lossless(
            found, [logits(r.metrics.tokens, r.num_ids) for r in rows], ","
        ),
        "Pairs of positions T²": _ranked_if_lossless(found, pairs, ","),
        "T² beside that of characters": _ranked_if_lossless(found, relative, ".1%"),
    }
    return html_of_columns(f"What it costs in a model of width {width:,}, in {precision}", columns)


# --- Who agrees with whom -------------------------------------------------------------------------

AGREEMENT_NOTE = (
    "Above: the words that both cut alike. Below it: of all places inside words where either cuts, "
    "the share where both do (100% where neither cuts). A word in which either has an [UNK] does "
    "not count (–: no other is left)."
)


def agreement(comparison: Comparison) -> Markup:
    """Return the table of how far each two tokenizers agree."""
    names = [row.name for row in comparison.figures]
    rows = [
        [name, *(_pair(comparison.pairs.get((min(a, b), max(a, b)))) for b in range(len(names)))]
        for a, name in enumerate(names)
    ]
    caption = f"Who agrees: words out of {comparison.words:,}, and the share of common cuts"
    return html(caption, ["", *names], rows)


def _pair(found: Agreement | None) -> CellValue:
    if not found:
        return ""
    return TableCell(f"{found.alike:,}", below=number(found.share, ".0%"))
