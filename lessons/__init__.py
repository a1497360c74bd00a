"""Guided lessons and the texts that their tokenizers learn from.

A lesson is one Markdown file in `guided/`; `LESSONS` lists them. `format/` parses a file into a
`Lesson`, `facts/` computes the values a picture can supply, `questions/` builds and grades
questions, and `stops.py` resolves each stop against its picture's facts. The pictures are built in
pages/lesson/pictures/build_pictures.py.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from lessons.format.reading import Lesson, read_lesson, slug_of

_GUIDED = Path(__file__).parent / "guided"
LESSONS: Mapping[str, Path] = {slug_of(path.name): path for path in sorted(_GUIDED.glob("*.md"))}
"""Lesson files by slug, in order."""

TEMPLATE = Path(__file__).parent / "template.md"
"""The shortest lesson that has all parts of one, to start a lesson of one's own from."""


@cache
def lesson(slug: str) -> Lesson:
    """Return a built-in lesson. Raises KeyError for an unknown slug."""
    return read_lesson(LESSONS[slug].read_text(encoding="utf-8"), slug)
