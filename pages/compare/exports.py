"""What Compare · Side by side offers to take along: the strip as one HTML file, tables as CSV."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pages.compare import tables
from pages.compare.aligned_view_message import STRIP, Drawn, legend, message
from pages.compare.side_by_side import UNCOUNTED, Compared, Contestant, agreement_said, cut
from pages.shared.drawing.charts import Chart
from pages.shared.drawing.phrasing import count_of
from pages.shared.drawing.prices import WIDTHS
from pages.shared.export.catalog import Offer, table_item
from pages.shared.export.component.component_html import (
    Screen,
    address_of_app,
    quoted,
    said,
    screen_file,
)
from pages.shared.export.run_html import Sheet
from pages.shared.export.tables import Table, Value, of_tokens
from tokenizers.measures.metrics import (
    attention_pairs,
    embedding_bytes,
    embedding_parameters,
    logits,
)
from tokenizers.text.encoding import Encoding

LEFT_OUT = ("Seen and unseen words", "Scripts and lengths", "One changed letter", "Scorecard")
KEYS = "Arrow keys, Home and End go from token to token; a click holds one."


def tokens_here(text: str, one: Contestant) -> Encoding:
    """Return the tokens that a tokenizer makes of a text, as they are drawn."""
    return cut(text, one).drawn


@dataclass(frozen=True, slots=True)
class Taken:
    """A comparison as it is on the screen; `trained` says what all of them learned from.

    `width` and `precision` are those of the model that costs are counted for.
    """

    text: str
    asked: Sequence[Contestant]
    compared: Compared
    drawn: Drawn
    width: int
    precision: str
    trained: str = ""
    tokens_of: Callable[[str, Contestant], Encoding] = tokens_here


def html_file(taken: Taken, title: str, here: str, charts: Sequence[Chart] = ()) -> str:
    """Return the strip as one HTML file, with the tables that are always under it."""
    app = address_of_app(here)
    # Only the app can step through a word: a file that does not know where it is has no such link.
    drawn = taken.drawn if app else replace(taken.drawn, leads=None)
    screen = Screen(STRIP, "json", message(drawn, app=app), KEYS)
    sheet = Sheet(title, about(taken), here, left_out=LEFT_OUT, charts=tuple(charts))
    return screen_file(screen, sheet, list(_below(taken)))


def about(taken: Taken) -> str:
    """Return what is compared, and which part of it is drawn."""
    found = taken.compared
    part = f"{quoted(taken.text)} by {', '.join(row.name for row in found.figures)}."
    if found.words and (found.first or found.last + 1 < found.words):
        part += (
            f" The picture has words {found.first + 1:,} to {found.last + 1:,} of {found.words:,}; "
            "the figures cover the whole text."
        )
    if found.hidden:
        hidden = count_of(found.hidden, "more character")
        part += f" The last word shown has {hidden}; the figures count them."
    return part


def _below(taken: Taken) -> list[str]:
    found = taken.compared
    sentences = [legend(taken.asked), taken.trained]
    if agreed := agreement_said(found):
        sentences.insert(0, f"**{agreed}**{UNCOUNTED * found.leaves_out_ends}")
    parts = [said(one) for one in sentences if one]
    parts += [tables.became(found.figures), said(tables.BECAME_MEANS)]
    parts += [tables.costs(found.figures, taken.width, taken.precision), said(tables.COSTS_MEAN)]
    if found.words:
        parts += [tables.agreement(found), said(tables.AGREE_MEANS)]
    return parts


# --- As CSV ---------------------------------------------------------------------------------------


def of_comparison(taken: Taken) -> Offer:
    """Offer the tables of the page, and all tokens, each as CSV."""
    return Offer(
        (
            table_item("What the text became", lambda: _became(taken)),
            table_item("What it costs", lambda: _costs(taken)),
            table_item("Who agrees", lambda: _agreement(taken)),
            table_item("All tokens", lambda: tokens(taken)),
        )
    )


def _became(taken: Taken) -> Table:
    columns = (
        "tokenizer, tokens, characters, words, tokens that hold a part of a word, unknown tokens, "
        "characters lost, pieces, first character that does not come back"
    )
    rows = []
    for one in taken.compared.figures:
        m = one.metrics
        back: Value = "" if one.returns < 0 else one.returns + 1
        counts = (m.tokens, m.characters, m.words, m.in_words, m.unknown, m.lost, m.vocabulary)
        rows.append((one.name, *counts, back))
    return Table("What the text became", tuple(columns.split(", ")), rows)


def _costs(taken: Taken) -> Table:
    columns = (
        f"tokenizer, ids V, numbers V x {taken.width}, bytes in {taken.precision}, logits T x V, "
        "pairs of positions T x T"
    )
    rows = []
    for one in taken.compared.figures:
        size = embedding_bytes(one.rows, taken.width, WIDTHS[taken.precision])
        of_table = (one.rows, embedding_parameters(one.rows, taken.width), size)
        tokens = one.metrics.tokens
        rows.append((one.name, *of_table, logits(tokens, one.rows), attention_pairs(tokens)))
    return Table("What it costs", tuple(columns.split(", ")), rows)


def _agreement(taken: Taken) -> Table:
    columns = ("one", "other", "words", "cut alike", "known to both", "cuts of either", "of both")
    names = [one.name for one in taken.compared.figures]
    rows = []
    for (one, other), a in taken.compared.pairs.items():
        counts = (a.words, a.alike, a.known, a.cuts, a.shared)
        rows.append((names[one], names[other], *counts))
    return Table("Who agrees", columns, rows)


def tokens(taken: Taken) -> Table:
    """Return every token of the whole text, by every tokenizer."""
    columns = ("tokenizer", "number", "token", "id", "from character", "to character")
    rows = []
    for one in taken.asked:
        rows += [(one.name, *row) for row in of_tokens(taken.tokens_of(taken.text, one)).rows]
    return Table("All tokens", columns, rows)
