"""How many examples a law is tried on, relative to the profile at hand (see conftest.py)."""

from typing import Any

from hypothesis import settings

THOROUGH = 100
"""How many examples the thorough profile tries for a law that names no number."""
EXHAUSTIVE = 2_000
"""The same for the exhaustive profile, which takes an hour: for a new reader, or a release.

A law that names its number is tried as often as when thorough.
"""
MOST_STRINGS = 10_000
"""The most strings that a tokenizer is held against its library on."""
_asked: list[int] = []


def ask_for(strings: int) -> None:
    """Hold so many strings of `MOST_STRINGS` against the libraries, whatever the profile."""
    _asked[:] = [strings]


def examples(most: int, **more: Any) -> settings:
    """Return settings to try a law on `most` examples when thorough, and on fewer when quick."""
    return settings(max_examples=share(most), **more)


def sample(most: int) -> int:
    """Return how many of `most` strings to hold against a library.

    All of them with `--strings 10000` and when exhaustive, otherwise the same share of each.
    """
    strings = _asked[0] if _asked else MOST_STRINGS * settings().max_examples // EXHAUSTIVE
    return max(1, most * strings // MOST_STRINGS)


def share(most: int) -> int:
    """Return `most` when thorough, and the share of it that the profile at hand tries."""
    return max(1, most * min(settings().max_examples, THOROUGH) // THOROUGH)
