"""Encode a text word by word, and decode ids; shared by all tokenizers.

A tokenizer splits one word. Here the tokens of a text's words are combined, and each token gets its
id and its span of the raw text.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Protocol

from tokenizers.errors import UserError
from tokenizers.text.pre_tokenizers import PreTokens
from tokenizers.text.symbols import METASPACE, Split, text_of_glyphs

UNK = "[UNK]"


@dataclass(frozen=True, slots=True)
class Encoding:
    """The tokens of a text, in order.

    `offsets` are the tokens' spans of the raw text, in characters; a token with only some of a
    character's bytes has the whole character's span. `pieces` are the tokens before unknown ones
    became `[UNK]`. `words` holds, for each token, the index of the pre-token that contains it.
    """

    tokens: tuple[str, ...]
    ids: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]
    pieces: tuple[str, ...]
    words: tuple[int, ...]

    def unknown(self) -> tuple[int, ...]:
        """Return the indices of the unknown tokens."""
        rows = enumerate(zip(self.tokens, self.pieces, strict=True))
        return tuple(n for n, (token, piece) in rows if token != piece)


class BaseSettings(Protocol):
    """The settings that encoding needs: see `bpe.Settings`."""

    @property
    def base(self) -> str: ...
    @property
    def end_mark(self) -> str: ...
    @property
    def unk(self) -> str | None: ...


class HasVocabulary(Protocol):
    """A model with a vocabulary: see `bpe.Model`."""

    @property
    def vocab(self) -> Mapping[str, int]: ...
    @property
    def settings(self) -> BaseSettings: ...


def encode_words(
    words: PreTokens,
    split: Callable[[str], Split | None],
    model: HasVocabulary,
    cache: bool = True,
    mark: str = "",
) -> Encoding:
    """Split every word of a text by `split`; with `cache`, each distinct word only once.

    A word for which `split` returns None becomes one `[UNK]`. Every piece of a word except the
    first starts with `mark`, which is not part of the text.
    """
    known: dict[str, list[tuple[str, str, int, int]]] = {}
    rows: list[tuple[str, int, tuple[int, int], str, int]] = []
    for index, (start, end) in enumerate(words.spans):
        word = words.aligned.text[start:end]
        if not cache or word not in known:
            known[word] = _pieces(word, split(word), model, mark)
        for token, piece, a, b in known[word]:
            rows.append(
                (token, model.vocab[token], words.aligned.span(start + a, start + b), piece, index)
            )
    return Encoding(*zip(*rows, strict=True)) if rows else Encoding((), (), (), (), ())


def _pieces(
    word: str, split: Split | None, model: HasVocabulary, mark: str
) -> list[tuple[str, str, int, int]]:
    """Return for each piece its token, the piece itself, and its start and end in `word`."""
    vocab, unk = model.vocab, model.settings.unk
    if split is None:
        return [(unk or UNK, word, 0, len(word))]
    spans = _spans(split, word, model.settings, mark)
    return [
        (piece if unk is None or piece in vocab else unk, piece, start, end)
        for piece, (start, end) in zip(split, spans, strict=True)
    ]


def _spans(
    pieces: Split, word: str, settings: BaseSettings, mark: str
) -> Iterator[tuple[int, int]]:
    """Yield the span of each piece in `word`."""
    lengths = [len(piece) - len(mark) * (n > 0) for n, piece in enumerate(pieces)]
    if settings.base == "bytes":
        characters = [i for i, character in enumerate(word) for _ in character.encode()]
        for start, end in _extents(lengths):
            yield characters[start], characters[end - 1] + 1
        return
    # A mark that was added before or after the word covers none of the word's characters.
    added = int(settings.base == "metaspace" and not word.startswith(METASPACE))
    for start, end in _extents(lengths):
        yield max(min(start, len(word)) - added, 0), min(end - added, len(word))


def _extents(lengths: Iterable[int]) -> Iterator[tuple[int, int]]:
    return pairwise(accumulate(lengths, initial=0))


def pieces_of(ids: Sequence[int], vocab: Mapping[str, int]) -> list[str]:
    """Return the pieces with these ids. Raises UserError for an id that no piece has."""
    piece_of = {id_: piece for piece, id_ in vocab.items()}
    unknown = [id_ for id_ in ids if id_ not in piece_of]
    if unknown:
        raise UserError(f"the vocabulary of {len(piece_of)} pieces has no id {unknown[0]}")
    return [piece_of[id_] for id_ in ids]


def decode(ids: Sequence[int], model: HasVocabulary) -> str:
    """Return the text of `ids`; with a base other than `bytes` or `metaspace`, spaces may be lost.

    Raises UserError for an id that is not in the vocabulary.
    """
    text = "".join(pieces_of(ids, model.vocab))
    settings = model.settings
    if settings.base == "bytes":
        return text_of_glyphs(text)
    if settings.base == "end_of_word":
        return text.replace(settings.end_mark, " ").removesuffix(" ")
    if settings.base == "metaspace":
        return text.replace(METASPACE, " ").removeprefix(" ")
    return text
