"""Facts about words with known morphemes, split by pretrained tokenizers.

There is only position 0. A field's argument names a row, as in `{right:bpe}`, or a row and
one word, as in `{right:bpe unbreakable}`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lessons.facts.base import PictureFacts
from lessons.format.errors import entry
from lessons.format.words import RichText, Tokens, in_row, percent
from tokenizers.measures.boundaries import (
    Boundaries,
    BoundaryScores,
    EvaluatedWord,
    boundary_scores,
)


@dataclass(frozen=True, slots=True)
class MorphemeRow:
    """The words as split by one tokenizer, under the title shown on the screen."""

    title: str
    words: Mapping[str, EvaluatedWord]

    @property
    def scores(self) -> BoundaryScores:
        """Precision, recall and F1 over all words."""
        return boundary_scores(cut.boundaries for cut in self.words.values())

    @property
    def tokens(self) -> int:
        """The number of tokens, including tokens that are only a space mark."""
        return sum(len(cut.tokens) for cut in self.words.values())


@dataclass(frozen=True, slots=True)
class MorphemesFacts(PictureFacts):
    """The morphemes of words, and how each tokenizer splits them."""

    morphemes: Mapping[str, Tokens]
    rows: Mapping[str, MorphemeRow]

    def tokens(self) -> Tokens:
        """Return all tokens."""
        cuts = (cut for row in self.rows.values() for cut in row.words.values())
        return tuple(dict.fromkeys(token for cut in cuts for token in cut.tokens))

    def row(self, name: object) -> MorphemeRow:
        """Return the row called `name`. Raises LessonLookupError if there is none."""
        return entry(self.rows, name, "there is no row called")

    def parts(self, word: object) -> Tokens:
        """Return the morphemes of a word. Raises LessonLookupError if it isn't in the picture."""
        return entry(self.morphemes, word, "this picture has no word")

    def cut(self, name: object, word: object) -> EvaluatedWord:
        """Return a tokenizer's split of a word. Raises LessonLookupError if either is unknown."""
        self.parts(word)
        return self.row(name).words[str(word)]

    def _scores(self, argument: str) -> BoundaryScores:
        name, _, word = argument.partition(" ")
        return boundary_scores([self.cut(name, word).boundaries]) if word else self.row(name).scores

    def field_words(self, at: int, argument: str) -> RichText:
        """How many words there are."""
        return (f"{len(self.morphemes):,}",)

    def field_boundaries(self, at: int, argument: str) -> RichText:
        """How many boundaries all words have, or with `{boundaries:unbreakable}` one word."""
        words = [self.parts(argument)] if argument else self.morphemes.values()
        return (f"{sum(len(parts) - 1 for parts in words):,}",)

    def field_morphemes(self, at: int, argument: str) -> RichText:
        """`{morphemes:unbreakable}`: the morphemes of a word."""
        return in_row(self.parts(argument))

    def field_split(self, at: int, argument: str) -> RichText:
        """`{split:bpe unbreakable}`: the tokens of a word."""
        name, _, word = argument.partition(" ")
        return in_row(self.cut(name, word).tokens)

    def field_tokens(self, at: int, argument: str) -> RichText:
        """`{tokens:bpe}`: how many tokens a row has."""
        return (f"{self.row(argument).tokens:,}",)

    def field_whole(self, at: int, argument: str) -> RichText:
        """`{whole:bpe}`: the number of words left whole."""
        return (
            f"{sum(not cut.boundaries.predicted for cut in self.row(argument).words.values()):,}",
        )

    def field_exact(self, at: int, argument: str) -> RichText:
        """`{exact:bpe}`: the number of words split exactly into their morphemes."""
        return (f"{sum(is_exact(cut.boundaries) for cut in self.row(argument).words.values()):,}",)

    def field_cuts(self, at: int, argument: str) -> RichText:
        """`{cuts:bpe}`: the number of cuts inside words."""
        return (f"{self._scores(argument).predicted:,}",)

    def field_right(self, at: int, argument: str) -> RichText:
        """`{right:bpe}`: the number of cuts between morphemes."""
        return (f"{self._scores(argument).correct:,}",)

    def field_wrong(self, at: int, argument: str) -> RichText:
        """`{wrong:bpe}`: the number of cuts inside a morpheme."""
        found = self._scores(argument)
        return (f"{found.predicted - found.correct:,}",)

    def field_missed(self, at: int, argument: str) -> RichText:
        """`{missed:bpe}`: the number of morpheme boundaries without a cut."""
        found = self._scores(argument)
        return (f"{found.gold - found.correct:,}",)

    def field_precision(self, at: int, argument: str) -> RichText:
        """`{precision:bpe}`: the percentage of cuts that are right."""
        return (percent(self._scores(argument).precision),)

    def field_recall(self, at: int, argument: str) -> RichText:
        """`{recall:bpe}`: the percentage of morpheme boundaries that are cut."""
        return (percent(self._scores(argument).recall),)

    def field_f1(self, at: int, argument: str) -> RichText:
        """`{f1:bpe}`: the harmonic mean of precision and recall."""
        return (percent(self._scores(argument).f1),)

    def field_everywhere(self, at: int, argument: str) -> RichText:
        """The precision of cutting between any two characters."""
        gold = sum(len(parts) - 1 for parts in self.morphemes.values())
        places = sum(len(word) - 1 for word in self.morphemes)
        return (percent(gold / places if places else 1.0),)


def is_exact(boundaries: Boundaries) -> bool:
    """Return whether the cuts are exactly the morpheme boundaries."""
    return boundaries.predicted == boundaries.gold
