"""What the pipeline page shows below its stages, as blocks, and its document."""

from pages.pipeline.pipeline_view import MAX_ROWS, PipelineView, describe_losses, loss_table
from pages.pipeline.stage_table_message import STAGE_TABLE, message
from pages.shared.drawing.phrasing import count_of
from pages.shared.export.document.blocks import (
    ComponentBlock,
    Document,
    Folded,
    Heading,
    Html,
    Note,
    StatePart,
    StaticBlock,
    quote_beginning,
)

LEFT_OUT = ("Four rulers around the chosen token", "What a language model is given")
KEYS = "In the row of tokens, ← → Home End go from one to the next."
REPORTED = "token"  # the state that stage_table.js reports
MAX_UNFOLDED_ROWS = 8


def losses(view: PipelineView) -> tuple[StaticBlock, ...]:
    """Return what is lost when the ids are decoded, and the stage that lost it."""
    said = Heading("What does not come back"), Note(describe_losses(view))
    if view.is_lossless or not view.losses:
        return said
    first = Html(loss_table(view, 0, MAX_UNFOLDED_ROWS))
    if (more := len(view.losses) - MAX_UNFOLDED_ROWS) <= 0:
        return (*said, first)
    rest: list[StaticBlock] = [Html(loss_table(view, MAX_UNFOLDED_ROWS, MAX_ROWS))]
    if (unlisted := len(view.losses) - MAX_ROWS) > 0:
        rest.append(Note(f"and {unlisted:,} more places"))
    return (*said, first, Folded(count_of(more, "more place"), tuple(rest)))


def document(view: PipelineView, text: str, model: str, at: int) -> Document:
    """Return the stages with token `at` chosen, and the losses; `model` is the model's name."""
    table = view.table
    tokens = range(table.first, table.first + max(len(table.tiles), 1))
    place = StatePart("at", "at", at, tokens, [str(token + 1) for token in tokens])
    about = f"{quote_beginning(text)} by {model}."
    if len(table.tiles) < view.metrics.tokens:
        about += f" Tokens {tokens[0] + 1:,} to {tokens[-1] + 1:,} of {view.metrics.tokens:,}."
    stages = ComponentBlock(STAGE_TABLE, message(table), KEYS, REPORTED, (place,))
    return Document("", about, (stages, *losses(view)), LEFT_OUT)
