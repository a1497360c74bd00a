"""WordPiece with a file's vocabulary takes the longest matching piece at each position."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from tokenizers.errors import UserError
from tokenizers.limits import CHARACTERS_PER_TIME_CHECK, check_time
from tokenizers.runtime.components import Piece
from tokenizers.wordpiece.matching import Match, match_steps


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
        return (
            f"WordPiece: takes the longest of {len(self.vocab):,} pieces that fits; pieces inside "
            f"a word begin with “{self.mark}”."
        )

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.vocab), default=0)

    def cut(self, word: str) -> list[Piece]:
        """Return a word's pieces; raises UserError if `unk` is needed but not in the vocabulary.

        This is equivalent to `steps`, but tries no candidates longer than the longest piece.
        """
        vocab, longest = self.vocab, self._longest
        pieces: list[Piece] = []
        start, mark, length = 0, "", len(word)
        if length > self.max_word_length:
            return [self._unknown(word)]
        while start < length:
            if length > CHARACTERS_PER_TIME_CHECK:
                check_time()
            for end in range(min(length, start + longest), start, -1):
                piece = mark + word[start:end]
                if piece in vocab:
                    break
            else:
                return [self._unknown(word)]
            pieces.append(Piece(piece, vocab[piece], start, end))
            start, mark = end, self.mark
        return pieces

    def _unknown(self, word: str) -> Piece:
        if self.unk not in self.vocab:
            raise UserError(f"The vocabulary has no piece for the unknown token “{self.unk}”.")
        return Piece(self.unk, self.vocab[self.unk], 0, len(word))

    def steps(self, word: str) -> Iterator[Match]:
        """Yield a word's matches with the rejected candidates; nothing if the word is too long."""
        if len(word) > self.max_word_length:
            return iter(())
        return match_steps(word, self.vocab, self.mark)
