"""Questions as JSON for the exported file, with the right answer and a reply to every answer.

The replies to each option, expected mistake and wrong order are precomputed, since the file has no
facts; grading.js selects one of them. Both files must agree with lessons/questions/grading.py.
"""

from lessons.questions.grading import (
    NO_NUMBER,
    NOTHING_CHOSEN,
    NOTHING_WRITTEN,
    TOO_HIGH,
    TOO_LOW,
    WRONG_SIGN,
    Question,
    answer_text,
    grade,
    order_mistake,
    read_number,
    retry_text,
)
from pages.lesson.text import segments


def question_json(question: Question) -> dict[str, object]:
    """Return the question as plain data for JSON."""
    return {
        "form": question.form,
        "prompt": segments(question.prompt),
        "options": [segments(option.text) for option in question.options],
        "tries": question.tries,
        "why": segments(question.why),
        "answer": segments(answer_text(question, ())),
        "again": segments(retry_text(question, ())),
        **_FORMS[question.form](question),
    }


def _choice(question: Question) -> dict[str, object]:
    verdicts = [grade(question, n) for n in range(len(question.options))]
    return {
        "right": [verdict.is_right for verdict in verdicts],
        "replies": [segments(verdict.text) for verdict in verdicts],
        "nothing": segments((NOTHING_CHOSEN,)),
    }


def _several(question: Question) -> dict[str, object]:
    right = [n for n, option in enumerate(question.options) if option.is_right]
    return {
        "right": [option.is_right for option in question.options],
        "replies": [
            [] if option.is_right else segments(grade(question, [n]).text)
            for n, option in enumerate(question.options)
        ],
        "missing": [
            segments(grade(question, right[missing:]).text) for missing in range(len(right))
        ],
        "nothing": segments((NOTHING_CHOSEN,)),
    }


def _order(question: Question) -> dict[str, object]:
    pairs = question.before
    return {"before": [[*pair, segments(order_mistake(question, *pair))] for pair in pairs]}


def _number(question: Question) -> dict[str, object]:
    return {
        "value": question.value,
        "isPercentage": question.is_percentage,
        "tolerance": question.tolerance + 1e-9,
        "mistakes": [
            [read_number(mistake, question.is_percentage), segments(reply)]
            for mistake, reply in question.expected_mistakes.items()
        ],
        "high": segments((TOO_HIGH,)),
        "low": segments((TOO_LOW,)),
        "sign": segments((WRONG_SIGN,)),
        "nothing": segments((NO_NUMBER,)),
    }


def _tokens(question: Question) -> dict[str, object]:
    return {
        "splits": question.splits,
        "pieces": sorted(question.pieces),
        "merges": question.merges,
        "mistakes": [
            [mistake, segments(reply)] for mistake, reply in question.expected_mistakes.items()
        ],
        "nothing": segments((NOTHING_WRITTEN,)),
    }


_FORMS = {
    "choice": _choice,
    "several": _several,
    "order": _order,
    "number": _number,
    "text": _tokens,
}
