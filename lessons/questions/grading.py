"""Questions as data, and the grading of answers.

A `Question` holds the prompt, its form, the right answer and reasons for wrong ones. The other
modules of this folder build it from a picture's facts; `grade` compares an answer with it.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal

from lessons.format.words import RichText, Segment, Tokens, in_row, plain
from tokenizers.errors import UserError

MergeSpan = tuple[int, int, str, str]
"""A merge in a word: where its piece starts and ends, in characters, and its two parts."""

Form = Literal["choice", "several", "number", "text", "order"]
MOST_TRIES = 2
Given = int | str | Sequence[int]
"""An answer, which is the index of an option, typed text, or the indices of options."""

NOTHING_CHOSEN = "Nothing is chosen yet. Choose an answer first."
NOTHING_WRITTEN = "Nothing is written yet. Write the pieces with spaces between them."
NO_NUMBER = "That is not a number. Write one such as 15, 0.25 or 3/16."
WRONG_SIGN = "The size is right, but the sign is wrong."
TOO_HIGH, TOO_LOW = "That is too high.", "That is too low."
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


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of grading, i.e. whether the answer is right, and the reply to it."""

    is_right: bool
    text: RichText


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


def grade(question: Question, given: Given) -> Verdict:
    """Grade an answer. Raises UserError if it is empty or malformed."""
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


def read_number(written: str, is_percentage: bool = False) -> float:
    """Parse a typed number; "18%" is 0.18, or 18 if a percentage is asked for.

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


def _number(question: Question, written: str) -> Verdict:
    value = read_number(written, question.is_percentage)
    if abs(value - question.value) <= question.tolerance + 1e-9:
        return Verdict(True, question.why)
    for mistake, why in question.expected_mistakes.items():
        if abs(value - read_number(mistake, question.is_percentage)) <= question.tolerance + 1e-9:
            return Verdict(False, why)
    if math.isclose(value, -question.value):
        return Verdict(False, (WRONG_SIGN,))
    return Verdict(False, (TOO_HIGH if value > question.value else TOO_LOW,))


# --- Rows of tokens -------------------------------------------------------------------------------


def read_tokens(written: str) -> Tokens:
    """Parse typed tokens, separated by spaces or bars.

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
        spelled: RichText = ("Those pieces spell ", ("word", _bare(given)))
        return Verdict(False, (*spelled, ", not ", ("word", _bare(right)), "."))
    missed = missed_merge(question.merges, given) if "".join(given) == "".join(right) else ()
    return Verdict(False, missed or _first_difference(given, right))


def missed_merge(merges: Sequence[MergeSpan], given: Tokens) -> RichText:
    """Return the first merge of a word that the given pieces contradict; empty if there is none."""
    ends = list(accumulate(map(len, given)))
    for start, end, first, second in merges:
        if any(start < cut < end for cut in ends):
            merge: RichText = (("token", first), " ", ("token", second))
            return (
                "You missed a merge: ",
                *merge,
                " becomes ",
                ("token", first + second),
                " here.",
            )
    return ()


def _bare(tokens: Tokens) -> str:
    """Return the letters of tokens without word-position marks such as ## and </w>."""
    return "".join(re.sub(r"^##|(?<=.)</w>$|^</w>$|^[▁_]", "", token) for token in tokens)


def _mark_mistake(given: Tokens, right: Tokens) -> RichText:
    """Return which mark is missing or extra; empty if the marks are not the mistake."""
    if any(token.startswith("##") for token in right) or any(t.startswith("##") for t in given):
        if given[0].startswith("##"):
            return (("token", given[0]), " can only stand inside a word; the word begins here.")
        bare = next((token for token in given[1:] if not token.startswith("##")), "")
        if bare:
            sentence: RichText = (
                ("token", bare),
                " can only begin a word. Inside a word, write ",
            )
            return (*sentence, ("token", f"##{bare}"), ".")
    if "".join(given) == _bare(right) != "".join(right):
        return ("The letters are right, but a mark is missing.",)
    return ()


def _first_difference(given: Tokens, right: Tokens) -> RichText:
    pairs = zip(given, right, strict=False)
    same = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(given), len(right)))
    if same == min(len(given), len(right)):
        return ("The pieces are right as far as they go, but that is not the whole split.",)
    if not same:
        return (("token", given[0]), " is not the first piece.")
    head: RichText = (
        "Right up to ",
        *in_row(right[:same]),
        ". After that, ",
        ("token", given[same]),
    )
    return (*head, " is not the piece that comes next.")


def _typed(tokens: Tokens) -> Tokens:
    """Return the tokens as typed, with `_` for ▁."""
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


def order_mistake(question: Question, first: int, second: int) -> RichText:
    """Return the reply to an order with `second` before `first`."""
    one, other = question.options[first], question.options[second]
    return (*one.text, " comes before ", *other.text, ": ", *one.why, ", then ", *other.why, ".")
