"""The segments of a text, and how the pieces of their words become one encoding.

A segment is an added token, or text with the words that a model splits.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from tokenizers.limits import LONG_TEXT, GrowthLimit, check_time
from tokenizers.runtime.added_tokens import AddedToken
from tokenizers.runtime.bounded_cache import BoundedCache
from tokenizers.runtime.components import (
    EMPTY_ENCODING,
    BatchModel,
    LoadedEncoding,
    Piece,
    PieceColumns,
    PreTokenizedText,
    RuntimeModel,
)
from tokenizers.text.alignment import ranges

MANY_WORDS = 1_000
"""The number of words from which arrays are worth their overhead, as for a `LONG_TEXT`."""
WORTH_BATCH = 1_000
"""The number of characters of new words from which a `BatchModel` splits them together faster."""


class Segment(NamedTuple):
    """A part of the text, either an added token or words that the model will split."""

    words: PreTokenizedText
    added: AddedToken | None = None


SegmentStep = Callable[[Segment], list[Segment]]
"""Turns one segment into one or more."""


def apply_step(text: str, segments: Iterable[Segment], change: SegmentStep) -> list[Segment]:
    """Apply a step to all segments of a text; raises UserError if they grow too much."""
    growth, found, size = GrowthLimit(len(text)), list[Segment](), 0
    for old in segments:
        for new in change(old):
            size += len(new.words.aligned.text)
            found.append(new)
        growth.check(size)
    if size > LONG_TEXT:
        check_time()
    return found


class WordCache(BoundedCache[Sequence[Piece]]):
    """Maps words to pieces, split on first access."""

    def __init__(self, model: RuntimeModel) -> None:
        super().__init__(model.cut)
        self._cut_many = model.batch_cutter() if isinstance(model, BatchModel) else None

    def add_many(self, words: Iterable[str]) -> None:
        """Split new words together if they are long enough for it."""
        if self._cut_many:
            new = [word for word in dict.fromkeys(words) if word not in self]
            if sum(map(len, new)) > WORTH_BATCH:
                for word, pieces in zip(new, self._cut_many(new).cuts(), strict=True):
                    self.add(word, pieces)

    def columns(self, words: Sequence[str]) -> PieceColumns:
        """Return the pieces of many distinct words; a `BatchModel` splits them together."""
        if self._cut_many:
            return self._cut_many(words)
        return PieceColumns.of([*map(self.__getitem__, words)])


def join(
    segments: Iterable[Segment], cache: WordCache, unk: str | None, source: int
) -> LoadedEncoding:
    """Split the words of all segments and combine their pieces into one encoding."""
    texts: list[str] = []  # of the words
    of_added: set[int] = set()  # indices of words that are added tokens
    columns: tuple[list[Any], ...] = ([], [], [], [], [], [])
    for cut, added in segments:
        words, first = cut.texts, len(texts)
        if added:
            of_added.update(range(first, first + len(words)))
            cuts = [(Piece(added.content, added.id, 0, len(word)),) for word in words]
            found = zip(*_rows(cut, cuts, first), strict=True)
        elif len(words) < MANY_WORDS and len(cut.aligned.text) < LONG_TEXT:
            cache.add_many(words)
            found = zip(*_rows(cut, map(cache.__getitem__, words), first), strict=True)
        else:
            found = _columns(cut, words, cache, first)
        for column, more in zip(columns, found, strict=False):  # none if there are no pieces
            column += more
        texts += words
    tokens, ids, firsts, lasts, offsets, numbers = columns
    if not tokens:
        return EMPTY_ENCODING
    pieces: list[str] = tokens
    has_unknown = unk is not None and unk in tokens
    if of_added or has_unknown:  # such tokens' pieces are the text they cover
        GrowthLimit(sum(map(len, texts))).check(sum(lasts) - sum(firsts))
        covers = [
            n
            for n, token in enumerate(tokens)
            if token == unk or (of_added and numbers[n] in of_added)
        ]
        pieces = tokens.copy()
        for n in covers:
            pieces[n] = texts[numbers[n]][firsts[n] : lasts[n]]
    sources = (source,) * len(tokens)
    return LoadedEncoding(
        tuple(tokens), tuple(ids), tuple(offsets), tuple(pieces), tuple(numbers), sources, sources
    )


def _rows(
    words: PreTokenizedText, cuts: Iterable[Sequence[Piece]], first: int
) -> list[tuple[str, int, int, int, tuple[int, int], int]]:
    """Return the token, id, span in the word, span of the raw text, and word of each piece.

    The words are numbered from `first`.
    """
    starts, ends = words.aligned.starts, words.aligned.ends
    return [
        (token, id_, a, b, (starts[begin + a], ends[begin + b - 1]), number)
        for number, ((begin, _), pieces) in enumerate(zip(words.spans, cuts, strict=True), first)
        for token, id_, a, b in pieces
    ]


def _columns(
    cut: PreTokenizedText, words: Sequence[str], cache: WordCache, first: int
) -> Iterable[list[Any]]:
    """Return the columns of `_rows`; arrays repeat what each of the distinct words has."""
    number_of: dict[str, int] = defaultdict(count().__next__)
    which = np.array([*map(number_of.__getitem__, words)], np.int64)
    *columns, sizes = cache.columns(list(number_of))
    repeated = ranges((np.cumsum(sizes) - sizes)[which], sizes[which])
    tokens, ids, firsts, lasts = [column[repeated] for column in columns]
    begins = np.repeat(np.array([begin for begin, _ in cut.spans], np.int64), sizes[which])
    offsets = cut.aligned.spans(begins + firsts, begins + lasts)
    numbers = np.repeat(np.arange(first, first + len(words)), sizes[which])
    return tokens.tolist(), ids.tolist(), firsts.tolist(), lasts.tolist(), offsets, numbers.tolist()
