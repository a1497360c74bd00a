"""What is asked of each part of a tokenizer that was read from a file, and what goes through them.

A text is normalized, cut into words, each word into pieces by the model; a post-processor puts
tokens such as `<s>` around the whole, a decoder makes text of tokens again. Left out: the parts
themselves, each in a module of its own, and `Loaded`, which joins them (`tokenizer.py`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, Protocol

from tokenizers.limits import LONG_TEXT, MAX_COMPONENTS, GrowthLimit, check_at_most, check_time
from tokenizers.text.alignment import AlignedText
from tokenizers.text.encoding import Encoding


class Piece(NamedTuple):
    """A piece of one word: a token, its id and which characters of the word it stands for."""

    text: str
    id: int
    start: int
    end: int


new_piece = partial(tuple.__new__, Piece)  # pyright: ignore[reportUnknownMemberType]
"""Makes a piece of its four values in a third of the time that Piece(…) takes."""


class PreTokenizedText(NamedTuple):
    """A text and the spans in it that are words; what lies in no span has been removed."""

    aligned: AlignedText
    spans: Sequence[tuple[int, int]]

    @classmethod
    def whole(cls, aligned: AlignedText) -> "PreTokenizedText":
        """Return the text as one word; an empty text has none."""
        return cls(aligned, [(0, len(aligned.text))] if aligned.text else [])

    @property
    def texts(self) -> list[str]:
        """The words themselves."""
        text = self.aligned.text
        return [text[start:end] for start, end in self.spans]


class Component(Protocol):
    """What every part can do: say in one sentence what it does, parameters included."""

    def describe(self) -> str: ...


class Normalizer(Component, Protocol):
    """Changes a text before it is cut."""

    def __call__(self, aligned: AlignedText, /) -> AlignedText: ...


class PreTokenizer(Component, Protocol):
    """Cuts words into smaller words; it may change their characters too, as `ByteLevel` does."""

    def __call__(self, words: PreTokenizedText, /) -> PreTokenizedText: ...


class RuntimeModel(Component, Protocol):
    """Cuts one word into pieces. `unk` is the token of what is not in the vocabulary, if any."""

    @property
    def vocab(self) -> Mapping[str, int]: ...
    @property
    def unk(self) -> str | None: ...
    def cut(self, word: str, /) -> Sequence[Piece]: ...


@dataclass(frozen=True, slots=True)
class LoadedEncoding(Encoding):
    """An encoding that may hold two texts and the tokens put around them.

    `types` are the type ids; `sources` says of each token which text its offsets are places of: 0
    or 1, and -1 for a token that the post-processor has put in. Such a token has the word -1.
    """

    types: tuple[int, ...] = ()
    sources: tuple[int, ...] = ()

    @classmethod
    def concatenate(cls, parts: "Iterable[LoadedEncoding]") -> "LoadedEncoding":
        """Return several encodings, one behind the other."""
        rows = [
            (one.tokens, one.ids, one.offsets, one.pieces, one.words, one.types, one.sources)
            for one in (EMPTY_ENCODING, *parts)
        ]
        return cls(*(tuple(chain.from_iterable(column)) for column in zip(*rows, strict=True)))

    @classmethod
    def special_token(cls, token: str, id_: int, type_: int = 0) -> "LoadedEncoding":
        """Return one token that stands for nothing in any text."""
        return cls((token,), (id_,), ((0, 0),), (token,), (-1,), (type_,), (-1,))


class PostProcessor(Component, Protocol):
    """Puts tokens around a text or a pair of texts, whose types are 0 and 1.

    It takes one encoding for each text and returns what is to be joined. Without
    `add_special_tokens` it only moves places and sets types.
    """

    def __call__(
        self, encodings: list[LoadedEncoding], add_special_tokens: bool, /
    ) -> list[LoadedEncoding]: ...


class Decoder(Component, Protocol):
    """Makes the stretches of a text from tokens."""

    def __call__(self, tokens: list[str], /) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class ComponentSequence:
    """Several parts of one kind, each working on what the one before it returned."""

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
    """Return of how many parts one is made, a sequence counting as one more."""
    return (
        1 + sum(map(count_components, part.components))
        if isinstance(part, ComponentSequence)
        else 1
    )


_SIZE_OF_ENCODING = 20


def _size(value: Any) -> int:
    """Return how much a part was given or has made: characters, or tokens."""
    if isinstance(value, AlignedText):
        return len(value.text)
    if isinstance(value, PreTokenizedText):
        return len(value.aligned.text)
    return sum(
        [len(one) if isinstance(one, str) else _SIZE_OF_ENCODING + len(one.ids) for one in value]
    )


EMPTY_ENCODING = LoadedEncoding((), (), (), (), ())
