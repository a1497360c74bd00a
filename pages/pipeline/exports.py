"""The exports of the pipeline page: the stages as one HTML file, its tables as CSV."""

from collections.abc import Sequence

from pages.pipeline.pipeline_view import (
    LOSS_COLUMNS,
    PipelineView,
    describe_losses,
    loss_table,
    more_losses_text,
)
from pages.pipeline.stage_table_message import STAGE_TABLE, message
from pages.shared.drawing.charts import Chart
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

LEFT_OUT = ("Four rulers around the chosen token", "What a language model is given")
KEYS = "In the row of tokens, ← → Home End go from one to the next."
REPORTED = "token"  # the state that stage_table.js reports


def html_file(
    view: PipelineView,
    text: str,
    model: str,
    at: int,
    title: str,
    here: str,
    charts: Sequence[Chart] = (),
) -> str:
    """Return the stages as one HTML file, with token `at` chosen; `model` is the model's name."""
    table = view.table
    tokens = range(table.first, table.first + max(len(table.tiles), 1))
    place = StatePart("at", "at", at, tokens, [str(token + 1) for token in tokens])
    data = message(table)
    about = f"{quote_beginning(text)} by {model}."
    if len(table.tiles) < view.metrics.tokens:
        about += f" Tokens {tokens[0] + 1:,} to {tokens[-1] + 1:,} of {view.metrics.tokens:,}."
    below = [caption_html("**What does not come back**"), caption_html(describe_losses(view))]
    if not view.is_lossless and view.losses:
        below += [loss_table(view), *map(caption_html, filter(None, [more_losses_text(view)]))]
    screen = ComponentExport(STAGE_TABLE, "object", data, KEYS, REPORTED, (place,))
    return build_component_html(
        screen, FileInfo(title, about, here, left_out=LEFT_OUT, charts=tuple(charts)), below
    )


def of_trace(view: PipelineView) -> ExportCatalog:
    """Return the tokens that are shown, and the losses, as CSV exports."""
    items = [table_item("The tokens", lambda: tokens(view))]
    if view.losses:
        name = "What does not come back"
        items.append(table_item(name, lambda: ExportTable(name, LOSS_COLUMNS, view.losses)))
    return ExportCatalog(tuple(items))


def tokens(view: PipelineView) -> ExportTable:
    """Return the tokens that are shown, each with its id and its description."""
    table = view.table
    rows = [
        (n, one.text, one.id, one.description) for n, one in enumerate(table.tiles, table.first + 1)
    ]
    return ExportTable("The tokens", ("number", "token", "id", "what it stands for"), rows)
