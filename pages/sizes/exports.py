"""Exports of Compare · Vocabulary size, which are an HTML file with the size slider, and CSV."""

from collections.abc import Callable, Sequence
from itertools import chain

import plotly.graph_objects as go

from pages.shared.drawing.charts import COLOURS, DASHES, Chart
from pages.shared.drawing.display_text import plain_table
from pages.shared.export.catalog import ExportCatalog, table_item
from pages.shared.export.component.component_html import (
    ComponentExport,
    StatePart,
    build_component_html,
    caption_html,
    quote_beginning,
)
from pages.shared.export.run_html import FileInfo
from pages.shared.export.tables import ExportTable
from pages.sizes.size_message import (
    SIZE_SLIDER,
    SizeComparison,
    build_message,
    describe_sizes,
    finding,
    name_of,
    size_table,
)

LEFT_OUT = ("The newest pieces", "A list of whole words instead")
KEYS = "← → Home End Page up Page down move the slider; so does a click on the curves."
Read = Callable[[str, Sequence[str]], list[str]]
STATE_NAME = "size"  # the state value in which size_slider.js reports the size


def html_file(
    comparison: SizeComparison,
    text: str,
    at: int,
    model: tuple[int, str],
    title: str,
    here: str,
    charts: Sequence[Chart] = (),
) -> str:
    """Return an HTML file with the slider at the size `at`, and the table of sizes."""
    entry = StatePart("at", "at", at, comparison.sizes, list(map(str, comparison.sizes)))
    data = build_message(comparison, model, {})
    by = ", ".join(name_of(one.kind) for one in comparison.tokenizers)
    about = f"{quote_beginning(text)} by {by}, at every size on record."
    sheet = FileInfo(title, about, here, left_out=LEFT_OUT, charts=tuple(charts))
    notes = [note for one in comparison.tokenizers for note in one.notes]
    sentences = [*dict.fromkeys(notes), " ".join(map(describe_sizes, comparison.tokenizers))]
    table = plain_table(finding(comparison), *size_table(comparison, model[0], at))
    screen = ComponentExport(SIZE_SLIDER, "headed", data, KEYS, STATE_NAME, (entry,))
    return build_component_html(screen, sheet, [*map(caption_html, sentences), table])


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
