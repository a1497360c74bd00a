"""The exports of Compare · Side by side besides its HTML file: its tables as CSV."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pages.shared.aligned.side_by_side import (
    Comparison,
    NamedTokenizer,
    tokenize,
)
from pages.shared.drawing.prices import WIDTHS
from pages.shared.export.catalog import ExportCatalog, table_item
from pages.shared.export.tables import ExportTable, Value, token_table
from tokenizers.measures.metrics import (
    attention_pairs,
    embedding_bytes,
    embedding_parameters,
    logits,
)
from tokenizers.text.encoding import Encoding


def tokenize_here(text: str, one: NamedTokenizer) -> Encoding:
    """Return the tokens of a text as they are drawn."""
    return tokenize(text, one).readable


@dataclass(frozen=True, slots=True)
class ComparisonExport:
    """A comparison as it is on the screen.

    `width` is the width of the model whose costs are computed, `precision` its number format.
    """

    text: str
    tokenizers: Sequence[NamedTokenizer]
    comparison: Comparison
    width: int
    precision: str
    tokenize: Callable[[str, NamedTokenizer], Encoding] = tokenize_here


def of_comparison(export: ComparisonExport) -> ExportCatalog:
    """Return the tables of the page and a table of all tokens, each as CSV."""
    return ExportCatalog(
        (
            table_item("What the text became", lambda: _text_table(export)),
            table_item("What it costs", lambda: _costs(export)),
            table_item("Who agrees", lambda: _agreement(export)),
            table_item("All tokens", lambda: tokens(export)),
        )
    )


def _text_table(export: ComparisonExport) -> ExportTable:
    columns = (
        "tokenizer, tokens, characters, words, tokens that hold a part of a word, unknown tokens, "
        "characters lost, pieces, first character that does not come back"
    )
    rows = []
    for one in export.comparison.figures:
        m = one.metrics
        first_loss: Value = "" if one.first_loss < 0 else one.first_loss + 1
        counts = (m.tokens, m.characters, m.words, m.in_words, m.unknown, m.lost, m.vocabulary)
        rows.append((one.name, *counts, first_loss))
    return ExportTable("What the text became", tuple(columns.split(", ")), rows)


def _costs(export: ComparisonExport) -> ExportTable:
    columns = (
        f"tokenizer, ids V, numbers V x {export.width}, bytes in {export.precision}, logits T x V, "
        "pairs of positions T x T"
    )
    rows = []
    for one in export.comparison.figures:
        size = embedding_bytes(one.num_ids, export.width, WIDTHS[export.precision])
        of_table = (one.num_ids, embedding_parameters(one.num_ids, export.width), size)
        tokens = one.metrics.tokens
        rows.append((one.name, *of_table, logits(tokens, one.num_ids), attention_pairs(tokens)))
    return ExportTable("What it costs", tuple(columns.split(", ")), rows)


def _agreement(export: ComparisonExport) -> ExportTable:
    columns = ("one", "other", "words", "cut alike", "known to both", "cuts of either", "of both")
    names = [one.name for one in export.comparison.figures]
    rows = []
    for (one, other), a in export.comparison.pairs.items():
        counts = (a.words, a.alike, a.known, a.cuts, a.shared)
        rows.append((names[one], names[other], *counts))
    return ExportTable("Who agrees", columns, rows)


def tokens(export: ComparisonExport) -> ExportTable:
    """Return every token of the whole text, by every tokenizer."""
    columns = ("tokenizer", "number", "token", "id", "from character", "to character")
    rows = []
    for one in export.tokenizers:
        rows += [(one.name, *row) for row in token_table(export.tokenize(export.text, one)).rows]
    return ExportTable("All tokens", columns, rows)
