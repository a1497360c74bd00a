"""The table of all lessons: every lesson once, with what it has."""

from collections import Counter

from lessons import LESSONS, lesson
from lessons.outline import HEADS, markdown, outlines
from lessons.paths import PATHS, WORDS_A_MINUTE, minutes
from lessons.question_minutes import QUESTION_MINUTES


def test_every_lesson_has_a_row_in_the_order_of_the_paths():
    rows = outlines()
    assert sorted(row.slug for row in rows) == sorted(LESSONS)
    in_paths = [slug for path in PATHS.values() for slug in path.slugs]
    assert [row.slug for row in rows][: len(in_paths)] == in_paths


def test_a_row_has_what_its_lesson_has():
    for row in outlines():
        one = lesson(row.slug)
        assert row.minutes == minutes(one)
        assert row.stops == len(one.stops)
        assert sum(row.kinds.values()) == sum(stop.ask is not None for stop in one.stops)


def test_a_term_is_introduced_once():
    terms = Counter(term.lower() for row in outlines() for term in row.terms)
    assert set(terms.values()) == {1}
    first = {row.slug: row.terms for row in outlines()}
    assert {"token", "vocabulary", "out of vocabulary"} <= set(first["why-not-words"])
    assert "canonical" in first["where-the-prompt-ends"]


def test_the_table_is_as_wide_as_its_heads():
    lines = markdown(outlines()).splitlines()
    assert len(lines) == len(LESSONS) + 3
    assert {line.count("|") for line in lines} == {len(HEADS) + 1}


def test_the_minutes_in_the_table_are_those_of_the_kinds_of_question():
    for row in outlines():
        questions = sum(QUESTION_MINUTES[kind] * count for kind, count in row.kinds.items())
        assert row.minutes == round(row.words / WORDS_A_MINUTE + questions)
