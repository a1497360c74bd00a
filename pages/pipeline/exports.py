"""The exports of the pipeline page besides its HTML file: its tables as CSV."""

from pages.pipeline.pipeline_view import LOSS_COLUMNS, PipelineView
from pages.shared.export.catalog import ExportCatalog, table_item
from pages.shared.export.tables import ExportTable


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
