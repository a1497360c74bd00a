"""SentencePiece's models of words and of characters, which look every part of a text up.

Neither merges or weighs anything: a part that is not in the vocabulary is unknown. Adjacent unknown
parts are one token, as in SentencePiece's other models.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import regex

from tokenizers.runtime.components import Piece
from tokenizers.runtime.sentencepiece.pieces import NO_PIECE, SentencePieceModel
from tokenizers.runtime.token_index import TokenIndex
from tokenizers.text.symbols import METASPACE

_WORD = regex.compile(f"{METASPACE}[^{METASPACE}]*|[^{METASPACE}]+")


@dataclass(frozen=True)
class SentencePieceLookup(SentencePieceModel):
    """The base class of the two models.

    With `is_classic`, they run as in version 0.2.1, which also finds unused and control pieces.
    """

    is_classic: bool = False

    def _look_up(self, text: str, spans: Iterable[tuple[int, int]]) -> list[Piece]:
        ids = self.vocab if self.is_classic else self.vocabulary.usable
        unknown = ids.get(self.unk or "", NO_PIECE)
        found = ((start, end, ids.get(text[start:end], NO_PIECE)) for start, end in spans)
        cuts = ((a, b, NO_PIECE if id_ == unknown else id_) for a, b, id_ in found)
        return self.vocabulary.pieces(text, cuts)


@dataclass(frozen=True)
class SentencePieceWord(SentencePieceLookup):
    """One file's model of words, each of which begins with its `▁`."""

    def describe(self) -> str:
        return f"Looks each word up among {len(self.vocab):,} pieces; any other is unknown."

    def cut(self, word: str) -> list[Piece]:
        """Return the pieces of a whole normalized text."""
        return self._look_up(word, (match.span() for match in _WORD.finditer(word)))


@dataclass(frozen=True)
class SentencePieceChar(SentencePieceLookup):
    """One file's model of characters; user-defined pieces are matched first."""

    def describe(self) -> str:
        return (
            f"Makes each character a token: {len(self.vocab):,} pieces are known, any other is "
            "unknown."
        )

    @cached_property
    def _user_defined(self) -> TokenIndex:
        return TokenIndex(self.vocabulary.user_defined)

    def cut(self, word: str) -> list[Piece]:
        """Return the pieces of a whole normalized text."""
        longer, spans, start = dict(self._user_defined.spans(word)), list[tuple[int, int]](), 0
        while start < len(word):
            spans.append((start, longer.get(start, start + 1)))
            start = spans[-1][1]
        return self._look_up(word, spans)
