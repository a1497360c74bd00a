"""The normalizers of Hugging Face's `tokenizer.json`, with its parameter names.

Each changes a text before it is split and tracks offsets as that library does (see `offsets`). For
a SentencePiece model's character map, see `precompiled`.
"""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import regex

from tokenizers.limits import GrowthLimit
from tokenizers.runtime.models.byte_bpe import begins_character, glyphs_of
from tokenizers.runtime.offsets import CharacterChange, insert_prefix, replace_spans, with_offsets
from tokenizers.runtime.patterns import WHITE_SPACE, Pattern
from tokenizers.text import normalizers
from tokenizers.text.alignment import AlignedText
from tokenizers.text.symbols import GLYPH_OF_BYTE
from tokenizers.text.unicode_versions import NORMAL_FORMS, Form, find_newer, general_category

_COMPOSING = regex.compile(r"[\x00-\x7f]?[^\x00-\x7f]+")
_NMT_SPACES = frozenset("\t\n\f\r\u1680\u200b\u200c\u200d\u200e\u200f\u2028\u2029▁\ufeff\ufffd")


@dataclass(frozen=True, slots=True)
class Unicode:
    """Convert a text to a Unicode normal form, which is NFC, NFD, NFKC or NFKD.

    Characters that came after `unicode_versions.NORMAL_FORMS` are not changed, and the marks among
    them are neither reordered nor composed.
    """

    form: Form

    def __call__(self, aligned: AlignedText) -> AlignedText:
        if unicodedata.is_normalized(self.form, aligned.text):
            return aligned
        if self.form == "NFD" and not any(map(unicodedata.combining, set(aligned.text))):
            return normalizers.decompose(aligned)  # there are no marks to reorder
        return with_offsets(aligned, self._changes(aligned.text))

    def _changes(self, text: str) -> Iterator[CharacterChange]:
        """Yield the changes, run by run; no characters compose across the border of two runs."""
        done = 0
        for start, end in _runs(text):
            yield from ((character, 0) for character in text[done:start])
            decomposed = _decomposed(text[start:end], "NFKD" if "K" in self.form else "NFD")
            yield from _composed(decomposed) if self.form.endswith("C") else decomposed
            done = end
        yield from ((character, 0) for character in text[done:])

    def describe(self) -> str:
        composes, plain = self.form.endswith("C"), "K" in self.form
        how = "composes letters and their marks" if composes else "decomposes letters"
        more = ", and makes plain characters of variants such as ﬁ and ²" if plain else ""
        return f"Unicode normal form {self.form}: {how}{more}."


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of all that may decompose or compose."""
    start = 0
    for newer in [*find_newer(text, NORMAL_FORMS), len(text)]:
        yield from (run.span() for run in _COMPOSING.finditer(text, start, newer))
        start = newer + 1


def _decomposed(text: str, form: Literal["NFD", "NFKD"]) -> list[CharacterChange]:
    """Return `text` decomposed, with the marks of each letter in canonical order."""
    decomposed: list[CharacterChange] = []
    marks: list[CharacterChange] = []
    for character in text:
        for position, part in enumerate(unicodedata.normalize(form, character)):
            if not unicodedata.combining(part):
                decomposed += sorted(marks, key=_class)
                marks.clear()
                decomposed.append((part, int(position > 0)))
            else:
                marks.append((part, int(position > 0)))
    return decomposed + sorted(marks, key=_class)


def _class(change: CharacterChange) -> int:
    return unicodedata.combining(change[0])


def _composed(decomposed: list[CharacterChange]) -> list[CharacterChange]:
    """Compose characters; a mark that joins its letter is recorded as dropped after it."""
    done: list[CharacterChange] = []
    letter, last_class = -1, -1  # the letter's index in `done`, and the class of the last mark
    for character, change in decomposed:
        class_ = unicodedata.combining(character)
        whole = ""
        if letter >= 0 and (last_class < class_ or last_class < 0):
            whole = unicodedata.normalize("NFC", done[letter][0] + character)
        if len(whole) == 1:
            done[letter] = whole, done[letter][1] + change - 1
            continue
        done.append((character, change))
        if class_ == 0:
            letter, last_class = len(done) - 1, -1
        else:
            last_class = class_
    return done


@dataclass(frozen=True, slots=True)
class Lowercase:
    """Make each letter lower case by itself, without the special rule for a final sigma."""

    def __call__(self, aligned: AlignedText) -> AlignedText:
        return normalizers.lower(aligned)

    def describe(self) -> str:
        return "Makes all letters lower case."


@dataclass(frozen=True, slots=True)
class StripAccents:
    """Remove all marks, including spacing ones; the text must already be decomposed."""

    def __call__(self, aligned: AlignedText) -> AlignedText:
        return _remove(aligned, lambda c: general_category(c, NORMAL_FORMS)[0] == "M")

    def describe(self) -> str:
        return "Removes accents and all other combining marks."


def _remove(aligned: AlignedText, is_removed: Callable[[str], bool]) -> AlignedText:
    removed = {character for character in set(aligned.text) if is_removed(character)}
    if not removed:
        return aligned
    return aligned.replace(
        (n, n + 1, "") for n, character in enumerate(aligned.text) if character in removed
    )


@dataclass(frozen=True, slots=True)
class BertNormalizer:
    """BERT's normalization; with `strip_accents=None`, accents go if `lowercase` is set."""

    clean_text: bool = True
    handle_chinese_chars: bool = True
    strip_accents: bool | None = None
    lowercase: bool = True

    def __call__(self, aligned: AlignedText) -> AlignedText:
        if self.clean_text:
            aligned = normalizers.remove_controls(aligned)
        if self.handle_chinese_chars:
            aligned = normalizers.set_chinese_apart(aligned)
        if self._strips:
            aligned = normalizers.remove_nonspacing_marks(Unicode("NFD")(aligned))
        return normalizers.lower(aligned) if self.lowercase else aligned

    @property
    def _strips(self) -> bool:
        return self.lowercase if self.strip_accents is None else self.strip_accents

    def describe(self) -> str:
        steps = [
            (self.clean_text, "removes control characters, makes every white space a space"),
            (self.handle_chinese_chars, "puts spaces around Chinese characters"),
            (self._strips, "removes accents"),
            (self.lowercase, "makes letters lower case"),
        ]
        does = ", ".join(text for is_on, text in steps if is_on)
        return f"BERT's normalizer: {does}." if does else "BERT's normalizer, with all parts off."


@dataclass(frozen=True, slots=True)
class Strip:
    """Remove white space at the `left` end, at the `right` end, or at both."""

    left: bool = True
    right: bool = True

    def __call__(self, aligned: AlignedText) -> AlignedText:
        text = aligned.text
        start = len(text) - len(text.lstrip(WHITE_SPACE)) if self.left else 0
        end = len(text.rstrip(WHITE_SPACE)) if self.right else len(text)
        return aligned.part(start, max(start, end))

    def describe(self) -> str:
        ends = ["left"] * self.left + ["right"] * self.right
        if not ends:
            return "Removes nothing: both ends are turned off."
        return f"Removes white space at the {' and '.join(ends)} end."


@dataclass(frozen=True, slots=True)
class Replace:
    """Replace every match of a pattern by `content`."""

    pattern: Pattern
    content: str

    def __call__(self, aligned: AlignedText) -> AlignedText:
        spans, length = self.pattern.spans(aligned.text), len(aligned.text)
        GrowthLimit(length).check(length + added_length(spans, self.content))
        return replace_spans(aligned, ((start, end, self.content) for start, end in spans))

    def describe(self) -> str:
        return f"Replaces {self.pattern.describe()} by “{self.content}”."


def added_length(spans: Sequence[tuple[int, int]], content: str) -> int:
    """Return by how many characters a text grows if `content` replaces these spans."""
    return len(spans) * len(content) - sum([end - start for start, end in spans])


@dataclass(frozen=True, slots=True)
class Prepend:
    """Put the string `prepend` before a text that is not empty."""

    prepend: str

    def __call__(self, aligned: AlignedText) -> AlignedText:
        GrowthLimit(len(aligned.text)).check(len(aligned.text) + len(self.prepend))
        return insert_prefix(aligned, [0], self.prepend) if aligned.text else aligned

    def describe(self) -> str:
        return f"Puts “{self.prepend}” in front."


@dataclass(frozen=True, slots=True)
class Nmt:
    """Remove control characters and turn invisible ones into spaces, by Google's NMT rules."""

    def __call__(self, aligned: AlignedText) -> AlignedText:
        kept = _remove(aligned, normalizers.NMT_REMOVED.__contains__)
        text = kept.text.translate({ord(character): " " for character in _NMT_SPACES})
        return AlignedText(text, kept.starts, kept.ends)

    def describe(self) -> str:
        return "Removes control characters and makes tabs, line ends and invisible spaces a space."


@dataclass(frozen=True, slots=True)
class ByteLevel:
    """Replace every character by byte-level glyphs, one for each of its UTF-8 bytes."""

    def __call__(self, aligned: AlignedText) -> AlignedText:
        return to_glyphs(aligned)

    def describe(self) -> str:
        return "Writes every character as its UTF-8 bytes, one visible glyph for each byte."


def to_glyphs(aligned: AlignedText) -> AlignedText:
    """Return the text with a glyph for each UTF-8 byte; each glyph has its character's span."""
    text = aligned.text
    if text.isascii():  # one byte each: no character moves
        return AlignedText(text.translate(GLYPH_OF_BYTE), aligned.starts, aligned.ends)
    data = text.encode()
    return aligned.spread(glyphs_of(data), np.cumsum(begins_character(data)) - 1)
