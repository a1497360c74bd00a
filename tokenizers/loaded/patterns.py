"""Regular expressions that come in files: written for Oniguruma, run by `regex`, within a time.

Covers what the patterns of published tokenizers use. In Oniguruma `^` and `$` always mean a line,
`\\Z` stands before a last end of line too, `\\h` is a hexadecimal digit, and a class may hold
classes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import regex

SECONDS = 1.5
"""How long one search through a text may take."""
LONGEST = 20_000
"""The longest pattern that is compiled, in characters."""

WHITE_SPACE = (
    "".join(map(chr, (*range(9, 14), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B))))
    + "\u2028\u2029\u202f\u205f\u3000"
)
"""The characters that Unicode calls White_Space; Python takes four more for it."""

_NESTED = regex.compile(r"(?<!\\)\[(?:\\.|[^\]\\])*(?:&&|(?<!\\)\[(?!:))")
_ESCAPES = regex.compile(r"\\(?:\\|[hHzZR]|.)", regex.DOTALL)
_OURS = {"\\h": "[0-9A-Fa-f]", "\\H": "[^0-9A-Fa-f]", "\\z": r"\Z", "\\Z": r"(?=\n?\Z)"}


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern as a file writes it; ValueError, in a sentence, if it is none.

    A `literal` one is a plain string.
    """

    source: str
    literal: bool = False
    compiled: regex.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.source) > LONGEST:
            raise ValueError(f"the pattern has more than {LONGEST:,} characters")
        object.__setattr__(self, "compiled", _compiled(self.source, self.literal))

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the places of the matches; ValueError if the search takes too long."""
        if self.literal and not self.source:
            return
        try:
            for match in self.compiled.finditer(text, timeout=SECONDS):
                yield match.span()
        except TimeoutError as error:
            raise ValueError(
                f"The pattern {shortened(self.source)} takes more than {SECONDS} seconds on this "
                "text. Try a shorter text, or another tokenizer."
            ) from error

    def says(self) -> str:
        """Return the pattern in quotation marks."""
        return f"“{self.source}”" if self.literal else f"the pattern {shortened(self.source)}"


def shortened(source: str) -> str:
    """Return a pattern in quotation marks, cut after 200 characters."""
    return f"“{source if len(source) <= 200 else source[:200] + '…'}”"


def _compiled(source: str, literal: bool) -> regex.Pattern[str]:
    if literal:
        return regex.compile(regex.escape(source))
    version = regex.V1 if _NESTED.search(source) else regex.V0
    try:
        ours = _ESCAPES.sub(lambda escape: _OURS.get(escape[0], escape[0]), source)
        return regex.compile(ours, regex.MULTILINE | version)
    except (
        regex.error,
        RecursionError,
        OverflowError,
        MemoryError,
        ValueError,
        IndexError,
    ) as error:
        raise ValueError(f"the pattern {shortened(source)} cannot be compiled: {error}") from error
