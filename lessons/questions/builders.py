"""Shared helpers to build questions.

A builder takes a `QuestionContext` with the picture's facts, the position of the lesson's stop, and
the keys given by the lesson. It raises LessonLookupError if the stop cannot ask the question.
"""

import math
import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from operator import itemgetter
from typing import Any, Generic, TypeVar

from lessons.facts.base import PictureFacts
from lessons.format.errors import LessonLookupError, entry
from lessons.format.words import RichText, Segment, Tokens, in_row, join_list, plain
from lessons.questions.grading import AnswerOption, Form, MergeSpan, Question
from tokenizers import bpe

R = TypeVar("R", bound=PictureFacts, covariant=True)
O = TypeVar("O", bound=PictureFacts)  # noqa: E741
N = TypeVar("N", int, float)
T = TypeVar("T")
QuestionKinds = Mapping[str, tuple[Callable[[Any], Question], tuple[str, ...]]]
"""Maps each kind of question to its builder and the keys it accepts."""
MOST_OPTIONS = 6
EXTREMES = 0.25  # of the lists of splits have the whole word or its single characters
LONGEST = 300  # characters of a sentence
_FIELD_OR_TOKEN = re.compile(r"(\{[^{}]+\}|`[^`]+`)")
TWO_DIGITS = " Two significant digits are enough."


@dataclass(frozen=True, slots=True)
class QuestionContext(Generic[R]):
    """The input of a question's builder, with methods for the common forms of questions.

    `others` holds the facts of other pictures by name.
    """

    kind: str
    facts: R
    at: int
    values: Mapping[str, Any]
    others: Mapping[str, PictureFacts]

    def other(self, kind: type[O]) -> O:
        """Return the picture `against`'s facts. Raises LessonLookupError unless of type `kind`."""
        name = self.values.get("against")
        other = entry(self.others, name, "there is no picture to compare with")
        if not isinstance(other, kind):
            raise LessonLookupError(
                f"The picture {name} shows something else. Choose one of the same kind."
            )
        return other

    @property
    def masked_at_start(self) -> tuple[str, ...]:
        """The picture's parts to mask; tables show the next step only at the start."""
        return () if self.at else ("tables",)

    def text(self, key: str, otherwise: str | None = None) -> str:
        """Return a key's text, by default `otherwise`. Raises LessonLookupError if it has none."""
        if otherwise is not None and key not in self.values:
            return otherwise
        value = self.values.get(key)
        if not isinstance(value, str) or not value or len(value) > 60:
            raise LessonLookupError(f'The question {self.kind} needs a text. Write: {key} = "…"')
        return value

    def fill(self, text: str) -> RichText:
        """Return a text with its `{fields}` filled in and its backticked tokens as tiles."""
        parts: list[Segment] = []
        for n, part in enumerate(_FIELD_OR_TOKEN.split(text)):
            if part.startswith("{") and n % 2:
                name, _, argument = part[1:-1].partition(":")
                parts += self.facts.field(name, argument, self.at)
            elif part:
                parts.append(("token", part[1:-1]) if n % 2 else part)
        return tuple(parts)

    def filled(self, key: str) -> RichText:
        """Return the filled text of a key; empty without it."""
        return self.fill(self.sentence(key)) if key in self.values else ()

    def sentence(self, key: str) -> str:
        """Return a key's text of up to LONGEST characters, or raise LessonLookupError."""
        text = self.values.get(key)
        if not isinstance(text, str) or not 0 < len(text) <= LONGEST:
            raise LessonLookupError(
                f"The question {self.kind} needs a sentence of at most {LONGEST} characters. "
                f'Write: {key} = "…"'
            )
        return text

    def number_question(
        self,
        prompt: RichText,
        value: float,
        why: RichText,
        expected_mistakes: Mapping[str, RichText],
        shown: str = "",
        shown_at: int | None = None,
        tolerance: float = 0.0,
        masked_parts: tuple[str, ...] = (),
        hint: RichText = (),
    ) -> Question:
        """Return a question for a number, displayed as `shown` (by default, `value` itself)."""
        shown = shown or f"{value:,}"
        right = (shown, f"{value}")
        return Question(
            self.kind,
            "number",
            prompt,
            (("strong", shown),),
            why,
            value=float(value),
            tolerance=tolerance,
            expected_mistakes={
                mistake: sentence
                for mistake, sentence in expected_mistakes.items()
                if mistake not in right
            },
            hint=hint,
            shown_at=shown_at,
            masked_parts=masked_parts,
        )

    def choose_from(
        self,
        prompt: str,
        options: Sequence[AnswerOption],
        why: RichText,
        answer: RichText = (),
        shown_at: int | None = None,
        form: Form = "choice",
    ) -> Question:
        """Return a question with options, at least one of them right and one wrong.

        `answer` defaults to the right options.
        """
        if len({option.is_right for option in options}) < 2:
            raise LessonLookupError(
                "All of the options are right, or all are wrong. Ask something else."
            )
        answer = answer or join_list([option.text for option in options if option.is_right])
        options = tuple(shuffle_options(options, f"{self.at} {prompt} {plain(answer)}"))
        return Question(self.kind, form, (prompt,), answer, why, options, shown_at=shown_at)

    def choose_best(
        self,
        prompt: str,
        rows: Sequence[tuple[str, N]],
        best_of: Callable[[Iterable[N]], N],
        shown: Callable[[N], str],
        end: Callable[[N, N], str] = lambda value, best: ".",
    ) -> Question:
        """Return a question for the title with the best value; every title that ties is right.

        The reply to a title is its value, formatted by `shown`, and the result of `end`.
        """
        best = best_of(value for _, value in rows)
        options = [
            AnswerOption((title,), value == best, (f"{title}: {shown(value)}{end(value, best)}",))
            for title, value in rows
        ]
        right = join_list([option.text for option in options if option.is_right])
        return self.choose_from(prompt, options, (*right, f": {shown(best)}."))

    def order_question(
        self,
        prompt: str,
        rows: Sequence[tuple[str, N]],
        why: Callable[[N], str],
        shown: Callable[[N], str],
    ) -> Question:
        """Return a question that asks to order titles by value, lowest first."""
        if rows == sorted(rows, key=itemgetter(1)):
            rows = rows[::-1]  # not already in order
        places = list(enumerate(value for _, value in rows))
        before = tuple([(a, b) for a, one in places for b, two in places if one < two])
        options = tuple([AnswerOption((title,), why=(why(value),)) for title, value in rows])
        ordered = sorted(rows, key=itemgetter(1))
        answer = join_list([(title,) for title, _ in ordered])
        sentence = ", ".join(f"{title} has {shown(value)}" for title, value in ordered) + "."
        return Question(self.kind, "order", (prompt,), answer, (sentence,), options, before=before)

    def split_question(
        self,
        word: str,
        right: Sequence[Tokens],
        others: Mapping[Tokens, RichText],
        why: RichText = (),
        shown_at: int | None = None,
        pieces: frozenset[str] = frozenset(),
        prompt: RichText = (),
        merges: tuple[MergeSpan, ...] = (),
    ) -> Question:
        """Return a question for a word's tokens, answered as free text or by choosing a split.

        `right` has the right splits; `others` maps wrong ones to replies (right ones are ignored).
        Among the options, the whole word and its single characters are rare: as wrong options in
        every list they could be struck out unread.
        """
        others = {cut: sentence for cut, sentence in others.items() if cut not in right}
        answer, here = in_row(right[0]), ("How is ", ("word", word), " split here?")
        why = why or (("word", word), " becomes ", *answer, ".")
        if self.kind == "choose_segmentation":
            near = near_splits(right[0])
            others |= {cut: near[cut] for cut in near if cut not in others and cut not in right}
            likely = [cut for cut in others if cut not in right and not _is_extreme(cut, word)]
            offered = [*right, *likely[: MOST_OPTIONS - len(right)]]
            if random.Random(word).random() < EXTREMES or len(offered) < 3:
                extremes = [cut for cut in others if _is_extreme(cut, word) and cut not in right]
                offered = [*offered[: MOST_OPTIONS - 1], *extremes[:1]]
            options = [
                AnswerOption(in_row(cut), cut in right, others.get(cut, ())) for cut in offered
            ]
            question = self.choose_from("", options, why, answer, shown_at)
            return replace(question, prompt=prompt or here)
        return Question(
            self.kind,
            "text",
            prompt or (*here, " Write the pieces with spaces between them."),
            answer,
            why,
            splits=tuple(right),
            pieces=pieces,
            expected_mistakes={" ".join(cut): sentence for cut, sentence in others.items()},
            merges=merges,
            shown_at=shown_at,
        )


def tokens_hint(tokens: Sequence[str]) -> RichText:
    """Return the first half of the tokens to count; empty if there is only one."""
    half = min(len(tokens) // 2, MOST_OPTIONS)
    return ("It begins with ", *in_row(tokens[:half]), ".") if half else ()


def near_splits(right: Tokens) -> dict[Tokens, RichText]:
    """Return splits that differ from the right one in one place, with replies.

    >>> list(near_splits(("un", "do")))
    [('u', 'ndo'), ('und', 'o'), ('u', 'n', 'do')]
    """
    found: dict[Tokens, RichText] = {}
    marks = ("[UNK]", "<unk>", "</w>", "⟨")  # not letters that could be cut elsewhere
    if any(mark in token for mark in marks for token in right):
        return found
    for n, (one, two) in enumerate(pairwise(right)):
        mark = "##" if two.startswith("##") else ""
        bare = two.removeprefix(mark)
        moved = ((one[:-1], mark + one[-1:] + bare), (one + bare[:1], mark + bare[1:]))
        for first, second in moved:
            if first and second != mark:
                cut = (*right[:n], first, second, *right[n + 2 :])
                found[cut] = (
                    "One cut is a character off: after ",
                    ("token", one),
                    ", ",
                    ("token", two),
                    " begins.",
                )
    longest = max(range(len(right)), key=lambda n: len(right[n]))
    token = right[longest]
    mark = "##" if token.startswith("##") else ""
    half = len(mark) + max((len(token) - len(mark)) // 2, 1)
    if half < len(token):
        parts = (token[:half], mark + token[half:])
        cut = (*right[:longest], *parts, *right[longest + 1 :])
        found[cut] = (("token", token), " is one piece here; it is not cut again.")
    return found


def _is_extreme(cut: Tokens, word: str) -> bool:
    """Return whether a split is the whole word, or single characters only."""
    bare = [token.removeprefix("##").removesuffix("</w>").strip("▁Ġ ") for token in cut]
    return len(cut) == 1 or (all(len(part) <= 1 for part in bare) and len(word) > 2)


def shuffle_options(options: Sequence[T], about: str) -> list[T]:
    """Return the options in a pseudorandom order, which is the same whenever `about` is."""
    return random.Random(about).sample(options, len(options))


def merge_spans(symbols: Sequence[str], steps: Iterable[bpe.MergeStep]) -> tuple[MergeSpan, ...]:
    """Return the merges of a word's `symbols`, with the characters that each joins.

    >>> steps = [bpe.MergeStep(0, ("l", "o"), 0, 1), bpe.MergeStep(1, ("e", "r"), 3, 4)]
    >>> merge_spans("lower", steps)
    ((0, 2, 'l', 'o'), (3, 5, 'e', 'r'))
    """
    starts = [0, *accumulate(map(len, symbols))]
    return tuple(
        [
            (starts[step.start], starts[step.start] + len("".join(step.pair)), *step.pair)
            for step in steps
        ]
    )


def two_digits(value: float) -> float:
    """Return the tolerance for an answer rounded to two significant digits.

    >>> two_digits(0.1823), two_digits(12.7), two_digits(0.0)
    (0.005, 0.5, 0.005)
    """
    return 0.5 * 10.0 ** (math.floor(math.log10(abs(value))) - 1) if value else 0.005


def rank_text(pair: Tokens, ranks: Mapping[Any, int], best: int, never: str) -> RichText:
    """Return the rank of a pair in words, compared with the `best`; `never` if it has none."""
    if pair not in ranks:
        return (*in_row(pair), never)
    if ranks[pair] == best:
        return (*in_row(pair), f" has rank {best:,}, the lowest of the pairs in the word.")
    return (*in_row(pair), f" was learned later: rank {ranks[pair]:,} > {best:,}.")
