"""Unigram with a file's log probabilities, as Hugging Face's library reads them.

`tokenizers.unigram` finds the best segmentation; `Unigram.lattice` shows all segmentations.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from tokenizers import unigram
from tokenizers.errors import UserError
from tokenizers.lattice import Lattice, Path
from tokenizers.lattice.n_best import segmentations
from tokenizers.runtime.components import Piece
from tokenizers.unigram.viterbi import best_starts

_PIECE_OF_BYTE = tuple(unigram.BYTES)


@dataclass(frozen=True)
class Unigram:
    """A vocabulary with log probabilities in nats; every entry can match in a text.

    Without `unk`, an unknown character is an error. With `unk`, `byte_fallback` turns a run of
    unknown characters into pieces such as `<0xC3>`, each with the offsets of the whole run.
    """

    vocab: Mapping[str, int]
    log_probs: Mapping[str, float]
    unk: str | None = None
    byte_fallback: bool = False

    def describe(self) -> str:
        more = "; unknown characters become bytes" if self.byte_fallback else ""
        return (
            f"Unigram: finds the most probable way to cut, with {len(self.vocab):,} pieces{more}."
        )

    @cached_property
    def core(self) -> unigram.Model:
        """The model as a `unigram.Model`."""
        # Without an unknown token, the empty string replaces it: it never matches as a piece.
        vocab = self.vocab if self.unk else {**self.vocab, "": -1}
        return unigram.Model(vocab, self.log_probs, self.unk or "", convention="hugging_face")

    def lattice(self, word: str) -> Lattice:
        """Return all segmentations of a word."""
        return self.core.lattice(word)

    def best_paths(self, lattice: Lattice, n: int) -> list[Path]:
        """Return the `n` best paths, best first; the library itself offers no such list."""
        return list(islice(segmentations(lattice), n))

    def cut(self, word: str) -> list[Piece]:
        """Return the pieces of a word.

        Without `unk`, raises UserError if a character that is no piece by itself ends the best path
        up to some place. Like the library, it does so even with byte fallback, and even if the best
        path of the whole word then covers the character with a longer piece.
        """
        vocab, known = self.vocab, self.core.pieces
        if self.unk is None:
            self._refuse_unknown(word)
        pieces: list[Piece] = []
        start = 0
        for piece in unigram.split_word(word, self.core):
            end = start + len(piece)
            if piece in known:
                pieces.append(Piece(piece, vocab[piece], start, end))
            else:
                pieces += self._unknown(piece, start, end)
            start = end
        return pieces

    def _refuse_unknown(self, word: str) -> None:
        known = self.core.pieces
        if all(map(known.__contains__, word)):
            return
        for place, start in enumerate(best_starts(word, self.core)[1:]):
            if start == place and (unknown := word[start]) not in known:
                raise UserError(
                    f"“{unknown}” is not in the vocabulary, and there is no unknown token."
                )

    def _unknown(self, text: str, start: int, end: int) -> Iterator[Piece]:
        assert self.unk is not None  # otherwise `cut` has raised
        bytes_ = [_PIECE_OF_BYTE[byte] for byte in text.encode()] if self.byte_fallback else []
        if bytes_ and all(byte in self.vocab for byte in bytes_):
            yield from (Piece(byte, self.vocab[byte], start, end) for byte in bytes_)
        else:
            yield Piece(self.unk, self.vocab[self.unk], start, end)
