"""An exam's files: the sheets and answers to print, and a file for the screen for each sheet."""

import io
import re
import zipfile

import pytest

from lessons.custom_path import LessonPart
from pages.lesson.exam.make_exam import DrawnExam, ExamRequest, make_exam
from pages.lesson.exam.paper import exam_sheets
from pages.lesson.exam.screen import exam_files, sheet_lesson
from pages.lesson.export.lesson_html import lesson_html
from pages.shared.export.worksheets.render_html import worksheet_html
from tests.pages.lesson.test_lesson_worksheets import ARTICLE, LINE, OPTION, TASK, read, sheet_text

PARTS = (LessonPart("bpe-by-hand"), LessonPart("unigram-many-ways"))


def drawn(questions: int = 4, sheets: int = 3, seed: int = 5, is_quick: bool = False) -> DrawnExam:
    request = ExamRequest("Two lessons", PARTS, questions, sheets, seed, is_quick)
    found = make_exam(lambda done, total: False, request)
    assert isinstance(found, DrawnExam)
    return found


def test_the_answers_come_after_all_sheets_and_are_those_of_the_record():
    found = drawn()
    articles = ARTICLE.findall(worksheet_html(exam_sheets(found.exam)))
    assert [kind for kind, _ in articles] == ["sheet"] * 3 + ["sheet answers"] * 4
    sheets, (overview, *answers) = articles[:3], articles[3:]
    assert "8 points in all." not in overview[1] or found.exam.points == 8
    assert len(re.findall("<tr>", overview[1])) == 4  # the head, and a row for each sheet
    rows = re.findall(r"<tr>(<td>.*?)</tr>", overview[1])
    for n, (forms, row) in enumerate(zip(found.exam.sheets, rows, strict=True), start=1):
        sheet, *boxes = map(read, re.findall(r"<td>(.*?)</td>", row))
        assert sheet == f"{n}"
        chosen = [(one.question.options, box) for one, box in zip(forms, boxes, strict=True)]
        for options, box in chosen:
            right = [f"{at + 1}" for at, option in enumerate(options) if option.is_right]
            assert not options or re.findall(r"\d+", box) == right, "counted from the top"
    assert any(one.question.options for forms in found.exam.sheets for one in forms)
    for forms, (_, blank), (_, filled) in zip(found.exam.sheets, sheets, answers, strict=True):
        assert f"{found.exam.points} points in all." in read(blank)
        for form, task, key in zip(forms, TASK.findall(blank), TASK.findall(filled), strict=True):
            question = form.question
            assert sheet_text(question.prompt) in read(task)
            for label, _ in form.given.lines:
                assert label in read(task)
            assert {mark for mark, _ in OPTION.findall(task)} <= {""}
            assert set(LINE.findall(task)) <= {""}
            if question.form in ("number", "text"):
                assert read(*LINE.findall(key)) == sheet_text(question.answer)
                assert sheet_text(question.answer) in read(overview[1])
            right = [option.is_right for option in question.options]
            assert [mark == "X" for mark, _ in OPTION.findall(key)] == right
            assert f"From “{form.lesson.title}”, stop {form.stop + 1}." in read(key)


def test_the_same_seed_gives_the_same_file():
    first, again, other = (worksheet_html(exam_sheets(drawn(seed=seed).exam)) for seed in (5, 5, 6))
    assert first == again != other


def test_only_the_chosen_stops_are_asked():
    request = ExamRequest("Two stops", (LessonPart("bpe-by-hand", (4, 8)),), 1, 2, 1)
    found = make_exam(lambda done, total: False, request)
    assert isinstance(found, DrawnExam)
    assert {form.stop + 1 for row in found.exam.sheets for form in row} <= {4, 8}


def test_too_many_questions_are_a_sentence():
    assert "Ask for" in str(make_exam(lambda *_: False, ExamRequest("", PARTS, 12, 2, 1)))


def test_a_sheet_for_the_screen_asks_the_same_questions_beside_their_pictures():
    found = drawn()
    for n in (1, 3):
        opened = sheet_lesson(found, n)
        questions = [resolved.question for resolved in opened.resolved_stops]
        assert questions == [form.question for form in found.exam.sheets[n - 1]]
        assert set(opened.pictures) == {one.stop.picture for one in opened.resolved_stops}
        assert f"Sheet {n} of 3" in lesson_html(opened)


def test_the_zip_has_a_file_for_each_sheet():
    with zipfile.ZipFile(io.BytesIO(exam_files(drawn(3, 2, is_quick=True)))) as archive:
        assert archive.namelist() == ["sheet-01.html", "sheet-02.html"]
        assert b"Exit ticket: Two lessons" in archive.read("sheet-02.html")


@pytest.mark.parametrize("is_quick", [True, False])
def test_what_it_is_called(is_quick):
    name = drawn(3, 1, is_quick=is_quick).exam.title
    assert name == ("Exit ticket: Two lessons" if is_quick else "Exam: Two lessons")
