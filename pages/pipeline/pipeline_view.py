"""Compute everything that the pipeline page shows of a text, at once, in a worker process."""

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from pages.pipeline.published import trace_published
from pages.pipeline.rows import (
    StageTable,
    build_table,
    describe_cut,
    loss_rows,
    losses_by_stage,
    token_range,
)
from pages.pipeline.stage_trace import Span, find_losses, stage_span, trace_stages
from pages.shared.drawing.display_text import plain_table, show_spaces
from pages.shared.drawing.phrasing import count_of
from pages.shared.training.published import PublishedTokenizer
from pages.shared.training.tokenizer_kinds import Model
from tokenizers.measures.metrics import Metrics, measure
from tokenizers.measures.rulers import RulerMark, Rulers, rulers
from tokenizers.progress import ProgressCallback

MARGIN = 60  # bytes of the rulers on either side of the tokens shown
MAX_CUTS = 3  # grapheme clusters that are named, starting with the most split one
MAX_ROWS = 200  # rows of the table of losses
LOSS_COLUMNS = ("where", "was", "comes back as", "because of")


@dataclass(frozen=True, slots=True)
class PipelineView:
    """A text traced through the pipeline, as far as it is shown.

    `rulers` cover the tokens shown and a margin; the first token on them has the index
    `first_ruler_token`. `losses` has the rows of a table, `losses_by_stage` is a text. The first of
    `cut_sentences` counts the characters of the text that are split between tokens; the others
    describe the most split characters.
    """

    table: StageTable
    rulers: Rulers
    first_ruler_token: int
    losses: tuple[tuple[str, str, str, str], ...]
    losses_by_stage: str
    is_lossless: bool
    cut_sentences: tuple[str, ...]
    metrics: Metrics


def build_view(
    report: ProgressCallback,
    text: str,
    model: Model | PublishedTokenizer,
    off: tuple[str, ...],
    first: int,
    names: Mapping[str, str],
) -> PipelineView:
    """Trace a text through a pipeline, to show it starting at token `first`.

    `off` names the stages switched off, for a model trained here; `names` maps the normalizers to
    titles, in order. Raises UserError for a lone surrogate.
    """
    is_published = isinstance(model, PublishedTokenizer)
    trace = trace_published(text, model) if is_published else trace_stages(text, model, off)
    shown = token_range(trace, first)
    lost = find_losses(trace, model, *shown)
    all_rulers = rulers(text, trace.encoding)
    all_cuts = all_rulers.split_clusters
    cuts = {cut.mark.text: cut for cut in sorted(all_cuts, key=lambda cut: len(cut.tokens))}
    byte_span = tuple(len(text[:offset].encode()) for offset in stage_span(trace, *shown))
    first_mark, last_mark = max(shown[0] - MARGIN, 0), shown[1] + MARGIN
    return PipelineView(
        build_table(trace, lost, shown, names, off),
        _rulers_near(
            all_rulers, (byte_span[0] - MARGIN, byte_span[1] + MARGIN), (first_mark, last_mark)
        ),
        first_mark,
        tuple(loss_rows(trace, lost, names)),
        losses_by_stage(lost, names),
        trace.is_lossless,
        (
            _num_cuts_text(len(all_cuts)),
            *map(describe_cut, [*cuts.values()][: -MAX_CUTS - 1 : -1]),
        ),
        measure(text, trace.encoding, len(model.vocab) - (model.unk is not None)),
    )


def _num_cuts_text(cuts: int) -> str:
    if not cuts:
        return "No character of this text is split between tokens."
    shared = "is split" if cuts == 1 else "are split"
    return f"{count_of(cuts, 'character')} of this text {shared} between tokens."


def _rulers_near(all_rulers: Rulers, byte_span: Span, tokens: Span) -> Rulers:
    """Return the part of the rulers in a span of bytes, with a range of the tokens."""

    def part(marks: tuple[RulerMark, ...]) -> tuple[RulerMark, ...]:
        return tuple(
            [mark for mark in marks if mark.start < byte_span[1] and byte_span[0] < mark.end]
        )

    return Rulers(
        part(all_rulers.clusters),
        part(all_rulers.code_points),
        part(all_rulers.utf8),
        all_rulers.tokens[slice(*tokens)],
    )


# --- What does not come back ----------------------------------------------------------------------


def describe_losses(view: PipelineView) -> str:
    """Return what is lost, in a sentence."""
    if view.is_lossless:
        return "Everything comes back: the decoded ids are exactly the original text."
    if not view.losses:
        return "This part of the text comes back unchanged; other parts do not."
    return f"In the part shown, by stage: {view.losses_by_stage}."


def loss_table(view: PipelineView, first: int, last: int) -> Markup:
    """Return the losses `first` to `last`, excluding `last`, as an HTML table."""
    rows = [
        (where, show_spaces(was), show_spaces(now), why)
        for where, was, now, why in view.losses[first:last]
    ]
    return plain_table("The decoded text, compared with the raw text", LOSS_COLUMNS, rows)
