"""Finds any of many given strings in a text, leftmost and then longest first.

The strings are sorted, and each knows the longest other one that it begins with. The longest that
begins at a place is then the last one that is not sorted behind the text there, or the first of
those that this one begins with, the longest first: one binary search, where a regular expression
of all strings would be compiled for seconds and tried one by one.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from tokenizers.limits import CHARACTERS_PER_TIME_CHECK, check_time

_FAR, _FARTHEST = "\U00010000", "\U0010ffff"
"""From the first of these on, `re` looks through a class one by one: it gets all of them."""


class TokenIndex:
    """Some strings to look for; the empty one is left out."""

    def __init__(self, contents: Iterable[str]) -> None:
        self._sorted = sorted({content for content in contents if content})
        self._longest = max(map(len, self._sorted), default=0)
        self._beginnings = _longest_prefixes(self._sorted)
        self.start_pattern = self._class(0)
        """A pattern, as `re` writes it, that matches one character where one may begin."""
        if self._sorted and min(map(len, self._sorted)) > 1:
            self.start_pattern += f"(?={self._class(1)})"
        self._search = re.compile(self.start_pattern).search

    def _class(self, place: int) -> str:
        letters = {content[place] for content in self._sorted}
        near = sorted(letter for letter in letters if letter < _FAR)
        far = f"{_FAR}-{_FARTHEST}" if len(near) < len(letters) else ""
        return f"[{''.join(map(re.escape, near))}{far}]" if letters else "(?!)"

    def longest_end(self, text: str, start: int) -> int:
        """Return where the longest that begins at `start` ends, 0 if none does."""
        ordered = self._sorted
        at = bisect_right(ordered, text[start : start + self._longest]) - 1
        while at >= 0:
            if text.startswith(ordered[at], start):
                return start + len(ordered[at])
            at = self._beginnings[at]
        return 0

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where they stand in a text; one that overlaps with the one before is passed by."""
        at = looked = 0
        while match := self._search(text, at):
            start = match.start()
            if end := self.longest_end(text, start):
                yield start, end
            at = end or start + 1
            if not (looked := looked + 1) % CHARACTERS_PER_TIME_CHECK:
                check_time()


def _longest_prefixes(ordered: list[str]) -> list[int]:
    """Return of each string where the longest other one is that it begins with, -1 if none is."""
    found: list[int] = []
    open_: list[int] = []  # each begins with the one before
    for at, content in enumerate(ordered):
        while open_ and not content.startswith(ordered[open_[-1]]):
            open_.pop()
        found.append(open_[-1] if open_ else -1)
        open_.append(at)
    return found
