"""Questions as JSON for the browser, with the right answer and a reply to every answer.

grading.js grades with it, in the app as in an exported file. It composes only the replies to typed
pieces and selects all others from here, since the browser has no facts.
"""

from collections.abc import Callable

from lessons.format.words import RichText
from lessons.questions.grading import (
    NO_NUMBER,
    NOTHING_CHOSEN,
    NOTHING_WRITTEN,
    ROUNDING,
    Question,
    answer_text,
    missed_merge_text,
    option_reply,
    order_mistake,
    read_number,
    retry_text,
)
from pages.lesson.text import segments

WRONG_SIGN = "The size is right, but the sign is wrong."
TOO_HIGH, TOO_LOW = "That is too high.", "That is too low."

Render = Callable[[RichText], object]
"""Converts a text for the script."""


def question_json(question: Question, render: Render = segments) -> dict[str, object]:
    """Return the question as plain data for JSON."""
    return {
        "form": question.form,
        "prompt": render(question.prompt),
        "options": [render(option.text) for option in question.options],
        "tries": question.tries,
        "why": render(question.why),
        "answer": render(answer_text(question, ())),
        "again": render(retry_text(question, ())),
        **_FORMS[question.form](question, render),
    }


def _choice(question: Question, render: Render) -> dict[str, object]:
    return {
        "right": [option.is_right for option in question.options],
        "replies": [render(option_reply(question, n)) for n in range(len(question.options))],
        "nothing": render((NOTHING_CHOSEN,)),
    }


def _several(question: Question, render: Render) -> dict[str, object]:
    right = sum(option.is_right for option in question.options)
    missing = ["one is missing.", *(f"{n} are missing." for n in range(2, right))]
    return _choice(question, render) | {
        "missing": [render((f"All of those are right, but {how_many}",)) for how_many in missing]
    }


def _order(question: Question, render: Render) -> dict[str, object]:
    pairs = question.before
    return {"before": [[*pair, render(order_mistake(question, *pair))] for pair in pairs]}


def _number(question: Question, render: Render) -> dict[str, object]:
    return {
        "value": question.value,
        "isPercentage": question.is_percentage,
        "tolerance": question.tolerance + ROUNDING,
        "mistakes": [
            [read_number(mistake, question.is_percentage), render(reply)]
            for mistake, reply in question.expected_mistakes.items()
        ],
        "high": render((TOO_HIGH,)),
        "low": render((TOO_LOW,)),
        "sign": render((WRONG_SIGN,)),
        "nothing": render((NO_NUMBER,)),
    }


def _tokens(question: Question, render: Render) -> dict[str, object]:
    return {
        "splits": question.splits,
        "pieces": sorted(question.pieces),
        "merges": [
            (start, end, render(missed_merge_text(first, second)))
            for start, end, first, second in question.merges
        ],
        "mistakes": [
            [mistake, render(reply)] for mistake, reply in question.expected_mistakes.items()
        ],
        "nothing": render((NOTHING_WRITTEN,)),
    }


_FORMS = {
    "choice": _choice,
    "several": _several,
    "order": _order,
    "number": _number,
    "text": _tokens,
}
