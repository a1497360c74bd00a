"""Tokenizer files' regular expressions, which are written for Oniguruma, run by `regex` here.

Only what published tokenizers use is supported. In Oniguruma `^` and `$` always match at
lines, `\\Z` also matches before a final newline, `\\h` is a hexadecimal digit, `\\w` does not match
joiners, classes may be nested, and `a{1,3}+` means `(?:a{1,3})+`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import starmap
from math import prod
from operator import lt

import regex

from tokenizers.errors import UserError
from tokenizers.limits import check_time, time_left

MAX_LENGTH = 20_000
"""The maximum length of a pattern, in characters."""
MAX_REPEATS = 10_000
"""The maximum product of all counts such as {3}, because nested repeats multiply."""

WHITE_SPACE = (
    "".join(map(chr, (*range(9, 14), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B))))
    + "\u2028\u2029\u202f\u205f\u3000"
)
"""Unicode's White_Space characters; Python's `str.isspace` accepts four more."""

_REPEATS = regex.compile(r"\{(?:\d*,)?(\d{1,300})")
_CALLS_ITSELF = regex.compile(r"\(\?(?:R|[+-]?\d|&|P>)")  # not Oniguruma syntax
_PART = regex.compile(r"\\k<\w+>|\\.|\[:\^?\w+:\]|&&|\[\^?\]?|\]|[^\\\[\]&]+|&", regex.DOTALL)
_WORD, _HEX = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}", "0-9A-Fa-f"
_TOKEN = regex.compile(r"\\[pP]\{[^}]*\}|\\.|\{(?:\d+(?:,\d*)?|,\d+)\}\+|\[\^?\]?|.", regex.DOTALL)
_SINGLE = f"{_WORD}²³¹¼½¾"  # outside a class Oniguruma uses a Latin-1 table with these
_OUTSIDE = {
    r"\w": f"[{_SINGLE}]",
    r"\W": f"[^{_SINGLE}]",
    r"\h": f"[{_HEX}]",
    r"\H": f"[^{_HEX}]",
    r"\z": r"\Z",
    r"\Z": r"(?=\n?\Z)",
}
_INSIDE = {
    r"\w": _WORD,
    r"\W": f"[^{_WORD}]",
    r"\h": _HEX,
    r"\H": f"[^{_HEX}]",
    "[:digit:]": r"\p{Nd}",
    "[:alpha:]": r"\p{Alphabetic}",
}


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern from a file, or a `literal` string; raises UserError if it is invalid.

    A search for a pattern that `is_linear` takes time in proportion to the text. It is not timed,
    which makes it twice as fast.
    """

    source: str
    literal: bool = False
    is_linear: bool = field(default=False, repr=False, compare=False)
    compiled: regex.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.source) > MAX_LENGTH:
            raise UserError(f"the pattern has more than {MAX_LENGTH:,} characters")
        check_time()
        object.__setattr__(self, "compiled", _compiled(self.source, self.literal))

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return the spans of the matches; raises UserError if the search takes too long.

        As in the library, an empty match directly after another match is skipped.
        """
        if self.literal:
            return list(_find_literal(self.source, text))
        if self.is_linear:
            return _without_touching([match.span() for match in self.compiled.finditer(text)])
        while (left := time_left()) > 0:
            try:
                found = self.compiled.finditer(text, timeout=left)
                return _without_touching([match.span() for match in found])
            except TimeoutError:
                continue  # `regex` measures wall time, but the limit is processor time
        raise UserError(
            f"The pattern {quoted(self.source)} takes too long on this text. Try a shorter "
            "text, or another tokenizer."
        )

    def describe(self) -> str:
        """Return the pattern in quotation marks."""
        return f"“{self.source}”" if self.literal else f"the pattern {quoted(self.source)}"


def _without_touching(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the matches without the empty ones directly after another match.

    >>> _without_touching([(0, 1), (1, 1), (2, 2)])
    [(0, 1), (2, 2)]
    """
    if all(starmap(lt, spans)):
        return spans
    return [
        (start, end)
        for (_, last), (start, end) in zip([(0, -1), *spans], spans, strict=False)
        if end > start or end != last
    ]


def _find_literal(literal: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of a plain string's matches, several times as fast as `regex`.

    >>> list(_find_literal("aa", "aaaaab"))
    [(0, 2), (2, 4)]
    """
    at = text.find(literal) if literal else -1
    while at >= 0:
        yield at, at + len(literal)
        at = text.find(literal, at + len(literal))


def quoted(source: str) -> str:
    """Return a pattern in quotation marks, shortened to 200 characters."""
    return f"“{source if len(source) <= 200 else source[:200] + '…'}”"


def _compiled(source: str, literal: bool) -> regex.Pattern[str]:
    if literal:
        return regex.compile(regex.escape(source))
    if prod(float(times) for times in _REPEATS.findall(source)) > MAX_REPEATS:
        raise UserError(f"the pattern {quoted(source)} repeats too much")
    if _CALLS_ITSELF.search(source):
        raise UserError(f"the pattern {quoted(source)} calls a part of itself")
    try:
        ours, has_classes_in_classes = _translated(_repeated(source))
        version = regex.V1 if has_classes_in_classes else regex.V0
        return regex.compile(ours, regex.MULTILINE | regex.FULLCASE | version)
    except _FAULTS as error:
        raise UserError(f"the pattern {quoted(source)} cannot be compiled: {error}") from error


_FAULTS = (regex.error, ArithmeticError, LookupError, MemoryError, RecursionError, ValueError)


def _repeated(source: str) -> str:
    """Rewrite `a{1,3}+`, which Perl and `regex` read as a possessive quantifier.

    >>> _repeated(r"x\\p{N}{1,3}+|[{2}+]")
    'x(?:\\\\p{N}{1,3})+|[{2}+]'
    """
    if "}+" not in source:
        return source
    parts: list[str] = []
    groups: list[int] = []  # start indices of the open groups
    atom, depth = 0, 0  # start of the last atom; nesting depth of classes
    for token in _TOKEN.findall(source):
        if token.endswith("}+") and not depth and parts:
            parts[atom] = f"(?:{parts[atom]}"
            parts.append(f"{token[:-1]})+")
            continue
        if not depth:
            atom = groups.pop() if token == ")" and groups else len(parts)
        if token == "(" and not depth:
            groups.append(atom)
        depth += token[0] == "["
        depth -= token == "]" and depth > 0
        parts.append(token)
    return "".join(parts)


def _translated(source: str) -> tuple[str, bool]:
    """Return a pattern in the syntax of `regex`, and whether its classes are nested."""
    parts: list[str] = []
    depth, is_nested = 0, False  # nesting depth of classes
    for part in _PART.findall(source):
        if part.startswith("\\k<"):
            part = f"(?P={part[3:-1]})"
        new = (_INSIDE if depth else _OUTSIDE).get(part, part)
        is_nested |= depth > 0 and (new == "&&" or (new[0] == "[" and new[:2] != "[:"))
        if part[0] in "[]" and part[:2] != "[:":
            depth = depth + 1 if part[0] == "[" else max(depth - 1, 0)
        parts.append(new)
    return "".join(parts), is_nested
