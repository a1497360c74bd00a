"""A lesson's picture, which a worker builds, and which the page and the exported file show."""

from dataclasses import dataclass

from lessons.facts.base import PictureFacts
from lessons.pictures.plan import Plan
from pages.pipeline.pipeline_view import PipelineView
from pages.shared.recording.frame_types import Recording

HtmlRow = tuple[str, str]
BECOMES = "What becomes of it is shown when you have answered."
STOPPED = "It was stopped before there was anything to show. Run it again."
INSIDE = "What is inside is shown when you have answered."


@dataclass(frozen=True, slots=True)
class LessonPicture:
    """A picture's plan and facts, with its recording, a text's stages, or rows of tokens."""

    plan: Plan
    facts: PictureFacts
    recording: Recording | None = None
    stages: PipelineView | None = None
    rows: tuple[HtmlRow, ...] = ()
    """For each tokenizer a caption and its tokens as HTML."""
    preview: tuple[HtmlRow, ...] = ()
    """For a picture without steps, what is shown before the answer: names and HTML values."""
    hidden_note: str = BECOMES
    """The caption below the preview while a question is open."""
