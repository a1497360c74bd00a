"""The curriculum map: every lesson serves an aim, and whatever serves one exists."""

from lessons import LESSONS
from lessons.paths import IN_ORDER
from lessons.teaching.curriculum import COURSES

SERVICES = [one for course in COURSES.values() for aim in course.aims for one in aim.by]


def test_every_lesson_serves_an_aim():
    assert {one.lesson for one in SERVICES} == set(LESSONS)
    nlp = {one.lesson for aim in COURSES["nlp"].aims for one in aim.by if not one.stop}
    assert nlp == set(IN_ORDER)


def test_every_stop_exists():
    assert all((one.number > 0) == bool(one.stop) for one in SERVICES)


def test_an_aim_is_stated_once_and_served():
    for course in COURSES.values():
        aims = [aim.aim for aim in course.aims]
        assert len(aims) == len(set(aims))
        assert all(aim.by and len(aim.by) == len(set(aim.by)) for aim in course.aims)
        assert all(4 <= len(aim.split()) <= 20 and aim[0].isupper() for aim in aims)
