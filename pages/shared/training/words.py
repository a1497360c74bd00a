"""Split a text into words as a tokenizer does, each with its span and its pieces.

The player steps through these words. A model that segments the whole text at once, as
SentencePiece's do, yields one very long word, which is divided before each space at which a piece
begins. This changes no piece. Tokens that a model adds around the text are not included.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import regex

from tokenizers.runtime.components import Piece, PreTokenizedText
from tokenizers.runtime.segments import Segment
from tokenizers.runtime.tokenizer import LoadedTokenizer, Special
from tokenizers.text.alignment import AlignedText

_BEGINS = regex.compile("(?<!▁)▁")  # SentencePiece's space, which begins a word


@dataclass(frozen=True, slots=True)
class TokenizedWord:
    """A word as the model gets it (`text`), its span in the raw text, and its pieces.

    The pieces' spans are positions in `text`. `is_added` is True for an added token.
    """

    text: str
    span: tuple[int, int]
    pieces: tuple[Piece, ...]
    is_added: bool = False


def words_of(
    loaded: LoadedTokenizer, text: str, special: Special = "control"
) -> list[TokenizedWord]:
    """Return a text's words; their pieces have the same ids as `LoadedTokenizer.encode` returns.

    Raises ValueError if `LoadedTokenizer.encode` does.
    """
    stages = loaded.stages(text, special)
    whole = (Segment(PreTokenizedText.whole(AlignedText.raw(text))),)
    cut = cache(loaded.model.cut)
    found: list[TokenizedWord] = []
    for (aligned, spans), added in stages[-1].segments if stages else whole:
        for start, end in spans:
            word, span = aligned.text[start:end], (aligned.starts[start], aligned.ends[end - 1])
            if added:
                piece = Piece(added.content, added.id, 0, end - start)
                found.append(TokenizedWord(word, span, (piece,), is_added=True))
            else:
                found += _divide_at_spaces(aligned.part(start, end), cut(word))
    return found


def _divide_at_spaces(aligned: AlignedText, pieces: Sequence[Piece]) -> Iterator[TokenizedWord]:
    """Divide a word before each space at which a piece begins and which no piece extends across."""
    starts = {match.start() for match in _BEGINS.finditer(aligned.text)} - {0}
    here: list[Piece] = []
    begin = reached = 0
    for piece in pieces:
        if piece.start in starts and piece.start >= reached and here:
            yield _word(aligned, begin, piece.start, here)
            begin, here = piece.start, []
        here.append(piece)
        reached = max(reached, piece.end)
    yield _word(aligned, begin, len(aligned.text), here)


def _word(aligned: AlignedText, begin: int, end: int, pieces: Sequence[Piece]) -> TokenizedWord:
    moved = [piece._replace(start=piece.start - begin, end=piece.end - begin) for piece in pieces]
    span = aligned.starts[begin], aligned.ends[end - 1]
    return TokenizedWord(aligned.text[begin:end], span, tuple(moved))
