"""Build a lesson of questions from other lessons, each in another form; runs in a worker."""

from collections.abc import Sequence
from dataclasses import replace

from lessons.custom_path import LessonPart, lesson_text
from lessons.format.errors import LessonError
from lessons.format.prose import read_prose
from lessons.format.reading import Lesson
from lessons.format.words import count_of
from lessons.stops import ResolvedStop
from lessons.variants import in_round
from pages.lesson.pictures.build_pictures import PreparedLesson, prepare_lesson
from pages.lesson.pictures.lesson_picture import LessonPicture
from tokenizers.progress import ProgressCallback


def build_review(
    report: ProgressCallback, parts: Sequence[LessonPart]
) -> PreparedLesson | LessonError:
    """Return the first stop of each part as a lesson of its own, its question in another form."""
    stops: list[ResolvedStop] = []
    pictures: dict[str, LessonPicture] = {}
    for n, part in enumerate(parts):
        opened = prepare_lesson(lambda done, total: report(0, 1), lesson_text(part.slug), part.slug)
        if isinstance(opened, LessonError):
            return opened
        facts = {name: one.facts for name, one in opened.pictures.items()}
        number = (part.stops or (1,))[0]
        asked = in_round(opened.lesson, opened.resolved_stops[number - 1], facts, 1)
        text = f"From [{opened.lesson.title}](/lessons?lesson={part.slug}&stop={number})."
        stop = stop_alone(asked, f"Question {n + 1}", text, f"{part.slug}-{asked.stop.picture}")
        pictures[stop.stop.picture] = opened.pictures[asked.stop.picture]
        stops.append(stop)
        report(n + 1, len(parts))
    purpose = f"{count_of(len(stops), 'question')} of lessons that you have done, in another form"
    lesson = Lesson(
        "review",
        "Questions from before",
        purpose,
        (),
        {},
        tuple([one.stop for one in stops]),
    )
    return PreparedLesson(lesson, pictures, tuple(stops))


def stop_alone(asked: ResolvedStop, heading: str, text: str, picture: str) -> ResolvedStop:
    """Return a question as a stop of another lesson, with `text` in place of its own prose.

    It isn't asked again in another form (`ask` is None).
    """
    prose = read_prose([text], 1)
    stop = replace(
        asked.stop, heading=heading, picture=picture, mark=(), claims=(), ask=None, prose=prose
    )
    return replace(asked, stop=stop, prose=prose, again=(), is_variant=False)
