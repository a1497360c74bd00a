"""A question that is asked again: another one, so that a shown answer cannot be copied."""

from functools import cache

import pytest

from lessons import LESSONS, lesson
from lessons.format.words import plain
from lessons.progress import MADE_GOOD, SHOWN
from lessons.questions.grading import Given, Question
from lessons.stops import QUESTIONS, ResolvedStop
from lessons.variants import in_round, variants
from tests.judge import call, grade
from tests.lessons.test_lessons import FORMAT, facts_of, resolved_stops_of
from tests.lessons.transcript import tried

KEYS_OF = {kind: keys for kinds in QUESTIONS.values() for kind, (_, keys) in kinds.items()}
COURSE = [slug for slug in LESSONS if slug != FORMAT]


def asking(slug: str) -> list[ResolvedStop]:
    return [resolved for resolved in resolved_stops_of(slug) if resolved.question]


def asked(resolved: ResolvedStop) -> tuple[str, int, str, str]:
    assert resolved.question
    prompt, answer = plain(resolved.question.prompt), plain(resolved.question.answer)
    return resolved.stop.picture, resolved.at, prompt, answer


@cache
def variants_in(slug: str) -> list[list[ResolvedStop]]:
    """The variants of each question of a lesson."""
    one, all_facts = lesson(slug), facts_of(lesson(slug))
    return [variants(one, resolved, all_facts) for resolved in asking(slug)]


def shown_answer(question: Question) -> Given:
    """What somebody types or chooses who copies the answer as it was shown."""
    if question.form == "number":
        return plain(question.answer)
    return " ".join(question.splits[0]) if question.form == "text" else plain(question.answer)


def copied_into(question: Question, answer: Given) -> Given | None:
    """The same answer to another question; None if it is not among the options."""
    if question.form in ("number", "text"):
        return answer
    texts = [plain(option.text) for option in question.options]
    if question.form == "choice":
        return texts.index(str(answer)) if str(answer) in texts else None
    found = [n for n, text in enumerate(texts) if text in str(answer)]
    is_whole = question.form == "several" or len(found) == len(texts)
    return found if found and is_whole else None


@pytest.mark.parametrize("slug", COURSE)
def test_every_question_comes_back_as_another_one_that_the_lesson_does_not_ask(slug):
    elsewhere = {asked(resolved) for resolved in asking(slug)}
    for resolved, found in zip(asking(slug), variants_in(slug), strict=True):
        assert found, (slug, resolved.stop.heading)
        assert not elsewhere & set(map(asked, found)), (slug, resolved.stop.heading)


@pytest.mark.parametrize("slug", COURSE)
def test_a_variant_is_shown_alone_and_asks_about_nothing_that_another_stop_asks_about(slug):
    one, all_facts = lesson(slug), facts_of(lesson(slug))
    for resolved, found in zip(asking(slug), variants_in(slug), strict=True):
        others = [stop.ask for stop in one.stops if stop.ask and stop != resolved.stop]
        words = {ask.values["word"] for ask in others if "word" in ask.values}
        written = {plain(question.prompt) for *_, question in resolved.again}
        for variant in found:
            assert variant.is_variant
            assert variant.stop.mark == ()
            assert variant.question
            prompt = plain(variant.question.prompt)
            assert 0 <= variant.at <= all_facts[variant.stop.picture].last
            if prompt not in written and "word" in KEYS_OF[variant.question.kind]:
                assert not any(f"“{word}”" in prompt for word in words), (slug, prompt)


def test_rounds_alternate_and_repeat_nothing_at_once():
    one, all_facts = lesson("bpe-by-hand"), facts_of(lesson("bpe-by-hand"))
    resolved, found = asking("bpe-by-hand")[0], variants_in("bpe-by-hand")[0]
    rounds = [asked(in_round(one, resolved, all_facts, n)) for n in range(5)]
    assert rounds == [asked(resolved), *map(asked, found), asked(resolved)]


@pytest.mark.parametrize("slug", COURSE)
def test_a_copied_answer_does_not_pass(slug):
    """Wrong, wrong, shown; asked again, the shown answer is given: the lesson is not passed."""
    copied, best = "", ""
    for resolved, found in zip(asking(slug), variants_in(slug), strict=True):
        question = resolved.question
        assert question
        wrong = next(given for given in tried(question) if not grade(question, given).is_right)
        sign = "o"
        for tries in range(1, question.tries + 1):
            is_right = grade(question, wrong).is_right
            sign = call("afterAnswer", sign, tries, is_right, question.tries)
        assert sign == SHOWN
        again = found[0].question
        assert again
        given = copied_into(again, shown_answer(question))
        is_right = given is not None and given != "" and is_right_if_readable(again, given)
        assert not is_right, (slug, resolved.stop.heading, plain(again.prompt))
        copied += call("afterAnswer", sign, 1, is_right, again.tries)
        best += call("afterAnswer", sign, 1, True, again.tries)
    asks = [True] * len(copied)
    assert set(copied) == {SHOWN}
    assert not call("isPassed", copied, asks)
    assert set(best) == {MADE_GOOD}
    assert not call("isPassed", best, asks)


def is_right_if_readable(question: Question, given: Given) -> bool:
    try:
        return grade(question, given).is_right
    except ValueError:
        return False
