"""BPE over bytes as tiktoken does it: two neighbours merge if what they spell together is a piece.

No merge has a pair of its own here. The rank of a merge is the id of the piece it makes, whichever
two halves make it, and a word that is a piece as a whole is never cut at all. Covers cutting a
word, the steps of it, and working out which pair must have made a piece. Leaves out cutting a text
into words, and BPE by pairs: see `bpe`.
"""

from codecs import charmap_decode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import accumulate, repeat
from operator import add

from tokenizers.bpe import AppliedMerge, merge_steps
from tokenizers.merging.state import Pair
from tokenizers.runtime.components import Piece, new_piece
from tokenizers.text.symbols import BYTE_OF_GLYPH, GLYPH_OF_BYTE, Split

_END = "\n"  # no glyph
_NEVER = 10**9  # no rank is as high
_GLYPHS = "".join([GLYPH_OF_BYTE[byte] for byte in range(256)])
_BEGINS_CHARACTER = bytes([byte & 0xC0 != 0x80 for byte in range(256)])


def glyphs_of(data: bytes) -> str:
    """Return bytes as the glyphs that GPT-2 gave them.

    >>> glyphs_of(" é".encode())
    'ĠÃ©'
    """
    return charmap_decode(data, "strict", _GLYPHS)[0]  # pyright: ignore[reportArgumentType]


def bytes_of(glyphs: str) -> bytes:
    """Return the bytes that glyphs stand for; KeyError if one stands for none."""
    return bytes([BYTE_OF_GLYPH[glyph] for glyph in glyphs])


@dataclass(frozen=True)
class ByteBPE:
    """A vocabulary of byte strings, written as glyphs; every single byte must be in it."""

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
            return (Piece(glyphs, whole, 0, len(word)),)
        return self._pieces(word, _merge(glyphs, self.vocab))

    def symbols(self, word: str) -> Split:
        """Return what a word is made of before the first merge: the glyphs of its bytes."""
        return tuple(glyphs_of(word.encode()))

    def steps(self, word: str) -> list[AppliedMerge]:
        """Return the merges that cut a word, in their order.

        There are none for a word that is a piece as a whole: see `spelled` for what merging alone
        would make of it.
        """
        glyphs = glyphs_of(word.encode())
        return [] if glyphs in self.vocab else self.merge_steps(glyphs)

    def merge_steps(self, glyphs: str) -> list[AppliedMerge]:
        """Return the merges of a word written in glyphs, even if it is a piece as a whole."""
        return list(merge_steps(glyphs, self.merges))

    @property
    def merges(self) -> "ByteMerges":
        """The merges, with the pair that must have made each piece."""
        return ByteMerges(self.vocab)

    def _pieces(self, word: str, split: Sequence[str]) -> list[Piece]:
        """Return the pieces of a split with their places in the word, in characters."""
        starts = list(accumulate(map(len, split), initial=0))
        ends = starts[1:]
        if not word.isascii():
            # How many characters have begun before each byte, and before the end.
            begun = list(accumulate(word.encode().translate(_BEGINS_CHARACTER), initial=0))
            starts = [begun[start + 1] - 1 for start in starts[:-1]]
            ends = map(begun.__getitem__, ends)
        ids = map(self.vocab.__getitem__, split)
        return list(map(new_piece, zip(split, ids, starts, ends, strict=False)))


@dataclass(frozen=True, slots=True)
class ByteMerges(Mapping[Pair, int]):
    """The rank of every pair that spells a piece, as merging looks it up.

    To iterate is to reconstruct: it yields, for each piece, the one pair that must have made it.
    """

    vocab: Mapping[str, int]

    def __getitem__(self, pair: Pair) -> int:
        return self.vocab["".join(pair)]

    def __iter__(self) -> Iterator[Pair]:
        return filter(None, map(self.pair_of, sorted(self.vocab, key=self.vocab.__getitem__)))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def pair_of(self, piece: str) -> Pair | None:
        """Return the pair that must have made a piece: what lower ranks alone merge it into.

        None for a single byte, and for a piece that lower ranks do not merge into two: that one
        only ever comes out as a whole word. KeyError for what is no piece.
        """
        split = _merge(piece, self.vocab, below=self.vocab[piece])
        return (split[0], split[1]) if len(split) == 2 else None


def _merge(glyphs: str, vocab: Mapping[str, int], below: int = _NEVER) -> list[str]:
    """Return what ranks under `below` merge `glyphs` into: the lowest first, then the leftmost.

    It does what `bpe.merge_steps` does, without a record. A candidate is one number, its rank times
    `size` and then its place; `best[i]` is the candidate of part i and the one after it. A part
    that a merge has swallowed is empty. At both ends stands a part that merges with nothing.
    """
    rank_of, n = vocab.get, len(glyphs)
    size = n + 1
    parts, left, right = [*glyphs, _END], [n, *range(n)], [*range(1, size), n]
    ranks = map(rank_of, map(add, glyphs, glyphs[1:]), repeat(below))
    best = [rank * size + i for i, rank in enumerate(ranks)]
    best += [none := below * size] * 2  # the last part and the end merge with nothing
    heap = [candidate for candidate in best if candidate < none]
    heapify(heap)
    while heap:
        candidate = heappop(heap)
        i = candidate % size
        if best[i] != candidate:
            continue  # a merge since has changed what is here
        j, before = right[i], left[i]
        right[i] = after = right[j]
        left[after] = i
        parts[i] = new = parts[i] + parts[j]
        parts[j], best[j] = "", none
        best[i] = candidate = rank_of(new + parts[after], below) * size + i
        if candidate < none:
            heappush(heap, candidate)
        best[before] = candidate = rank_of(parts[before] + new, below) * size + before
        if candidate < none:
            heappush(heap, candidate)
    return [part for part in parts if part][:-1]
