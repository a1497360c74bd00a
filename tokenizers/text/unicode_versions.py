"""Unicode as the libraries know it, whatever the version of Python's and `regex`'s own tables.

Each part of a library has tables of one version of Unicode. Later versions mostly add characters:
what an assigned character is, and what it decomposes to, is hardly ever changed. So a character
that a part's version lacks is treated here as unassigned, and the few that have since been changed
are listed. What was added when is in `unicode_tables`; tests/parity/test_unicode.py compares the
results with the libraries over all code points.
"""

import re
import unicodedata
from functools import cache, lru_cache
from typing import Literal

import numpy as np
import regex

from tokenizers.text.unicode_tables import ADDED, LOWER, NFKC

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
Version = Literal[8, 9, 16, 17]

BERT: Literal[8] = 8
"""Of Hugging Face's BERT: control characters, accents and punctuation."""
NORMAL_FORMS: Literal[9] = 9
"""Of Hugging Face's normal forms, `StripAccents` and `UnicodeScripts`."""
PATTERNS: Version = 16
"""Of the regular expressions of Hugging Face (Oniguruma, and Rust's `regex`) and of tiktoken."""
RUST: Version = 17
"""Of Rust's standard library, by which Hugging Face's makes letters lower case and finds digits."""
SENTENCEPIECE: Version = 17
"""Of the rules `nfkc` and `nmt_nfkc` in SentencePiece 0.2.3; 0.2.1 has no rule for U+A7F1."""
CLUSTERS: Version = 17
"""Of the grapheme clusters of Hugging Face's `Precompiled`."""

_LATER = 255
_OFTEN = 64
"""The length from which numpy finds new characters faster than a loop does."""

_CATEGORIES = {
    **dict.fromkeys(map(chr, (*range(0x10D0, 0x10FB), *range(0x10FD, 0x1100))), "Lo"),
    **dict.fromkeys("\u1cf2\u1cf3\ua9bd", "Mc"),
    **dict.fromkeys("\u1734\U0001171e", "Mn"),
    **dict.fromkeys("\u166d\U000111c9", "Po"),
    "\u0295": "Ll",
}
"""The general categories in Unicode 9 of the characters for which a later version changed it."""
_CATEGORIES_IN_8 = _CATEGORIES | dict.fromkeys("\u1885\u1886", "Lo")
_SCRIPTS_CHANGED = {"\u0589": "Common", "\u061c": "Common"} | dict.fromkeys(
    "\u0953\u0954", "Devanagari"
)
_CHANGED = "\u0295", "\u0138"
"""A small letter that Unicode 17 made a letter without case, and another small letter for it."""

_ASSIGNED, _EMOJI = regex.compile(r"\P{Cn}"), regex.compile(r"\p{Extended_Pictographic}")
_UNASSIGNED, _UNASSIGNED_EMOJI = "\uffff", "\U0001fffd"
"""Stand-ins; the second is reserved for emoji, so that grapheme clusters are kept together."""


def _ages() -> bytes:
    """Return, for each code point, the version that added it."""
    ages = bytearray([_LATER]) * 0x110000
    for version, ranges in ADDED.items():
        for first, last in map(_ends, ranges.split()):
            ages[first : last + 1] = bytes([version]) * (last + 1 - first)
    return bytes(ages)


def _ends(codes: str) -> tuple[int, int]:
    first, _, last = codes.partition("-")
    return int(first, 16), int(last or first, 16)


def _small_letters() -> dict[str, str]:
    """Return the small letter of each capital letter that came after Unicode 9."""
    rows = [row.split(":") for row in LOWER.split()]
    return {
        chr(code): chr(code + int(offset))
        for codes, offset in rows
        for first, last in [_ends(codes)]
        for code in range(first, last + 1)
    }


def _compatible() -> dict[str, str]:
    """Return what NFKC makes of the characters that came after Unicode 9."""
    rows = [row.split(":") for row in NFKC.split()]
    return {
        chr(int(code, 16)): "".join(chr(int(part, 16)) for part in parts.split("+"))
        for code, parts in rows
    }


_AGES, _SMALL, _COMPATIBLE = _ages(), _small_letters(), _compatible()
_AGES_ARRAY = np.frombuffer(_AGES, np.uint8)


def is_assigned(character: str, version: Version) -> bool:
    """Whether a version of Unicode has this character."""
    return _AGES[ord(character)] <= version


def find_newer(text: str, version: Version) -> list[int]:
    """Return the positions of the characters that a version of Unicode lacks.

    >>> find_newer("a\\U0001faf6\\U0001fac8", 16)
    [2]
    """
    if text.isascii() or not _suspects(version).search(text):
        return []
    if len(text) < _OFTEN:
        return [at for at, character in enumerate(text) if _AGES[ord(character)] > version]
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    return np.flatnonzero(_AGES_ARRAY[codes] > version).tolist()


@cache
def _suspects(version: Version) -> re.Pattern[str]:
    """Return a pattern that no text matches unless it has new characters, or some beyond U+FFFF.

    `re` looks up a character below U+10000 at once, however many ranges a class has.
    """
    ranges = [_ends(codes) for v in ADDED if v <= version for codes in ADDED[v].split()]
    known = [rf"\u{first:04x}-\u{last:04x}" for first, last in ranges if last < 0x10000]
    return re.compile(f"[^{''.join(known)}]")


def to_normal_form(form: Form, text: str) -> str:
    """Return a normal form of a text as of `NORMAL_FORMS`; newer characters stay what they are.

    >>> to_normal_form("NFKC", "①\\U0001ccd6")
    '1\\U0001ccd6'
    """
    if unicodedata.is_normalized(form, text):  # then it is by every older version too
        return text
    parts: list[str] = []
    done = 0
    for at in find_newer(text, NORMAL_FORMS):  # they neither combine nor compose
        parts += unicodedata.normalize(form, text[done:at]), text[at]
        done = at + 1
    return "".join(parts) + unicodedata.normalize(form, text[done:])


def make_compatible(character: str) -> str:
    """Return one character in NFKC, as of `SENTENCEPIECE`.

    >>> make_compatible("\U0001ccd6")
    'A'
    """
    return _COMPATIBLE.get(character) or to_normal_form("NFKC", character)


def general_category(character: str, version: Literal[8, 9]) -> str:
    """Return a character's general category, such as "Mn"; "Cn" if the version lacks it.

    Only for versions that every Python's own tables include, `BERT` and `NORMAL_FORMS`.
    """
    if not is_assigned(character, version):
        return "Cn"
    changed = _CATEGORIES if version == NORMAL_FORMS else _CATEGORIES_IN_8
    return changed.get(character) or unicodedata.category(character)


def lower(character: str) -> str:
    """Return one character in lower case, as of `RUST`."""
    small = _SMALL.get(character) or character.lower()
    return small if is_assigned(character, RUST) else character


def hide_newer(text: str, version: Version = PATTERNS) -> str:
    """Return a text for `regex` to search: no property is set for characters a version lacks.

    Others take their places, so all positions stay the same.

    >>> regex.findall(r"\\p{L}+", hide_newer("a\\U00016ea0b"))
    ['a', 'b']
    """
    if text.isascii():
        return text
    if version == PATTERNS:
        text = text.replace(*_CHANGED)
    if not (newer := find_newer(text, version)):
        return text
    known = _ASSIGNED.findall("".join({text[at] for at in newer}))
    if not known:  # they are not assigned in `regex` either
        return text
    stand_ins = {c: _UNASSIGNED_EMOJI if _EMOJI.match(c) else _UNASSIGNED for c in known}
    characters = list(text)
    for at in newer:
        characters[at] = stand_ins.get(characters[at], characters[at])
    return "".join(characters)


_NAMES = """
Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak
Bengali Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian
Caucasian_Albanian Chakma Cham Cherokee Common Coptic Cuneiform Cypriot Cyrillic Deseret
Devanagari Duployan Egyptian_Hieroglyphs Elbasan Ethiopic Georgian Glagolitic Gothic Grantha
Greek Gujarati Gurmukhi Han Hangul Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited
Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kayah_Li Kharoshthi
Khmer Khojki Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani
Malayalam Mandaic Manichaean Marchen Meetei_Mayek Mende_Kikakui Meroitic_Cursive
Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean New_Tai_Lue Newa Nko
Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian
Old_South_Arabian Old_Turkic Oriya Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa
Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham
SignWriting Sinhala Sora_Sompeng Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le
Tai_Tham Tai_Viet Takri Tamil Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Ugaritic Vai
Warang_Citi Yi
"""
SCRIPTS = tuple(_NAMES.split())
"""The scripts of `NORMAL_FORMS`; those of SentencePiece's trainer are the same."""
_SCRIPT = regex.compile("|".join(rf"(?P<{name}>\p{{Script={name}}})" for name in SCRIPTS))


@lru_cache(1 << 16)
def script_of(character: str) -> str | None:
    """Return a character's script as of `NORMAL_FORMS`, or None if that version lacks it."""
    if not is_assigned(character, NORMAL_FORMS):
        return None
    match = _SCRIPT.match(character)
    return _SCRIPTS_CHANGED.get(character) or (match.lastgroup if match else None)
