"""Facts about a picture, i.e. the steps a lesson can refer to, and the values of its fields.

`PictureFacts` is the base class for all kinds of picture. Position 0 is the start, position k the
state after step k, as in the picture's recording. A failed lookup raises LessonLookupError.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeGuard, TypeVar

from lessons.format.errors import LessonLookupError, unknown
from lessons.format.reading import At
from lessons.format.words import RichText, Tokens
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace

T = TypeVar("T", Trace, UnigramTrace)


class PictureFacts(ABC):
    """The facts about one picture, looked up by method name.

    A lesson's `at = { token = "est" }` calls `find_token("est")`, which returns a position. Its
    field `{count:e+s}` calls `field_count(position, "e+s")`, which returns the text to show. Thus
    the names after `find_` and `field_` belong to the lesson format.
    """

    __slots__ = ()
    HAS_RULES: ClassVar[bool] = False
    """Whether the picture shows each step under two rules, max and sum."""

    @property
    def last(self) -> int:
        """The last position; 0 for a picture without steps."""
        return 0

    @abstractmethod
    def tokens(self) -> Tokens:
        """Return all tokens that appear in the picture; a lesson's stop may mark any of them."""

    @classmethod
    def methods(cls, what: str) -> dict[str, Callable[..., Any]]:
        """Return the methods whose names begin with `what`, by the rest of their names."""
        names = (name for name in dir(cls) if name.startswith(what))
        return {name.removeprefix(what): getattr(cls, name) for name in names}

    def find(self, at: At) -> int:
        """Return the position that `at` refers to. Raises LessonLookupError if there is none."""
        if at.key in ("start", "end"):
            return 0 if at.key == "start" else self.last
        finders = self.methods("find_")
        if at.key not in finders:
            raise LessonLookupError(
                unknown(at.key, ("start", "end", *finders), "there is no moment called")
            )
        return max(finders[at.key](self, at.value) - at.before, 0)

    def field(self, name: str, argument: str, at: int) -> RichText:
        """Return a field's value at a position. Raises LessonLookupError if it has none."""
        fields = self.methods("field_")
        if name not in fields:
            message = unknown(name, tuple(fields), "there is no field called")
            raise LessonLookupError(f"{message} Write \\{{ for a brace that is text.")
        return fields[name](self, at, argument)


@dataclass(frozen=True, slots=True)
class TextFacts(PictureFacts):
    """Facts about a text to split."""

    text: str

    def field_text(self, at: int, argument: str) -> RichText:
        """The text to split."""
        return (("word", self.text),)


@dataclass(frozen=True, slots=True)
class RunFacts(PictureFacts, Generic[T]):
    """Facts about a training run; position k is the state after step k."""

    trace: T

    @property
    def last(self) -> int:
        """The number of steps."""
        return len(self.trace)

    def field_step(self, at: int, argument: str) -> RichText:
        """The number of this step."""
        return (f"{at:,}",)

    def field_steps(self, at: int, argument: str) -> RichText:
        """The number of steps in the run."""
        return (f"{self.last:,}",)

    def field_stopped(self, at: int, argument: str) -> RichText:
        """The reason why the run ended."""
        return (self.trace.stop_reason,)


def require(argument: str, example: str) -> str:
    """Return a field's argument. Raises LessonLookupError if it is empty."""
    if not argument:
        raise LessonLookupError(f"This field needs something after a colon. Write: {{{example}}}")
    return argument


def whole_number(written: str, example: str) -> int:
    """Parse a whole number of at most nine digits. Raises LessonLookupError for other text."""
    if written.isascii() and written.isdecimal() and len(written) <= 9:
        return int(written)
    raise LessonLookupError(f"This field is asked for a whole number. Write: {{{example}}}")


def are_texts(value: object) -> TypeGuard[list[str]]:
    """Return whether a TOML value is a list of strings."""
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def pair_of(value: object) -> tuple[str, str]:
    """Return an `at` value as a pair. Raises LessonLookupError unless it is two strings."""
    if are_texts(value) and len(value) == 2:
        return value[0], value[1]
    raise LessonLookupError('A pair is two symbols. Write: at = { pair = ["e", "s"] }')


def text_of(value: object, example: str) -> str:
    """Return an `at` value. Raises LessonLookupError unless it is a non-empty string."""
    if isinstance(value, str) and value:
        return value
    raise LessonLookupError(f"Name it by a text. Write: at = {{ {example} }}")
