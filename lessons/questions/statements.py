"""True-or-false questions, with a computed verdict.

A statement either compares two fields of the picture, with the reason `why`, or is a belief
(`beliefs.py`), which is checked against the facts and refuted by a counterexample if there is one.
A belief's docstring states it; a lesson may reword the statement, but not negate it, as that would
reverse the verdict. `slip` is the reply to the wrong answer: what misleads people here.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from lessons.format.errors import LessonLookupError, entry
from lessons.format.words import RichText, plain
from lessons.questions.beliefs import BELIEF_CHECKS, BeliefCheck, counterexample
from lessons.questions.builders import QuestionContext
from lessons.questions.grading import AnswerOption, Question, read_number

STATEMENT_KEYS = (
    *("says", "belief", "compare", "why", "slip"),
    *("word", "token", "piece", "tokenizer", "of"),
)
RELATIONS: Mapping[str, Callable[[float, float], bool]] = {
    "more than": lambda a, b: a > b,
    "less than": lambda a, b: a < b,
    "at least": lambda a, b: a >= b,
    "at most": lambda a, b: a <= b,
    "equal to": lambda a, b: math.isclose(a, b, abs_tol=1e-9),
}

_DENIED = re.compile(r"\b(not|no|never|nothing|none|nobody|neither|nor|cannot|without)\b|n[’']t\b")


def true_false(context: QuestionContext[Any]) -> Question:
    """Is the statement true? A false one is answered by a counterexample."""
    given = [key for key in ("belief", "compare") if key in context.values]
    if len(given) != 1:
        raise LessonLookupError(
            'Say how to check it: belief = "…" or compare = ["count:e+s", "…", "9"].'
        )
    says = _statement(context, given[0])
    if given == ["compare"]:
        is_true, why = holds(context, context.values["compare"]), context.filled("why")
    else:
        is_true, why = _belief(context)(context)
        why = context.filled("why") or why
    slip = context.filled("slip")
    options = (
        AnswerOption(("True",), is_true, why if is_true else slip),
        AnswerOption(("False",), not is_true, slip if is_true else why),
    )
    answer: RichText = (("strong", "True" if is_true else "False"),)
    prompt: RichText = (f"True or false? {says}",)
    return Question(
        "true_false",
        "choice",
        prompt,
        answer,
        why,
        options,
        masked_parts=("sentence", "notes"),
        counterexample="" if is_true else counterexample(context),
    )


def _statement(context: QuestionContext[Any], checked: str) -> str:
    """Return the lesson's wording of the statement, by default the belief's docstring."""
    says = context.values.get("says")
    belief_text = _belief(context).__doc__ or "" if checked == "belief" else ""
    if says is None and belief_text:
        line = belief_text.splitlines()[0]
        return re.sub(r"`(\w+)`", lambda key: f"“{context.text(key[1])}”", line)
    if not isinstance(says, str) or not 0 < len(says) <= 300:
        raise LessonLookupError('This question needs a statement. Write: says = "…"')
    if belief_text and _denies(says) and not _denies(belief_text):
        raise LessonLookupError(
            "This denies the belief, so the verdict would be reversed. Say it without “not”, as "
            f"the belief does: {belief_text.splitlines()[0]}"
        )
    return says


def _denies(says: str) -> bool:
    """Return whether a statement has a negation such as "not" outside quotes."""
    return _DENIED.search(re.sub(r"“[^”]*”", "", says).lower()) is not None


def holds(context: QuestionContext[Any], given: object) -> bool:
    """Return whether a comparison of two fields, or of a field with a number or text, is true."""
    if not (isinstance(given, list) and len(given) == 3 and all(isinstance(x, str) for x in given)):
        raise LessonLookupError('Write: compare = ["count:e+s", "more than", "7"]')
    left, relation, right = given
    if left.startswith("belief:"):
        asked = replace(context, values={**context.values, "belief": left.removeprefix("belief:")})
        is_true, _ = _belief(asked)(asked)
        return relation == "is" and right == ("true" if is_true else "false")
    if relation == "reads":
        name, _, argument = left.partition(":")
        return plain(context.facts.field(name, argument, context.at)).replace("`", "") == right
    compare = entry(RELATIONS, relation, "there is no relation")
    return compare(side(context, left)[0], side(context, right)[0])


def side(context: QuestionContext[Any], written: str) -> tuple[float, RichText]:
    """Return the number on one side of a comparison, and how it is shown."""
    try:
        return read_number(written, is_percentage=True), (written,)
    except ValueError:
        name, _, argument = written.partition(":")
    shown = context.facts.field(name, argument, context.at)
    try:
        return read_number(plain(shown).removeprefix("practically ").replace("%", "")), shown
    except ValueError:
        raise LessonLookupError(f"The field {written} is not a number.") from None


def _belief(context: QuestionContext[Any]) -> BeliefCheck:
    known = next(held for kind, held in BELIEF_CHECKS.items() if isinstance(context.facts, kind))
    return entry(known, context.values["belief"], "there is no belief")
