"""All that the pipeline page shows of one text, worked out in one go: for a worker process."""

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from pages.pipeline.published import follow_published
from pages.pipeline.rows import Rail, cut_said, loss_rows, losses_said, rail, window
from pages.pipeline.stage_trace import Span, follow, losses, stretch
from pages.shared.drawing.display_text import plain_table, show_spaces
from pages.shared.drawing.phrasing import count_of
from pages.shared.training.published import Published
from pages.shared.training.source import ProgressCallback
from pages.shared.training.tokenizer_kinds import Model
from tokenizers.measures.metrics import Metrics, measure
from tokenizers.measures.rulers import RulerMark, Rulers, rulers

MARGIN = 60  # bytes of the rulers on either side of the tokens shown
MOST_CUTS = 3  # cut clusters that are named, those that most tokens share
MOST_ROWS = 200  # of the table of what does not come back
LOST_COLUMNS = ("where", "was", "comes back as", "because of")


@dataclass(frozen=True, slots=True)
class Laid:
    """A text on its way, as far as it is shown.

    `rulers` are those of the tokens shown and a little more; the first of their tokens is the one
    with the index `first_mark`. `losses` are the rows of a table, `blamed` says which stages they
    come from, `cuts` says how many clusters of the whole text tokens share, then has a sentence
    for each of those that most share.
    """

    rail: Rail
    rulers: Rulers
    first_mark: int
    losses: tuple[tuple[str, str, str, str], ...]
    blamed: str
    comes_back: bool
    cuts: tuple[str, ...]
    metrics: Metrics


def lay_out(
    report: ProgressCallback,
    text: str,
    model: Model | Published,
    off: tuple[str, ...],
    first: int,
    names: Mapping[str, str],
) -> Laid:
    """Follow a text through a pipeline; show it from the token `first` on.

    `off` are the stages left out, of a model that was trained here; `names` are those of the
    model's normalizers, in their order. Raises ValueError for a lone surrogate.
    """
    is_published = isinstance(model, Published)
    journey = follow_published(text, model) if is_published else follow(text, model, off)
    shown = window(journey, first)
    lost = losses(journey, model, *shown)
    all_rulers = rulers(text, journey.encoding)
    all_cuts = all_rulers.split_clusters
    cuts = {cut.mark.text: cut for cut in sorted(all_cuts, key=lambda cut: len(cut.tokens))}
    here = tuple(len(text[:place].encode()) for place in stretch(journey, *shown))
    first_mark, last_mark = max(shown[0] - MARGIN, 0), shown[1] + MARGIN
    return Laid(
        rail(journey, lost, shown, names, off),
        _near(all_rulers, (here[0] - MARGIN, here[1] + MARGIN), (first_mark, last_mark)),
        first_mark,
        tuple(loss_rows(journey, lost, names)),
        losses_said(lost, names),
        journey.comes_back,
        (_count_said(len(all_cuts)), *map(cut_said, [*cuts.values()][: -MOST_CUTS - 1 : -1])),
        measure(text, journey.encoding, len(model.vocab) - (model.unk is not None)),
    )


def _count_said(cuts: int) -> str:
    if not cuts:
        return "No character of this text is split between tokens."
    shared = "is split" if cuts == 1 else "are split"
    return f"{count_of(cuts, 'character')} of this text {shared} between tokens."


def _near(all_rulers: Rulers, place: Span, tokens: Span) -> Rulers:
    """Return the rulers of a stretch of bytes, and of some of the tokens."""

    def part(marks: tuple[RulerMark, ...]) -> tuple[RulerMark, ...]:
        return tuple([mark for mark in marks if mark.start < place[1] and place[0] < mark.end])

    return Rulers(
        part(all_rulers.clusters),
        part(all_rulers.code_points),
        part(all_rulers.utf8),
        all_rulers.tokens[slice(*tokens)],
    )


# --- What does not come back ----------------------------------------------------------------------


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
        (where, show_spaces(was), show_spaces(now), why)
        for where, was, now, why in laid.losses[:MOST_ROWS]
    ]
    return plain_table("The decoded text, compared with the raw text", LOST_COLUMNS, rows)


def rest_said(laid: Laid) -> str:
    """Return how many more places there are than the table has; "" where there are none."""
    more = len(laid.losses) - MOST_ROWS
    return f"and {more:,} more places" if more > 0 else ""
