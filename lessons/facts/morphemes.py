"""The record of words with known morphemes, cut by tokenizers that were trained ahead.

There is only position 0. A field is asked for a row by its name, `{right:bpe}`, or for one word of
it, `{right:bpe unbreakable}`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lessons.facts.base import PictureFacts
from lessons.format.errors import entry
from lessons.format.words import Text, Tokens, in_row, percent
from tokenizers.measures.boundaries import (
    Boundaries,
    BoundaryScores,
    SegmentedWord,
    boundary_scores,
)


@dataclass(frozen=True, slots=True)
class Cuts:
    """The words as one tokenizer cuts them; `title` is what the screen calls it."""

    title: str
    words: Mapping[str, SegmentedWord]

    @property
    def scores(self) -> BoundaryScores:
        """Precision, recall and F1 of all words."""
        return boundary_scores(cut.boundaries for cut in self.words.values())

    @property
    def tokens(self) -> int:
        """How many tokens the words have; a mark for the space alone is one, too."""
        return sum(len(cut.tokens) for cut in self.words.values())


@dataclass(frozen=True, slots=True)
class MorphemesFacts(PictureFacts):
    """Words in their morphemes, and rows of cuts by the names of the tokenizers."""

    morphemes: Mapping[str, Tokens]
    rows: Mapping[str, Cuts]

    def tokens(self) -> Tokens:
        """Return all tokens."""
        cuts = (cut for row in self.rows.values() for cut in row.words.values())
        return tuple(dict.fromkeys(token for cut in cuts for token in cut.tokens))

    def row(self, name: object) -> Cuts:
        """Return a row. Raises LessonLookupError."""
        return entry(self.rows, name, "there is no row called")

    def parts(self, word: object) -> Tokens:
        """Return the morphemes of a word. Raises LessonLookupError."""
        return entry(self.morphemes, word, "this picture has no word")

    def cut(self, name: object, word: object) -> SegmentedWord:
        """Return a word as it is cut. Raises LessonLookupError."""
        self.parts(word)
        return self.row(name).words[str(word)]

    def _scores(self, argument: str) -> BoundaryScores:
        name, _, word = argument.partition(" ")
        return boundary_scores([self.cut(name, word).boundaries]) if word else self.row(name).scores

    def field_words(self, at: int, argument: str) -> Text:
        """How many words there are."""
        return (f"{len(self.morphemes):,}",)

    def field_boundaries(self, at: int, argument: str) -> Text:
        """`{boundaries:unbreakable}`: how many boundaries a word has, or all words."""
        words = [self.parts(argument)] if argument else self.morphemes.values()
        return (f"{sum(len(parts) - 1 for parts in words):,}",)

    def field_morphemes(self, at: int, argument: str) -> Text:
        """`{morphemes:unbreakable}`: the morphemes of a word."""
        return in_row(self.parts(argument))

    def field_split(self, at: int, argument: str) -> Text:
        """`{split:bpe unbreakable}`: the tokens of a word."""
        name, _, word = argument.partition(" ")
        return in_row(self.cut(name, word).tokens)

    def field_tokens(self, at: int, argument: str) -> Text:
        """`{tokens:bpe}`: how many tokens a row has."""
        return (f"{self.row(argument).tokens:,}",)

    def field_whole(self, at: int, argument: str) -> Text:
        """`{whole:bpe}`: how many of the words are not cut."""
        return (
            f"{sum(not cut.boundaries.predicted for cut in self.row(argument).words.values()):,}",
        )

    def field_exact(self, at: int, argument: str) -> Text:
        """`{exact:bpe}`: how many of the words are cut into just their morphemes."""
        return (f"{sum(is_exact(cut.boundaries) for cut in self.row(argument).words.values()):,}",)

    def field_cuts(self, at: int, argument: str) -> Text:
        """`{cuts:bpe}`: how many cuts there are inside words."""
        return (f"{self._scores(argument).predicted:,}",)

    def field_right(self, at: int, argument: str) -> Text:
        """`{right:bpe}`: how many cuts are between morphemes."""
        return (f"{self._scores(argument).correct:,}",)

    def field_wrong(self, at: int, argument: str) -> Text:
        """`{wrong:bpe}`: how many cuts are not."""
        found = self._scores(argument)
        return (f"{found.predicted - found.correct:,}",)

    def field_missed(self, at: int, argument: str) -> Text:
        """`{missed:bpe}`: how many boundaries are not cut."""
        found = self._scores(argument)
        return (f"{found.gold - found.correct:,}",)

    def field_precision(self, at: int, argument: str) -> Text:
        """`{precision:bpe}`: which part of the cuts is right."""
        return (percent(self._scores(argument).precision),)

    def field_recall(self, at: int, argument: str) -> Text:
        """`{recall:bpe}`: which part of the boundaries is cut."""
        return (percent(self._scores(argument).recall),)

    def field_f1(self, at: int, argument: str) -> Text:
        """`{f1:bpe}`: the harmonic mean of both."""
        return (percent(self._scores(argument).f1),)

    def field_everywhere(self, at: int, argument: str) -> Text:
        """The precision of cutting between any two characters."""
        gold = sum(len(parts) - 1 for parts in self.morphemes.values())
        places = sum(len(word) - 1 for word in self.morphemes)
        return (percent(gold / places if places else 1.0),)


def is_exact(boundaries: Boundaries) -> bool:
    """Tell whether the cuts are just those between morphemes."""
    return boundaries.predicted == boundaries.gold
