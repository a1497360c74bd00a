"""WordLevel makes a word in the vocabulary one token; any other word is unknown."""

from collections.abc import Mapping
from dataclasses import dataclass

from tokenizers.errors import UserError
from tokenizers.runtime.components import Piece


@dataclass(frozen=True, slots=True)
class WordLevel:
    """A vocabulary of whole words."""

    vocab: Mapping[str, int]
    unk: str = "<unk>"

    def describe(self) -> str:
        return f"Looks each word up among {len(self.vocab):,} words; any other is “{self.unk}”."

    def cut(self, word: str) -> list[Piece]:
        """Return a word's single token; raises UserError if `unk` is needed but has no id."""
        token = word if word in self.vocab else self.unk
        if token not in self.vocab:
            raise UserError(f"“{word}” is not in the vocabulary, and neither is “{self.unk}”.")
        return [Piece(token, self.vocab[token], 0, len(word))]
