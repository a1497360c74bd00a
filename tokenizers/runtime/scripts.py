"""Split a text where its script changes, as `UnicodeScripts` of a `tokenizer.json` does."""

from dataclasses import dataclass
from itertools import pairwise

from tokenizers.runtime.components import PreTokenizedText
from tokenizers.text.unicode_versions import script_of


def _script_of(character: str) -> str | None:
    """Return a character's script ("Han" for kana), or None if it fits any script."""
    if character == " ":
        return None
    found = script_of(character)
    return "Han" if found in ("Hiragana", "Katakana") or character == "ー" else found


@dataclass(frozen=True, slots=True)
class UnicodeScripts:
    """Split where the script changes; kana count as Han, and a space fits any script.

    Characters before the first script are dropped, as in the library. So are its scripts those of
    Unicode 9, and later characters fit any script, like spaces.
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
