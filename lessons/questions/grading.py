"""Questions as data, with the replies to their answers.

A `Question` holds the prompt, its form, the right answer and reasons for wrong ones. The other
modules of this folder build it from a picture's facts. The browser grades the answers: see
pages/lesson/browser/question_json.py and grading.js.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal

from lessons.format.words import RichText, Segment, Tokens, plain
from tokenizers.errors import UserError

MergeSpan = tuple[int, int, str, str]
"""A merge in a word: where its piece starts and ends, in characters, and its two parts."""

Form = Literal["choice", "several", "number", "text", "order"]
MOST_TRIES = 2
ROUNDING = 1e-9  # added to every tolerance
Given = int | str | Sequence[int]
"""An answer, which is the index of an option, typed text, or the indices of options."""

NOTHING_CHOSEN = "Nothing is chosen yet. Choose an answer first."
NOTHING_WRITTEN = "Nothing is written yet. Write the pieces with spaces between them."
NO_NUMBER = "That is not a number. Write one such as 15, 0.25 or 3/16."
ONE_MORE_TRY = " One more try."


@dataclass(frozen=True, slots=True)
class AnswerOption:
    """An option to choose; `why` is the reason why it is right or wrong."""

    text: RichText
    is_right: bool = False
    why: RichText = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question; `answer` and its reason `why` are shown after the last of the `tries`.

    The forms "choice" and "several" use `options`; "number" uses `value` and `tolerance`; "text"
    asks for one of `splits`, with tokens from the vocabulary `pieces`, and `merges` are the merges
    that lead to it, in order; "order" uses `options`, and `before` has pairs of option indices: the
    first option comes earlier. `expected_mistakes` maps likely wrong answers (a number as shown, or
    tokens joined by spaces) to replies. `hint` follows the reply while a try is left. `shown_at`
    is the picture's position that shows the answer. With `hides_answer`, the picture cannot go past
    the stop while the question is open, and its `masked_parts` ("sentence", "tables", "notes") are
    hidden. `counterexample` names the true-or-false belief whose smallest counterexample the answer
    shows: see tokenizers/experiments/beliefs/counterexamples.py.
    """

    kind: str
    form: Form
    prompt: RichText
    answer: RichText
    why: RichText
    options: tuple[AnswerOption, ...] = ()
    value: float = 0.0
    tolerance: float = 0.0
    splits: tuple[Tokens, ...] = ()
    pieces: frozenset[str] = frozenset()
    before: tuple[tuple[int, int], ...] = ()
    expected_mistakes: Mapping[str, RichText] = field(default_factory=dict)
    merges: tuple[MergeSpan, ...] = ()
    hint: RichText = ()
    shown_at: int | None = None
    hides_answer: bool = True
    masked_parts: tuple[str, ...] = ()
    counterexample: str = ""

    @property
    def tries(self) -> int:
        """The number of tries; only one if a second try would leave just the right option."""
        wrong = sum(not option.is_right for option in self.options)
        return max(min(wrong, MOST_TRIES), 1) if self.form == "choice" else MOST_TRIES

    @property
    def is_percentage(self) -> bool:
        """Whether the number is a percentage, so that "34" and "34%" are the same answer."""
        return plain(self.answer).endswith("%")

    def is_close(self, number: float) -> bool:
        """Return whether a number is the answer, up to the tolerance and rounding."""
        return abs(number - self.value) <= self.tolerance + ROUNDING


def answer_text(question: Question, sentence: RichText) -> RichText:
    """Return the answer with its reason, after the last try's reply unless both are the same."""
    lead: RichText = () if sentence in ((), question.why) else (*sentence, " ")
    end = " " if plain(question.answer).endswith((".", "?", "!")) else ". "
    return (*lead, ("strong", "The answer:"), " ", *question.answer, end, *question.why)


def retry_text(question: Question, sentence: RichText) -> RichText:
    """Return the reply to a wrong answer while a try is left, with a hint that is no answer yet."""
    hint = question.hint or _default_hint(question)
    return (*sentence, *((" ", *hint) if hint else ()), ONE_MORE_TRY)


def _default_hint(question: Question) -> RichText:
    if question.form == "text":
        first, *rest = question.splits[0]
        if rest:
            pieces = f"The right split has {len(question.splits[0])} pieces, and the first is "
            return (pieces, ("token", first), ".")
    if question.form == "number":
        return _unfinished(question.why, f"= {plain(question.answer)}")
    if question.form == "several":
        number = sum(option.is_right for option in question.options)
        return (f"{number} of these {'is' if number == 1 else 'are'} right.",)
    if question.form == "order":
        later = {second for _, second in question.before}
        first = next(n for n in range(len(question.options)) if n not in later)
        return (*question.options[first].text, " is the first.")
    return ()


def _unfinished(why: RichText, result: str) -> RichText:
    """Return a calculation up to its result; empty if the reason has none."""
    text: list[Segment] = []
    for part in why:
        if isinstance(part, str) and text and isinstance(text[-1], str):
            text[-1] += part
        else:
            text.append(part)
    for n, part in enumerate(text):
        if isinstance(part, str) and result in part:
            return (*text[:n], part[: part.index(result)] + "= …")
    return ()


def option_reply(question: Question, n: int) -> RichText:
    """Return the reply to choosing option `n`."""
    option = question.options[n]
    if question.form == "several":
        return () if option.is_right else option.why or (*option.text, " is not one of them.")
    return option.why or (question.why if option.is_right else ())


_GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")


def read_number(written: str, is_percentage: bool = False) -> float:
    """Parse a number; "18%" is 0.18, or 18 if a percentage is asked for.

    Raises UserError if it isn't a number.

    >>> read_number("1,200"), read_number("0,25"), read_number("3/16")
    (1200.0, 0.25, 0.1875)
    >>> read_number("34.5%"), read_number("34.5%", True), read_number("34.5", True)
    (0.345, 34.5, 34.5)
    """
    bare = written.strip().replace("−", "-").replace(" ", "")
    divisor = 100 if bare.endswith("%") and not is_percentage else 1
    bare = bare.removesuffix("%")
    bare = bare.replace(",", "" if _GROUPED.fullmatch(bare) else ".")
    above, _, below = bare.partition("/")
    try:
        value = float(above) / float(below or 1) / divisor
    except (ValueError, ZeroDivisionError):
        value = math.nan
    if not math.isfinite(value):
        raise UserError(NO_NUMBER)
    return value


def missed_merge(merges: Sequence[MergeSpan], given: Tokens) -> RichText:
    """Return the first merge of a word that the given pieces contradict; empty if there is none."""
    ends = list(accumulate(map(len, given)))
    for start, end, first, second in merges:
        if any(start < cut < end for cut in ends):
            return missed_merge_text(first, second)
    return ()


def missed_merge_text(first: str, second: str) -> RichText:
    """Return the reply to pieces that contradict the merge of `first` and `second`."""
    merge: RichText = (("token", first), " ", ("token", second))
    return ("You missed a merge: ", *merge, " becomes ", ("token", first + second), " here.")


def order_mistake(question: Question, first: int, second: int) -> RichText:
    """Return the reply to an order with `second` before `first`."""
    one, other = question.options[first], question.options[second]
    return (*one.text, " comes before ", *other.text, ": ", *one.why, ", then ", *other.why, ".")
