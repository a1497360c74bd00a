"""Tokenizer files' regular expressions, which are written for Oniguruma, run by `regex` here.

Properties such as `\\p{L}` are those of the library's version of Unicode, see `unicode_versions`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from time import monotonic

import regex

from tokenizers.errors import UserError
from tokenizers.limits import check_time, time_left
from tokenizers.runtime.listed_classes import is_listed, with_listed_classes
from tokenizers.runtime.oniguruma import FLAGS, translate
from tokenizers.text.unicode_versions import PATTERNS, Version, hide_newer

MAX_LENGTH = 20_000
"""The maximum length of a pattern, in characters."""
WORTH_LISTS = 1_000
"""The length of a text from which the classes of a published pattern are listed for `re`."""
WHITE_SPACE = (
    "".join(map(chr, (*range(9, 14), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B))))
    + "\u2028\u2029\u202f\u205f\u3000"
)
"""Unicode's White_Space characters; Python's `str.isspace` accepts four more."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern from a file, or a `literal` string; raises UserError if it is invalid.

    `unicode` is the version that says what a letter or a number is. A search for a pattern that
    `is_linear` takes time in proportion to the text: it is not timed, which makes it twice as fast.
    """

    source: str
    literal: bool = False
    unicode: Version = PATTERNS
    is_linear: bool = field(default=False, repr=False, compare=False)
    compiled: regex.Pattern[str] = field(init=False, repr=False, compare=False)
    can_be_empty: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.source) > MAX_LENGTH:
            raise UserError(f"the pattern has more than {MAX_LENGTH:,} characters")
        check_time()
        compiled, can_be_empty = (
            (regex.compile(regex.escape(self.source)), False)
            if self._is_literal
            else _compiled(self.source)
        )
        object.__setattr__(self, "compiled", compiled)
        object.__setattr__(self, "can_be_empty", can_be_empty)

    @property
    def _is_literal(self) -> bool:
        """Whether a string is looked for; as in the library, an empty one is an empty pattern."""
        return self.literal and bool(self.source)

    @property
    def _is_surely_linear(self) -> bool:
        return self.is_linear and not self.can_be_empty

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return the spans of the matches; raises UserError if the search takes too long.

        As in the library, there are none in an empty text.
        """
        return next(self.spans_of_parts(text, [(0, len(text))]))

    def spans_of_parts(
        self, text: str, parts: Iterable[tuple[int, int]]
    ) -> Iterator[list[tuple[int, int]]]:
        """Yield, for each part of a text, what `spans` returns for it alone."""
        if self._is_literal:
            yield from (list(_find_literal(self.source, text[start:end])) for start, end in parts)
        elif self._is_surely_linear and len(text) > WORTH_LISTS and is_listed(text):
            listed = with_listed_classes(self.compiled.pattern, self.unicode)
            yield from (_find_everything(listed, text[start:end]) for start, end in parts)
        else:
            text = hide_newer(text, self.unicode)
            yield from (self._spans(text[start:end]) for start, end in parts)

    def _spans(self, text: str) -> list[tuple[int, int]]:
        if not text:
            return []
        if self._is_surely_linear:
            return _find_everything(self.compiled, text)
        find = _find_one_by_one if self.can_be_empty else _find_all
        while (left := time_left()) > 0:
            try:
                return find(self.compiled, text, left)
            except TimeoutError:
                continue  # `regex` measures wall time, but the limit is processor time
        raise UserError(
            f"The pattern {quoted(self.source)} takes too long on this text. Try a shorter "
            "text, or another tokenizer."
        )

    def describe(self) -> str:
        """Return the pattern in quotation marks."""
        return f"“{self.source}”" if self.literal else f"the pattern {quoted(self.source)}"


def _find_literal(literal: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of a plain string's matches, several times as fast as `regex`.

    >>> list(_find_literal("aa", "aaaaab"))
    [(0, 2), (2, 4)]
    """
    at = text.find(literal)
    while at >= 0:
        yield at, at + len(literal)
        at = text.find(literal, at + len(literal))


def _find_all(compiled: regex.Pattern[str], text: str, seconds: float) -> list[tuple[int, int]]:
    """Return the spans of a pattern's matches, none of which is empty."""
    return [match.span() for match in compiled.finditer(text, timeout=seconds)]


def _find_everything(
    compiled: regex.Pattern[str] | re.Pattern[str], text: str
) -> list[tuple[int, int]]:
    """Do as `_find_all` does, faster if the matches cover the text, as most patterns' do.

    If the matches are as long as the text, there is nothing between them.

    >>> _find_everything(regex.compile(r"\\w+|\\s"), "to be")
    [(0, 2), (2, 3), (3, 5)]
    """
    if not compiled.groups:  # otherwise `findall` returns the groups
        ends = accumulate(map(len, compiled.findall(text)), initial=0)
        spans = list(pairwise(ends))
        if spans and spans[-1][1] == len(text):
            return spans
    return [match.span() for match in compiled.finditer(text)]


def _find_one_by_one(
    compiled: regex.Pattern[str], text: str, seconds: float
) -> list[tuple[int, int]]:
    """Return the spans of a pattern's matches as the library's iterator finds them.

    It ignores an empty match directly behind another match, and goes on one character later;
    Python's looks for a longer match there.
    """
    end_time = monotonic() + seconds
    spans: list[tuple[int, int]] = []
    at, last = 0, -1
    while at <= len(text) and (
        match := compiled.search(text, at, timeout=max(end_time - monotonic(), 0.0))
    ):
        start, end = match.span()
        if start == end == last:
            at = end + 1
        else:
            spans.append((start, end))
            at = last = end
    return spans


def quoted(source: str) -> str:
    """Return a pattern in quotation marks, shortened to 200 characters."""
    return f"“{source if len(source) <= 200 else source[:200] + '…'}”"


def _compiled(source: str) -> tuple[regex.Pattern[str], bool]:
    """Return a compiled pattern, and whether its matches may be empty."""
    try:
        ours, can_be_empty = translate(source)
        return regex.compile(ours, FLAGS), can_be_empty
    except _FAULTS as error:
        raise UserError(f"the pattern {quoted(source)} cannot be compiled: {error}") from error


_FAULTS = (regex.error, ArithmeticError, LookupError, MemoryError, RecursionError, ValueError)
