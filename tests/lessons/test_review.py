"""Questions that come back: wrong ones first, then the oldest, each of another lesson."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from lessons import LESSONS, lesson
from lessons.custom_path import LessonPart
from lessons.progress import SIGNS
from lessons.review import choose_review


@st.composite
def progress(draw) -> dict[str, str]:
    slugs = draw(st.lists(st.sampled_from(list(LESSONS)), unique=True, max_size=6))
    return {
        slug: draw(st.text(SIGNS, min_size=1, max_size=len(lesson(slug).stops))) for slug in slugs
    }


@given(progress(), st.integers(1, 6), st.integers(0, 99), st.sampled_from(list(LESSONS)))
def test_only_answered_questions_of_other_lessons_come_back_and_none_twice(
    marks, number, seed, without
):
    chosen = choose_review(marks, number, Random(seed), without)
    assert len(chosen) == len(set(chosen)) <= number
    answered = {
        LessonPart(slug, (n,))
        for slug, signs in marks.items()
        if slug != without
        for n, (stop, sign) in enumerate(zip(lesson(slug).stops, signs, strict=False), start=1)
        if stop.ask and sign in "12xy"
    }
    assert set(chosen) <= answered
    assert len(chosen) == min(number, len(answered))


@given(progress(), st.integers(0, 99))
def test_a_wrong_answer_comes_before_a_right_one(marks, seed):
    (first, *_) = [*choose_review(marks, 1, Random(seed)), None]
    signs = {
        sign
        for slug, row in marks.items()
        for stop, sign in zip(lesson(slug).stops, row, strict=False)
        if stop.ask
    }
    if first and signs & set("x"):
        assert marks[first.slug][first.stops[0] - 1] == "x"


def test_they_come_from_several_lessons_where_there_are_several():
    marks = {"bpe-by-hand": "o1111111111", "wordpiece-score": "1o111111111"}
    chosen = choose_review(marks, 2, Random(1))
    assert len(chosen) == 2


def test_lessons_that_are_gone_are_passed_over():
    assert choose_review({"no-such": "111", "own": "1", "twins~1-2": "11"}, 2, Random(1)) == ()
