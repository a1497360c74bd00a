"""What a lesson may ask of the record behind a picture: where a moment is, and the numbers there.

A `Record` stands for one picture. Position 0 is before anything happens, position k just after step
k, as in the film of it. Moments are found by their content, numbers by their name; each is a small
method of the record. What is not there raises LessonLookupError, in a sentence.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeGuard, TypeVar

from lessons.format.errors import LessonLookupError, unknown
from lessons.format.reading import At
from lessons.format.words import Text, Tokens
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace

T = TypeVar("T", Trace, UnigramTrace)


class PictureFacts(ABC):
    """What is known of a picture.

    Its methods `find_…` find a moment, the word behind `find_` being what a lesson writes: they are
    given what is looked for and return a position. Its methods `field_…` are the fields: they are
    given a position and what stands behind the colon.
    """

    __slots__ = ()
    HAS_RULES: ClassVar[bool] = False
    """Whether every step is told by two rules, max and sum."""

    @property
    def last(self) -> int:
        """The last position; 0 where there are no steps."""
        return 0

    @abstractmethod
    def tokens(self) -> Tokens:
        """Return all tokens that the picture shows at one time or another: what can be marked."""

    @classmethod
    def named(cls, what: str) -> dict[str, Callable[..., Any]]:
        """Return the methods whose names begin with `what`, by the rest of their names."""
        names = (name for name in dir(cls) if name.startswith(what))
        return {name.removeprefix(what): getattr(cls, name) for name in names}

    def find(self, at: At) -> int:
        """Return the position of a moment. Raises LessonLookupError, in a sentence."""
        if at.key in ("start", "end"):
            return 0 if at.key == "start" else self.last
        places = self.named("find_")
        if at.key not in places:
            raise LessonLookupError(
                unknown(at.key, ("start", "end", *places), "there is no moment called")
            )
        return max(places[at.key](self, at.value) - at.before, 0)

    def field(self, name: str, argument: str, at: int) -> Text:
        """Return what a field says at a position. Raises LessonLookupError, in a sentence."""
        fields = self.named("field_")
        if name not in fields:
            said = unknown(name, tuple(fields), "there is no field called")
            raise LessonLookupError(f"{said} Write \\{{ for a brace that is text.")
        return fields[name](self, at, argument)


@dataclass(frozen=True, slots=True)
class TextFacts(PictureFacts):
    """What is known of a text that is cut."""

    text: str

    def field_text(self, at: int, argument: str) -> Text:
        """The text that is cut."""
        return (("word", self.text),)


@dataclass(frozen=True, slots=True)
class RunFacts(PictureFacts, Generic[T]):
    """A training run: position k is just after step k."""

    trace: T

    @property
    def last(self) -> int:
        """The number of steps."""
        return len(self.trace)

    def field_step(self, at: int, argument: str) -> Text:
        """The number of this step."""
        return (f"{at:,}",)

    def field_steps(self, at: int, argument: str) -> Text:
        """The number of steps in the run."""
        return (f"{self.last:,}",)

    def field_stopped(self, at: int, argument: str) -> Text:
        """Why the run ends."""
        return (self.trace.stop_reason,)


def needs(argument: str, example: str) -> str:
    """Return what comes after the colon. Raises LessonLookupError if nothing does."""
    if not argument:
        raise LessonLookupError(f"This field needs something after a colon. Write: {{{example}}}")
    return argument


def whole_number(written: str, example: str) -> int:
    """Return the number behind a colon. Raises LessonLookupError for what is none of at most nine digits."""
    if written.isascii() and written.isdecimal() and len(written) <= 9:
        return int(written)
    raise LessonLookupError(f"This field is asked for a whole number. Write: {{{example}}}")


def are_texts(value: object) -> TypeGuard[list[str]]:
    """Tell whether a value of TOML is a list of texts."""
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def pair_of(value: object) -> tuple[str, str]:
    """Return a moment's pair. Raises LessonLookupError if it is none."""
    if are_texts(value) and len(value) == 2:
        return value[0], value[1]
    raise LessonLookupError('A pair is two symbols. Write: at = { pair = ["e", "s"] }')


def text_of(value: object, example: str) -> str:
    """Return a moment's text. Raises LessonLookupError if it is none."""
    if isinstance(value, str) and value:
        return value
    raise LessonLookupError(f"Name it by a text. Write: at = {{ {example} }}")
