"""Protocols of a loaded tokenizer's components, and the data that pass between them.

A text is normalized and split into words, and the model splits each word into pieces. A
post-processor adds tokens such as `<s>` around the result; a decoder turns tokens back into text.
Each kind of component has its own module; `LoadedTokenizer` (`tokenizer.py`) combines them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from tokenizers.limits import LONG_TEXT, MAX_COMPONENTS, GrowthLimit, check_at_most, check_time
from tokenizers.text.alignment import AlignedText
from tokenizers.text.encoding import Encoding


class Piece(NamedTuple):
    """A piece of one word, given as a token, its id, and its span in the word, in characters."""

    text: str
    id: int
    start: int
    end: int


new_piece = partial(tuple.__new__, Piece)  # pyright: ignore[reportUnknownMemberType]
"""Build a piece from a tuple of its four values, three times as fast as Piece(…)."""


class PieceColumns(NamedTuple):
    """The pieces of many words, with an array for each value of `Piece`.

    The pieces of word n are the next `sizes[n]`.
    """

    texts: np.ndarray
    ids: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    sizes: np.ndarray

    @classmethod
    def of(cls, cuts: Sequence[Sequence[Piece]]) -> "PieceColumns":
        """Return the pieces of each word in columns."""
        sizes = np.fromiter(map(len, cuts), np.int64, len(cuts))
        columns = list(zip(*chain.from_iterable(cuts), strict=True)) or [()] * 4
        kinds = (object, np.int64, np.int64, np.int64)
        texts, ids, starts, ends = map(np.array, columns, kinds)
        return cls(texts, ids, starts, ends, sizes)

    def cuts(self) -> list[list[Piece]]:
        """Return the pieces of each word."""
        pieces = [*map(new_piece, zip(*[column.tolist() for column in self[:-1]], strict=True))]
        bounds = np.append(0, np.cumsum(self.sizes)).tolist()
        return [pieces[begin:end] for begin, end in pairwise(bounds)]


class PreTokenizedText(NamedTuple):
    """A text and the spans of its words; text outside all spans has been removed."""

    aligned: AlignedText
    spans: Sequence[tuple[int, int]]

    @classmethod
    def whole(cls, aligned: AlignedText) -> "PreTokenizedText":
        """Return the text as one word; an empty text has no words."""
        return cls(aligned, [(0, len(aligned.text))] if aligned.text else [])

    @property
    def texts(self) -> list[str]:
        """The words as strings."""
        text = self.aligned.text
        return [text[start:end] for start, end in self.spans]


class Component(Protocol):
    """The base of all components. Each describes itself and its parameters in one sentence."""

    def describe(self) -> str: ...


class Normalizer(Component, Protocol):
    """Changes a text before it is split."""

    def __call__(self, aligned: AlignedText, /) -> AlignedText: ...


class PreTokenizer(Component, Protocol):
    """Splits words into smaller words; may also change characters, as `ByteLevel` does."""

    def __call__(self, words: PreTokenizedText, /) -> PreTokenizedText: ...


class RuntimeModel(Component, Protocol):
    """Splits one word into pieces. `unk` is the token for unknown characters or words, if any."""

    @property
    def vocab(self) -> Mapping[str, int]: ...
    @property
    def unk(self) -> str | None: ...
    def cut(self, word: str, /) -> Sequence[Piece]: ...


@dataclass(frozen=True, slots=True)
class LoadedEncoding(Encoding):
    """An encoding of one text or a pair, with the tokens that a post-processor adds.

    `types` contains the type ids. `sources` says which text each token's offsets refer to (0 or 1).
    It is -1 for a token that the post-processor added; the token's entry in `words` is -1 too.
    """

    types: tuple[int, ...] = ()
    sources: tuple[int, ...] = ()

    @classmethod
    def concatenate(cls, parts: "Iterable[LoadedEncoding]") -> "LoadedEncoding":
        """Join several encodings into one."""
        rows = [
            (one.tokens, one.ids, one.offsets, one.pieces, one.words, one.types, one.sources)
            for one in (EMPTY_ENCODING, *parts)
        ]
        return cls(*(tuple(chain.from_iterable(column)) for column in zip(*rows, strict=True)))

    @classmethod
    def special_token(cls, token: str, id_: int, type_: int = 0) -> "LoadedEncoding":
        """Return an encoding of one token that covers no text."""
        return cls((token,), (id_,), ((0, 0),), (token,), (-1,), (type_,), (-1,))


@runtime_checkable
class BatchModel(Protocol):
    """A model that splits many words faster together than one by one.

    The function that it returns may keep what words have in common. No word may be empty.
    """

    def batch_cutter(self) -> Callable[[Sequence[str]], PieceColumns]: ...


class PostProcessor(Component, Protocol):
    """Adds tokens around a text or a pair of texts, whose type ids are 0 and 1.

    It takes one encoding per text and returns the encodings to concatenate. Without
    `add_special_tokens` it only adjusts offsets and type ids.
    """

    def __call__(
        self, encodings: list[LoadedEncoding], add_special_tokens: bool, /
    ) -> list[LoadedEncoding]: ...


class Decoder(Component, Protocol):
    """Turns tokens into parts of a text."""

    def __call__(self, tokens: list[str], /) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class ComponentSequence:
    """Several components of one `kind`, applied in order, like `Sequence` in a `tokenizer.json`."""

    kind: str
    components: tuple[Callable[..., Any], ...]

    def __post_init__(self) -> None:
        check_at_most(count_components(self), MAX_COMPONENTS, f"{self.kind}, one after the other")

    def __call__(self, value: Any, /, *more: Any) -> Any:
        growth = GrowthLimit(_size(value))
        for part in self.components:
            value = part(value, *more)
            growth.check(size := _size(value))
            if size > LONG_TEXT:
                check_time()
        return value

    def describe(self) -> str:
        return f"Applies {len(self.components)} {self.kind}, one after the other."


def count_components(part: Any) -> int:
    """Return the number of components, counting each sequence and everything inside it."""
    return (
        1 + sum(map(count_components, part.components))
        if isinstance(part, ComponentSequence)
        else 1
    )


_SIZE_OF_ENCODING = 20


def _size(value: Any) -> int:
    """Return the size of a component's input or output, in characters or tokens."""
    if isinstance(value, AlignedText):
        return len(value.text)
    if isinstance(value, PreTokenizedText):
        return len(value.aligned.text)
    return sum(
        [len(one) if isinstance(one, str) else _SIZE_OF_ENCODING + len(one.ids) for one in value]
    )


EMPTY_ENCODING = LoadedEncoding((), (), (), (), ())
