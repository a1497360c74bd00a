"""Find any of many given strings in a text; the leftmost, then the longest match comes first.

The strings are sorted, and each stores the index of its longest proper prefix among them. The
longest match at a position is the last string that is not sorted after the text there, or the first
match on that string's chain of prefixes, so one binary search suffices. A regular expression of all
strings would take seconds to compile, and would try the strings one by one.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from tokenizers.limits import CHARACTERS_PER_TIME_CHECK, check_time

_FAR, _FARTHEST = "\U00010000", "\U0010ffff"
"""For characters starting at `_FAR`, `re` would test each; so classes get the whole range."""


class TokenIndex:
    """The strings to find; an empty string is ignored."""

    def __init__(self, contents: Iterable[str]) -> None:
        self._sorted = sorted({content for content in contents if content})
        self._longest = max(map(len, self._sorted), default=0)
        self._beginnings = _longest_prefixes(self._sorted)
        self.start_pattern = self._class(0)
        """A pattern for `re` that matches the first character of a possible match."""
        if self._sorted and min(map(len, self._sorted)) > 1:
            self.start_pattern += f"(?={self._class(1)})"
        self._search = re.compile(self.start_pattern).search

    def _class(self, place: int) -> str:
        letters = {content[place] for content in self._sorted}
        near = sorted(letter for letter in letters if letter < _FAR)
        far = f"{_FAR}-{_FARTHEST}" if len(near) < len(letters) else ""
        return f"[{''.join(map(re.escape, near))}{far}]" if letters else "(?!)"

    def longest_end(self, text: str, start: int) -> int:
        """Return the end of the longest string that begins at `start`, or 0 if there is none."""
        ordered = self._sorted
        at = bisect_right(ordered, text[start : start + self._longest]) - 1
        while at >= 0:
            if text.startswith(ordered[at], start):
                return start + len(ordered[at])
            at = self._beginnings[at]
        return 0

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the spans of all matches in a text, without overlaps."""
        at = looked = 0
        while match := self._search(text, at):
            start = match.start()
            if end := self.longest_end(text, start):
                yield start, end
            at = end or start + 1
            if not (looked := looked + 1) % CHARACTERS_PER_TIME_CHECK:
                check_time()


def _longest_prefixes(ordered: list[str]) -> list[int]:
    """Return for each string the index of its longest proper prefix in `ordered`, or -1."""
    found: list[int] = []
    open_: list[int] = []  # a chain: each string is a prefix of the next
    for at, content in enumerate(ordered):
        while open_ and not content.startswith(ordered[open_[-1]]):
            open_.pop()
        found.append(open_[-1] if open_ else -1)
        open_.append(at)
    return found
