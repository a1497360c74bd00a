"""Training texts from the passages: one for each language, of the same meaning or of chosen shares.

Every passage is cut in two at the same place: the first four sentences are for training, the rest
is for measuring.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import regex

from lessons.texts import LANGUAGES, Passage

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
