"""The template of a lesson of one's own: short, valid, and with all parts of a lesson."""

from lessons import TEMPLATE
from pages.lesson.pictures.build_pictures import PreparedLesson, prepare_lesson

TEXT = TEMPLATE.read_text("utf-8")


def test_it_opens_and_asks_a_question_about_its_picture():
    opened = prepare_lesson(lambda done, total: False, TEXT, "own")
    assert isinstance(opened, PreparedLesson), opened
    (resolved,) = opened.resolved_stops
    assert resolved.question
    assert resolved.question.options
    assert opened.pictures[resolved.stop.picture].recording


def test_it_is_short():
    lines = [line for line in TEXT.splitlines() if line.strip() and not line.startswith(("+", "`"))]
    assert len(lines) <= 10
    assert len(TEXT) < 600
