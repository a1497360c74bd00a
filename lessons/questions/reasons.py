"""Questions that ask for a reason, or for what happens in a new situation.

The lesson writes the options. An option has a comparison of the picture's facts, `if`, that it
rests on; the right one is the one whose comparison holds. A misconception that no fact can speak
for has none, and is wrong. So a changed run makes the lesson fail instead of its answer wrong.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lessons.facts.base import PictureFacts
from lessons.format.errors import LessonLookupError
from lessons.questions.beliefs import counterexample
from lessons.questions.builders import MOST_OPTIONS, QuestionContext
from lessons.questions.grading import AnswerOption, Question
from lessons.questions.statements import holds

REASON_KEYS = ("asks", "options", "word", "token", "piece", "tokenizer", "of")
_EXAMPLE = 'options = [{ says = "…", if = ["tokens:a", "more than", "tokens:b"], reply = "…" }]'


def reason(context: QuestionContext[PictureFacts]) -> Question:
    """Ask for the one option that the facts support, in the lesson's own words."""
    given = context.values.get("options")
    if not isinstance(given, list) or not 2 <= len(given) <= MOST_OPTIONS:
        raise LessonLookupError(f"This question needs 2 to {MOST_OPTIONS} options: {_EXAMPLE}")
    options = [_option(context, one) for one in given]
    right = [option for option in options if option.is_right]
    if len(right) != 1:
        raise LessonLookupError(
            f"{len(right)} options hold in this picture. Exactly one has to: check each if."
        )
    prompt = context.sentence("asks")
    question = context.choose_from(prompt, options, right[0].why)
    masked = ("sentence", "notes", *context.masked_at_start)
    refuted = _refuted(context, given)
    return replace(
        question, prompt=context.fill(prompt), masked_parts=masked, counterexample=refuted
    )


def _refuted(context: QuestionContext[PictureFacts], options: list[Any]) -> str:
    """Return the search for a counterexample to the belief that the right option denies."""
    for condition in (option.get("if") for option in options):
        if condition and condition[2] == "false" and holds(context, condition):
            belief = str(condition[0]).removeprefix("belief:")
            return counterexample(replace(context, values={"belief": belief}))
    return ""


def _option(context: QuestionContext[PictureFacts], given: Any) -> AnswerOption:
    if not isinstance(given, Mapping) or not {"says", "reply"} <= set(given) <= {
        "says",
        "reply",
        "if",
    }:
        raise LessonLookupError(f"An option says something and has a reply: {_EXAMPLE}")
    written = replace(context, values=given)
    says, reply = (written.filled(key) for key in ("says", "reply"))
    return AnswerOption(says, "if" in given and holds(context, given["if"]), reply)
