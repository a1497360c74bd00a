"""What Compare · Vocabulary size offers to take along: the scrubber as one HTML file, and CSV."""

from collections.abc import Callable, Sequence
from itertools import chain

import plotly.graph_objects as go

from pages.shared.drawing.charts import COLOURS, DASHES, Chart
from pages.shared.drawing.display_text import plain_table
from pages.shared.export.catalog import Offer, table_item
from pages.shared.export.component.component_html import Part, Screen, quoted, said, screen_file
from pages.shared.export.run_html import Sheet
from pages.shared.export.tables import Table
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
    place = Part("at", "at", at, shown.sizes, list(map(str, shown.sizes)))
    data = message(shown, "", at, model, large=False)
    by = ", ".join(name_of(one.kind) for one in shown.contestants)
    about = f"{quoted(text)} by {by}, at every size on record."
    sheet = Sheet(title, about, here, left_out=LEFT_OUT, charts=tuple(charts))
    notes = [note for one in shown.contestants for note in one.notes]
    sentences = [*dict.fromkeys(notes), " ".join(map(how_far, shown.contestants))]
    table = plain_table(finding(shown), *size_table(shown, model[0], at))
    screen = Screen(SCRUBBER, "headed", data, KEYS, TOLD, (place,))
    return screen_file(screen, sheet, [*map(said, sentences), table])


def of_sizes(shown: Scrub, read: Read) -> Offer:
    """Offer the curves and the vocabularies as CSV; `read` says how pieces of a kind are shown."""
    return Offer(
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


def tokens_by_size(shown: Scrub) -> Table:
    """Return how many tokens the text has at every size on record; nothing below the smallest."""
    columns = ["pieces", *(f"tokens, {name_of(one.kind)}" for one in shown.contestants)]
    rows = [[size, *(one.tokens_at(size, "") for one in shown.contestants)] for size in shown.sizes]
    return Table("Tokens by size", tuple(columns), rows)


def _pieces(shown: Scrub, read: Read) -> Table:
    """Return every piece of every tokenizer, and the size on record at which it is there first."""
    rows = []
    for one in shown.contestants:
        name = name_of(one.kind)
        born = [size for size, new in zip(one.sizes, one.new, strict=True) for _ in new]
        pieces = read(one.kind, list(chain.from_iterable(one.new)))
        rows += [(name, *row) for row in zip(born, pieces, strict=True)]
    return Table("Pieces by size", ("tokenizer", "there from size", "piece"), rows)
