"""How many examples a law is tried on, relative to the profile at hand (see conftest.py)."""

from typing import Any

from hypothesis import settings

THOROUGH = 100
"""How many examples the thorough profile tries for a law that names no number."""
EXHAUSTIVE = 2_000
"""The same for the exhaustive profile, which takes an hour: for a new reader, or a release.

A law that names its number is tried as often as when thorough.
"""


def examples(most: int, **more: Any) -> settings:
    """Return settings to try a law on `most` examples when thorough, and on fewer when quick."""
    return settings(max_examples=share(most), **more)


def sample(most: int) -> int:
    """Return how many of `most` strings to hold against a library: all of them when exhaustive."""
    return max(1, most * settings().max_examples // EXHAUSTIVE)


def share(most: int) -> int:
    """Return `most` when thorough, and the share of it that the profile at hand tries."""
    return max(1, most * min(settings().max_examples, THOROUGH) // THOROUGH)
