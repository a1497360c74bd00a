"""Tasks to be done by hand that are equally hard: drawn by chance, measured, and kept if alike.

Letters of the same kind (vowels, or consonants, of one script) change places, so that words can
still be said; the numbers of a task change, too. How hard the task is does not follow from that, so
every draw is measured. Left out: what a task is, and what makes it hard (variants.py and beside).
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
    """Return so many tasks that are equally hard: the one that is given, then other ones.

    `draw` gives another by chance; in the second half of the draws it is told that it is late.
    The same seed gives the same tasks, and a larger number only more of them. Raises Refusal, in a
    sentence, where there are not as many; `advice` says what else would help.
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
    """Return for each letter of a text the one that takes its place; capitals go with the small."""
    kinds = defaultdict[object, set[str]](set)
    for letter in filter(_has_one_form, text):
        kinds[_kind(letter.lower())].add(letter.lower())
    places: dict[int, str] = {}
    for letters in map(sorted, kinds.values()):
        for letter, other in zip(letters, rng.sample(letters, len(letters)), strict=True):
            places |= {ord(letter.upper()): other.upper(), ord(letter): other}
    return places


def _has_one_form(letter: str) -> bool:
    """Tell whether a character is a letter that can be written small and large, there and back."""
    small, large = letter.lower(), letter.upper()
    return letter.isalpha() and len(small) == len(large) == 1 and large.lower() == small


def _kind(letter: str) -> object:
    """Return what two letters must share to change places, so that words can still be said."""
    script = unicodedata.name(letter, "").partition(" ")[0]
    return script, unicodedata.category(letter), letter in _VOWELS


def shuffled(values: Iterable[T], rng: random.Random) -> list[T]:
    """Return values in an order by chance."""
    listed = list(values)
    rng.shuffle(listed)
    return listed
