"""Facts about a text encoded by BPE before and after an edit of the vocabulary.

There is only position 0. The rows are `old` and `new`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lessons.facts.base import TextFacts
from lessons.format.errors import LessonLookupError, entry
from lessons.format.words import RichText, Tokens, in_row
from tokenizers.merging.state import Pair


@dataclass(frozen=True, slots=True)
class VocabularyRow:
    """One vocabulary, and the tokens and ids of the text under it."""

    title: str
    vocab: Mapping[str, int]
    tokens: Tokens
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class VocabularyEditFacts(TextFacts):
    """Both vocabularies; `reread` is what the new one makes of the old ids, None if it lacks one.

    `removed` lists the pieces selected for removal; `made` maps a piece to the pair that makes it.
    """

    rows: Mapping[str, VocabularyRow]
    reread: Tokens | None
    removed: Tokens
    made: Mapping[str, Pair]

    def tokens(self) -> Tokens:
        """Return the pieces of both vocabularies."""
        return tuple(dict.fromkeys(piece for side in self.rows.values() for piece in side.vocab))

    def row(self, name: object) -> VocabularyRow:
        """Return the row called `name`. Raises LessonLookupError if there is none."""
        return entry(self.rows, name, "there is no row called")

    @property
    def gone(self) -> Tokens:
        """The pieces only in the old vocabulary."""
        return tuple([one for one in self.rows["old"].vocab if one not in self.rows["new"].vocab])

    def field_split(self, at: int, argument: str) -> RichText:
        """`{split:new}`: the tokens of the text."""
        return in_row(self.row(argument).tokens)

    def field_tokens(self, at: int, argument: str) -> RichText:
        """`{tokens:new}`: how many tokens the text has."""
        return (f"{len(self.row(argument).tokens):,}",)

    def field_ids(self, at: int, argument: str) -> RichText:
        """`{ids:new}`: the ids of the text's tokens."""
        return (", ".join(map(str, self.row(argument).ids)),)

    def field_vocabulary(self, at: int, argument: str) -> RichText:
        """`{vocabulary:new}`: how many pieces a vocabulary has."""
        return (f"{len(self.row(argument).vocab):,}",)

    def field_id(self, at: int, argument: str) -> RichText:
        """`{id:new est}`: the id of a piece."""
        name, _, piece = argument.partition(" ")
        vocab = self.row(name).vocab
        if piece not in vocab:
            raise LessonLookupError(f"The vocabulary of the row {name} has no piece “{piece}”.")
        return (f"{vocab[piece]}",)

    def field_gone(self, at: int, argument: str) -> RichText:
        """The number of pieces only in the old vocabulary."""
        return (f"{len(self.gone):,}",)

    def field_made(self, at: int, argument: str) -> RichText:
        """`{made:est}`: the pair that a piece was merged from."""
        return in_row(entry(self.made, argument, "no merge makes"))

    def field_read(self, at: int, argument: str) -> RichText:
        """The pieces that the new vocabulary has for the old ids."""
        if self.reread is None:
            raise LessonLookupError("The new vocabulary has no piece for one of the old ids.")
        return in_row(self.reread)
