"""The plans for a class: their minutes add up and are enough, and all that they open exists."""

import re

import pytest

from lessons import LESSONS, lesson
from lessons.teaching.plans import PLANS, ClassPlan, LessonStops, PageLink
from pages.shared.routes import NAVIGATION

PAGES = {page for rows in NAVIGATION.values() for page in rows}
LONGEST = 100  # characters of a cell, so that a row has two or three lines


def test_there_are_plans_for_45_and_for_90_minutes():
    assert [plan.minutes for plan in PLANS.values()] == [45, 90]
    assert all(name == str(plan.minutes) for name, plan in PLANS.items())


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_the_minutes_add_up_and_begin_where_the_last_end(plan: ClassPlan):
    assert sum(slot.minutes for slot in plan.slots) == plan.minutes
    assert len(plan.starts) == len(plan.slots)
    ends = [start + slot.minutes for start, slot in zip(plan.starts, plan.slots, strict=True)]
    assert [*plan.starts[1:], plan.minutes] == ends


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_a_slot_has_time_for_its_stops_and_as_much_again_to_talk(plan: ClassPlan):
    for slot in plan.slots:
        assert slot.minutes >= 2 * slot.reading_minutes, slot.title


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_what_a_slot_opens_exists(plan: ClassPlan):
    for slot in plan.slots:
        assert slot.opens
        for one in slot.opens:
            if isinstance(one, LessonStops):
                assert one.lesson in LESSONS
                headings = [stop.heading for stop in lesson(one.lesson).stops]
                assert set(one.stops) <= set(headings)
                assert list(one.numbers) == sorted(one.numbers)
            else:
                assert isinstance(one, PageLink)
                assert one.page in PAGES
                assert one.query.get("lesson", "twins") in LESSONS


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_every_slot_asks_says_and_warns_in_a_few_words(plan: ClassPlan):
    for slot in plan.slots:
        for text in (slot.ask, slot.say, slot.wrong, slot.late):
            assert 3 < len(text) <= LONGEST, text
            assert text[0].isupper() or text[0] in "“`"
            assert text[-1] in ".?”"
            assert not re.search(r"\d", re.sub(r"GPT-\d", "", text)), text


def test_questions_about_a_stop_are_asked_there():
    """The one question that names a word names that of its stop."""
    slot = PLANS["45"].slots[2]
    assert "“bags”" in slot.ask
    last = slot.opens[-1]
    assert isinstance(last, LessonStops)
    assert lesson(last.lesson).stops[last.numbers[-1] - 1].ask is not None


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_a_plan_begins_with_the_class_and_ends_with_an_exit_ticket(plan: ClassPlan):
    first, last = plan.slots[0].opens[0], plan.slots[-1].opens[0]
    assert isinstance(first, PageLink)
    assert first.words
    assert isinstance(last, PageLink)
    assert (last.page, dict(last.query)) == ("teach", {"sheet": "exit"})
