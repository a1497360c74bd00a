"""An exam on the screen: each sheet is an HTML file that asks, grades and keeps the answers.

A sheet becomes a lesson with a stop for each question, beside the picture that the question is
about, so the exported file works as that of any lesson does. The replies and the answer codes are
in the file: whoever reads its source finds them, so it is for practice and exit tickets.
"""

from collections.abc import Mapping

from lessons.exams.drawing import Form
from lessons.format.reading import Lesson
from lessons.format.words import count_of
from lessons.stops import ResolvedStop
from pages.lesson.exam.make_exam import DrawnExam
from pages.lesson.export.lesson_html import lesson_html
from pages.lesson.pictures.build_pictures import PreparedLesson
from pages.lesson.pictures.build_review import stop_alone
from pages.lesson.pictures.lesson_picture import LessonPicture
from pages.shared.export.zipped import zip_files


def sheet_lesson(drawn: DrawnExam, number: int) -> PreparedLesson:
    """Return a sheet (from 1) as a lesson with a stop for each question."""
    exam = drawn.exam
    forms = exam.sheets[number - 1]
    stops = tuple([_stop(n, form) for n, form in enumerate(forms, start=1)])
    pictures: Mapping[str, LessonPicture] = {
        _picture_name(form): drawn.pictures[form.lesson.slug, form.resolved.stop.picture]
        for form in forms
    }
    which = f"Sheet {number} of {len(exam.sheets)}"
    lesson = Lesson(
        f"exam-{exam.seed}-{number}",
        f"{exam.title} · {which}",
        f"{count_of(len(forms), 'question')}, {count_of(exam.points, 'point')}; seed {exam.seed}",
        (),
        {},
        tuple([resolved.stop for resolved in stops]),
    )
    return PreparedLesson(lesson, pictures, stops)


def _picture_name(form: Form) -> str:
    return f"{form.lesson.slug}-{form.resolved.stop.picture}"


def _stop(n: int, form: Form) -> ResolvedStop:
    points = f"{count_of(form.points, 'point')} for the right answer."
    text = f"From the lesson “{form.lesson.title}”. {points}"
    return stop_alone(form.resolved, f"Question {n}", text, _picture_name(form))


def exam_files(drawn: DrawnExam) -> bytes:
    """Return a zip with an HTML file for each sheet."""
    number = len(drawn.exam.sheets)
    return zip_files(
        (f"sheet-{n:02}.html", lesson_html(sheet_lesson(drawn, n))) for n in range(1, number + 1)
    )
