"""What a person is given to start from: texts, and lessons.

A lesson is one Markdown file in `guided/`; `LESSONS` finds them all. To read on: `format/`, how
a file becomes a `Lesson`; `records/`, what may be asked of a picture; `questions/`;
`stops.py`, where lesson and record meet. Making the pictures is left to
pages/lessons/pictures/build_pictures.py.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from lessons.format.reading import Lesson, read_lesson, slug_of

_GUIDED = Path(__file__).parent / "guided"
LESSONS: Mapping[str, Path] = {slug_of(path.name): path for path in sorted(_GUIDED.glob("*.md"))}
"""The files of the lessons, in their order, by their addresses."""


@cache
def lesson(slug: str) -> Lesson:
    """Return a lesson of ours. Raises KeyError for another address."""
    return read_lesson(LESSONS[slug].read_text(encoding="utf-8"), slug)
