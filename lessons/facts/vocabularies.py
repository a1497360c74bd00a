"""The record of published vocabularies: what is inside them, and what no text makes.

A worker process works it out (pages/lessons/pictures/published.py). There is only position 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lessons.facts.base import PictureFacts
from lessons.format.errors import among
from lessons.format.words import Text, Tokens, in_row, percent


@dataclass(frozen=True, slots=True)
class Inside:
    """A vocabulary: how many pieces it has, and its odd ones, as the screen writes them.

    `unreached` maps a token that no trial made to what its own text becomes. `longest` are its
    longest pieces, those of which a text of `text_tokens` tokens uses `used`.
    """

    title: str
    size: int
    special: int
    partial: int
    unreached: Mapping[str, Tokens]
    longest: Tokens
    used: int


@dataclass(frozen=True, slots=True)
class VocabulariesFacts(PictureFacts):
    """Published vocabularies, looked into: by model."""

    inside: Mapping[str, Inside]

    def tokens(self) -> Tokens:
        """Return the odd tokens and the longest."""
        return tuple([t for one in self.inside.values() for t in (*one.unreached, *one.longest)])

    def of(self, model: str) -> Inside:
        """Return what is inside a vocabulary. Raises LessonLookupError for one that is not shown."""
        if not model and len(self.inside) == 1:
            return next(iter(self.inside.values()))
        return self.inside[among(model, self.inside, "is not shown here", 8)]

    def field_vocabulary(self, at: int, argument: str) -> Text:
        """`{vocabulary:gpt2}`: how many pieces it has."""
        return (f"{self.of(argument).size:,}",)

    def field_special(self, at: int, argument: str) -> Text:
        """`{special:gpt2}`: how many of them are special tokens."""
        return (f"{self.of(argument).special:,}",)

    def field_partial(self, at: int, argument: str) -> Text:
        """`{partial:gpt2}`: how many spell no whole characters."""
        return (f"{self.of(argument).partial:,}",)

    def field_unreached(self, at: int, argument: str) -> Text:
        """`{unreached:gpt2}`: how many no trial made."""
        return (f"{len(self.of(argument).unreached):,}",)

    def field_reached(self, at: int, argument: str) -> Text:
        """`{reached:gpt2}`: how many some text made, or that are special or parts of characters."""
        one = self.of(argument)
        return (f"{one.size - len(one.unreached):,}",)

    def field_becomes(self, at: int, argument: str) -> Text:
        """`{becomes:gpt2 [x]}`: what the text of an unreached token becomes."""
        model, _, token = argument.partition(" ")
        unreached = self.of(model).unreached
        return in_row(unreached[among(token, unreached, "is not unreached")])

    def field_longest(self, at: int, argument: str) -> Text:
        """`{longest:gpt2}`: its longest piece that has a letter in it."""
        return (("token", self.of(argument).longest[0]),)

    def field_letters(self, at: int, argument: str) -> Text:
        """`{letters:gpt2}`: how many characters that piece has."""
        return (f"{len(self.of(argument).longest[0]):,}",)

    def field_used(self, at: int, argument: str) -> Text:
        """`{used:gpt2}`: how many pieces the text of the picture uses."""
        return (f"{self.of(argument).used:,}",)

    def field_idle(self, at: int, argument: str) -> Text:
        """`{idle:gpt2}`: the share of the pieces that it does not use."""
        one = self.of(argument)
        return (percent(1 - one.used / one.size),)
