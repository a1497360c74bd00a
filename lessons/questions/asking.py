"""What the questions of all pictures are made with: an `Asked`, and the common shapes.

A question is made by a function of an `Asked`: the record, the position of the stop, and the keys
that the lesson gives. It raises NotThere, in a sentence, where there is no such question.
"""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from lessons.format.trouble import NotThere, unknown
from lessons.format.words import Text, Tokens, in_row, plain
from lessons.questions.judging import Option, Question
from lessons.records.base import Record

R = TypeVar("R", bound=Record, covariant=True)
O = TypeVar("O", bound=Record)  # noqa: E741
MOST_OPTIONS = 6


@dataclass(frozen=True, slots=True)
class Asked(Generic[R]):
    """What a question is made from; `others` are the records of the other pictures it names."""

    kind: str
    record: R
    at: int
    values: Mapping[str, Any]
    others: Mapping[str, Record]

    def other(self, kind: type[O]) -> O:
        """Return the record of the picture `against`. Raises NotThere if it is of another kind."""
        name = self.values.get("against")
        if name not in self.others:
            raise NotThere(unknown(name, tuple(self.others), "there is no picture to compare with"))
        other = self.others[str(name)]
        if not isinstance(other, kind):
            raise NotThere(f"The picture {name} shows something else. Choose one of the same kind.")
        return other

    @property
    def at_start(self) -> tuple[str, ...]:
        """What to veil at the start, where a table is of what comes next, not of what was."""
        return () if self.at else ("tables",)

    @staticmethod
    def open(question: Question) -> Question:
        """Return the question as one whose answer may be looked for in the picture."""
        return replace(question, hides=False)


def text_argument(asked: Asked[Any], key: str) -> str:
    """Return a text that the question needs. Raises NotThere if it is not given."""
    value = asked.values.get(key)
    if not isinstance(value, str) or not value or len(value) > 60:
        raise NotThere(f'The question {asked.kind} needs a text. Write: {key} = "…"')
    return value


def number_question(
    asked: Asked[Any],
    prompt: Text,
    value: float,
    shown: str,
    why: Text,
    slips: Mapping[str, Text],
    shown_at: int | None,
    tolerance: float = 0.0,
    veil: tuple[str, ...] = (),
) -> Question:
    """Return a question for a number, which is shown as `shown`."""
    at = None if shown_at is None else min(shown_at, asked.record.last)
    return Question(
        asked.kind,
        "number",
        prompt,
        (("strong", shown),),
        why,
        value=value,
        tolerance=tolerance,
        slips={slip: said for slip, said in slips.items() if slip != shown},
        shown_at=at,
        veil=veil,
    )


TWO_DIGITS = " Two significant digits are enough."


def mixed(options: Sequence[Option], about: str) -> list[Option]:
    """Return the options in an order that says nothing of which is right, always the same one."""
    return random.Random(about).sample(options, len(options))


def two_digits(value: float) -> float:
    """Return how far off a number may be that is rounded to two significant digits.

    >>> two_digits(0.1823), two_digits(12.7), two_digits(0.0)
    (0.005, 0.5, 0.005)
    """
    return 0.5 * 10.0 ** (math.floor(math.log10(abs(value))) - 1) if value else 0.005


def choose_from(
    asked: Asked[Any],
    prompt: str,
    options: Sequence[Option],
    answer: Text,
    why: Text,
    shown_at: int | None = None,
    form: Any = "choice",
) -> Question:
    """Return a question with options; there must be a wrong one among them and a right one."""
    if len({option.is_right for option in options}) < 2:
        raise NotThere("All of the options are right, or all are wrong. Ask something else.")
    at = None if shown_at is None else min(shown_at, asked.record.last)
    options = tuple(mixed(options, f"{asked.at} {prompt} {plain(answer)}"))
    return Question(asked.kind, form, (prompt,), answer, why, options, shown_at=at)


def cut_question(
    asked: Asked[Any],
    word: str,
    right: Sequence[Tokens],
    others: Mapping[Tokens, Text],
    why: Text = (),
    shown_at: int | None = None,
    pieces: frozenset[str] = frozenset(),
) -> Question:
    """Return a question for the tokens of a word: to be written, or chosen from all of these."""
    prompt: Text = ("How is ", ("word", word), " split here?")
    why = why or (("word", word), " becomes ", *in_row(right[0]), ".")
    if asked.kind == "choose_segmentation":
        offered = [*right, *list(others)[: MOST_OPTIONS - len(right)]]
        options = [Option(in_row(cut), cut in right, others.get(cut, ())) for cut in offered]
        question = choose_from(asked, "", options, in_row(right[0]), why, shown_at)
        return replace(question, prompt=prompt)
    prompt = (*prompt, " Write the pieces with spaces between them.")
    slips = {" ".join(cut): said for cut, said in others.items()}
    at = None if shown_at is None else min(shown_at, asked.record.last)
    return Question(
        asked.kind,
        "text",
        prompt,
        in_row(right[0]),
        why,
        splits=tuple(right),
        pieces=pieces,
        slips=slips,
        shown_at=at,
    )
