"""The mistakes that a question expects, with the replies that it gives to them.

They are the options and the replies by which an answer is graded, so a list of them can't differ
from what students are told.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from lessons.format.words import RichText, in_row
from lessons.questions.grading import (
    Question,
    option_reply,
    order_mistake,
    read_number,
)

MOST_MISTAKES = 6  # of one question


@dataclass(frozen=True, slots=True)
class Mistake:
    """A wrong answer, as it is shown, and the reply to it; the reply may be empty."""

    answer: RichText
    reply: RichText


def expected_mistakes(question: Question) -> tuple[Mistake, ...]:
    """Return the expected wrong answers to a question, each once, at most MOST_MISTAKES."""
    found: dict[RichText, Mistake] = {}
    for mistake in _FORMS[question.form](question):
        found.setdefault(mistake.answer, mistake)
    return tuple(list(found.values())[:MOST_MISTAKES])


def _options(question: Question) -> Iterator[Mistake]:
    for n, option in enumerate(question.options):
        if not option.is_right:
            yield Mistake(option.text, option_reply(question, n))


def _numbers(question: Question) -> Iterator[Mistake]:
    return (Mistake((_shown_number(given),), reply) for given, reply in _typed(question))


def _typed(question: Question) -> Iterator[tuple[str, RichText]]:
    """Yield the typed answers that are known and wrong; at some steps, a usual slip is right."""
    for given, reply in question.expected_mistakes.items():
        if not _is_right(question, given):
            yield given, reply


def _is_right(question: Question, typed: str) -> bool:
    if question.form == "number":
        return question.is_close(read_number(typed, question.is_percentage))
    return tuple(typed.split(" ")) in question.splits


def _shown_number(written: str) -> str:
    """Return a number without the digits of its computation; others as they are.

    >>> _shown_number("0.375000"), _shown_number("20569"), _shown_number("−3.00")
    ('0.375', '20,569', '−3.00')
    """
    if written.isascii() and written.isdecimal():
        return f"{int(written):,}"
    return f"{float(written):.4g}" if re.fullmatch(r"\d+\.\d{6}", written) else written


def _splits(question: Question) -> Iterator[Mistake]:
    return (Mistake(in_row(tuple(given.split(" "))), reply) for given, reply in _typed(question))


def _orders(question: Question) -> Iterator[Mistake]:
    """Yield the neighbors of the right order that may have been swapped."""
    places = range(len(question.options))
    right = sorted(places, key=lambda n: sum(later == n for _, later in question.before))
    for first, second in pairwise(right):
        if (first, second) in question.before:
            one, other = question.options[first].text, question.options[second].text
            swapped = (*other, " before ", *one)
            yield Mistake(swapped, order_mistake(question, first, second))


_FORMS = {
    "choice": _options,
    "several": _options,
    "number": _numbers,
    "text": _splits,
    "order": _orders,
}
