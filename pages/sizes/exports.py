"""What Compare · Vocabulary size offers to take along: the scrubber as one HTML file, and CSV."""

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
from pages.sizes.frames import (
    SCRUBBER,
    Scrub,
    finding,
    how_far,
    message,
    name_of,
    size_table,
)

LEFT_OUT = ("The newest pieces", "A list of whole words instead")
KEYS = "← → Home End Page up Page down move the slider; so does a click on the curves."
Read = Callable[[str, Sequence[str]], list[str]]
TOLD = "size"  # as size_slider.js tells where it rests


def html_file(
    shown: Scrub,
    text: str,
    at: int,
    model: tuple[int, str],
    title: str,
    here: str,
    charts: Sequence[Chart] = (),
) -> str:
    """Return the scrubber at the size `at` as one HTML file, with the table of sizes."""
    place = StatePart("at", "at", at, shown.sizes, list(map(str, shown.sizes)))
    data = message(shown, "", at, model, large=False)
    by = ", ".join(name_of(one.kind) for one in shown.contestants)
    about = f"{quote_beginning(text)} by {by}, at every size on record."
    sheet = FileInfo(title, about, here, left_out=LEFT_OUT, charts=tuple(charts))
    notes = [note for one in shown.contestants for note in one.notes]
    sentences = [*dict.fromkeys(notes), " ".join(map(how_far, shown.contestants))]
    table = plain_table(finding(shown), *size_table(shown, model[0], at))
    screen = ComponentExport(SCRUBBER, "headed", data, KEYS, TOLD, (place,))
    return build_component_html(screen, sheet, [*map(caption_html, sentences), table])


def of_sizes(shown: Scrub, read: Read) -> ExportCatalog:
    """Offer the curves and the vocabularies as CSV; `read` says how pieces of a kind are shown."""
    return ExportCatalog(
        (
            table_item("Tokens by size", lambda: tokens_by_size(shown)),
            table_item("Pieces by size", lambda: _pieces(shown, read)),
        ),
        charts=(Chart("The curves", curves_chart(shown), finding(shown), table="Tokens by size"),),
    )


def curves_chart(shown: Scrub) -> go.Figure:
    """Draw the curves of the scrubber: each begins at its smallest size on record."""
    lines = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": one.sizes,
            "y": one.tokens,
            "name": name_of(one.kind),
            "line": {"shape": "hv", "width": 2, "color": COLOURS[n], "dash": DASHES[n]},
        }
        for n, one in enumerate(shown.contestants)
    ]
    axes = {
        "xaxis": {"title": "pieces in the vocabulary", "type": "log"},
        "yaxis": {"title": "tokens of the text", "rangemode": "tozero"},
    }
    return go.Figure({"data": lines, "layout": {**axes, "showlegend": True}})


def tokens_by_size(shown: Scrub) -> ExportTable:
    """Return how many tokens the text has at every size on record; nothing below the smallest."""
    columns = ["pieces", *(f"tokens, {name_of(one.kind)}" for one in shown.contestants)]
    rows = [[size, *(one.tokens_at(size, "") for one in shown.contestants)] for size in shown.sizes]
    return ExportTable("Tokens by size", tuple(columns), rows)


def _pieces(shown: Scrub, read: Read) -> ExportTable:
    """Return every piece of every tokenizer, and the size on record at which it is there first."""
    rows = []
    for one in shown.contestants:
        name = name_of(one.kind)
        born = [size for size, new in zip(one.sizes, one.new, strict=True) for _ in new]
        pieces = read(one.kind, list(chain.from_iterable(one.new)))
        rows += [(name, *row) for row in zip(born, pieces, strict=True)]
    return ExportTable("Pieces by size", ("tokenizer", "there from size", "piece"), rows)
