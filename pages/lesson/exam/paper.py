"""An exam on paper: a sheet for each student, then one page with all answers, then each sheet's."""

from collections.abc import Iterable

from lessons.exams.drawing import Exam, Form
from lessons.format.words import RichText, count_of
from lessons.questions.grading import Question
from pages.lesson.export.worksheet import question_blocks, rich_text_parts
from pages.shared.export.worksheets.content import (
    Block,
    InlinePart,
    NoBreak,
    Paragraph,
    Parts,
    Worksheet,
    WorksheetSet,
    given,
    grid,
    instruction,
    joined,
    task,
)

_PURPOSE = (
    "Each question says all that it starts from. Check one box unless it says otherwise. If two "
    "answers tie, either is right. {} in all."
)
_KEY = (
    "A box is counted from the top. The pages after this one have each sheet’s answers with their "
    "reasons."
)


def exam_sheets(exam: Exam) -> WorksheetSet:
    """Return an exam's sheets, with an overview of all answers and points."""
    sheets = tuple([_sheet(exam, forms) for forms in exam.sheets])
    return WorksheetSet(exam.title, sheets, exam.seed, tuple(_overview(exam)))


def points_text(points: int) -> str:
    """Return the number with "point" or "points"."""
    return count_of(points, "point")


def _sheet(exam: Exam, forms: Iterable[Form]) -> Worksheet:
    blank: list[Block] = [instruction(_PURPOSE, points_text(exam.points))]
    filled: list[Block] = []
    for n, form in enumerate(forms, start=1):
        title = f"{n}. ({points_text(form.points)})"
        blank.append(task(title, *_given(form), *question_blocks(form.question, is_filled=False)))
        origin = given("From “{}”, stop {}.", form.lesson.title, form.stop + 1)
        filled.append(task(title, *question_blocks(form.question, is_filled=True), origin))
    return Worksheet(tuple(blank), tuple(filled))


def _given(form: Form) -> list[Paragraph]:
    """Return what a question starts from."""
    return [
        given("{}: {}", label, joined((_kept_whole(item) for item in items), ", "))
        for label, items in form.given.lines
    ]


def _kept_whole(item: RichText) -> InlinePart | Parts:
    """Return an item whose tokens stay on one line; a text is as long as it likes."""
    is_text = any(part[0] == "word" for part in item if not isinstance(part, str))
    parts = rich_text_parts(item)
    return parts if is_text or len(item) == 1 else NoBreak(parts)


def _overview(exam: Exam) -> Iterable[Block]:
    """Yield the table of all sheets' answers, for whoever grades them."""
    number = len(exam.slots)
    wide = 90 // number
    columns = {"Sheet": 100 - wide * number}
    columns |= {f"{n} ({form.points} p.)": wide for n, form in enumerate(exam.sheets[0], start=1)}
    rows = [
        [f"{n}", *(_short_answer(form.question) for form in forms)]
        for n, forms in enumerate(exam.sheets, start=1)
    ]
    yield given(_KEY + " {} in all.", points_text(exam.points))
    yield grid(columns, rows, is_filled=True)


def _short_answer(question: Question) -> Parts:
    """Return an answer for the table: the numbers of the right boxes, or what is to be written."""
    right = [n for n, option in enumerate(question.options, start=1) if option.is_right]
    if question.form in ("choice", "several"):
        between = " or " if question.form == "choice" else " and "
        return (f"box {between.join(map(str, right))}",)
    return rich_text_parts(question.answer)
