"""What Side by side shows below the aligned view, as blocks, and its document."""

from collections.abc import Sequence

from pages.compare import tables
from pages.shared.aligned.aligned_view_message import ALIGNED_VIEW, AlignedView, message
from pages.shared.aligned.side_by_side import Comparison
from pages.shared.drawing.phrasing import count_of
from pages.shared.export.document.blocks import (
    ComponentBlock,
    Document,
    Html,
    Note,
    StaticBlock,
    quote_beginning,
)

SEEN, SCRIPTS = "Seen and unseen words", "Scripts and lengths"
LETTER, SCORECARD, AXIS = "One changed letter", "Scorecard", "From bytes to superwords"
LEFT_OUT = (SEEN, SCRIPTS, LETTER, SCORECARD, AXIS)
"""The closer looks that the file has only if they are open, but for who agrees."""
KEYS = "Arrow keys, Home and End go from token to token; a click holds one."


def became(comparison: Comparison) -> tuple[StaticBlock, ...]:
    """Return what the text became."""
    return Html(tables.text_table(comparison.figures)), Note(tables.TEXT_NOTE)


def costs(comparison: Comparison, width: int, precision: str) -> tuple[StaticBlock, ...]:
    """Return what the text costs in a model of this width, with numbers in this format."""
    return Html(tables.costs(comparison.figures, width, precision)), Note(tables.COSTS_NOTE)


def agreement(comparison: Comparison) -> tuple[StaticBlock, ...]:
    """Return how far each two tokenizers agree."""
    if not comparison.words:
        return (Note("This text has no words."),)
    return Html(tables.agreement(comparison)), Note(tables.AGREEMENT_NOTE)


def document(
    text: str, comparison: Comparison, view: AlignedView, below: Sequence[StaticBlock]
) -> Document:
    """Return the aligned view, the blocks that the page shows `below` it, and who agrees."""
    picture = ComponentBlock(ALIGNED_VIEW, message(view), KEYS)
    blocks = (picture, *below, *agreement(comparison))
    return Document("", about(text, comparison), blocks, LEFT_OUT)


def about(text: str, comparison: Comparison) -> str:
    """Return a text on what is compared, and which part of it is drawn."""
    part = f"{quote_beginning(text)} by {', '.join(row.name for row in comparison.figures)}."
    if comparison.words and (comparison.first or comparison.last + 1 < comparison.words):
        part += (
            f" The picture has words {comparison.first + 1:,} to {comparison.last + 1:,} of "
            f"{comparison.words:,}; the figures cover the whole text."
        )
    if comparison.hidden:
        hidden = count_of(comparison.hidden, "more character")
        part += f" The last word shown has {hidden}; the figures count them."
    return part
