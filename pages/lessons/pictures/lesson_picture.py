"""A picture of a lesson, as a worker makes it and as the page and a lesson's file show it."""

from dataclasses import dataclass

from markupsafe import Markup

from lessons.facts.base import PictureFacts
from lessons.pictures.plan import Plan
from pages.pipeline.pipeline_view import PipelineView
from pages.shared.recording.frame_types import Recording

HtmlRow = tuple[str, str]
BECOMES = "What becomes of it is shown when you have answered."
STOPPED = "It was stopped before there was anything to show. Run it again."
INSIDE = "What is inside is shown when you have answered."
WORDS_STYLE = Markup(
    "<style>.pp-words{display:flex;flex-wrap:wrap;gap:.3rem 1.4rem}"
    ".pp-words>span{display:flex;gap:.4rem;align-items:center}</style>"
)
"""For words beside each other, in an element of the class `pp-words`."""


@dataclass(frozen=True, slots=True)
class LessonPicture:
    """A picture: its plan and its record, and a film, a text laid out by stages, or tokens."""

    plan: Plan
    facts: PictureFacts
    recording: Recording | None = None
    stages: PipelineView | None = None
    rows: tuple[HtmlRow, ...] = ()
    """For each tokenizer what it is and costs, in words, and its tokens as HTML."""
    preview: tuple[HtmlRow, ...] = ()
    """What doesn't give the answer away, where there are no steps: names, each with a text."""
    hidden_note: str = BECOMES
    """What is said under that while a question is open."""
