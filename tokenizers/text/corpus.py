"""A corpus: the words that a tokenizer is trained on, with their counts.

A `Pipeline` (normalizers, then one pre-tokenizer) turns a text into words; a `Corpus` is made from
a text or from a table of counts. Models add the special tokens, end-of-word marks and bytes.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, cast

from tokenizers.errors import UserError
from tokenizers.progress import CancelCheck, never_cancel
from tokenizers.text.normalizers import normalize
from tokenizers.text.pre_tokenizers import PRE_TOKENIZERS, PreTokens

MAX_SYMBOLS = 10**17
"""The maximum size of a corpus in characters, so that every sum over it fits in 64 bits."""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The stages before a model: text -> normalized text -> words.

    Raises UserError for an unknown normalizer or pre-tokenizer.

    >>> Pipeline(("lower",), "punctuation")("Don't!").words
    ('don', "'", 't', '!')
    """

    normalizers: tuple[str, ...] = ()
    pre_tokenizer: str = "spaces"

    def __post_init__(self) -> None:
        normalize("", self.normalizers)
        if self.pre_tokenizer not in PRE_TOKENIZERS:
            known = ", ".join(PRE_TOKENIZERS)
            raise UserError(
                f"There is no pre-tokenizer {self.pre_tokenizer!r}. Choose from: {known}."
            )

    def __call__(self, text: str, check_cancelled: CancelCheck = never_cancel) -> PreTokens:
        """Return the words of a text with their spans. Raises UserError for a lone surrogate."""
        _check_surrogates(text, "the text")
        return PRE_TOKENIZERS[self.pre_tokenizer](
            normalize(text, self.normalizers, check_cancelled)
        )

    def words(self, text: str) -> Iterator[str]:
        """Return the words of a text without their spans."""
        return iter(self(text).words)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Word counts in order of first occurrence, and the text and pipeline they came from."""

    word_counts: Mapping[str, int]
    text: str | None = None
    pipeline: Pipeline = Pipeline()

    @classmethod
    def from_text(
        cls, text: str, pipeline: Pipeline = Pipeline(), check_cancelled: CancelCheck = never_cancel
    ) -> "Corpus":
        """Count the words of a text; a text without words makes an empty corpus.

        `check_cancelled` is called before each normalizer, which may take a second for a million
        characters. Raises UserError for a lone surrogate.

        >>> Corpus.from_text("low lower low").word_counts
        {'low': 2, 'lower': 1}
        """
        return cls(dict(Counter(pipeline(text, check_cancelled).words)), text, pipeline)

    @classmethod
    def from_counts(
        cls,
        counts: Mapping[str, int] | Iterable[tuple[str, int]],
        pipeline: Pipeline = Pipeline(),
    ) -> "Corpus":
        """Make a corpus from words and counts; `pipeline` is used only for texts encoded later.

        A repeated word's counts are added up. Raises UserError if a word is empty, not a text or
        has a lone surrogate, and if a count is not a whole number from 1 up.

        >>> Corpus.from_counts([("low", 5), ("lower", 2), ("low", 1)]).word_counts
        {'low': 6, 'lower': 2}
        """
        rows = cast(Mapping[str, int], counts).items() if isinstance(counts, Mapping) else counts
        word_counts: dict[str, int] = {}
        for row, (given, count) in enumerate(rows, start=1):
            word = _checked_word(given, row)
            word_counts[word] = word_counts.get(word, 0) + _checked_count(count, word)
        if sum(len(word) * count for word, count in word_counts.items()) > MAX_SYMBOLS:
            raise UserError(
                f"The counts add up to more than {MAX_SYMBOLS:,} characters. "
                "Divide them all by the same number."
            )
        return cls(word_counts, None, pipeline)

    @property
    def num_words(self) -> int:
        """The number of words, counting repetitions."""
        return sum(self.word_counts.values())

    @property
    def num_distinct_words(self) -> int:
        """The number of distinct words."""
        return len(self.word_counts)


def _check_surrogates(text: str, where: str) -> None:
    """Raise UserError if the text has half of a UTF-16 pair, which no encoding can represent."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        column = error.start - text.rfind("\n", 0, error.start)
        raise UserError(
            f"Character {column} in line {line} of {where} is half a character (U+"
            f"{ord(text[error.start]):04X}, a lone surrogate). Delete it, or copy the text again."
        ) from None


def _checked_word(word: object, row: int) -> str:
    if not isinstance(word, str) or not word:
        raise UserError(f"Row {row}: {word!r} is not a word. Write a word or delete the row.")
    _check_surrogates(word, f"the word in row {row}")
    return word


def _checked_count(count: Any, word: str) -> int:
    if wrong := _count_problem(count):
        raise UserError(f"The count of “{word}” {wrong}. Write a whole number from 1 up.")
    return int(count)


def _count_problem(count: object) -> str:
    """Describe what is wrong with a count, as the end of a sentence; return "" if it is valid."""
    if count is None or (isinstance(count, str) and not count.strip()):
        return "is missing"
    if isinstance(count, bool) or not isinstance(count, Real):
        return f"is {count!r}, which is not a number"
    if count != count:  # NaN: how a table marks an empty cell
        return "is missing"
    if count in (math.inf, -math.inf):
        return "is infinite"
    if count % 1:
        return f"is {count}, a fraction"
    return f"is {count}" if count < 1 else ""
