"""WordPiece with a file's vocabulary takes the longest matching piece at each position."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from tokenizers.errors import UserError
from tokenizers.runtime.components import Piece
from tokenizers.wordpiece.matching import Match, match_ends, match_steps


@dataclass(frozen=True)
class WordPiece:
    """A vocabulary to match with; `mark` precedes every piece but the first of a word.

    A word of more than `max_word_length` characters, or without a split, becomes one `unk`.
    """

    vocab: Mapping[str, int]
    unk: str = "[UNK]"
    mark: str = "##"
    max_word_length: int = 100

    def describe(self) -> str:
        count = len(self.vocab) - (self.unk in self.vocab)  # that one is never matched
        return (
            f"WordPiece: takes the longest of {count:,} pieces that fits; pieces inside "
            f"a word begin with “{self.mark}”."
        )

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.vocab), default=0)

    def cut(self, word: str) -> list[Piece]:
        """Return a word's pieces; raises UserError if `unk` is needed but not in the vocabulary."""
        vocab, length = self.vocab, len(word)
        if length > self.max_word_length:
            return [self._unknown(word)]
        if word and (id_ := vocab.get(word)) is not None:  # most words: nothing longer can match
            return [Piece(word, id_, 0, length)]
        pieces: list[Piece] = []
        start, mark = 0, ""
        for end in match_ends(word, vocab, self.mark, self._longest):
            piece = mark + word[start:end]
            pieces.append(Piece(piece, vocab[piece], start, end))
            start, mark = end, self.mark
        return pieces if start == length else [self._unknown(word)]

    def _unknown(self, word: str) -> Piece:
        if self.unk not in self.vocab:
            raise UserError(f"The vocabulary has no piece for the unknown token “{self.unk}”.")
        return Piece(self.unk, self.vocab[self.unk], 0, len(word))

    def steps(self, word: str) -> Iterator[Match]:
        """Yield a word's matches with the rejected candidates; nothing if the word is too long."""
        if len(word) > self.max_word_length:
            return iter(())
        return match_steps(word, self.vocab, self.mark)
