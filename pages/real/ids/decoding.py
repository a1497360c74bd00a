"""What ids spell, and whether the text that they spell gives the same ids again.

A text has one split that its tokenizer makes, and many others that decode to it: ids that a model
has written, or that a person has put together, may be one of these. This module runs in a worker
for a visitor's own tokenizer, so it must not import Streamlit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from pages.real.splitting import SplitText
from pages.shared.drawing.phrasing import count_of
from pages.shared.training.published import PublishedTokenizer
from pages.shared.training.words import TokenizedWord
from tokenizers.runtime.components import LoadedEncoding, Piece
from tokenizers.runtime.inspection.chunking import tokens_around
from tokenizers.runtime.spelling import Speller
from tokenizers.runtime.streaming import INCOMPLETE, StreamStep, decode_stream
from tokenizers.runtime.tokenizer import LoadedTokenizer

MAX_STREAMED = 1_000
"""Ids that are decoded one by one; more take long if many of them complete no character."""
CONTEXT = 3
"""Tokens shown before and after those in which two splits differ."""
MAX_SHOWN = 60
"""Tokens of a difference that are shown."""


class ShownSplit(NamedTuple):
    """Tokens in their display form, and their ids; `new` are the indices of those that differ.

    `hidden` more tokens are not shown.
    """

    tokens: list[str]
    ids: list[int]
    new: list[int]
    hidden: int


@dataclass(frozen=True, slots=True)
class IdDifference:
    """Two splits of a text around the tokens in which they differ, which begin at token `first`.

    `given` is that of the ids, and `own` the tokenizer's own.
    """

    first: int
    given: "ShownSplit"
    own: "ShownSplit"


@dataclass(frozen=True, slots=True)
class DecodedIds:
    """The tokens of ids, their text, and a `verdict` on the ids that this text gives.

    `split` has each token as a word, to choose it. `steps` are those of a stream of the first
    `MAX_STREAMED` ids. `left_out` are special tokens, which are not in the text.
    """

    split: SplitText
    text: str
    left_out: tuple[str, ...]
    verdict: str
    difference: IdDifference | None
    steps: tuple[StreamStep, ...]

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids, as they were given."""
        return self.split.encoding.ids

    @property
    def shown(self) -> list[str]:
        """The display form of each token."""
        forms = self.split.display_forms
        return [forms[token] for token in self.split.encoding.tokens]


@lru_cache(4)
def decode_ids(model: PublishedTokenizer, ids: tuple[int, ...]) -> DecodedIds:
    """Return what ids spell to a published tokenizer; raises UserError as `decode_with` does."""
    return decode_with(model.loaded, ids)


def decode_with(loaded: LoadedTokenizer, ids: tuple[int, ...]) -> DecodedIds:
    """Return what ids spell. Raises UserError for an id that the vocabulary does not have."""
    tokens = tuple(map(loaded.token_of, ids))
    text = loaded.decode(ids)
    own = _own_split(loaded, ids, text)
    forms = dict.fromkeys((*tokens, *own.tokens))
    display_form = Speller(loaded).display_form
    split = _as_words(tokens, ids, {token: display_form(token) for token in forms})
    difference = None if own.ids == ids else _difference(split, own)
    return DecodedIds(
        split,
        text,
        tuple([token for token in tokens if token in loaded.specials]),
        _verdict(loaded, ids, own, text),
        difference,
        tuple(decode_stream(loaded, ids[:MAX_STREAMED])),
    )


def _as_words(
    tokens: Sequence[str], ids: tuple[int, ...], display_forms: dict[str, str]
) -> SplitText:
    """Return tokens as a split in which each is a word."""
    nowhere, size = ((0, 0),) * len(ids), len(ids)
    encoding = LoadedEncoding(
        tuple(tokens), ids, nowhere, tuple(tokens), tuple(range(size)), (0,) * size, (0,) * size
    )
    words = [
        TokenizedWord(token, (0, 0), (Piece(token, id_, 0, len(token)),))
        for token, id_ in zip(tokens, ids, strict=True)
    ]
    return SplitText(encoding, words, display_forms)


def _own_split(loaded: LoadedTokenizer, ids: tuple[int, ...], text: str) -> LoadedEncoding:
    """Return the text's own tokens, with those around it if the ids have them, too.

    Special tokens inside a text are found if they are written in it.
    """
    with_specials = loaded.decode(ids, skip_special_tokens=False)
    candidates = [
        loaded.encode(text),
        loaded.encode(text, add_special_tokens=False),
        loaded.encode(with_specials, add_special_tokens=False),
    ]
    return max(candidates, key=lambda own: (own.ids == ids, _in_common(ids, own.ids)))


def _in_common(ids: Sequence[int], own: Sequence[int]) -> int:
    first = _same_at_start(ids, own)
    return first + _same_at_start(ids[first:][::-1], own[first:][::-1])


def _same_at_start(ids: Sequence[int], own: Sequence[int]) -> int:
    pairs = zip(ids, own, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _difference(split: SplitText, own: LoadedEncoding) -> IdDifference:
    ids = split.encoding.ids
    first = _same_at_start(ids, own.ids)
    last = _same_at_start(ids[first:][::-1], own.ids[first:][::-1])

    def shown(tokens: Sequence[str], ids: Sequence[int]) -> ShownSplit:
        start, end = max(first - CONTEXT, 0), min(len(ids) - last + CONTEXT, len(ids))
        here = slice(start, min(end, start + MAX_SHOWN))
        forms = [split.display_forms[token] for token in tokens[here]]
        new = [n for n in range(len(forms)) if first <= start + n < len(ids) - last]
        return ShownSplit(forms, list(ids[here]), new, end - start - len(forms))

    return IdDifference(first, shown(split.encoding.tokens, ids), shown(own.tokens, own.ids))


def _verdict(loaded: LoadedTokenizer, ids: tuple[int, ...], own: LoadedEncoding, text: str) -> str:
    """Return a sentence on whether the text gives these ids."""
    around = [id_ for some in tokens_around(loaded) for id_ in some]
    if own.ids == ids:
        names = ", ".join(loaded.token_of(id_) for id_ in around)
        if not around or ids == loaded.encode(text).ids:
            return "Round trip: the text gives these ids again."
        return f"Round trip: the text gives these ids again, without the {names} around it."
    if INCOMPLETE in text:
        return (
            "No text gives these ids: they hold bytes that are not a whole character, for which "
            f"{INCOMPLETE} stands here."
        )
    return (
        f"The text gives other ids: {count_of(len(own.ids), 'token')} in place of "
        f"{len(ids):,}. A model may write both; the tokenizer splits it one way. “Ids” shows where."
    )
