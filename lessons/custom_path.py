"""A path of one's own: some lessons, or single stops of them, in an order of one's own.

It is written as it is in its address, such as `why-not-words what-a-prompt-costs~1-2.7`: lessons by
their slugs, and after a `~` the stops, if not all of them. A part of a lesson is a lesson with
fewer stops, and has that text as its slug, so its progress is its own.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from lessons import LESSONS, lesson
from lessons.format.errors import LessonError
from lessons.format.reading import Lesson
from lessons.paths import Path
from tokenizers.errors import UserError

MOST_PARTS = 24
LONGEST_TITLE = 60  # characters
LONGEST_PATH = 1_200  # characters of a path as written; a QR code holds it with its address
DEFAULT_TITLE = "A path of your own"
OWN = "own"
"""The name of such a path in addresses, where the built-in ones have theirs."""
_STOPS = re.compile(r"\d{1,2}(-\d{1,2})?(\.\d{1,2}(-\d{1,2})?)*")


@dataclass(frozen=True, slots=True)
class LessonPart:
    """A lesson by its slug, or some of its `stops` (numbers from 1); all if there are none."""

    slug: str
    stops: tuple[int, ...] = ()

    @property
    def written(self) -> str:
        """The part as it is written in an address."""
        return f"{self.slug}~{write_stops(self.stops)}" if self.stops else self.slug


@dataclass(frozen=True, slots=True)
class CustomPath:
    """A path of one's own: its title and its parts, in order."""

    title: str
    parts: tuple[LessonPart, ...]

    @property
    def written(self) -> str:
        """The parts as they are written in an address."""
        return " ".join(part.written for part in self.parts)

    @property
    def slugs(self) -> tuple[str, ...]:
        """The slugs of its lessons and parts of lessons."""
        return tuple([part.written for part in self.parts])

    def after(self, slug: str) -> str | None:
        """Return the slug of the part that follows; None for the last one and for a stranger."""
        slugs = self.slugs
        here = slugs.index(slug) + 1 if slug in slugs else len(slugs)
        return slugs[here] if here < len(slugs) else None


def read_path(written: str, title: str = "") -> tuple[CustomPath, tuple[str, ...]]:
    """Parse a path; return it with a sentence for each part that is left out."""
    problems: list[str] = []
    if len(written) > LONGEST_PATH:
        problems.append(
            f"This path has {len(written):,} characters; only the first {LONGEST_PATH:,} are read."
        )
        written = written[:LONGEST_PATH].rpartition(" ")[0]
    parts: list[LessonPart] = []
    for word in written.replace(",", " ").split():
        try:
            part = read_part(word)
        except UserError as error:
            problems.append(str(error))
            continue
        if part in parts:
            problems.append(f"“{word}” is in this path already; it is shown once.")
        elif len(parts) == MOST_PARTS:
            problems.append(f"A path has at most {MOST_PARTS} parts; “{word}” is left out.")
        else:
            parts.append(part)
    return CustomPath(read_title(title), tuple(parts)), tuple(problems)


def read_title(title: str) -> str:
    """Return a title on one line, cut to a length; the default if it is empty."""
    return " ".join(title.split())[:LONGEST_TITLE].strip() or DEFAULT_TITLE


def read_part(written: str) -> LessonPart:
    """Parse a part of a path. Raises UserError for an unknown lesson or stop."""
    slug, mark, stops = written[:200].partition("~")
    if slug not in LESSONS:
        raise UserError(f"There is no lesson “{slug}”; it is left out.")
    if not mark:
        return LessonPart(slug)
    return LessonPart(slug, read_stops(slug, stops))


def read_stops(slug: str, written: str) -> tuple[int, ...]:
    """Parse the stops of a lesson, such as "1-2.7" or "1–2, 7"; () for all of them or none given.

    Raises UserError if they are not numbers of its stops.

    >>> read_stops("what-a-prompt-costs", "1–2, 7"), read_stops("what-a-prompt-costs", "")
    ((1, 2, 7), ())
    """
    bare = re.sub(r"[,;\s.]+", ".", written.replace("–", "-").strip()).strip(".")
    bare = re.sub(r"\.?-\.?", "-", bare)
    if not bare:
        return ()
    if not _STOPS.fullmatch(bare):
        raise UserError(f"“{written[:40]}” is not a list of stops. Write them such as: 1-2, 7")
    last = len(lesson(slug).stops)
    found: set[int] = set()
    for one in bare.split("."):
        first, _, end = one.partition("-")
        start, stop = int(first), int(end or first)
        if not 1 <= start <= stop <= last:
            raise UserError(
                f"“{lesson(slug).title}” has the stops 1 to {last}; there is no stop {one}."
            )
        found.update(range(start, stop + 1))
    return () if len(found) == last else tuple(sorted(found))


def write_stops(stops: Sequence[int]) -> str:
    """Return stops as they are written in an address.

    >>> write_stops((1, 2, 3, 7)), write_stops((2, 4))
    ('1-3.7', '2.4')
    """
    runs: list[list[int]] = []
    for stop in stops:
        if runs and runs[-1][-1] == stop - 1:
            runs[-1] = [runs[-1][0], stop]
        else:
            runs.append([stop])
    return ".".join("-".join(map(str, run)) for run in runs)


def is_lesson(slug: str) -> bool:
    """Return whether a slug is that of a built-in lesson, or of a part of one."""
    try:
        read_part(slug)
    except (UserError, LessonError):
        return False
    return True


@cache
def _part_of(slug: str) -> Lesson:
    part = read_part(slug)
    whole = lesson(part.slug)
    if not part.stops:
        return whole
    return replace(whole, slug=part.written, stops=tuple([whole.stops[n - 1] for n in part.stops]))


def find_lesson(slug: str) -> Lesson:
    """Return a built-in lesson or a part of one. Raises UserError if there is none."""
    return lesson(slug) if slug in LESSONS else _part_of(slug)


def lesson_text(slug: str) -> str:
    """Return the text of the whole lesson that a slug names, or a part of which it names."""
    return LESSONS[slug.partition("~")[0]].read_text(encoding="utf-8")


def path_parts(path: Path) -> tuple[LessonPart, ...]:
    """Return the lessons of a built-in path as the parts of one."""
    return tuple([LessonPart(slug) for slug in path.slugs])


def describe_stops(part: LessonPart) -> str:
    """Return which stops of a lesson a part has, in words; "" for all.

    >>> describe_stops(LessonPart("what-a-prompt-costs", (1, 2, 7)))
    'stops 1–2, 7'
    """
    if not part.stops:
        return ""
    written = write_stops(part.stops).replace("-", "–").replace(".", ", ")
    return f"stop {written}" if len(part.stops) == 1 else f"stops {written}"
