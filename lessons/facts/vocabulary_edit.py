"""The record of a text cut by BPE, and again after the vocabulary was changed.

There is only position 0. The rows are `old` and `new`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lessons.facts.base import TextFacts
from lessons.format.errors import LessonLookupError, entry
from lessons.format.words import Text, Tokens, in_row
from tokenizers.merging.state import Pair


@dataclass(frozen=True, slots=True)
class Side:
    """One vocabulary, with the ids of its pieces, and what it makes of the text."""

    title: str
    vocab: Mapping[str, int]
    tokens: Tokens
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class VocabularyEditFacts(TextFacts):
    """Both sides; `read` are the old ids read by the new vocabulary, None if it lacks one of them.

    `taken` are the pieces that were to go, `made` says of which pair a piece was first merged.
    """

    rows: Mapping[str, Side]
    read: Tokens | None
    taken: Tokens
    made: Mapping[str, Pair]

    def tokens(self) -> Tokens:
        """Return the pieces of both sides."""
        return tuple(dict.fromkeys(piece for side in self.rows.values() for piece in side.vocab))

    def row(self, name: object) -> Side:
        """Return a side. Raises LessonLookupError."""
        return entry(self.rows, name, "there is no row called")

    @property
    def gone(self) -> Tokens:
        """The pieces that only the old vocabulary has."""
        return tuple([one for one in self.rows["old"].vocab if one not in self.rows["new"].vocab])

    def field_split(self, at: int, argument: str) -> Text:
        """`{split:new}`: the tokens of the text."""
        return in_row(self.row(argument).tokens)

    def field_tokens(self, at: int, argument: str) -> Text:
        """`{tokens:new}`: how many tokens the text has."""
        return (f"{len(self.row(argument).tokens):,}",)

    def field_ids(self, at: int, argument: str) -> Text:
        """`{ids:new}`: their ids."""
        return (", ".join(map(str, self.row(argument).ids)),)

    def field_vocabulary(self, at: int, argument: str) -> Text:
        """`{vocabulary:new}`: how many pieces there are."""
        return (f"{len(self.row(argument).vocab):,}",)

    def field_id(self, at: int, argument: str) -> Text:
        """`{id:new est}`: the id of a piece."""
        name, _, piece = argument.partition(" ")
        vocab = self.row(name).vocab
        if piece not in vocab:
            raise LessonLookupError(f"The vocabulary of the row {name} has no piece “{piece}”.")
        return (f"{vocab[piece]}",)

    def field_gone(self, at: int, argument: str) -> Text:
        """How many pieces only the old vocabulary has."""
        return (f"{len(self.gone):,}",)

    def field_made(self, at: int, argument: str) -> Text:
        """`{made:est}`: the pair that a piece was merged from."""
        return in_row(entry(self.made, argument, "no merge makes"))

    def field_read(self, at: int, argument: str) -> Text:
        """The old ids, read by the new vocabulary."""
        if self.read is None:
            raise LessonLookupError("The new vocabulary has no piece for one of the old ids.")
        return in_row(self.read)
