"""How much of a text a tokenizer can represent, by character and by script.

The status of a character is `whole` if a single token covers it, `parts` if several tokens share
its bytes, `unknown` if it became `[UNK]`, and `dropped` if no token covers it, like white space
that the pre-tokenizer removes.
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
"""The Unicode names of the scripts that are distinguished."""
OTHER = "Other"
_SCRIPT = regex.compile(
    "|".join(rf"(?P<{name}>\p{{Script={name}}})" for name in (*SCRIPTS, COMMON)),
)


def script_of(character: str) -> str:
    """Return a character's script, which is `Common` for digits, spaces, punctuation and so on.

    >>> [script_of(letter) for letter in "aщ漢9,"]
    ['Latin', 'Cyrillic', 'Han', 'Common', 'Common']
    """
    found = _SCRIPT.match(character)
    return (found.lastgroup or OTHER) if found else OTHER


def character_statuses(text: str, encoding: Encoding) -> Iterator[str]:
    """Yield the status of each character of the raw text, one of `STATUSES`."""
    num_tokens, unknown = [0] * len(text), [False] * len(text)
    for token, piece, span in zip(encoding.tokens, encoding.pieces, encoding.offsets, strict=True):
        for position in range(*span):
            num_tokens[position] += 1
            unknown[position] = unknown[position] or token != piece
    for number, is_unknown in zip(num_tokens, unknown, strict=True):
        if is_unknown:
            yield "unknown"
        else:
            yield ("dropped", "whole", "parts")[min(number, 2)]


def coverage(text: str, encoding: Encoding) -> dict[str, Counter[str]]:
    """Return, for each script of the text, the number of characters by status.

    The most frequent script comes first.
    """
    found: dict[str, Counter[str]] = {}
    known = {character: script_of(character) for character in dict.fromkeys(text)}
    for character, status in zip(text, character_statuses(text, encoding), strict=True):
        found.setdefault(known[character], Counter())[status] += 1
    return dict(sorted(found.items(), key=lambda row: -row[1].total()))
