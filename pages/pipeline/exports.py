"""What the pipeline page offers to take along: the stages as one HTML file, its tables as CSV."""

from collections.abc import Sequence

from pages.pipeline.pipeline_view import LOST_COLUMNS, Laid, lost_said, lost_table, rest_said
from pages.pipeline.stage_table_message import RAIL, message
from pages.shared.drawing.charts import Chart
from pages.shared.export.catalog import Offer, table_item
from pages.shared.export.component.component_html import Part, Screen, quoted, said, screen_file
from pages.shared.export.run_html import Sheet
from pages.shared.export.tables import Table

LEFT_OUT = ("Four rulers around the chosen token", "What a language model is given")
KEYS = "In the row of tokens, ← → Home End go from one to the next."
TOLD = "token"  # as stage_table.js tells where it rests


def html_file(
    laid: Laid,
    text: str,
    model: str,
    at: int,
    title: str,
    here: str,
    charts: Sequence[Chart] = (),
) -> str:
    """Return the stages as one HTML file, with the token `at` chosen; `model` is its name."""
    rail = laid.rail
    tokens = range(rail.first, rail.first + max(len(rail.tiles), 1))
    place = Part("at", "at", at, tokens, [str(token + 1) for token in tokens])
    data = message(rail, "", at, large=False)
    about = f"{quoted(text)} by {model}."
    if len(rail.tiles) < laid.metrics.tokens:
        about += f" Tokens {tokens[0] + 1:,} to {tokens[-1] + 1:,} of {laid.metrics.tokens:,}."
    below = [said("**What does not come back**"), said(lost_said(laid))]
    if not laid.comes_back and laid.losses:
        below += [lost_table(laid), *map(said, filter(None, [rest_said(laid)]))]
    screen = Screen(RAIL, "object", data, KEYS, TOLD, (place,))
    return screen_file(
        screen, Sheet(title, about, here, left_out=LEFT_OUT, charts=tuple(charts)), below
    )


def of_journey(laid: Laid) -> Offer:
    """Offer the tokens that are shown, and what does not come back, as CSV."""
    items = [table_item("The tokens", lambda: tokens(laid))]
    if laid.losses:
        name = "What does not come back"
        items.append(table_item(name, lambda: Table(name, LOST_COLUMNS, laid.losses)))
    return Offer(tuple(items))


def tokens(laid: Laid) -> Table:
    """Return the tokens that are shown, each with its id and its sentence."""
    rail = laid.rail
    rows = [(n, one.text, one.id, one.said) for n, one in enumerate(rail.tiles, rail.first + 1)]
    return Table("The tokens", ("number", "token", "id", "what it stands for"), rows)
