"""Links from a published model's tokens to their words on the page Real tokenizers.

That page reads its text from the URL; of a text too long for a URL, it gets the part drawn.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pages.shared.limits import MAX_IN_URL
from pages.shared.training.published import PublishedTokenizer
from pages.shared.training.words import words_of
from tokenizers.measures.metrics import Span
from tokenizers.runtime.tokenizer import Special
from tokenizers.text.encoding import Encoding
from tokenizers.text.symbols import METASPACE


@dataclass(frozen=True, slots=True)
class TokenLinks:
    """A text, and for each row its model's name and the number of every token's word, from 1.

    The name is empty for a row without links; a token that stands for no text has the number 0.
    """

    text: str
    special: Special
    models: tuple[str, ...]
    words: tuple[tuple[int, ...], ...]


def link_tokens(
    text: str,
    shown: Span,
    rows: Sequence[tuple[PublishedTokenizer | None, Encoding | None]],
    run: Callable[..., tuple[int, ...]] | None = None,
) -> TokenLinks:
    """Return the links of each row's tokens; `shown` is the part of the text that is drawn.

    A row is a model and its encoding of the text. A visitor's own model has no encoding here, so
    `run` runs it in a worker (see pages/shared/work/results.py).
    """
    start, end = shown if len(text) > MAX_IN_URL else (0, len(text))
    part = text[start:end]
    specials: list[Special] = [model.special for model, _ in rows if model]
    return TokenLinks(
        part,
        specials[0] if specials else "control",
        tuple(model.name if model else "" for model, _ in rows),
        tuple(
            run(model, _words_encoded, text, part, start)
            if run and model and model.info
            else _word_numbers(part, start, model, found)
            for model, found in rows
        ),
    )


def _words_encoded(model: PublishedTokenizer, text: str, part: str, start: int) -> tuple[int, ...]:
    return _word_numbers(part, start, model, model.encode(text))


def _word_numbers(
    part: str, start: int, model: PublishedTokenizer | None, encoding: Encoding | None
) -> tuple[int, ...]:
    if not model or not encoding:
        return ()
    spans = encoding.offsets
    if not start and model.loaded.pre_tokenizer and METASPACE not in part:  # then words stay whole
        within = [first < last <= len(part) for first, last in spans]
        return tuple([n + 1 if i else 0 for n, i in zip(encoding.words, within, strict=True)])
    ends = [word.span[1] for word in words_of(model.loaded, part, model.special)]
    return tuple(
        bisect_right(ends, first - start) + 1 if start <= first < last <= start + len(part) else 0
        for first, last in spans
    )
