"""The pre-tokenizers of Hugging Face's `tokenizer.json`, with its parameter names.

Each splits every word that it receives into smaller words; at first the whole text is one word.
`ByteLevel` and `Metaspace` also change characters.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from tokenizers.runtime.components import PreTokenizedText
from tokenizers.runtime.models.byte_bpe import begins_character
from tokenizers.runtime.normalizers import to_glyphs
from tokenizers.runtime.offsets import insert_prefix
from tokenizers.runtime.patterns import Pattern
from tokenizers.text.alignment import AlignedText
from tokenizers.text.bert_punctuation import PUNCTUATION
from tokenizers.text.unicode_versions import RUST

Span = tuple[int, int]
MatchSpan = tuple[int, int, bool]
"""A span of a word, and whether it is a match of the pattern (or text between matches)."""

BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")
_BEHAVIOR_TEXTS = {
    "Removed": "the matches are removed",
    "Isolated": "each match is a word of its own",
    "MergedWithPrevious": "each match joins the word before it",
    "MergedWithNext": "each match joins the word after it",
    "Contiguous": "matches side by side are one word",
}
PREPEND_SCHEMES = ("always", "first", "never")

_GPT2 = Pattern(
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", is_linear=True
)
_WHITESPACE = Pattern(r"[\w\u200c\u200d]+|[^\w\s\u200c\u200d]+")
_NOT_SPACE = Pattern(r"\S+")
_DIGIT, _DIGITS = Pattern(r"\p{N}", unicode=RUST), Pattern(r"\p{N}+", unicode=RUST)
_PUNCTUATION = Pattern(f"[{PUNCTUATION}]")
_BERT = Pattern(rf"(?=\S)(?:(?:\p{{L}}++|[^\s{PUNCTUATION}])++|[\s\S])")


# --- Cutting --------------------------------------------------------------------------------------


def _keep_matches(words: PreTokenizedText, pattern: Pattern) -> PreTokenizedText:
    """Keep the matches of a pattern as words and remove the rest."""
    spans: list[Span] = []
    matches = pattern.spans_of_parts(words.aligned.text, words.spans)
    for (start, _), found in zip(words.spans, matches, strict=True):
        spans += [(start + a, start + b) for a, b in found if a < b]
    return PreTokenizedText(words.aligned, spans)


def _split(
    words: PreTokenizedText, pattern: Pattern, behavior: str, invert: bool = False
) -> PreTokenizedText:
    """Split every word at a pattern's matches; `behavior` decides what the matches become."""
    spans: list[Span] = []
    matches = pattern.spans_of_parts(words.aligned.text, words.spans)
    for (start, end), found in zip(words.spans, matches, strict=True):
        cuts: Iterable[Span] = found
        is_covered = sum([b - a for a, b in found]) == end - start  # and nothing is between
        if behavior != "Isolated" or not is_covered:
            cuts = _apply_behavior(_spans_with_gaps(found, end - start, invert), behavior)
        elif not (start or pattern.can_be_empty):
            spans += found
            continue
        spans += [(start + a, start + b) for a, b in cuts if a < b]
    return PreTokenizedText(words.aligned, spans)


def _spans_with_gaps(matches: Iterable[Span], length: int, invert: bool) -> list[MatchSpan]:
    """Return the matches and the text between them, which together cover the whole word."""
    cuts: list[MatchSpan] = []
    done = 0
    for start, end in matches:
        if done < start:
            cuts.append((done, start, invert))
        cuts.append((start, end, not invert))
        done = end
    if done < length:
        cuts.append((done, length, invert))
    return cuts


def _apply_behavior(cuts: Iterable[MatchSpan], behavior: str) -> Iterable[Span]:
    if behavior == "Removed":
        return [(start, end) for start, end, is_match in cuts if not is_match]
    if behavior == "Isolated":
        return [(start, end) for start, end, _ in cuts]
    if behavior == "Contiguous":
        runs = [list(run) for _, run in groupby(cuts, key=lambda cut: cut[2])]
        return [(run[0][0], run[-1][1]) for run in runs]
    if behavior == "MergedWithPrevious":
        return _merge_with_previous(cuts)
    turned = _merge_with_previous(
        (-end, -start, is_match) for start, end, is_match in reversed(list(cuts))
    )
    return [(-end, -start) for start, end in reversed(turned)]


def _merge_with_previous(cuts: Iterable[MatchSpan]) -> list[Span]:
    """Join each match with the span before it, unless that span is a match too."""
    spans: list[Span] = []
    after_match = False
    for start, end, is_match in cuts:
        if is_match and not after_match and spans:
            spans[-1] = spans[-1][0], end
        else:
            spans.append((start, end))
        after_match = is_match
    return spans


@dataclass(frozen=True, slots=True)
class Split:
    """Split at the matches of `pattern` or, with `invert`, at the text between them."""

    pattern: Pattern
    behavior: str
    invert: bool = False

    def __call__(self, words: PreTokenizedText) -> PreTokenizedText:
        return _split(words, self.pattern, self.behavior, self.invert)

    def describe(self) -> str:
        if self.invert and self.behavior == "Removed":
            return f"Keeps the matches of {self.pattern.describe()} as words, and nothing else."
        where = "what lies between matches of " if self.invert else ""
        return f"Cuts at {where}{self.pattern.describe()}: {_BEHAVIOR_TEXTS[self.behavior]}."


@dataclass(frozen=True, slots=True)
class Whitespace:
    """Split at white space, which is removed, and between word characters and others."""

    def __call__(self, words: PreTokenizedText) -> PreTokenizedText:
        return _keep_matches(words, _WHITESPACE)

    def describe(self) -> str:
        return "Cuts at white space, which is removed, and around punctuation."


@dataclass(frozen=True, slots=True)
class WhitespaceSplit:
    """Split at white space, which is removed."""

    def __call__(self, words: PreTokenizedText) -> PreTokenizedText:
        return _keep_matches(words, _NOT_SPACE)

    def describe(self) -> str:
        return "Cuts at white space, which is removed."


@dataclass(frozen=True, slots=True)
class BertPreTokenizer:
    """Split at white space, which is removed, and around every punctuation character."""

    def __call__(self, words: PreTokenizedText) -> PreTokenizedText:
        return _keep_matches(words, _BERT)

    def describe(self) -> str:
        return "Cuts at white space, which is removed, and around every punctuation character."


@dataclass(frozen=True, slots=True)
class Punctuation:
    """Split at every punctuation character."""

    behavior: str = "Isolated"

    def __call__(self, words: PreTokenizedText) -> PreTokenizedText:
        return _split(words, _PUNCTUATION, self.behavior)

    def describe(self) -> str:
        return f"Cuts at every punctuation character: {_BEHAVIOR_TEXTS[self.behavior]}."


@dataclass(frozen=True, slots=True)
class Digits:
    """Split around numbers, or around every digit."""

    individual_digits: bool = False

    def __call__(self, words: PreTokenizedText) -> PreTokenizedText:
        return _split(words, _DIGIT if self.individual_digits else _DIGITS, "Isolated")

    def describe(self) -> str:
        return f"Cuts around {'every single digit' if self.individual_digits else 'numbers'}."


@dataclass(frozen=True, slots=True)
class CharDelimiterSplit:
    """Split at one character, which is removed."""

    delimiter: str

    def __call__(self, words: PreTokenizedText) -> PreTokenizedText:
        return _split(words, Pattern(self.delimiter, literal=True), "Removed")

    def describe(self) -> str:
        return f"Cuts at every “{self.delimiter}”, which is removed."


@dataclass(frozen=True, slots=True)
class FixedLength:
    """Split into words of `length` characters."""

    length: int = 5

    def __call__(self, words: PreTokenizedText) -> PreTokenizedText:
        spans = [
            (at, min(at + self.length, end))
            for start, end in words.spans
            for at in range(start, end, self.length)
        ]
        return PreTokenizedText(words.aligned, spans)

    def describe(self) -> str:
        return f"Cuts after every {self.length:,} characters."


# --- Changing characters --------------------------------------------------------------------------


def _add_prefix(
    words: PreTokenizedText, prefix: str, needs_prefix: Callable[[str, int], bool]
) -> PreTokenizedText:
    """Insert `prefix` before each word for which `needs_prefix(word, start)` is true."""
    aligned, text = words.aligned, words.aligned.text
    spans: list[Span] = []
    firsts: list[int] = []  # starts of the words that get the prefix
    for start, end in words.spans:
        begin = start + len(firsts) * len(prefix)
        if needs_prefix(text[start:end], aligned.starts[start]):
            firsts.append(start)
        spans.append((begin, end + len(firsts) * len(prefix)))
    if not firsts:
        return words
    up_to_last = aligned.part(0, words.spans[-1][1])
    return PreTokenizedText(insert_prefix(up_to_last, firsts, prefix), spans)


@dataclass(frozen=True, slots=True)
class ByteLevel:
    """Split as GPT-2 does and write every word as the glyphs of its UTF-8 bytes.

    With `add_prefix_space`, a word without a leading space gets one. Without `use_regex`, nothing
    is split. `trim_offsets` is used only by the post-processor that is also named `ByteLevel`.
    """

    add_prefix_space: bool = True
    trim_offsets: bool = True
    use_regex: bool = True

    def __call__(self, words: PreTokenizedText) -> PreTokenizedText:
        if self.add_prefix_space:
            words = _add_prefix(words, " ", lambda word, _: not word.startswith(" "))
        if self.use_regex:
            words = _split(words, _GPT2, "Isolated")
        return _as_glyphs(words)

    def describe(self) -> str:
        cuts = "Cuts as GPT-2 does, and writes" if self.use_regex else "Cuts nothing, but writes"
        space = "Puts a space in front. " if self.add_prefix_space else ""
        return f"{space}{cuts} every byte as a visible glyph (a space is Ġ)."


def _as_glyphs(words: PreTokenizedText) -> PreTokenizedText:
    """Return the words with a byte-level glyph for each byte."""
    text, glyphs = words.aligned.text, to_glyphs(words.aligned)
    if len(glyphs.text) == len(text):
        return PreTokenizedText(glyphs, words.spans)
    begins = np.flatnonzero(begins_character(text.encode()))
    places = [*begins.tolist(), len(glyphs.text)]
    return PreTokenizedText(glyphs, [(places[start], places[end]) for start, end in words.spans])


@dataclass(frozen=True, slots=True)
class Metaspace:
    """Write spaces as `replacement`, add a leading one, and with `split` split before each.

    `prepend_scheme` selects the words that get a leading `replacement` if they lack one, which are
    all (`always`), only the word at the text's beginning (`first`), or none (`never`).
    """

    replacement: str = "▁"
    prepend_scheme: str = "always"
    split: bool = True

    def __call__(self, words: PreTokenizedText) -> PreTokenizedText:
        aligned, mark = words.aligned, self.replacement
        changed = AlignedText(aligned.text.replace(" ", mark), aligned.starts, aligned.ends)
        words = PreTokenizedText(changed, words.spans)
        if self.prepend_scheme != "never":
            always = self.prepend_scheme == "always"
            words = _add_prefix(
                words, mark, lambda word, at: not word.startswith(mark) and (always or at == 0)
            )
        return _split(words, Pattern(mark, literal=True), "MergedWithNext") if self.split else words

    def describe(self) -> str:
        front = {
            "always": ", puts one in front of each stretch of text",
            "first": ", puts one in front of the text",
            "never": "",
        }[self.prepend_scheme]
        cuts = ", and cuts before each" if self.split else ""
        return f"Writes spaces as “{self.replacement}”{front}{cuts}."
