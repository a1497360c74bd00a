"""Questions for the value of any numeric field, in the lesson's own words.

The key `why` gives the reason, such as the calculation; `instead` maps other fields to the replies
for answers that give those fields' values.
"""

from collections.abc import Mapping
from typing import Any

from lessons.format.errors import LessonLookupError
from lessons.format.words import RichText, plain
from lessons.questions.builders import TWO_DIGITS, QuestionContext, two_digits
from lessons.questions.grading import Question
from lessons.questions.statements import side

NUMBER_KEYS = ("asks", "field", "why", "instead")
LONGEST = 300  # characters of a prompt


def number(context: QuestionContext[Any]) -> Question:
    """What is the value of a field? Two significant digits are enough unless it is whole."""
    prompt, field = context.values.get("asks"), context.text("field")
    if not isinstance(prompt, str) or not 0 < len(prompt) <= LONGEST:
        raise LessonLookupError('This question needs its words. Write: asks = "How many …?"')
    value, text = side(context, field)
    if text == (field,):
        raise LessonLookupError(
            f'A number asked for is that of a field: field = "tokens", not "{field}".'
        )
    shown = plain(text)
    near = 0.0 if value == int(value) else min(two_digits(value), 0.5)
    unit = " The answer is a percentage." if shown.endswith("%") else ""
    enough = TWO_DIGITS if abs(value) < 100 else " The nearest whole number is enough."
    digits = enough if near else ""
    why = context.filled("why")
    sentence, mistakes = (*context.fill(prompt), f"{unit}{digits}"), _expected_mistakes(context)
    if unit:
        mistakes.setdefault(
            f"{value / 100:.6g}", ("That is the share of one. Write a percentage.",)
        )
    masked_parts = ("sentence", "notes", *context.masked_at_start)
    return context.number_question(
        sentence, value, why, mistakes, shown, tolerance=near, masked_parts=masked_parts
    )


def _expected_mistakes(context: QuestionContext[Any]) -> dict[str, RichText]:
    """Return the replies to the values of other fields."""
    instead = context.values.get("instead", {})
    if not isinstance(instead, Mapping) or not all(isinstance(s, str) for s in instead.values()):
        raise LessonLookupError(
            'Name the fields with a sentence each: instead = { tokens = "That is …" }'
        )
    return {
        f"{side(context, name)[0]:.12g}": context.fill(sentence)
        for name, sentence in instead.items()
    }
