"""BPE with a file's merges splits a word into symbols, which are merged by rank.

`BPE.cut` works on ids, for speed; `BPE.symbols` and `BPE.steps` do the same with strings, step by
step. All parameters of the model `BPE` in Hugging Face's `tokenizer.json` are supported.
"""

import random
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, chain, pairwise
from math import inf
from typing import Any

from tokenizers.bpe import Dropout, MergeStep, merge_steps
from tokenizers.bpe.by_rank import NEVER, merge_by_rank
from tokenizers.errors import UserError
from tokenizers.limits import GrowthLimit
from tokenizers.merging.state import Pair
from tokenizers.runtime.components import Piece, new_piece
from tokenizers.text.symbols import Split
from tokenizers.unigram import BYTES

SHORT_WORD = 32
"""The number of symbols up to which scanning all ranks before each merge is faster than a heap."""

_PIECE_OF_BYTE = tuple(BYTES)
_QUOTED = 100  # characters of a piece in an error
_END = -inf  # whatever is added to it is no pair's number


class Ranks(Mapping[Pair, int]):
    """The rank of each merge. A pair is stored as one number, so 200,000 pairs take 15 MB.

    If a pair is repeated, the later rank counts. Raises UserError if the vocabulary lacks a merge's
    parts or the piece that it makes.
    """

    def __init__(self, vocab: Mapping[str, int], pairs: Iterable[Pair], mark: str = "") -> None:
        self.vocab, self.size = vocab, max(vocab.values(), default=0) + 1
        self.made = array("q")
        """The id of the piece that each merge makes, by rank."""
        self.by_number: dict[int, int] = {}
        """Maps a * size + b to the rank of the pair with the ids a and b."""
        cut, size, by_number, made = len(mark), self.size, self.by_number, self.made
        for rank, (first, second) in enumerate(pairs):
            try:
                by_number[vocab[first] * size + vocab[second]] = rank
                made.append(vocab[first + second[cut:]])
            except KeyError as missing:
                raise UserError(
                    f"merge {rank:,} joins “{first[:_QUOTED]}” and “{second[:_QUOTED]}”, but the "
                    f"vocabulary has no {str(missing)[:_QUOTED]}"
                ) from missing

    def __getitem__(self, pair: Pair) -> int:
        return self.by_number[self.vocab[pair[0]] * self.size + self.vocab[pair[1]]]

    def get(self, pair: Any, default: Any = None) -> Any:
        first, second = (self.vocab.get(symbol) for symbol in pair) if pair else (None, None)
        if first is None or second is None:
            return default
        return self.by_number.get(first * self.size + second, default)

    def __iter__(self) -> Iterator[Pair]:
        token = {id_: piece for piece, id_ in self.vocab.items()}
        for number in self.by_number:
            yield token[number // self.size], token[number % self.size]

    def __len__(self) -> int:
        return len(self.by_number)

    def merge(self, ids: Sequence[int]) -> tuple[list[int], list[int]]:
        """Merge a word's symbols; return the index of each piece's first symbol, and its id.

        The lowest rank comes first, then the leftmost position, as in `bpe.merge_steps`.
        """
        return self._merge_long(ids) if len(ids) > SHORT_WORD else self._merge_short(ids)

    def _merge_short(self, ids: Sequence[int]) -> tuple[list[int], list[int]]:
        """Merge by scanning all ranks before each merge, in O(n²) time with a small constant."""
        size, rank_of, made = self.size, self.by_number.get, self.made
        ids, starts = list(ids), list(range(len(ids)))
        ranks = [rank_of(a * size + b, NEVER) for a, b in pairwise(ids)]
        while ranks and (rank := min(ranks)) < NEVER:
            i = ranks.index(rank)
            ids[i] = new = made[rank]
            del ids[i + 1], starts[i + 1], ranks[i]
            if i < len(ranks):
                ranks[i] = rank_of(new * size + ids[i + 1], NEVER)
            if i:
                ranks[i - 1] = rank_of(ids[i - 1] * size + new, NEVER)
        return starts, ids

    def _merge_long(self, ids: Sequence[int]) -> tuple[list[int], list[int]]:
        """Merge with a heap of candidates, in O(n log n) time."""
        size, made = self.size, self.made
        firsts: list[Any] = [*(id_ * size for id_ in ids), _END]
        seconds: list[Any] = [*ids, _END]

        def join(rank: int, i: int, right: list[int]) -> tuple[int, int]:
            new = made[rank]
            return new * size, new

        merge_by_rank(firsts, seconds, self.by_number.get, join=join)
        starts = [i for i, id_ in enumerate(seconds) if id_ != _END]
        return starts, [seconds[i] for i in starts]


@dataclass(frozen=True)
class BPE:
    """A vocabulary with the ranks of its merges.

    * `unk`: the token for an unknown character; without `unk`, unknown characters are dropped.
      `fuse_unk` makes one token of adjacent unknown characters.
    * `byte_fallback`: an unknown character becomes pieces like `<0xC3>` if the vocabulary has them.
    * `prefix` precedes every symbol but the first of a word, `suffix` follows the last.
    * `ignore_merges`: a word that is in the vocabulary as a whole is not split.
    * `dropout`: the probability of skipping a merge that the file asks for. `cut` ignores it; pass
      a `Dropout` to `steps`.
    """

    vocab: Mapping[str, int]
    ranks: Ranks = field(repr=False)
    unk: str | None = None
    prefix: str = ""
    suffix: str = ""
    fuse_unk: bool = False
    byte_fallback: bool = False
    ignore_merges: bool = False
    dropout: float | None = None

    def describe(self) -> str:
        more = [
            self.ignore_merges and "a word that is a piece as a whole is not cut",
            self.byte_fallback and "an unknown character becomes its bytes",
        ]
        suffix = "".join(f"; {part}" for part in more if part)
        return (
            f"BPE: merges symbols by rank ({len(self.vocab):,} pieces, {len(self.ranks):,} merges)"
            f"{suffix}."
        )

    @cached_property
    def _token(self) -> dict[int, str]:
        return {id_: piece for piece, id_ in self.vocab.items()}

    def cut(self, word: str) -> list[Piece]:
        """Return a word's pieces; raises UserError if `unk` is needed but not in the vocabulary.

        As in the library, offsets count the bytes of the symbols in order, so a dropped character
        shifts the offsets of all symbols after it.
        """
        if self.ignore_merges and (id_ := self.vocab.get(word)) is not None:
            return [Piece(word, id_, 0, len(word))]
        if self.prefix or self.suffix:
            return self._cut_unusual(word)
        ids = list(map(self.vocab.get, word))
        if None not in ids:  # so all are numbers, which pyright does not see
            return self._pieces(ids, range(len(word)))  # pyright: ignore[reportArgumentType]
        many = [self._ids_of[character] for character in word]
        if None in many:
            return self._cut_unusual(word)
        characters = [n for n, ids in enumerate(many) for _ in ids or ()]
        return self._pieces([id_ for ids in many for id_ in ids or ()], characters)

    @cached_property
    def _ids_of(self) -> "_IdsOf":
        return _IdsOf(self)

    def _pieces(self, ids: list[int], characters: Sequence[int]) -> list[Piece]:
        """Merge symbols; `characters` has the index of the character that each belongs to."""
        starts, ids = self.ranks.merge(ids)
        ends = [characters[end - 1] + 1 for end in chain(starts[1:], (len(characters),))]
        places, tokens = map(characters.__getitem__, starts), map(self._token.__getitem__, ids)
        return list(map(new_piece, zip(tokens, ids, places, ends, strict=True)))

    def _cut_unusual(self, word: str) -> list[Piece]:
        """Split a word with marks or unknown characters, where symbols differ from characters."""
        symbols, growth = list[tuple[str, int]](), GrowthLimit(len(word))
        for symbol in self._symbols(word):
            symbols.append(symbol)
            growth.check(len(symbols))
        if not symbols:
            return []
        characters = [n for n, character in enumerate(word) for _ in character.encode()]
        places = list(accumulate((length for _, length in symbols), initial=0))
        # The bytes of an unknown character's mark are counted although the word lacks them.
        characters += [len(word) - 1] * (places[-1] - len(characters))
        starts, ids = self.ranks.merge([self.vocab[symbol] for symbol, _ in symbols])
        return [
            Piece(self._token[id_], id_, characters[places[start]], characters[places[end] - 1] + 1)
            for id_, start, end in zip(ids, starts, (*starts[1:], len(symbols)), strict=True)
        ]

    def symbols(self, word: str) -> Split:
        """Return a word's symbols before the first merge, as pieces of the vocabulary."""
        return tuple([symbol for symbol, _ in self._symbols(word)])

    def can_spell(self, word: str) -> bool:
        """Return whether the vocabulary can spell every character, so that none is unknown."""
        return all(symbol in self.vocab or self.bytes_of(symbol) for symbol in self._marked(word))

    def _marked(self, word: str) -> Iterator[str]:
        """Yield the characters of a word with their prefix and suffix marks."""
        last = len(word) - 1
        for n, character in enumerate(word):
            yield (self.prefix if n else "") + character + (self.suffix if n == last else "")

    def _symbols(self, word: str) -> Iterator[tuple[str, int]]:
        """Yield each symbol and the number of the word's bytes that it covers.

        Byte pieces do not end a run of unknown characters; the run's token comes after them.
        """
        unknown = 0  # bytes of the run of unknown characters
        for character, symbol in zip(word, self._marked(word), strict=True):
            length = len(character.encode())
            if symbol in self.vocab:
                if unknown:
                    yield self._unknown(), unknown
                    unknown = 0
                yield symbol, length
            elif bytes_ := self.bytes_of(symbol):
                yield from ((byte, 1) for byte in bytes_)
            elif self.unk is not None:
                if unknown and not self.fuse_unk:
                    yield self._unknown(), unknown
                    unknown = 0
                unknown += length
        if unknown:
            yield self._unknown(), unknown

    def bytes_of(self, symbol: str) -> list[str]:
        """Return the byte pieces of a symbol; [] without byte fallback or if a piece is missing."""
        if not self.byte_fallback:
            return []
        bytes_ = [_PIECE_OF_BYTE[byte] for byte in symbol.encode()]
        return bytes_ if all(byte in self.vocab for byte in bytes_) else []

    def _unknown(self) -> str:
        if self.unk is None or self.unk not in self.vocab:
            raise UserError(f"The vocabulary has no piece for the unknown token “{self.unk}”.")
        return self.unk

    def steps(
        self, word: str, dropout: Dropout | None = None, rng: random.Random | None = None
    ) -> list[MergeStep]:
        """Return the merges that split a word, in order; none if the word is not split at all."""
        if self.ignore_merges and word in self.vocab and not dropout:
            return []
        return merge_steps(self.symbols(word), self.ranks, dropout, rng, self.prefix)


class _IdsOf(dict[str, "tuple[int, ...] | None"]):
    """Caches each character's id, or its bytes' ids; None if the vocabulary has neither."""

    def __init__(self, model: BPE) -> None:
        self._model = model

    def __missing__(self, character: str) -> tuple[int, ...] | None:
        vocab = self._model.vocab
        symbols = [character] if character in vocab else self._model.bytes_of(character)
        self[character] = found = tuple([vocab[symbol] for symbol in symbols]) or None
        return found
