"""Facts about the content of published vocabularies and the tokens that no text produces.

A worker process computes them (pages/lesson/pictures/published.py). There is only position 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lessons.facts.base import PictureFacts
from lessons.format.errors import among
from lessons.format.words import RichText, Tokens, in_row, percent


@dataclass(frozen=True, slots=True)
class VocabularySummary:
    """A vocabulary's size, and its unusual tokens in display form.

    `unreached` maps each token that no trial produced to the tokens that its text becomes.
    `longest` has the longest tokens with letters; `used` is how many the picture's text uses.
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
    """Summaries of published vocabularies, by model."""

    summaries: Mapping[str, VocabularySummary]

    def tokens(self) -> Tokens:
        """Return the unreached and the longest tokens."""
        return tuple([t for one in self.summaries.values() for t in (*one.unreached, *one.longest)])

    def summary(self, model: str) -> VocabularySummary:
        """Return the summary of a vocabulary. Raises LessonLookupError if it is not shown."""
        if not model and len(self.summaries) == 1:
            return next(iter(self.summaries.values()))
        return self.summaries[among(model, self.summaries, "is not shown here", 8)]

    def field_vocabulary(self, at: int, argument: str) -> RichText:
        """`{vocabulary:gpt2}`: how many pieces a vocabulary has."""
        return (f"{self.summary(argument).size:,}",)

    def field_special(self, at: int, argument: str) -> RichText:
        """`{special:gpt2}`: how many of the pieces are special tokens."""
        return (f"{self.summary(argument).special:,}",)

    def field_partial(self, at: int, argument: str) -> RichText:
        """`{partial:gpt2}`: the number of tokens that are parts of characters."""
        return (f"{self.summary(argument).partial:,}",)

    def field_unreached(self, at: int, argument: str) -> RichText:
        """`{unreached:gpt2}`: the number of tokens that no trial produced."""
        return (f"{len(self.summary(argument).unreached):,}",)

    def field_reached(self, at: int, argument: str) -> RichText:
        """`{reached:gpt2}`: how many tokens are produced, special, or parts of characters."""
        one = self.summary(argument)
        return (f"{one.size - len(one.unreached):,}",)

    def field_becomes(self, at: int, argument: str) -> RichText:
        """`{becomes:gpt2 [x]}`: the tokens of the text of an unreached token."""
        model, _, token = argument.partition(" ")
        unreached = self.summary(model).unreached
        return in_row(unreached[among(token, unreached, "is not unreached")])

    def field_longest(self, at: int, argument: str) -> RichText:
        """`{longest:gpt2}`: the longest piece that contains a letter."""
        return (("token", self.summary(argument).longest[0]),)

    def field_letters(self, at: int, argument: str) -> RichText:
        """`{letters:gpt2}`: the number of characters of the longest piece with a letter."""
        return (f"{len(self.summary(argument).longest[0]):,}",)

    def field_used(self, at: int, argument: str) -> RichText:
        """`{used:gpt2}`: the number of pieces used by the picture's text."""
        return (f"{self.summary(argument).used:,}",)

    def field_idle(self, at: int, argument: str) -> RichText:
        """`{idle:gpt2}`: the percentage of pieces that the picture's text does not use."""
        one = self.summary(argument)
        return (percent(1 - one.used / one.size),)
