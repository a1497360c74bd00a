"""A cache of what a function returns for words, with a limit on its size."""

from collections.abc import Callable
from typing import TypeVar

MAX_CACHED = 400_000
"""The maximum total length of the words in a cache, in characters."""
T = TypeVar("T")


class BoundedCache(dict[str, T]):
    """Maps words to the results of a function, called on first access.

    It is cleared beyond `MAX_CACHED` characters.

    >>> lengths = BoundedCache(len)
    >>> lengths["word"], list(lengths)
    (4, ['word'])
    """

    def __init__(self, function: Callable[[str], T]) -> None:
        self._function, self._length = function, 0

    def __missing__(self, word: str) -> T:
        found = self._function(word)
        self.add(word, found)
        return found

    def add(self, word: str, result: T) -> None:
        """Keep the result for a word that is not in the cache."""
        self._length += len(word)
        if self._length > MAX_CACHED:
            self.clear()
            self._length = len(word)
        self[word] = result
