"""The exports of Compare · Side by side: the aligned view as one HTML file, tables as CSV."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pages.compare import tables
from pages.shared.aligned.aligned_view_message import ALIGNED_VIEW, AlignedView, message
from pages.shared.aligned.side_by_side import (
    Comparison,
    NamedTokenizer,
    tokenize,
)
from pages.shared.drawing.charts import Chart
from pages.shared.drawing.phrasing import count_of
from pages.shared.drawing.prices import WIDTHS
from pages.shared.export.catalog import ExportCatalog, table_item
from pages.shared.export.component.component_html import (
    ComponentExport,
    app_url,
    build_component_html,
    caption_html,
    quote_beginning,
)
from pages.shared.export.run_html import FileInfo
from pages.shared.export.tables import ExportTable, Value, token_table
from tokenizers.measures.metrics import (
    attention_pairs,
    embedding_bytes,
    embedding_parameters,
    logits,
)
from tokenizers.text.encoding import Encoding

LEFT_OUT = ("Seen and unseen words", "Scripts and lengths", "One changed letter", "Scorecard")
KEYS = "Arrow keys, Home and End go from token to token; a click holds one."


def tokenize_here(text: str, one: NamedTokenizer) -> Encoding:
    """Return the tokens of a text as they are drawn."""
    return tokenize(text, one).readable


@dataclass(frozen=True, slots=True)
class ComparisonExport:
    """A comparison as it is on the screen; `training_note` names the common training text.

    `width` is the width of the model whose costs are computed, `precision` its number format.
    """

    text: str
    tokenizers: Sequence[NamedTokenizer]
    comparison: Comparison
    view: AlignedView
    width: int
    precision: str
    training_note: str = ""
    tokenize: Callable[[str, NamedTokenizer], Encoding] = tokenize_here


def html_file(export: ComparisonExport, title: str, here: str, charts: Sequence[Chart] = ()) -> str:
    """Return the aligned view as one HTML file, with the tables that are always below it."""
    app = app_url(here)
    # Links lead into the app, so a file that lacks the app's URL has no links.
    view = export.view if app else replace(export.view, links=None)
    screen = ComponentExport(ALIGNED_VIEW, "json", message(view, app=app), KEYS)
    sheet = FileInfo(title, about(export), here, left_out=LEFT_OUT, charts=tuple(charts))
    return build_component_html(screen, sheet, list(_tables_below(export)))


def about(export: ComparisonExport) -> str:
    """Return a text on what is compared, and which part of it is drawn."""
    comparison = export.comparison
    part = f"{quote_beginning(export.text)} by {', '.join(row.name for row in comparison.figures)}."
    if comparison.words and (comparison.first or comparison.last + 1 < comparison.words):
        part += (
            f" The picture has words {comparison.first + 1:,} to {comparison.last + 1:,} of "
            f"{comparison.words:,}; the figures cover the whole text."
        )
    if comparison.hidden:
        hidden = count_of(comparison.hidden, "more character")
        part += f" The last word shown has {hidden}; the figures count them."
    return part


def _tables_below(export: ComparisonExport) -> list[str]:
    comparison = export.comparison
    parts = [caption_html(export.training_note)] if export.training_note else []
    parts += [tables.text_table(comparison.figures), caption_html(tables.TEXT_NOTE)]
    parts += [
        tables.costs(comparison.figures, export.width, export.precision),
        caption_html(tables.COSTS_NOTE),
    ]
    if comparison.words:
        parts += [tables.agreement(comparison), caption_html(tables.AGREEMENT_NOTE)]
    return parts


# --- As CSV ---------------------------------------------------------------------------------------


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
