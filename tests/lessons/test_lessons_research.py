"""Lessons on what research asks: what their records say, and what is said to every answer."""

import pytest
from test_lessons import made

from lessons.format.reading import Picture
from lessons.format.trouble import LessonError, NotThere
from lessons.format.words import plain
from lessons.pictures.planning import plan
from lessons.playing import QUESTIONS
from lessons.questions.asking import Asked
from lessons.questions.judging import Question, judge
from lessons.records.base import Record


def record_of(shows: str, **values) -> Record:
    return made(Picture("it", shows, values, 1)).record


def said(record: Record, field: str) -> str:
    name, _, argument = field.partition(":")
    return plain(record.field(name, argument, 0))


def asked(record: Record, kind: str, **values) -> Question:
    make, keys = QUESTIONS[type(record)][kind]
    assert set(values) <= set(keys)
    return make(Asked(kind, record, 0, values, {}))


def told(question: Question, given) -> tuple[bool, str]:
    verdict = judge(question, given)
    return verdict.is_right, plain(verdict.said)


def answers(question: Question) -> dict[str, tuple[bool, str]]:
    return {plain(one.said): told(question, n) for n, one in enumerate(question.options)}


# ---- the best merges ----

FORTH = {"thorn": 3, "art": 4, "forth": 3}


def merged(counts=FORTH, most=2) -> Record:
    return record_of("best_merges", counts=counts, num_merges=most)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("start", "42"),  # 15 + 12 + 15
        ("tokens:greedy", "31"),  # r t 7, a rt 4
        ("tokens:greedy 1", "35"),
        ("tokens:best", "30"),  # t h 6, o r 6
        ("saved:best", "12"),
        ("part", "91.7%"),  # 11 / 12
        ("merges:greedy", "`r` `t` and `a` `rt`"),
        ("split:best forth", "`f` `or` `th`"),
        ("firsts", "7"),
        ("neighbors", "10"),
        ("words", "3 × “thorn”, 4 × “art” and 3 × “forth”"),
    ],
)
def test_what_the_best_merges_say(field, text):
    assert said(merged(), field) == text


@pytest.mark.parametrize(
    ("field", "why"),
    [
        ("tokens:worst", "no order of merges called"),
        ("tokens:best 3", "only 2 merges"),
        ("tokens:best one", "a whole number"),
        ("split:best north", "not a word here"),
        ("saved:", "needs something after a colon"),
    ],
)
def test_what_the_best_merges_do_not_say(field, why):
    with pytest.raises(NotThere, match=why):
        said(merged(), field)


def test_a_wrong_first_merge_is_told_what_it_leads_to():
    said_to = answers(asked(merged(), "first_merge"))
    assert said_to["`t` `h`"][0]
    assert said_to["`o` `r`"][0]
    assert said_to["`r` `t`"] == (
        False,
        "`r` `t` occurs 7 times. The best that can follow leaves 31 tokens; 30 are possible.",
    )


def test_the_fewest_tokens_with_each_slip():
    question = asked(merged(), "token_count")
    assert told(question, "30")[0]
    assert told(question, "31") == (False, "That is what the greedy merges leave.")
    assert told(question, "12") == (False, "That is how many tokens the best merges save.")
    assert told(question, "9") == (False, "That counts each word once.")


def test_greed_is_best_or_not():
    believed = asked(merged(), "true_false", belief="greedy_is_best")
    assert told(believed, 0) == (
        False,
        "They leave 31 tokens. The best order of merges leaves 30.",
    )
    assert told(asked(merged({"low": 1}), "true_false", belief="greedy_is_best"), 0)[0]


def test_best_merges_need_words_and_few_merges():
    for values in ({}, {"counts": FORTH, "num_merges": 7}):
        with pytest.raises(LessonError, match="needs words, and at most 6 merges"):
            plan(Picture("it", "best_merges", values, 1))
    with pytest.raises(NotThere, match="Nothing can be merged"):
        asked(merged({"a": 2}), "first_merge")
