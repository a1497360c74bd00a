"""Split a text where its script changes, as `UnicodeScripts` of a `tokenizer.json` does."""

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import regex

from tokenizers.runtime.components import PreTokenizedText

# The scripts of Unicode 9, as in the library; characters of later scripts fit any, like spaces.
_SCRIPTS = """
Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak
Bengali Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian
Caucasian_Albanian Chakma Cham Cherokee Common Coptic Cuneiform Cypriot Cyrillic Deseret
Devanagari Duployan Egyptian_Hieroglyphs Elbasan Ethiopic Georgian Glagolitic Gothic Grantha
Greek Gujarati Gurmukhi Han Hangul Hanunoo Hatran Hebrew Imperial_Aramaic Inherited
Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Kayah_Li Kharoshthi Khmer
Khojki Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani
Malayalam Mandaic Manichaean Marchen Meetei_Mayek Mende_Kikakui Meroitic_Cursive
Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean New_Tai_Lue Newa Nko
Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian
Old_South_Arabian Old_Turkic Oriya Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa
Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham
SignWriting Sinhala Sora_Sompeng Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le
Tai_Tham Tai_Viet Takri Tamil Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Ugaritic Vai
Warang_Citi Yi
"""
_SCRIPT = regex.compile("|".join(rf"(?P<{name}>\p{{Script={name}}})" for name in _SCRIPTS.split()))


@cache
def _script_of(character: str) -> str | None:
    """Return a character's script ("Han" for kana), or None if it fits any script."""
    if character == " ":
        return None
    if regex.match(r"[\p{Hiragana}\p{Katakana}ー]", character):
        return "Han"
    match = _SCRIPT.match(character)
    return match.lastgroup if match else None


@dataclass(frozen=True, slots=True)
class UnicodeScripts:
    """Split where the script changes; kana count as Han, and a space fits any script.

    Characters before the first script are dropped, as in the library. Letters that Unicode has
    since added to a script belong to it; the library treats them as spaces.
    """

    def __call__(self, words: PreTokenizedText) -> PreTokenizedText:
        text = words.aligned.text
        spans: list[tuple[int, int]] = []
        for start, end in words.spans:
            starts: list[int] = []
            last = None
            for at in range(start, end):
                if (script := _script_of(text[at])) is None:
                    continue
                if script != last:
                    starts.append(at)
                last = script
            spans += pairwise([*starts, end])
        return PreTokenizedText(words.aligned, spans)

    def describe(self) -> str:
        return "Cuts where the script changes, as from Latin to Greek; kana go with Han."
