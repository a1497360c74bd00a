"""A file's vocabulary and its unknown characters, which SentencePiece's two models share.

There are six kinds of pieces. Normal and user-defined pieces match in a text, user-defined pieces
before all others. An unused piece is never a result. Control pieces such as `<s>` never match. The
unknown piece and the byte pieces replace unknown characters.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import regex

from tokenizers.runtime.components import Piece, PieceColumns, PreTokenizedText, new_piece
from tokenizers.runtime.sentencepiece.model_file import (
    BYTE,
    NORMAL,
    UNKNOWN,
    UNUSED,
    USER_DEFINED,
    ModelFile,
)
from tokenizers.text.symbols import METASPACE
from tokenizers.unigram import BYTES

NO_PIECE = -1
"""What replaces the id for text that is not a piece."""

WORDS = regex.compile(f"{METASPACE}+[^{METASPACE}]*|[^{METASPACE}]+")
_CROSSING = regex.compile(f"[^{METASPACE}]{METASPACE}")


@dataclass(frozen=True, slots=True)
class SentencePieceWords:
    """Splits a normalized text before each `▁`; no piece may extend across such a border.

    The app shows this class's name.
    """

    def describe(self) -> str:
        return "Splits in front of each ▁: no piece of the vocabulary goes on behind it."

    def __call__(self, words: PreTokenizedText) -> PreTokenizedText:
        text = words.aligned.text
        spans = [
            match.span() for start, end in words.spans for match in WORDS.finditer(text, start, end)
        ]
        return PreTokenizedText(words.aligned, spans)


@dataclass(frozen=True)
class PieceVocabulary:
    """The pieces of a file by kind."""

    file: ModelFile

    @cached_property
    def ids(self) -> Mapping[str, int]:
        """All pieces with their ids."""
        return {piece: id_ for id_, piece in enumerate(self.file.pieces)}

    @cached_property
    def scores(self) -> dict[str, float]:
        """The scores of normal pieces."""
        file = self.file
        rows = zip(file.pieces, file.scores, file.kinds, strict=True)
        return {piece: score for piece, score, kind in rows if kind == NORMAL}

    @cached_property
    def user_defined(self) -> Mapping[str, int]:
        """The user-defined pieces with their ids."""
        return self.file.of_kind(USER_DEFINED)

    @cached_property
    def unused(self) -> Mapping[str, int]:
        """The pieces that are never a result, with their ids."""
        return self.file.of_kind(UNUSED)

    @cached_property
    def unk(self) -> str | None:
        """The piece for unknown characters, which may be missing if there is byte fallback."""
        return next(iter(self.file.of_kind(UNKNOWN)), None)

    @cached_property
    def bytes(self) -> tuple[Piece, ...]:
        """The 256 byte pieces, or () without byte fallback; their offsets are unused."""
        if not self.file.byte_fallback:
            return ()
        ids = self.file.of_kind(BYTE)
        return tuple(Piece(piece, ids[piece], 0, 0) for piece in BYTES)

    @cached_property
    def ends_with_words(self) -> bool:
        """Whether no piece extends beyond the end of a word, so that words can be split alone.

        A word begins with its `▁`. `▁` itself must be a piece, because otherwise unknown characters
        of two words could be adjacent.
        """
        pieces = [*self.scores, *self.user_defined, *self.unused]
        return METASPACE in self.scores and not any(map(_CROSSING.search, pieces))

    @cached_property
    def usable(self) -> Mapping[str, int]:
        """The pieces that match in a text, with their ids."""
        return self.file.of_kind(NORMAL, USER_DEFINED)

    def cut_at(self, text: str, bounds: Sequence[int]) -> list[Piece]:
        """Return the pieces of `text` split at `bounds`, which include both ends."""
        texts = [text[start:end] for start, end in pairwise(bounds)]
        return self._cut(text, texts, [self.usable.get(piece, NO_PIECE) for piece in texts], bounds)

    def columns(self, text: str, ids: np.ndarray, ends: np.ndarray) -> PieceColumns:
        """Return the pieces of `text` with these ids or `NO_PIECE`, which end at `ends`."""
        unknown = ids == NO_PIECE
        if unknown.any() and self.bytes:
            names, bounds = self._names[ids].tolist(), [0, *ends.tolist()]
            return PieceColumns.of([self._cut(text, names, ids.tolist(), bounds)])
        if unknown.any():  # side by side, they are one piece, which ends with the last
            kept = ~(unknown & np.append(unknown[1:], False))
            ids, ends = np.where(unknown, self.ids[self.unk or ""], ids)[kept], ends[kept]
        return PieceColumns(
            self._names[ids], ids, np.append(0, ends[:-1]), ends, np.array([len(ids)])
        )

    @cached_property
    def _names(self) -> np.ndarray:
        """The pieces by id; the last one, for `NO_PIECE`, is unused."""
        return np.array([*self.file.pieces, ""], object)

    def _cut(
        self, text: str, names: Sequence[str], ids: Sequence[int], bounds: Sequence[int]
    ) -> list[Piece]:
        rows = list(zip(names, ids, bounds, bounds[1:], strict=False))
        found: list[Piece] = []
        done = 0
        for first in [n for n, id_ in enumerate(ids) if id_ == NO_PIECE]:
            if first < done:
                continue  # it is part of the same unknown text
            found += map(new_piece, rows[done:first])
            done = first + 1
            while done < len(ids) and ids[done] == NO_PIECE:
                done += 1
            found += self.pieces(text, [(bounds[first], bounds[done], NO_PIECE)])
        found += map(new_piece, rows[done:])
        return found

    def pieces(self, text: str, cuts: Iterable[tuple[int, int, int]]) -> list[Piece]:
        """Return the pieces for spans of `text`, given as start, end, and an id or `NO_PIECE`.

        Adjacent unknown spans become one unknown piece or, with byte fallback, bytes with the
        offsets of their characters.
        """
        names, last = self.file.pieces, 0
        found: list[Piece] = []
        unk = self.ids[self.unk] if self.unk else NO_PIECE
        for start, end, id_ in cuts:
            if id_ != NO_PIECE:
                found.append(new_piece((names[id_], id_, start, end)))
            elif self.bytes:
                for place, letter in enumerate(text[start:end], start):
                    bytes_ = map(self.bytes.__getitem__, letter.encode())
                    found += [new_piece((name, id_, place, place + 1)) for name, id_, *_ in bytes_]
            elif found and last == NO_PIECE:
                found[-1] = found[-1]._replace(end=end)
            else:
                found.append(Piece(names[unk], unk, start, end))
            last = id_
        return found


@dataclass(frozen=True)
class SentencePieceModel:
    """The base class of SentencePiece's two models."""

    vocabulary: PieceVocabulary

    @property
    def vocab(self) -> Mapping[str, int]:
        """All pieces with their ids."""
        return self.vocabulary.ids

    @property
    def unk(self) -> str | None:
        """The piece for unknown characters, if there is one."""
        return self.vocabulary.unk
