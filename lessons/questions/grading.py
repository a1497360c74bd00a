"""Questions whose answers are in the record, and the judging of what a learner answers.

A `Question` is data: what is asked, in which form, what is right and why the rest is not. It is
made from the record of a picture by the other modules of this folder; `judge` says whether an
answer is right and, if not, why, as far as the record has a reason.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from lessons.format.words import MarkedText, Tokens, in_row
from tokenizers.errors import UserError

Form = Literal["choice", "several", "number", "text", "order"]
MOST_TRIES = 2
Given = int | str | Sequence[int]
"""The index of an option, what was written, or the indices of options."""

NOTHING_CHOSEN = "Nothing is chosen yet. Choose an answer first."
NOTHING_WRITTEN = "Nothing is written yet. Write the pieces with spaces between them."
NO_NUMBER = "That is not a number. Write one such as 15, 0.25 or 3/16."
WRONG_SIGN = "The size is right, but the sign is wrong."
TOO_HIGH, TOO_LOW = "That is too high.", "That is too low."
ONE_MORE_TRY = " One more try."


@dataclass(frozen=True, slots=True)
class AnswerOption:
    """Something to choose; `why` says of a wrong one why it is wrong, of a right one why not."""

    text: MarkedText
    is_right: bool = False
    why: MarkedText = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question; `answer` is shown with its reason, `why`, when all `tries` are gone.

    By form: a "choice" or "several" have `options`; a "number" has its `value`, from which an
    answer may differ by `tolerance`; a "text" is a row of tokens, one of `splits`, each of them
    made of `pieces`; an "order" has options, and pairs of their indices, the first `before` the
    second. `slips` are reasons for wrong answers that are to be expected: by the number as it is
    shown, or by the tokens with spaces between. `shown_at` is the position of the picture that
    shows the answer; with `hides`, the picture does not go on while the question is open, and what
    `veil` names of it is hidden: "sentence", "tables", "notes". `counterexample` is the belief, in
    tokenizers/experiments/counterexamples.py, whose smallest counterexample belongs to the answer.
    """

    kind: str
    form: Form
    prompt: MarkedText
    answer: MarkedText
    why: MarkedText
    options: tuple[AnswerOption, ...] = ()
    value: float = 0.0
    tolerance: float = 0.0
    splits: tuple[Tokens, ...] = ()
    pieces: frozenset[str] = frozenset()
    before: tuple[tuple[int, int], ...] = ()
    expected_mistakes: Mapping[str, MarkedText] = field(default_factory=dict)
    shown_at: int | None = None
    hides_answer: bool = True
    masked_parts: tuple[str, ...] = ()
    counterexample: str = ""

    @property
    def tries(self) -> int:
        """How many tries there are; with only one wrong option, a second try would tell nothing."""
        wrong = sum(not option.is_right for option in self.options)
        return max(min(wrong, MOST_TRIES), 1) if self.form == "choice" else MOST_TRIES


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the learner is told about an answer."""

    is_right: bool
    text: MarkedText


def answer_text(question: Question, sentence: MarkedText) -> MarkedText:
    """Return what is shown when the last try is gone, after `said` of it; no sentence twice."""
    lead: MarkedText = () if sentence in ((), question.why) else (*sentence, " ")
    return (*lead, ("strong", "The answer:"), " ", *question.answer, ". ", *question.why)


def grade(question: Question, given: Given) -> Verdict:
    """Judge an answer. Raises ValueError, in a sentence, for one that is no answer at all."""
    if question.form == "number":
        return _number(question, str(given))
    if question.form == "text":
        return _tokens(question, str(given))
    chosen = [given] if isinstance(given, int) else [] if isinstance(given, str) else list(given)
    if not chosen or any(not 0 <= n < len(question.options) for n in chosen):
        raise UserError(NOTHING_CHOSEN)
    if question.form == "order":
        return _order(question, chosen)
    if question.form == "several":
        return _several(question, chosen)
    option = question.options[chosen[0]]
    return Verdict(option.is_right, option.why or (question.why if option.is_right else ()))


# --- Numbers --------------------------------------------------------------------------------------

_GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")


def read_number(written: str) -> float:
    """Return the number that somebody wrote. Raises ValueError, in a sentence, if it is none.

    >>> read_number("1,200"), read_number("0,25"), read_number("3/16"), read_number("34.1%")
    (1200.0, 0.25, 0.1875, 34.1)
    """
    bare = written.strip().removesuffix("%").replace("−", "-").replace(" ", "")
    bare = bare.replace(",", "" if _GROUPED.fullmatch(bare) else ".")
    above, _, below = bare.partition("/")
    try:
        value = float(above) / float(below or 1)
    except (ValueError, ZeroDivisionError):
        value = math.nan
    if not math.isfinite(value):
        raise UserError(NO_NUMBER)
    return value


def _number(question: Question, written: str) -> Verdict:
    value = read_number(written)
    if abs(value - question.value) <= question.tolerance + 1e-9:
        return Verdict(True, question.why)
    for mistake, why in question.expected_mistakes.items():
        if abs(value - read_number(mistake)) <= question.tolerance + 1e-9:
            return Verdict(False, why)
    if math.isclose(value, -question.value):
        return Verdict(False, (WRONG_SIGN,))
    return Verdict(False, (TOO_HIGH if value > question.value else TOO_LOW,))


# --- Rows of tokens -------------------------------------------------------------------------------


def read_tokens(written: str) -> Tokens:
    """Return the tokens that somebody wrote with spaces or bars between them.

    >>> read_tokens("b ag|s")
    ('b', 'ag', 's')
    """
    return tuple([token for token in re.split(r"[\s|]+", written) if token])


def _tokens(question: Question, written: str) -> Verdict:
    given, right = read_tokens(written), question.splits[0]
    if not given:
        raise UserError(NOTHING_WRITTEN)
    if given in question.splits or _typed(given) in map(_typed, question.splits):
        return Verdict(True, question.why)
    if why := question.expected_mistakes.get(" ".join(given)):
        return Verdict(False, why)
    spells = _bare(given) == _bare(right)
    if spells and (why := _mark_mistake(given, right)):
        return Verdict(False, why)
    strange = next((one for one in given if question.pieces and one not in question.pieces), None)
    if strange is not None:
        return Verdict(False, (("token", strange), " is not in the vocabulary."))
    if not spells and "[UNK]" not in right:
        spelled: MarkedText = ("Those pieces spell ", ("word", _bare(given)))
        return Verdict(False, (*spelled, ", not ", ("word", _bare(right)), "."))
    return Verdict(False, _first_difference(given, right))


def _bare(tokens: Tokens) -> str:
    """Return the letters, without the marks that say where in a word a piece stands."""
    return "".join(re.sub(r"^##|(?<=.)</w>$|^</w>$|^[▁_]", "", token) for token in tokens)


def _mark_mistake(given: Tokens, right: Tokens) -> MarkedText:
    """Say which mark is missing or too many; nothing where the marks are not the mistake."""
    if any(token.startswith("##") for token in right) or any(t.startswith("##") for t in given):
        if given[0].startswith("##"):
            return (("token", given[0]), " can only stand inside a word; the word begins here.")
        bare = next((token for token in given[1:] if not token.startswith("##")), "")
        if bare:
            sentence: MarkedText = (
                ("token", bare),
                " can only begin a word. Inside a word, write ",
            )
            return (*sentence, ("token", f"##{bare}"), ".")
    if "".join(given) == _bare(right) != "".join(right):
        return ("The letters are right, but a mark is missing.",)
    return ()


def _first_difference(given: Tokens, right: Tokens) -> MarkedText:
    pairs = zip(given, right, strict=False)
    same = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(given), len(right)))
    if same == min(len(given), len(right)):
        return ("The pieces are right as far as they go, but that is not the whole split.",)
    if not same:
        return (("token", given[0]), " is not the first piece.")
    head: MarkedText = (
        "Right up to ",
        *in_row(right[:same]),
        ". After that, ",
        ("token", given[same]),
    )
    return (*head, " is not the piece that comes next.")


def _typed(tokens: Tokens) -> Tokens:
    """Return the tokens as people type them: `_` for ▁."""
    return tuple(token.replace("▁", "_") for token in tokens)


# --- Several, and in order ------------------------------------------------------------------------


def _several(question: Question, chosen: list[int]) -> Verdict:
    wrong = [n for n in chosen if not question.options[n].is_right]
    missing = [n for n, one in enumerate(question.options) if one.is_right and n not in chosen]
    if not wrong and not missing:
        return Verdict(True, question.why)
    if wrong:
        option = question.options[wrong[0]]
        return Verdict(False, option.why or (*option.text, " is not one of them."))
    more = "one is missing." if len(missing) == 1 else f"{len(missing)} are missing."
    return Verdict(False, ("All of those are right, but " + more,))


def _order(question: Question, chosen: list[int]) -> Verdict:
    if sorted(chosen) != list(range(len(question.options))):
        raise UserError("Put all of them in order first.")
    for first, second in question.before:
        if chosen.index(first) > chosen.index(second):
            return Verdict(False, order_mistake(question, first, second))
    return Verdict(True, question.why)


def order_mistake(question: Question, first: int, second: int) -> MarkedText:
    """Return what is said where the option `second` was put before `first`."""
    one, other = question.options[first], question.options[second]
    return (*one.text, " comes before ", *other.text, ": ", *one.why, ", then ", *other.why, ".")
