"""Training texts from the passages: one for each language, of the same meaning or of chosen shares.

Every passage is cut in two at the same place: the first four sentences are for training, the rest
is for measuring.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import regex

from lessons.texts import LANGUAGES, Passage
from tokenizers import bpe
from tokenizers.experiments.research.parity import Burden, ParityCorpora, ParityRun
from tokenizers.text.corpus import Corpus, Pipeline

TRAINING_SENTENCES = 4
TRAINING_CHARS = 12_000  # of a training text; a tenth of them has room for any language's sentences
PASSAGES: Mapping[str, Passage] = {passage.code: passage for passage in LANGUAGES}

_SENTENCE = regex.compile(r".+?(?:[.।。]\s*|$)")
_SECOND_PART = {"th": "เด็กชายคนหนึ่ง"}  # start of the fifth sentence: Thai has no full stop


@dataclass(frozen=True, slots=True)
class Halves:
    """A passage in two: the sentences to train on, and those to measure."""

    training: str
    unseen: str


@cache
def halves(passage: Passage) -> Halves:
    """Split a passage after its fourth sentence, which is the same place in every language."""
    begins = _SECOND_PART.get(passage.code)
    if begins:
        at = passage.text.index(begins)
    else:
        at = sum(map(len, _SENTENCE.findall(passage.text)[:TRAINING_SENTENCES]))
    return Halves(passage.text[:at].strip(), passage.text[at:].strip())


def repeated(text: str, length: int) -> str:
    """Return the text over and over, cut to a length in characters.

    >>> repeated("low tide", 12)
    'low tide low'
    """
    return (f"{text} " * (length // (len(text) + 1) + 1))[:length]


def training_texts(parts: Mapping[str, float]) -> dict[str, str]:
    """Return a training text for each language, which has its part of `TRAINING_CHARS`."""
    return {
        code: repeated(halves(PASSAGES[code]).training, round(part * TRAINING_CHARS))
        for code, part in parts.items()
    }


def equal_shares(codes: Sequence[str]) -> dict[str, float]:
    """Return the same part of a text for every language."""
    return dict.fromkeys(codes, 1 / len(codes))


def byte_premium(passage: Passage) -> float:
    """Return how many UTF-8 bytes the whole passage needs for each byte of the English one."""
    return len(passage.text.encode()) / len(PASSAGES["en"].text.encode())


def parity_corpora(
    parts: Mapping[str, float], count_words: Callable[[str], Corpus]
) -> ParityCorpora:
    """Return the training text of each language, and its training sentences as parallel text.

    The sentences to measure have no part in it.
    """
    return ParityCorpora(
        {code: count_words(text) for code, text in training_texts(parts).items()},
        {code: count_words(halves(PASSAGES[code]).training) for code in parts},
    )


@dataclass(frozen=True, slots=True)
class RuleComparison:
    """What the unseen sentences cost where the most frequent pair is merged, and by parity."""

    usual: Burden
    parity: Burden
    run: ParityRun


@cache
def compare_rules(
    languages: tuple[str, ...], share: int, num_merges: int, together: int = 0
) -> RuleComparison:
    """Train byte-level BPE by both rules on a mix of languages.

    `share` percent of the text are not in the first language, the same of each other one. In the
    run by parity, the first `together` merges are the most frequent pairs.
    """
    first, *others = languages
    parts = {first: 1 - share / 100} | dict.fromkeys(others, share / 100 / len(others))
    pipeline = Pipeline((), "gpt2")
    corpora = parity_corpora(parts, lambda text: Corpus.from_text(text, pipeline))
    settings = bpe.Settings("bytes", num_merges=num_merges)
    by_frequency = ParityRun.record(corpora, settings, num_merges)
    run = ParityRun.record(corpora, settings, together)
    usual, parity = (
        Burden(
            {
                code: len(one.model.encode(halves(PASSAGES[code]).unseen).tokens)
                for code in languages
            }
        )
        for one in (by_frequency, run)
    )
    return RuleComparison(usual, parity, run)
