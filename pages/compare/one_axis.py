"""Put one text on one axis: bytes, patches, characters, pieces, words and superwords."""

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go
from markupsafe import Markup

from lessons.units import THRESHOLD, units_of
from pages.compare import tables
from pages.shared.aligned.side_by_side import NamedTokenizer
from pages.shared.drawing.charts import COLOURS, FIXED, GREY, unique_label
from tokenizers.progress import ProgressCallback

ROW_HEIGHT, MARGINS = 30, 70  # px
LONGEST_LABEL = 40  # characters
AXIS_NOTE = (
    "The same text for all. ByT5 (2021) reads bytes; MegaByte (2023) takes patches of one size; "
    "the Byte Latent Transformer, BLT (2024), begins a patch where the next byte is hard to guess: "
    "here by counts on our page, above an entropy of "
    f"{THRESHOLD:g} nats, not by its own network. Superwords are learned on our page, too. H-Net "
    "(2025) is missing: its chunks are where its trained network puts them. Attention compares "
    "pairs, so half the units take a quarter of its work."
)


@dataclass(frozen=True, slots=True)
class AxisRow:
    """A kind of unit, how many of them the text becomes, and which units there can be."""

    title: str
    count: int
    vocabulary: str
    is_tokenizer: bool


def count_units(
    report: ProgressCallback, text: str, tokenizers: Sequence[NamedTokenizer]
) -> tuple[AxisRow, ...]:
    """Count the units of a text, those of the longest sequence first."""
    rows = [
        AxisRow(one.title, len(one.tokens), one.vocabulary, False)
        for one in units_of(text, ()).values()
    ]
    for one in tokenizers:
        pieces = f"{one.num_pieces:,} pieces"
        rows.append(AxisRow(one.name, len(one.encode(text).tokens), pieces, True))
    return tuple(sorted(rows, key=lambda row: -row.count))


def axis_chart(rows: Sequence[AxisRow]) -> go.Figure:
    """Draw the number of units of each kind; tokenizers have a colour and hatching of their own."""
    bars = {
        "type": "bar",
        "orientation": "h",
        "y": [unique_label(row.title, LONGEST_LABEL, n) for n, row in enumerate(rows)],
        "x": [row.count for row in rows],
        "text": [f"{row.count:,}" for row in rows],
        "textposition": "outside",
        "cliponaxis": False,
        "marker": {
            "color": [COLOURS[0] if row.is_tokenizer else GREY for row in rows],
            "pattern": {"shape": ["/" if row.is_tokenizer else "" for row in rows]},
        },
        "hovertemplate": "%{x:,} units<extra></extra>",
    }
    layout = {
        "height": ROW_HEIGHT * len(rows) + MARGINS,
        "margin": {"t": 10, "r": 60, "b": 50, "l": 280},
        "xaxis": {"title": "units", "rangemode": "tozero", "tickformat": ",", **FIXED},
        "yaxis": {"type": "category", "autorange": "reversed", **FIXED},
        "showlegend": False,
    }
    return go.Figure({"data": [bars], "layout": layout})


def axis_finding(rows: Sequence[AxisRow]) -> str:
    """Return a summary sentence with both ends of the axis."""
    longest, shortest = rows[0], rows[-1]
    ratio = longest.count / max(shortest.count, 1)
    return (
        f"From {longest.count:,} ({longest.title}) to {shortest.count:,} ({shortest.title}): "
        f"{ratio:.1f} times as many units for one text"
    )


def axis_table(rows: Sequence[AxisRow]) -> Markup:
    """Return a table of the kinds of unit with their number and what they can be."""
    body = [[row.title, f"{row.count:,}", row.vocabulary] for row in rows]
    return tables.html("One text in different units", ("", "Units", "Vocabulary"), body)
