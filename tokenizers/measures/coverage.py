"""What of a text a tokenizer can write, character by character and script by script.

A character is written `whole` by a token that holds all of it, in `parts` where several tokens
share it (bytes), `unknown` where it became `[UNK]`, and `dropped` where no token stands for it:
white space that the pre-tokenizer removes.
"""

from collections import Counter
from collections.abc import Iterator

import regex

from tokenizers.text.encoding import Encoding

STATUSES = ("whole", "parts", "unknown", "dropped")
COMMON = "Common"
_NAMES = (
    "Latin Greek Cyrillic Armenian Hebrew Arabic Syriac Thaana Nko Devanagari Bengali Gurmukhi "
    "Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Georgian "
    "Hangul Ethiopic Cherokee Canadian_Aboriginal Khmer Mongolian Hiragana Katakana Bopomofo Han "
    "Yi Coptic Gothic Runic Javanese Balinese Tifinagh Inherited"
)
SCRIPTS = tuple(_NAMES.split())
"""The scripts that are told apart, by their names in Unicode."""
OTHER = "Other"
_SCRIPT = regex.compile(
    "|".join(rf"(?P<{name}>\p{{Script={name}}})" for name in (*SCRIPTS, COMMON)),
)


def script_of(character: str) -> str:
    """Return the script of a character; `Common` for what many share: digits, spaces, marks.

    >>> [script_of(letter) for letter in "aщ漢9,"]
    ['Latin', 'Cyrillic', 'Han', 'Common', 'Common']
    """
    found = _SCRIPT.match(character)
    return (found.lastgroup or OTHER) if found else OTHER


def character_statuses(text: str, encoding: Encoding) -> Iterator[str]:
    """Yield for each character of the raw text in which of `STATUSES` it is written."""
    holders, unknown = [0] * len(text), [False] * len(text)
    for token, piece, span in zip(encoding.tokens, encoding.pieces, encoding.offsets, strict=True):
        for place in range(*span):
            holders[place] += 1
            unknown[place] = unknown[place] or token != piece
    for number, is_unknown in zip(holders, unknown, strict=True):
        if is_unknown:
            yield "unknown"
        else:
            yield ("dropped", "whole", "parts")[min(number, 2)]


def coverage(text: str, encoding: Encoding) -> dict[str, Counter[str]]:
    """Return for each script of the text how many characters are written in which way.

    The scripts come in the order of their frequency.
    """
    found: dict[str, Counter[str]] = {}
    known = {character: script_of(character) for character in dict.fromkeys(text)}
    for character, way in zip(text, character_statuses(text, encoding), strict=True):
        found.setdefault(known[character], Counter())[way] += 1
    return dict(sorted(found.items(), key=lambda row: -row[1].total()))
