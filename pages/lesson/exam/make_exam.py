"""Make an exam of lessons: build their pictures and draw its questions, in a worker."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lessons import LESSONS
from lessons.custom_path import LessonPart
from lessons.exams.drawing import Exam, PlayedLesson, Slot, draw_exam, slots_of
from lessons.format.errors import LessonError
from pages.lesson.pictures.build_pictures import PreparedLesson, prepare_lesson
from pages.lesson.pictures.lesson_picture import LessonPicture
from tokenizers.errors import UserError, user_message
from tokenizers.progress import ProgressCallback

EXAM, EXIT_TICKET = "Exam", "Exit ticket"


@dataclass(frozen=True, slots=True)
class ExamRequest:
    """What an exam is drawn from: `parts` of lessons, and how many questions and sheets."""

    title: str
    parts: tuple[LessonPart, ...]
    questions: int
    sheets: int
    seed: int
    is_quick: bool = False
    """Whether all questions take about a minute, as on an exit ticket."""

    @property
    def name(self) -> str:
        """What it is called, followed by its title."""
        return f"{EXIT_TICKET if self.is_quick else EXAM}: {self.title}"


@dataclass(frozen=True, slots=True)
class DrawnExam:
    """An exam with the pictures of its questions, by the lesson's slug and the picture's name."""

    exam: Exam
    pictures: Mapping[tuple[str, str], LessonPicture]


def make_exam(report: ProgressCallback, request: ExamRequest) -> DrawnExam | str:
    """Build the pictures of the lessons and draw an exam, or return what is wrong in a sentence."""
    slots: list[Sequence[Slot]] = []
    pictures: dict[tuple[str, str], LessonPicture] = {}
    for n, part in enumerate(request.parts):
        opened = prepare_lesson(
            lambda done, total, n=n: report(n, len(request.parts)),
            LESSONS[part.slug].read_text(encoding="utf-8"),
            part.slug,
        )
        if isinstance(opened, LessonError):
            return f"The lesson “{part.slug}” can't be played: {opened}"
        chosen = {stop - 1 for stop in part.stops} or None
        slots.append(slots_of(played(opened), chosen, request.is_quick))
        pictures |= {(part.slug, name): one for name, one in opened.pictures.items()}
        report(n + 1, len(request.parts))
    try:
        exam = draw_exam(request.name, slots, request.questions, request.sheets, request.seed)
    except UserError as error:
        return user_message(error)
    used = {(form.lesson.slug, form.resolved.stop.picture) for row in exam.sheets for form in row}
    return DrawnExam(exam, {key: pictures[key] for key in used})


def played(opened: PreparedLesson) -> PlayedLesson:
    """Return what the questions of a prepared lesson are drawn from."""
    return PlayedLesson(
        opened.lesson,
        opened.resolved_stops,
        {name: one.plan for name, one in opened.pictures.items()},
        {name: one.facts for name, one in opened.pictures.items()},
    )
