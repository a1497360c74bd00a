"""True-or-false questions, with a computed verdict.

A statement either compares two fields of the picture, or is a belief (`beliefs.py`), which is
checked against the facts and refuted by a counterexample if there is one. A belief's docstring
states it; a lesson may reword the statement, but not negate it, as that would reverse the verdict.
"""

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from lessons.format.errors import LessonLookupError, entry
from lessons.format.words import MarkedText, in_row, plain
from lessons.questions.beliefs import BELIEF_CHECKS, BeliefCheck, BeliefResult, counterexample
from lessons.questions.builders import QuestionContext
from lessons.questions.grading import AnswerOption, Question, read_number

STATEMENT_KEYS = ("says", "belief", "compare", "word", "token", "piece", "tokenizer", "of")
RELATIONS: Mapping[str, Callable[[float, float], bool]] = {
    "more than": lambda a, b: a > b,
    "less than": lambda a, b: a < b,
    "equal to": lambda a, b: math.isclose(a, b, abs_tol=1e-9),
}

_SELF_NAMED = ("boundaries", "bytes", "characters", "cuts", "merges", "neighbors")
_SELF_NAMED += ("pairs", "patches", "pieces", "steps", "symbols", "tokens", "words")
COUNT_FIELDS = {name: name for name in _SELF_NAMED} | {
    "as_good": "orders that are as good",
    "edges": "arcs",
    "gone": "pieces that are gone",
    "kinds": "different tokens",
    "letters": "letters",
    "firsts": "pairs that can be merged first",
    "orders": "orders of merges",
    "exact": "words cut at their morphemes",
    "elsewhere": "tokens of another passage",
    "length": "tokens",
    "lifted": "merges inside words",
    "missed": "boundaries missed",
    "partial": "tokens that are parts of characters",
    "per_token": "characters per token",
    "per_word": "tokens per word",
    "pre_tokens": "words",
    "recounted": "pairs counted",
    "revisited": "pairs counted again",
    "saved": "tokens saved",
    "special": "special tokens",
    "superwords": "pieces across spaces",
    "unknown": "unknown tokens",
    "reached": "tokens that can occur",
    "unreached": "tokens that no text made",
    "used": "pieces used",
    "right": "right cuts",
    "whole": "words left whole",
    "wrong": "wrong cuts",
    "vocabulary": "pieces in the vocabulary",
    "waiting": "pairs that could be merged",
}
"""What the counting fields count."""
PIECE_FIELDS = {
    "count": "the count of ",
    "counted": "the number of occurrences of ",
    "expected": "the expected count of ",
    "log_prob": "the log probability of ",
    "path": "the log probability of ",
    "probability": "the probability of ",
    "product": "the probability of ",
    "share": "the share of ",
}
"""Names of the fields whose argument is a piece, a pair, or a segmentation."""
FIELD_NAMES = {
    "alpha": "the forward value α at position {}",
    "finished": "the number of states at character {} in which a piece ends",
    "gain": "the gain of {} in nats",
    "given": "the id in x at place {}",
    "next": "the id in y at place {}",
    "overlapping": "the number of overlapping sequences of {}",
    "so_far": "the number of states that the text up to character {} allows",
    "sequences": "the number of sequences of {}",
    "states": "the number of states at character {}",
    "fitting": "the number of times that {} ids fit in",
    "everywhere": "the precision of cutting everywhere",
    "fewer": "the share of tokens saved ({})",
    "fewer_elsewhere": "the share saved on another passage ({})",
    "id": "the id ({})",
    "f1": "F1 ({})",
    "precision": "the precision ({})",
    "recall": "the recall ({})",
    "effective": "the number of equally frequent tokens with this entropy ({})",
    "efficiency": "the efficiency ({})",
    "entropy": "H",
    "entropy_after": "H",
    "likelihood_after": "L",
    "q_after": "Q",
    "log_likelihood": "L",
    "parameters": "the size of the table ({})",
    "back": "the number of tokens to take back ({})",
    "prefix": "the number of tokens that are the same ({})",
    "q": "Q",
    "times": "the ratio ({})",
    "value": "the best value at position {}",
}
"""Names of other fields, where the key alone is unclear."""


_DENIED = re.compile(r"\b(not|no|never|nothing|none|nobody|neither|nor|cannot|without)\b|n[’']t\b")


def true_false(context: QuestionContext[Any]) -> Question:
    """Is the statement true? A false one is answered by a counterexample."""
    given = [key for key in ("belief", "compare") if key in context.values]
    if len(given) != 1:
        raise LessonLookupError(
            'Say how to check it: belief = "…" or compare = ["count:e+s", "…", "9"].'
        )
    says = _statement(context, given[0])
    holds, why = (_comparison if given == ["compare"] else _belief(context))(context)
    options = (AnswerOption(("True",), holds, why), AnswerOption(("False",), not holds, why))
    answer: MarkedText = (("strong", "True" if holds else "False"),)
    prompt: MarkedText = (f"True or false? {says}",)
    return Question(
        "true_false",
        "choice",
        prompt,
        answer,
        why,
        options,
        masked_parts=("sentence", "notes"),
        counterexample="" if holds else counterexample(context),
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


def _comparison(context: QuestionContext[Any]) -> BeliefResult:
    """Compare two fields, or a field with a number, at the stop."""
    given = context.values["compare"]
    if not (isinstance(given, list) and len(given) == 3 and str(given[1]) in RELATIONS):
        known = ", ".join(RELATIONS)
        raise LessonLookupError(
            f'Write: compare = ["count:e+s", "more than", "7"]; there are: {known}.'
        )
    left, right = (side(context, str(given[n])) for n in (0, 2))
    holds = RELATIONS[given[1]](left[0], right[0])
    relation = given[1] if holds else f"not {given[1]}"
    lead, *rest = left[1]
    lead = lead[:1].upper() + lead[1:]
    comma = "," if rest else ""
    unit = "%" if plain(tuple(left[1])).endswith("%") and len(right[1]) == 1 else ""
    return holds, (lead, *rest, f"{comma} is {relation} ", *right[1], f"{unit}.")


def side(context: QuestionContext[Any], written: str) -> tuple[float, list[Any]]:
    """Return the number on one side of a comparison, and its description as parts of a text."""
    try:
        return read_number(written), [written]
    except ValueError:
        name, _, argument = written.partition(":")
    sentence = context.facts.field(name, argument, context.at)
    try:
        value = read_number(plain(sentence).removeprefix("practically ").replace("%", ""))
    except ValueError:
        raise LessonLookupError(f"The field {written} is not a number.") from None
    return value, [*_field_name(name, argument), ", ", *sentence]


def _field_name(name: str, argument: str) -> MarkedText:
    """Return the name of a field for a sentence.

    >>> plain(_field_name("share", "h at")), plain(_field_name("tokens", "bpe"))
    ('the share of `h` `at`', 'the number of tokens (bpe)')
    """
    if name == "drawn":
        alpha, *cut = argument.split(" ")
        return (f"with α = {alpha}, the share of ", *in_row(cut))
    if argument and name in PIECE_FIELDS:
        return (PIECE_FIELDS[name], *in_row(argument.replace("+", " ").split(" ")))
    if name in FIELD_NAMES:
        return (FIELD_NAMES[name].format(argument),)
    label = f"number of {COUNT_FIELDS[name]}" if name in COUNT_FIELDS else name.replace("_", " ")
    return (f"the {label} ({argument})" if argument else f"the {label}",)


def _belief(context: QuestionContext[Any]) -> BeliefCheck:
    known = next(held for kind, held in BELIEF_CHECKS.items() if isinstance(context.facts, kind))
    return entry(known, context.values["belief"], "there is no belief")
