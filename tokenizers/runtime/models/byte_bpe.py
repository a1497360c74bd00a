"""BPE over bytes as in tiktoken, where two neighbours merge if their concatenation is a piece.

Merges are not stored as pairs. A merge's rank is the id of the piece that it makes, whichever two
halves it joins, and a word that is a piece as a whole is never split. The pair that must have made
a piece can be reconstructed. For BPE with a list of pairs, see `bpe`.
"""

from codecs import charmap_build, charmap_decode, charmap_encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate, chain, pairwise
from typing import Any

import numpy as np

from tokenizers.bpe import MergeStep, merge_steps
from tokenizers.bpe.by_rank import FEW, NEVER, merge_by_rank, merge_few
from tokenizers.merging.state import Pair
from tokenizers.runtime.bounded_cache import BoundedCache
from tokenizers.runtime.components import Piece, PieceColumns, new_piece
from tokenizers.runtime.models.crossings import ByteCrossings
from tokenizers.text.symbols import BYTE_OF_GLYPH, GLYPH_OF_BYTE, Split

_END = "\n"  # not a glyph
_GLYPHS = "".join([GLYPH_OF_BYTE[byte] for byte in range(256)])
_BYTES = charmap_build(_GLYPHS)
_BEGINS_CHARACTER = bytes([byte & 0xC0 != 0x80 for byte in range(256)])


def glyphs_of(data: bytes) -> str:
    """Write bytes as GPT-2's glyphs.

    >>> glyphs_of(" é".encode())
    'ĠÃ©'
    """
    return charmap_decode(data, "strict", _GLYPHS)[0]  # pyright: ignore[reportArgumentType]


def begins_character(data: bytes) -> np.ndarray:
    """Return, for each byte of UTF-8, whether a character begins with it."""
    return np.frombuffer(data.translate(_BEGINS_CHARACTER), bool)


def bytes_of(glyphs: str) -> bytes:
    """Return the bytes of GPT-2's glyphs; raises KeyError if a character is not a glyph."""
    return bytes([BYTE_OF_GLYPH[glyph] for glyph in glyphs])


@dataclass(frozen=True)
class ByteBPE:
    """A vocabulary of byte strings, written as glyphs; it must contain every single byte."""

    vocab: Mapping[str, int]
    unk: str | None = None

    def describe(self) -> str:
        return (
            f"Starts from the bytes of a word and merges, of all neighbours that spell one of its "
            f"{len(self.vocab):,} pieces, those whose piece has the lowest rank. A word that is a "
            f"piece as a whole stays whole."
        )

    def cut(self, word: str) -> Sequence[Piece]:
        """Return the pieces of a word."""
        glyphs = glyphs_of(word.encode())
        whole = self.vocab.get(glyphs)
        if whole is not None:
            return (new_piece((glyphs, whole, 0, len(word))),)
        return self._pieces(word, _merge(glyphs, self.vocab))

    def batch_cutter(self) -> Callable[[Sequence[str]], PieceColumns]:
        """Return a function that splits many words as `cut` does, and keeps their merged parts."""
        merged = BoundedCache(partial(_merge_part, vocab=self.vocab))
        return lambda words: self._cut_many(words, merged)

    def _cut_many(self, words: Sequence[str], merged: Mapping[str, list[str]]) -> PieceColumns:
        """Return the pieces of words, each of which is cut where no piece extends across.

        What is on either side is merged alone, and `merged` has the result. A word that is a piece
        is not merged; such a word has no cut.
        """
        text, lengths = "".join(words), np.array([*map(len, words)], np.int64)
        glyphs, vocab = glyphs_of(data := text.encode()), self.vocab
        word_ends = np.cumsum(lengths)
        is_bound = np.zeros(len(text) + 1, bool)
        is_bound[0] = is_bound[word_ends] = True
        if not text.isascii():
            is_bound[self._crossings.cuts(text)] = True
        bounds = np.flatnonzero(is_bound)
        first_parts = np.searchsorted(bounds, word_ends - lengths)
        is_word = np.zeros(len(bounds) - 1, bool)
        is_word[first_parts] = np.diff(first_parts, append=len(bounds) - 1) == 1
        # The number of characters that begin before each byte, and before the end.
        begun = np.append(0, np.cumsum(begins_character(data)))
        bytes_before = np.append(np.flatnonzero(np.diff(begun)), len(data))
        parts = [glyphs[start:end] for start, end in pairwise(bytes_before[bounds].tolist())]
        splits = [
            (part,) if is_alone and part in vocab else merged[part]
            for part, is_alone in zip(parts, is_word.tolist(), strict=True)
        ]
        texts = [*chain.from_iterable(splits)]
        sizes = np.add.reduceat(np.array([*map(len, splits)], np.int64), first_parts)
        ends = np.cumsum(np.array([*map(len, texts)], np.int64))
        starts = np.append(0, ends)[:-1]
        before = np.repeat(word_ends - lengths, sizes)
        return PieceColumns(
            np.array(texts, object),
            np.array([*map(vocab.__getitem__, texts)], np.int64),
            begun[starts + 1] - 1 - before,
            begun[ends] - before,
            sizes,
        )

    @cached_property
    def _crossings(self) -> ByteCrossings:
        joined = charmap_encode("".join(self.vocab), "strict", _BYTES)[0]
        return ByteCrossings(joined, list(map(len, self.vocab)))

    def symbols(self, word: str) -> Split:
        """Return a word's symbols before the first merge, which are the glyphs of its bytes."""
        return tuple(glyphs_of(word.encode()))

    def steps(self, word: str) -> list[MergeStep]:
        """Return the merges that split a word, in order.

        There are none for a word that is a piece as a whole; `merge_steps` has merges even for it.
        """
        glyphs = glyphs_of(word.encode())
        return [] if glyphs in self.vocab else self.merge_steps(glyphs)

    def merge_steps(self, glyphs: str) -> list[MergeStep]:
        """Return the merges of a word given as glyphs, even if it is a piece as a whole."""
        return merge_steps(glyphs, self.merges)

    @property
    def merges(self) -> "ByteMerges":
        """The merges, with the reconstructed pair of each piece."""
        return ByteMerges(self.vocab)

    def _pieces(self, word: str, split: Sequence[str]) -> list[Piece]:
        """Return a split's pieces with their spans in the word, measured in characters."""
        starts = list(accumulate(map(len, split), initial=0))
        ends = starts[1:]
        if not word.isascii():
            # The number of characters that begin before each byte, and before the end.
            begun = list(accumulate(word.encode().translate(_BEGINS_CHARACTER), initial=0))
            starts = [begun[start + 1] - 1 for start in starts[:-1]]
            ends = map(begun.__getitem__, ends)
        ids = map(self.vocab.__getitem__, split)
        return list(map(new_piece, zip(split, ids, starts, ends, strict=False)))


@dataclass(frozen=True, slots=True)
class ByteMerges(Mapping[Pair, int]):
    """A mapping from every pair that spells a piece to the merge's rank.

    Iteration yields, for each piece, only the one pair that must have made the piece.
    """

    vocab: Mapping[str, int]

    def __getitem__(self, pair: Pair) -> int:
        return self.vocab["".join(pair)]

    def get(self, pair: Any, default: Any = None) -> Any:
        return default if None in pair else self.vocab.get("".join(pair), default)

    def __iter__(self) -> Iterator[Pair]:
        return filter(None, map(self.pair_of, sorted(self.vocab, key=self.vocab.__getitem__)))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def pair_of(self, piece: str) -> Pair | None:
        """Return the pair that must have made a piece, i.e. what merges of lower ranks leave of it.

        Return None for a single byte, and for a piece that lower ranks do not merge into two parts;
        such a piece only occurs as a whole word. Raises KeyError if `piece` is not a piece.
        """
        split = _merge(piece, self.vocab, below=self.vocab[piece])
        return (split[0], split[1]) if len(split) == 2 else None


def _merge_part(glyphs: str, vocab: Mapping[str, int]) -> list[str]:
    """Merge as `_merge` does, but see at once what becomes of most characters of three bytes.

    Whichever two of the three bytes of a piece merge first, what is left are its two halves.
    """
    is_piece = len(glyphs) == 3 and glyphs in vocab
    if is_piece and (glyphs[:2] in vocab or glyphs[1:] in vocab):
        return [glyphs]
    return _merge(glyphs, vocab)


def _merge(glyphs: str, vocab: Mapping[str, int], below: int = NEVER) -> list[str]:
    """Merge `glyphs` by ranks under `below`: the lowest first, then the leftmost."""
    if len(glyphs) <= FEW:
        parts = [*glyphs]
        merge_few(parts, vocab.get, below)
        return parts
    parts = [*glyphs, _END]
    merge_by_rank(parts, parts, vocab.get, below)
    return [part for part in parts if part != _END]
