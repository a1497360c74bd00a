"""Progress in a lesson, as a string with one sign per stop, short enough for a URL.

`-` means not seen yet, `o` read, `1` and `2` right at the first or second try, `x` answer shown,
and `y` right when asked again after the answer was shown. The browser sets the marks: see
pages/lesson/browser/lesson_engine.js.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from lessons.format.words import count_of

UNSEEN, READ, FIRST, SECOND, SHOWN, MADE_GOOD = "-", "o", "1", "2", "x", "y"
SIGNS = UNSEEN + READ + FIRST + SECOND + SHOWN + MADE_GOOD
STANDINGS = {
    UNSEEN: ("", "not seen yet"),
    READ: ("·", "read"),
    FIRST: ("✓", "right at the first try"),
    SECOND: ("✓", "right at the second try"),
    SHOWN: ("✗", "the answer was shown; it will be asked again"),
    MADE_GOOD: ("↻", "right when it was asked again, after the answer was shown"),
}
"""Maps each sign to how it is drawn and what it means."""


def read_marks(written: str | None, stops: int) -> str:
    """Return the marks, one per stop; unknown or missing signs become `-`.

    >>> read_marks("o1?", 4), read_marks(None, 2)
    ('o1--', '--')
    """
    known = [sign if sign in SIGNS else UNSEEN for sign in (written or "")[:stops]]
    return "".join(known).ljust(stops, UNSEEN)


def merge_marks(one: str, other: str) -> str:
    """Combine two strings of marks, keeping the further progress at each stop.

    >>> merge_marks("o-x", "-1y")
    'o1y'
    """
    rank = {sign: n for n, sign in enumerate(UNSEEN + READ + SHOWN + MADE_GOOD + SECOND + FIRST)}
    return "".join(max(a, b, key=rank.__getitem__) for a, b in zip(one, other, strict=True))


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of stops seen, and of questions answered right.

    `right` counts first and second tries, `made_good` the questions right only after the answer was
    shown.
    """

    seen: int
    stops: int
    right: int
    made_good: int
    questions: int

    @property
    def is_done(self) -> bool:
        """Whether every stop was seen and every question is right by now."""
        return self.seen == self.stops and self.right + self.made_good >= self.questions

    def describe(self) -> str:
        """Return the score in words.

        >>> Score(3, 8, 2, 1, 5).describe(), Score(0, 8, 0, 0, 5).describe()
        ('3 of 8 stops, 2 of 5 questions right, 1 more when asked again', '8 stops, 5 questions')
        """
        if not self.seen:
            questions = f", {count_of(self.questions, 'question')}" if self.questions else ""
            return count_of(self.stops, "stop") + questions
        right = f", {self.right} of {count_of(self.questions, 'question')} right"
        right += f", {self.made_good} more when asked again" if self.made_good else ""
        return f"{self.seen} of {count_of(self.stops, 'stop')}{right if self.questions else ''}"


def score(marks: str, asks: Sequence[bool]) -> Score:
    """Return the score of a lesson; `asks` holds for each stop whether it has a question."""
    seen = sum(sign != UNSEEN for sign in marks)
    answers = [sign for sign, is_asked in zip(marks, asks, strict=True) if is_asked]
    right = sum(sign in (FIRST, SECOND) for sign in answers)
    return Score(seen, len(asks), right, answers.count(MADE_GOOD), sum(asks))
