"""Questions of earlier lessons that come back: which ones, from the marks of a learner's answers.

A question that was answered wrong comes before one that needed a second try, and that before one
that was right at once; among equals, those of the lessons begun first, which are the longest ago.
"""

from collections.abc import Mapping
from random import Random

from lessons import LESSONS, lesson
from lessons.custom_path import LessonPart
from lessons.format.errors import LessonError
from lessons.progress import FIRST, MADE_GOOD, SECOND, SHOWN

BEFORE_A_LESSON = 2
DAILY = 5
POOL = 2  # candidates for each question, so that not the same ones come back every time
_ORDER = SHOWN + MADE_GOOD + SECOND + FIRST


def choose_review(
    marks: Mapping[str, str], number: int, rng: Random, without: str = ""
) -> tuple[LessonPart, ...]:
    """Return up to `number` stops to ask again, at most one of a lesson while there are others.

    `marks` are in the order in which the lessons were begun; the lesson `without` is left out.
    """
    ranked = sorted(_answered(marks, without), key=lambda item: item[:2])
    pool = ranked[: POOL * number]
    rng.shuffle(pool)
    pool.sort(key=lambda item: item[0])
    chosen: list[LessonPart] = []
    for is_repeated in (False, True):
        for *_, part in pool:
            is_known = part.slug in {one.slug for one in chosen}
            if len(chosen) < number and part not in chosen and is_known == is_repeated:
                chosen.append(part)
    return tuple(chosen)


def _answered(marks: Mapping[str, str], without: str) -> list[tuple[int, int, LessonPart]]:
    """Return (how well it went, the lesson's place, the stop) of all answered questions."""
    found = []
    for place, (slug, signs) in enumerate(marks.items()):
        if slug not in LESSONS or slug == without:
            continue
        try:
            stops = lesson(slug).stops
        except LessonError:
            continue
        for n, (stop, sign) in enumerate(zip(stops, signs, strict=False), start=1):
            if stop.ask and sign in _ORDER:
                found.append((_ORDER.index(sign), place, LessonPart(slug, (n,))))
    return found
