"""Draws texts, numbers and settings: some that make sense, many that do not.

The settings are dataclasses of the core. What a field can be is read from its type; which names a
field of text knows, from the sentence by which the settings refuse another one.
"""

from dataclasses import MISSING, fields
from functools import cache
from random import Random
from types import NoneType
from typing import Any, get_args, get_type_hints

from tests.parity.corpora import random_strings
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.encoding import UNK
from tokenizers.text.normalizers import NORMALIZERS
from tokenizers.text.pre_tokenizers import PRE_TOKENIZERS
from tokenizers.text.symbols import END_MARK
from tokenizers.unigram import UNK as LOW_UNK
from tokenizers.wordpiece import MARK

WORDS = (
    "low", "lower", "lowest", "newest", "aaaa", "abab", "Ünïcode", "漢字かな", "한국", "ไทย",
    "don't", "x", "no-no", "1,000", "😀👍🏽", "ﬁ", "İı", "<b>", "&amp;", "a,b", '"', "'",
)  # fmt: skip
SPECIAL = (
    "\t", "\n", "\r", "\r\n", "\u2028", "\u2029", "\x85", "\x0b", "\0", "\x1c", "\u3000", "\xa0",
    "\ud800", "\udfff", "e\u0301", "\u0301\u0323", "\u200d", "\ufeff", "\ufffd", "\U0010ffff",
    "▁", "▅", "Ġ", "⁇", MARK, END_MARK, UNK, LOW_UNK, "<s>", "</s>", "<0xC3>", "=", "+++", "```",
)  # fmt: skip
WHOLE = (1, 2, 3, 4, 5, 7, 10, 16, 20, 40, 100, 300, 1_000, 8_000)
WILD_WHOLE = (0, 0, -1, -(10**9), 10**5, 10**6, 2**31, 2**63, 10**30)
SHARES = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.9995, 1.0)
NUMBERS = (0.0, 1e-9, 0.01, 0.1, 0.5, 0.75, 0.9995, 1.0, 1.1, 2.0, 5.0)
WILD_NUMBERS = (-1.0, 1e-300, 1e300, float("inf"), float("-inf"), float("nan"), 1000.0)
LONGEST = 60  # characters of a text that is trained on
WILD = 0.015  # how often a value that makes no sense is drawn


def text(rng: Random, longest: int = LONGEST) -> str:
    """Draw a text: words and spaces, with something special in one of two."""
    if rng.random() < 0.15:
        return rng.choice(_strings())[:longest]
    few = rng.sample(WORDS, rng.randint(1, 6))
    parts = [rng.choice(few) for _ in range(rng.randint(0, 25))]
    for _ in range(rng.choice((0, 0, 1, 2, 5))):
        parts.insert(rng.randint(0, len(parts)), rng.choice(SPECIAL))
    if rng.random() < 0.9:  # half a character is refused, which ends most of what can be tried
        parts = [part for part in parts if not "\ud800" <= part[0] <= "\udfff"]
    return rng.choice((" ", " ", " ", "", "\n", "\t")).join(parts)[:longest]


@cache
def _strings() -> list[str]:
    return random_strings(500, seed=7)


def whole(rng: Random) -> int:
    """Draw a whole number."""
    return rng.choice(WILD_WHOLE if rng.random() < WILD else WHOLE)


def number(rng: Random) -> float:
    """Draw a number, sometimes one that is none."""
    if rng.random() < WILD:
        return rng.choice(WILD_NUMBERS)
    return rng.choice(SHARES if rng.random() < 0.7 else NUMBERS)


def pipeline(rng: Random) -> Pipeline:
    """Draw the stages before a model."""
    names = rng.sample(list(NORMALIZERS), rng.choice((0, 0, 1, 2, len(NORMALIZERS))))
    return Pipeline(tuple(names), rng.choice(list(PRE_TOKENIZERS)))


def counts(rng: Random) -> dict[str, int]:
    """Draw words with their counts."""
    drawn = {text(rng, 12): rng.choice((1, 1, 2, 3, 10, 10**9)) for _ in range(rng.randint(0, 8))}
    return {word: count for word, count in drawn.items() if word}


def corpus(rng: Random) -> Corpus:
    """Draw a corpus, of a text or of words with their counts."""
    if rng.random() < 0.3:
        return Corpus.from_counts(counts(rng), pipeline(rng))
    return Corpus.from_text(text(rng), pipeline(rng))


# --- Settings -------------------------------------------------------------------------------------


def settings(kind: type, rng: Random, **given: Any) -> Any:
    """Draw settings of a kind, few or all fields of them. Raises ValueError as they do."""
    share = rng.choice((0.1, 0.5, 1.0))
    return kind(**some_values(kind, rng, share) | given)


def some_values(kind: type, rng: Random, share: float) -> dict[str, Any]:
    """Draw values of about this share of the fields of a dataclass, and of those it must have."""
    return {
        field.name: value(kind, field.name, rng)
        for field in fields(kind)
        if field.init and (_is_required(field) or rng.random() < share)
    }


def value(kind: type, name: str, rng: Random) -> Any:
    """Draw a value for a field of a dataclass: mostly one that it takes."""
    needed = {field.name: 1 for field in fields(kind) if _is_required(field)}
    for _ in range(1 if rng.random() < WILD else 5):
        drawn = any_value(kind, name, rng)
        try:
            kind(**needed | {name: drawn})
        except ValueError:
            continue
        return drawn
    return any_value(kind, name, rng)


def any_value(kind: type, name: str, rng: Random) -> Any:
    """Draw a value of the field's type. Raises TypeError for a type that is new here."""
    hint = get_type_hints(kind)[name]
    if hint == tuple[str, ...]:
        return tuple(text(rng, 4) for _ in range(rng.choice((0, 1, 3))))
    if NoneType in get_args(hint) and rng.random() < 0.3:
        return None
    (hint,) = [one for one in get_args(hint) or (hint,) if one not in (NoneType, Ellipsis)]
    if hint is str and name in ("end_mark", "mark", "unk"):
        return rng.choice((MARK, END_MARK, UNK, "", "▁", "a", "\n", "\0", "ab"))
    if hint is str:
        known = names(kind, name)
        return rng.choice(known) if known and rng.random() > WILD else text(rng, 5)
    draw = {bool: lambda rng: rng.random() < 0.5, int: whole, float: number}.get(hint)
    if draw is None:
        raise TypeError(f"{kind.__name__}.{name} is of a type that is not drawn yet: {hint}")
    return draw(rng)


@cache
def names(kind: type, name: str) -> tuple[str, ...]:
    """Return the names that a field knows; none where any text will do."""
    needed = {field.name: 1 for field in fields(kind) if _is_required(field)}
    try:
        kind(**{**needed, name: "no name at all"})
    except ValueError as error:
        known = str(error).partition("one of ")[2].removesuffix(".")
        return tuple(known.split(", "))
    return ()


def _is_required(field: Any) -> bool:
    return field.init and field.default is MISSING and field.default_factory is MISSING


# --- Broken files ---------------------------------------------------------------------------------


def broken(good: str, rng: Random) -> str:
    """Return a text with a few stretches deleted, doubled, or written over."""
    for _ in range(rng.choice((0, 1, 1, 2, 4))):
        start = rng.randint(0, len(good))
        end = min(start + rng.choice((0, 1, 5, 40)), len(good))
        new = rng.choice((*SPECIAL, "", "0", "-1", "9" * 30, "[" * 30, "nan", good[start:end] * 2))
        good = good[:start] + new + good[end:]
    return good


def broken_bytes(good: bytes, rng: Random) -> bytes:
    """Return bytes with a few of them deleted or written over."""
    for _ in range(rng.choice((0, 1, 1, 4))):
        start = rng.randint(0, len(good))
        end = min(start + rng.choice((0, 1, 1, 8)), len(good))
        good = good[:start] + rng.randbytes(rng.choice((0, 1, 1, 8))) + good[end:]
    return good
