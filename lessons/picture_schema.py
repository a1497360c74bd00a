"""The schema of a lesson's picture, with the type of each key's value and numbers' bounds.

It covers every key, to keep invalid values out of the core. Which keys a kind of picture accepts,
and which names exist, is checked in `lessons/pictures/planning.py`.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import TypeGuard

from lessons.format.errors import LessonError
from lessons.format.reading import PictureSpec
from tokenizers import bpe, wordpiece
from tokenizers.unigram import settings as unigram_settings

LARGEST = 5_000  # merges or pieces that a lesson may ask for
LONGEST_MATERIAL = 20_000  # characters of a training text
LONGEST_NAME = 60
MOST_NAMES = 20

WHOLE: Mapping[str, tuple[int, int]] = {
    "num_merges": (0, LARGEST),
    "vocab_size": (0, LARGEST),
    "size": (0, LARGEST),
    "min_count": (0, 1_000_000),
    "max_token_length": (0, 10_000),
    "seed_size": (1, 1_000_000),
    "max_piece_length": (1, 1_000),
    "sub_iterations": (1, 20),
    "prunings": (1, 100),
    "max_rounds": (0, 1_000),
    "copies": (1, 20),
    "order": (0, 8),
    "keep": (0, LARGEST),
    "width": (1, 10_000),
    "height": (1, 10_000),
    "patch": (1, 1_000),
    "rate": (1, 1_000_000),
    "hop": (1, 100_000),
    "codebooks": (1, 64),
    "entries": (1, 1_000_000),
    "share": (0, 100),
    "together": (0, LARGEST),
    "chosen": (1, 8),
}
"""The (lowest, highest) value of each integer key. Unigram's bounds match its page."""
DECIMAL: Mapping[str, tuple[float, float]] = {
    "of": (1, 10**12),
    "character_coverage": (0.0001, 1),
    "shrinking_factor": (0.01, 1),
    "min_expected": (0, 10),
    "overshoot": (1, 5),
    "threshold": (0, 10),
}
"""The (lowest, highest) value of each key whose number may be a fraction."""
TEXTS = ("text", "encode", "material", "word", "bytes", "table")
LISTS = (
    "normalizers",
    "off",
    "kinds",
    "reserved",
    "models",
    "languages",
    "encoders",
    "without",
    "words",
    "add",
    "also",
)
NAMES = (
    "corpus",
    "vocabulary",
    "example",
    "model",
    "learned",
    "pre_tokenizer",
    "published",
    "special",
    "ids",
)
TABLES = {
    "counts": "{ low = 5, lower = 2 }",
    "prior": "{ 1 = 0.9, 3 = 0.1 }",
    "samples": "{ even = { low = 2, tide = 2 } }",
    "texts": '{ one = "colour", two = "color" }',
}
"""The keys whose value is a table, each with an example."""
_SETTINGS = {
    field.name: field.default
    for settings in (bpe.Settings, wordpiece.Settings, unigram_settings.Settings)
    for field in fields(settings)
}
SWITCHES = tuple(name for name, default in _SETTINGS.items() if isinstance(default, bool))
CHOICES = tuple(name for name, default in _SETTINGS.items() if isinstance(default, str))


def check_values(picture: PictureSpec) -> None:
    """Raise LessonError for the first invalid value of a picture."""
    for key, value in picture.values.items():
        if wrong := _expected(key, value):
            raise LessonError(picture.line, f"In the picture {picture.name}, {key} is {wrong}.")


def _expected(key: str, value: object) -> str:
    """Return what the value should have been, as the end of a sentence; "" if it is valid."""
    if key in WHOLE or key in DECIMAL:
        low, high = WHOLE.get(key) or DECIMAL[key]
        fits = is_number(value, is_whole=key in WHOLE) and low <= value <= high
        return "" if fits else f"a number from {low:,} to {high:,}"
    if key in TEXTS:
        fits = isinstance(value, str) and len(value) <= LONGEST_MATERIAL
        return "" if fits else f"a text of at most {LONGEST_MATERIAL:,} characters, in quotes"
    if key in LISTS:
        fits = isinstance(value, list) and len(value) <= MOST_NAMES and all(map(_is_name, value))
        return "" if fits else f"a list of at most {MOST_NAMES} names"
    if key in SWITCHES:
        return "" if isinstance(value, bool) else "true or false"
    if key in NAMES or key in CHOICES:
        return "" if _is_name(value) else f"a text of at most {LONGEST_NAME} characters, in quotes"
    if key in TABLES:
        return "" if isinstance(value, dict) else f"a table. Write: {key} = {TABLES[key]}"
    return ""


def is_number(value: object, is_whole: bool = False) -> TypeGuard[float]:
    """Return whether a TOML value is a number; unlike in Python, a boolean is not."""
    return isinstance(value, int if is_whole else (int, float)) and not isinstance(value, bool)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_NAME
