"""Errors in a lesson, each with its line and a sentence that says what to write instead."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import TypeVar

from lessons.format.words import name_list
from tokenizers.errors import UserError


class LessonError(UserError):
    """A mistake in a lesson; `line` counts from 1, `reason` is a sentence."""

    def __init__(self, line: int, reason: str) -> None:
        self.line, self.reason = line, reason
        super().__init__(f"Line {line}: {reason}")

    def __reduce__(self) -> tuple:
        return LessonError, (self.line, self.reason)  # pickled between worker and page


LONGEST_QUOTED = 80  # characters of a lesson quoted in an error message


class LessonLookupError(UserError):
    """A lesson refers to something its picture does not have; the caller adds the line."""


V = TypeVar("V")


def entry(table: Mapping[str, V], name: object, what: str) -> V:
    """Look up a name. If unknown, raises LessonLookupError; the message begins with `what`."""
    if isinstance(name, str) and name in table:
        return table[name]
    raise LessonLookupError(unknown(name, tuple(table), what))


def among(name: str, known: Collection[str], what: str, most: int = 12) -> str:
    """Return a known name. If unknown, raises LessonLookupError with the name and `what`."""
    if name not in known:
        raise LessonLookupError(f"“{name}” {what}. There are: {name_list(known, most)}.")
    return name


def one_of(given: object, known: Sequence[str], line: int, what: str) -> str:
    """Return a known name. If unknown, raises LessonError; the message begins with `what`."""
    if isinstance(given, str) and given in known:
        return given
    raise LessonError(line, unknown(given, known, what))


def some_of(given: Iterable[object], known: Sequence[str], line: int, what: str) -> tuple[str, ...]:
    """Return the names if all are known and there is at least one, else raise LessonError."""
    return tuple([one_of(name, known, line, what) for name in tuple(given) or ("",)])


def unknown(given: object, known: Sequence[str], what: str) -> str:
    """Return the message for an unknown name, with the closest match.

    >>> unknown("titel", ("title", "purpose"), "there is no key")
    'There is no key “titel”. Did you mean title? There are: title, purpose.'
    """
    quoted = shortened(given)
    near = get_close_matches(quoted, known, 1)
    hint = f" Did you mean {near[0]}?" if near else ""
    return f"{what[0].upper()}{what[1:]} “{quoted}”.{hint} There are: {name_list(known, 40)}."


def shortened(given: object) -> str:
    """Return a value truncated for quoting in a message.

    >>> shortened("est"), len(shortened("e" * 9_000))
    ('est', 82)
    """
    message = str(given)
    return message if len(message) <= LONGEST_QUOTED else f"{message[:LONGEST_QUOTED]} …"
