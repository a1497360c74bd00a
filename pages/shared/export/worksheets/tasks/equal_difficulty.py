"""Equally hard exercises are random variants of a task whose measured difficulty is the same.

Only letters of the same kind (vowels, or consonants, of one script) are exchanged, which keeps
words pronounceable; a task's numbers change too. This can change the difficulty, so every variant
is measured. The tasks are defined in `variants.py` and the `*_tasks.py` modules.
"""

import random
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import TypeVar

from tokenizers.errors import UserError

DRAWS = 400  # for one task
_VOWELS = frozenset("aeiou")

T = TypeVar("T")


def equally_hard(
    first: T,
    number: int,
    seed: int,
    draw: Callable[[random.Random, bool], T],
    measure: Callable[[T], object],
    advice: str,
) -> list[T]:
    """Return `number` equally hard tasks, the task `first` and then random ones.

    `draw` returns a random task; its second argument is True in the second half of the draws.
    The same seed gives the same tasks, and a larger number only adds tasks. Raises UserError if too
    few tasks are found; `advice` completes the message with a remedy.
    """
    found, wanted = [first], measure(first)
    for n in range(2, number + 1):
        rng = random.Random(f"{seed} {n}")
        for attempt in range(DRAWS):
            task = draw(rng, attempt >= DRAWS // 2)
            if task not in found and measure(task) == wanted:
                found.append(task)
                break
        else:
            have = f"{n - 1} different sheets" if n > 2 else "one sheet"
            raise UserError(
                f"These words give only {have} of the same difficulty. Ask for {n - 1:,}, or "
                f"{advice}."
            )
    return found


def letter_permutation(text: str, rng: random.Random) -> dict[int, str]:
    """Return a random permutation of a text's letters; upper case is permuted like lower case."""
    kinds = defaultdict[object, set[str]](set)
    for letter in filter(_has_one_form, text):
        kinds[_kind(letter.lower())].add(letter.lower())
    table: dict[int, str] = {}
    for letters in map(sorted, kinds.values()):
        for letter, other in zip(letters, rng.sample(letters, len(letters)), strict=True):
            table |= {ord(letter.upper()): other.upper(), ord(letter): other}
    return table


def _has_one_form(letter: str) -> bool:
    """Return whether a character is a letter with a one-to-one mapping between its cases."""
    small, large = letter.lower(), letter.upper()
    return letter.isalpha() and len(small) == len(large) == 1 and large.lower() == small


def _kind(letter: str) -> object:
    """Return a letter's kind; only letters of the same kind are exchanged."""
    script = unicodedata.name(letter, "").partition(" ")[0]
    return script, unicodedata.category(letter), letter in _VOWELS


def shuffled(values: Iterable[T], rng: random.Random) -> list[T]:
    """Return the values in random order."""
    listed = list(values)
    rng.shuffle(listed)
    return listed
