"""Regular expressions that come in files: written for Oniguruma, run by `regex`, within a time.

Covers what the patterns of published tokenizers use. In Oniguruma `^` and `$` always mean a line,
`\\Z` matches before a last end of line too, `\\h` is a hexadecimal digit, `\\w` does not match the
characters that join others, a class may hold classes, and `a{1,3}+` is `(?:a{1,3})+`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod

import regex

from tokenizers.errors import UserError
from tokenizers.limits import check_time, time_left

MAX_LENGTH = 20_000
"""The longest pattern that is compiled, in characters."""
MAX_REPEATS = 10_000
"""How large the product of all counts such as {3} may be: repeats in repeats multiply."""

WHITE_SPACE = (
    "".join(map(chr, (*range(9, 14), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B))))
    + "\u2028\u2029\u202f\u205f\u3000"
)
"""The characters that Unicode calls White_Space; Python takes four more for it."""

_REPEATS = regex.compile(r"\{(?:\d*,)?(\d{1,300})")
_CALLS_ITSELF = regex.compile(r"\(\?(?:R|[+-]?\d|&|P>)")  # no syntax of Oniguruma
_PART = regex.compile(r"\\k<\w+>|\\.|\[:\^?\w+:\]|&&|\[\^?\]?|\]|[^\\\[\]&]+|&", regex.DOTALL)
_WORD, _HEX = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}", "0-9A-Fa-f"
_TOKEN = regex.compile(r"\\[pP]\{[^}]*\}|\\.|\{(?:\d+(?:,\d*)?|,\d+)\}\+|\[\^?\]?|.", regex.DOTALL)
_SINGLE = f"{_WORD}²³¹¼½¾"  # outside a class a table of Latin-1 decides, which has these
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
    """A pattern of a file, or a `literal` string; UserError if it is none."""

    source: str
    literal: bool = False
    compiled: regex.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.source) > MAX_LENGTH:
            raise UserError(f"the pattern has more than {MAX_LENGTH:,} characters")
        check_time()
        object.__setattr__(self, "compiled", _compiled(self.source, self.literal))

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return the places of the matches; UserError if the search takes too long.

        As in the library, no empty match follows another match without a character between.
        """
        if self.literal:
            return list(_find_literal(self.source, text))
        while (left := time_left()) > 0:
            try:
                spans = [match.span() for match in self.compiled.finditer(text, timeout=left)]
                return [
                    (start, end)
                    for (_, last), (start, end) in zip([(0, -1), *spans], spans, strict=False)
                    if end > start or end != last
                ]
            except TimeoutError:
                continue  # the clock of `regex` goes on while others have the processor
        raise UserError(
            f"The pattern {quoted(self.source)} takes too long on this text. Try a shorter "
            "text, or another tokenizer."
        )

    def describe(self) -> str:
        """Return the pattern in quotation marks."""
        return f"“{self.source}”" if self.literal else f"the pattern {quoted(self.source)}"


def _find_literal(literal: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield where a plain string stands in a text, which takes `regex` several times as long.

    >>> list(_places("aa", "aaaaab"))
    [(0, 2), (2, 4)]
    """
    at = text.find(literal) if literal else -1
    while at >= 0:
        yield at, at + len(literal)
        at = text.find(literal, at + len(literal))


def quoted(source: str) -> str:
    """Return a pattern in quotation marks, cut after 200 characters."""
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
    """Return a pattern without `a{1,3}+`, which Perl and `regex` take for something else.

    >>> _repeated(r"x\\p{N}{1,3}+|[{2}+]")
    'x(?:\\\\p{N}{1,3})+|[{2}+]'
    """
    if "}+" not in source:
        return source
    parts: list[str] = []
    groups: list[int] = []  # where the open groups begin
    atom, depth = 0, 0  # where the last atom begins; in so many classes
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
    """Return a pattern as `regex` writes it, and whether its classes hold classes."""
    parts: list[str] = []
    depth, is_nested = 0, False  # in so many classes
    for part in _PART.findall(source):
        if part.startswith("\\k<"):
            part = f"(?P={part[3:-1]})"
        new = (_INSIDE if depth else _OUTSIDE).get(part, part)
        is_nested |= depth > 0 and (new == "&&" or (new[0] == "[" and new[:2] != "[:"))
        if part[0] in "[]" and part[:2] != "[:":
            depth = depth + 1 if part[0] == "[" else max(depth - 1, 0)
        parts.append(new)
    return "".join(parts), is_nested
