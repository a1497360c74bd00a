"""The exports of Compare · Vocabulary size besides its HTML file: CSV, and the curves."""

from itertools import chain

import plotly.graph_objects as go

from pages.shared.drawing.charts import COLOURS, DASHES, Chart
from pages.shared.export.catalog import ExportCatalog, table_item
from pages.shared.export.tables import ExportTable
from pages.sizes.blocks import Read
from pages.sizes.size_message import SizeComparison, finding, name_of


def size_exports(comparison: SizeComparison, read: Read) -> ExportCatalog:
    """Return the CSV exports and the chart; `read` returns a tokenizer's pieces as displayed."""
    return ExportCatalog(
        (
            table_item("Tokens by size", lambda: tokens_by_size(comparison)),
            table_item("Pieces by size", lambda: _pieces(comparison, read)),
        ),
        charts=(
            Chart(
                "The curves", curves_chart(comparison), finding(comparison), table="Tokens by size"
            ),
        ),
    )


def curves_chart(comparison: SizeComparison) -> go.Figure:
    """Draw the slider's curves, each starting at its tokenizer's smallest recorded size."""
    lines = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": one.sizes,
            "y": one.tokens,
            "name": name_of(one.kind),
            "line": {"shape": "hv", "width": 2, "color": COLOURS[n], "dash": DASHES[n]},
        }
        for n, one in enumerate(comparison.tokenizers)
    ]
    axes = {
        "xaxis": {"title": "pieces in the vocabulary", "type": "log"},
        "yaxis": {"title": "tokens of the text", "rangemode": "tozero"},
    }
    return go.Figure({"data": lines, "layout": {**axes, "showlegend": True}})


def tokens_by_size(comparison: SizeComparison) -> ExportTable:
    """Return a table of the number of tokens by size; "" below a tokenizer's smallest size."""
    columns = ["pieces", *(f"tokens, {name_of(one.kind)}" for one in comparison.tokenizers)]
    rows = [
        [size, *(one.tokens_at(size, "") for one in comparison.tokenizers)]
        for size in comparison.sizes
    ]
    return ExportTable("Tokens by size", tuple(columns), rows)


def _pieces(comparison: SizeComparison, read: Read) -> ExportTable:
    """Return a table of every tokenizer's pieces and the smallest recorded size that has each."""
    rows = []
    for one in comparison.tokenizers:
        name = name_of(one.kind)
        first_sizes = [size for size, new in zip(one.sizes, one.new, strict=True) for _ in new]
        pieces = read(one.kind, list(chain.from_iterable(one.new)))
        rows += [(name, *row) for row in zip(first_sizes, pieces, strict=True)]
    return ExportTable("Pieces by size", ("tokenizer", "there from size", "piece"), rows)
