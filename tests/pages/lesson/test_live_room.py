"""A room in a lesson: what the teacher's browser gets, and that to reveal is to have it shown."""

import json
from collections import Counter

import pytest

from lessons import LESSONS
from lessons.questions.grading import Given, Question
from pages.lesson.classroom import live_room
from pages.room.messages import read_question, read_right
from tests.judge import grade
from tests.lessons.test_lessons import resolved_stops_of
from tests.pages.lesson.lesson_browser import (
    answered,
    attempt,
    navigate,
    opened_lesson,
    press,
    sent,
    show_answer,
)
from tests.pages.lesson.test_lessons_pages import HAND, PAGE, marks, player_at
from tests.pages.opening import checked, opened


def room_of(app) -> dict:
    """What the panel of the room was given."""
    return sent(app)["room"]


def answers_told(question: Question) -> list[Given]:
    """What a room says is right, as answers to be graded."""
    right = live_room.right_answer(question)["right"]
    assert isinstance(right, list)
    return [right] if question.form in ("several", "order") else right


def test_what_a_room_says_is_right_is_right():
    forms = Counter()
    for slug in LESSONS:
        for question in (one.question for one in resolved_stops_of(slug) if one.question):
            forms[question.form] += 1
            told = answers_told(question)
            assert told
            assert all(grade(question, answer).is_right for answer in told), (slug, question.prompt)
    assert set(forms) == {"choice", "several", "order", "number", "text"}


@pytest.mark.parametrize("slug", LESSONS)
def test_the_question_is_short_enough_for_a_room(slug: str):
    for one in resolved_stops_of(slug):
        if one.question:
            asked = live_room.question_for(one.question, "a key")
            content = read_question(json.loads(json.dumps(asked)))
            right = json.loads(json.dumps(live_room.right_answer(one.question)["right"]))
            assert read_right(right, content) == right


def test_the_answer_is_sent_once_it_is_shown_and_not_before():
    app = opened_lesson(PAGE, lesson=HAND, stop="4")
    before = room_of(app)
    assert before["step"]["question"]["prompt"] == sent(app)["question"]["question"]["prompt"]
    assert "right" not in before["step"]
    app = show_answer(app)
    assert attempt(app)["state"] == "shown"
    assert room_of(app)["step"]["right"] == [
        n for n, one in enumerate(before["step"]["question"]["options"]) if one[0][1] == "a"
    ]
    assert player_at(app) == 2  # the picture shows it
    assert marks(app)[3] == "o"  # read, and not tried
    app = checked(app.run())
    assert player_at(app) == 2


def test_a_teacher_s_own_answer_reveals_it_too():
    app = opened_lesson(PAGE, lesson=HAND, stop="3")
    assert room_of(app)["step"]["label"] == "BPE by hand: stop 3 of 11"
    app = answered(app, "15")
    assert room_of(app)["step"] | {"question": None} == {
        "label": "BPE by hand: stop 3 of 11", "question": None, "right": ["15"], "tolerance": 0.0
    }  # fmt: skip


def test_a_question_that_is_begun_again_is_open_again():
    app = show_answer(opened_lesson(PAGE, lesson=HAND, stop="4"))
    app = press(navigate(app, 11), "restart")
    app = navigate(app, 3)
    assert attempt(app)["state"] == "open"
    assert "right" not in room_of(app)["step"]


def test_at_the_end_nothing_is_asked():
    app = opened(PAGE, lesson=HAND, stop="12")
    assert room_of(app)["step"] == {"label": "BPE by hand: the end", "question": None}
