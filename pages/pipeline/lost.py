"""What does not come back when the ids of a text are decoded: a sentence, and a table."""

from markupsafe import Markup

from pages.pipeline.laid_out import Laid
from pages.shared.drawing.tiles import plain_table, visible

MOST_ROWS = 200


def lost_said(laid: Laid) -> str:
    """Return what is lost, in a sentence."""
    if laid.comes_back:
        return "Everything comes back: the decoded ids are exactly the original text."
    if not laid.losses:
        return "This part of the text comes back unchanged; other parts do not."
    return f"In the part shown, by stage: {laid.blamed}."


def lost_table(laid: Laid) -> Markup:
    """Return HTML of the first places that do not come back."""
    rows = [
        (where, visible(was), visible(now), why) for where, was, now, why in laid.losses[:MOST_ROWS]
    ]
    columns = ("where", "was", "comes back as", "because of")
    return plain_table("The decoded text, compared with the raw text", columns, rows)


def rest_said(laid: Laid) -> str:
    """Return how many more places there are than the table has; "" where there are none."""
    more = len(laid.losses) - MOST_ROWS
    return f"and {more:,} more places" if more > 0 else ""
