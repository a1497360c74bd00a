"""Options in another order: the same question, with the same verdicts, for every seed."""

from itertools import permutations
from random import Random

import pytest

from lessons import LESSONS
from lessons.questions.grading import Question
from lessons.questions.shuffle import FIXED, shuffle
from tests.judge import grade
from tests.lessons.test_lessons import resolved_stops_of

SEEDS = range(12)


def questions_in(slug: str) -> list[Question]:
    return [resolved.question for resolved in resolved_stops_of(slug) if resolved.question]


@pytest.mark.parametrize("slug", LESSONS)
def test_every_option_keeps_its_verdict(slug):
    for question in questions_in(slug):
        for seed in SEEDS:
            other = shuffle(question, Random(seed))
            assert len(other.options) == len(question.options)
            assert other.answer == question.answer
            assert (other.why, other.tries) == (question.why, question.tries)
            if question.form == "choice":
                result = {one: grade(question, n) for n, one in enumerate(question.options)}
                assert result == {one: grade(other, n) for n, one in enumerate(other.options)}
            else:
                assert {*map(repr, other.options)} == {*map(repr, question.options)}


@pytest.mark.parametrize("slug", ["bpe-by-hand", "one-number", "bpe-order-and-ties"])
def test_an_order_is_asked_for_in_a_wrong_one_and_judged_as_before(slug):
    requests = [one for one in questions_in(slug) if one.before]
    assert requests
    for question in requests:
        for seed in SEEDS:
            other = shuffle(question, Random(seed))
            assert not grade(other, range(len(other.options))).is_right
            for order in permutations(range(len(question.options))):
                as_before = [other.options.index(question.options[n]) for n in order]
                assert grade(other, as_before) == grade(question, order)


def test_seeds_give_other_orders_and_true_stays_before_false():
    (question,) = [one for one in questions_in("bpe-by-hand") if len(one.options) == 6]
    assert len({shuffle(question, Random(seed)).options for seed in SEEDS}) > 6
    fixed = [one for one in questions_in("unigram-sampling") if one.kind in FIXED]
    assert fixed
    assert all(shuffle(one, Random(seed)) == one for one in fixed for seed in SEEDS)
