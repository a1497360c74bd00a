"""Pre-tokenizers, which split a normalized text into words before any piece is learned.

A word is a span of the normalized text, which is aligned with the raw text. Byte-level glyphs (`Ġ`)
are made by the models. Of patterns newer than GPT-2's, only the treatment of numbers is included.

In the `regex` module `\\s` is Unicode's White_Space and `\\w` is the same as in Rust's regex crate.
In the standard library's `re` both differ, so where it is used for speed, classes are written out.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np
import regex

from tokenizers.text.alignment import AlignedText
from tokenizers.text.bert_punctuation import PUNCTUATION
from tokenizers.text.unicode_versions import hide_newer

_NOT_SPACE = regex.compile(r"\S+")
_WORD_OR_PUNCTUATION = regex.compile(r"\w+|[^\w\s]+")
_CONTRACTIONS = "'(?:[stmd]|re|ve|ll)"
_SPACES = r"\s+(?!\S)|\s+"  # the last space belongs to the next word
_LETTERS, _OTHERS = r"\p{L}+", r"[^\s\p{L}\p{N}]+"
# Letters, digits, the rest, each with one space.
GPT2_PATTERN = rf"{_CONTRACTIONS}| ?(?:{_LETTERS}|\p{{N}}+|{_OTHERS})|{_SPACES}"
_GPT2 = regex.compile(GPT2_PATTERN)
# The same pattern for ASCII text; a possessive `++` keeps no places to return to.
_GPT2_IN_ASCII = re.compile(
    rf"{_CONTRACTIONS}| ?+(?:[A-Za-z]++|[0-9]++|[^\t-\r A-Za-z0-9]++)"
    r"|[\t-\r ]+(?![^\t-\r ])|[\t-\r ]+"
)
# A run of ASCII lines, or of other lines. A line feed after a visible character starts a word, so
# matching each run by itself finds the same words as matching the whole text.
_LINES = re.compile(r"[\x00-\x7f]*[!-~](?![^\n])|[\s\S]+?[!-~](?=\n)|[\s\S]+")
# The part of a number that becomes one word; in GPT-2's pattern the whole number does.
_NUMBERS = {
    "digits": r"\p{N}",
    "threes": r"\p{N}{1,3}",
    # First the digits before the last complete groups of three. Runs of 300 digits are matched at
    # once for speed, because the regex module is slow at many repetitions of a group.
    "threes_right": r"(?<!\p{N})\p{N}{1,3}(?=(?:\p{N}{300})*+(?:\p{N}{3})*+(?!\p{N}))"
    r"|(?<=\p{N})\p{N}{3}",
}
BY_NUMBERS = {
    name: rf"{_CONTRACTIONS}| ?(?:{_LETTERS}|{_OTHERS})|{number}|{_SPACES}"
    for name, number in _NUMBERS.items()
}
_IN_NUMBERS = {name: regex.compile(pattern) for name, pattern in BY_NUMBERS.items()}
_IN_WORD = r"[\p{L}\p{M}\p{N}_]"
PENN = (
    rf"(?i){_IN_WORD}+?(?=n['’]t(?!{_IN_WORD}))|n['’]t(?!{_IN_WORD})"  # do|n't
    rf"|(?<={_IN_WORD})['’](?:s|m|d|ll|re|ve)(?!{_IN_WORD})"  # I|'m
    rf"|\.{{2,}}|{_IN_WORD}+|[^\s\p{{L}}\p{{M}}\p{{N}}_]"
)
_PENN = regex.compile(PENN)
# Letters are tried first because matching the long character class is slow.
_BERT = regex.compile(rf"(?=\S)(?:(?:\p{{L}}++|[^\s{PUNCTUATION}])++|.)", regex.DOTALL)
# The same words in ASCII text: letters, digits and control characters, or one of the others.
_BERT_IN_ASCII = re.compile(r"[0-9A-Za-z\x00-\x08\x0e-\x1f\x7f]++|[^\t-\r ]")
_LINE = regex.compile(r"\S(?:[^\n]*\S)?")
_MARKED_LINE = regex.compile(r"▁(?:[^\n]*\S)?")
_FROM_MARK = re.compile("▁[^▁]*")
_EVERYTHING = regex.compile(".+", regex.DOTALL)


@dataclass(frozen=True)
class PreTokens:
    """A normalized text and the pattern of its words, matched on demand.

    `in_ascii` is a faster pattern that finds the same words in ASCII text.
    """

    aligned: AlignedText
    pattern: regex.Pattern[str] | re.Pattern[str]
    in_ascii: re.Pattern[str] | None = None

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words themselves, in the order of the text."""
        text = self.aligned.text
        if self._searched is not text:  # its words are not those of the text
            return tuple([text[start:end] for start, end in self.spans])
        if not self.in_ascii:
            return tuple(self.pattern.findall(text))
        words: list[str] = []
        for lines in _LINES.findall(text):
            words += (self.in_ascii if lines.isascii() else self.pattern).findall(lines)
        return tuple(words)

    @cached_property
    def _searched(self) -> str:
        """The text as the pattern sees it; the text itself unless it has very new characters."""
        return hide_newer(self.aligned.text)

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The words' spans in the normalized text; `aligned.span` gives spans of the raw text."""
        text = self.aligned.text
        if self._searched is text and sum(map(len, words := self.words)) == len(text):
            return tuple(pairwise(accumulate(map(len, words), initial=0)))  # nothing is removed
        return tuple([match.span() for match in self.pattern.finditer(self._searched)])

    @property
    def starts(self) -> np.ndarray:
        """Where each word starts in the normalized text."""
        lengths = np.fromiter(map(len, self.words), np.int64, len(self.words))
        if self._searched is self.aligned.text and lengths.sum() == len(self.aligned.text):
            return np.cumsum(lengths) - lengths
        return np.array([start for start, _ in self.spans], np.int64)


def split_spaces(aligned: AlignedText) -> PreTokens:
    """Cut at white space, which is removed."""
    return PreTokens(aligned, _NOT_SPACE)


def split_punctuation(aligned: AlignedText) -> PreTokens:
    """Cut at white space, which is removed, and between word characters and others.

    This is Hugging Face's `Whitespace`.

    >>> split_punctuation(AlignedText.raw("Don't stop!!")).words
    ('Don', "'", 't', 'stop', '!!')
    """
    return PreTokens(aligned, _WORD_OR_PUNCTUATION)


def split_bert(aligned: AlignedText) -> PreTokens:
    """Cut at white space, which is removed, and around every single punctuation character.

    This is Hugging Face's `BertPreTokenizer`.

    >>> split_bert(AlignedText.raw("Don't stop!!")).words
    ('Don', "'", 't', 'stop', '!', '!')
    """
    return PreTokens(aligned, _BERT, _BERT_IN_ASCII)


def split_gpt2(aligned: AlignedText) -> PreTokens:
    """Cut as GPT-2 does: a space is kept before its word, and nothing is removed.

    >>> split_gpt2(AlignedText.raw("I don't   know")).words
    ('I', ' don', "'t", '  ', ' know')
    """
    return PreTokens(aligned, _GPT2, _GPT2_IN_ASCII)


def split_digits(aligned: AlignedText) -> PreTokens:
    """Cut as GPT-2 does, but make every digit a word without a space before it, as LLaMA does.

    >>> split_digits(AlignedText.raw("the year 2024")).words
    ('the', ' year', ' ', '2', '0', '2', '4')
    """
    return PreTokens(aligned, _IN_NUMBERS["digits"])


def split_threes(aligned: AlignedText) -> PreTokens:
    """Cut as GPT-2 does, but cut numbers into threes from the left, as GPT-4's pattern does.

    >>> split_threes(AlignedText.raw("1234567")).words
    ('123', '456', '7')
    """
    return PreTokens(aligned, _IN_NUMBERS["threes"])


def split_threes_from_the_right(aligned: AlignedText) -> PreTokens:
    """Cut as GPT-2 does, but cut numbers into threes from the right, as people write them.

    >>> split_threes_from_the_right(AlignedText.raw("1234567")).words
    ('1', '234', '567')
    """
    return PreTokens(aligned, _IN_NUMBERS["threes_right"])


def split_penn(aligned: AlignedText) -> PreTokens:
    """Cut at white space, which is removed, at punctuation, and in contractions like a treebank.

    Unlike in the Penn Treebank, `cannot` is not split, quotes are not changed, and a full stop is
    split off abbreviations too.

    >>> split_penn(AlignedText.raw("I don't know, she'll see...")).words
    ('I', 'do', "n't", 'know', ',', 'she', "'ll", 'see', '...')
    """
    return PreTokens(aligned, _PENN)


def split_metaspace(aligned: AlignedText) -> PreTokens:
    """Turn every space into `▁`, add a leading `▁` if there is none, and cut before each `▁`.

    This is what SentencePiece does, and Hugging Face's `Metaspace` (prepend_scheme="always",
    split=True). Only U+0020 counts as a space; nothing is removed.

    >>> split_metaspace(AlignedText.raw("Deep learning")).words
    ('▁Deep', '▁learning')
    """
    text = aligned.text.replace(" ", "▁")
    marked = AlignedText(text, aligned.starts, aligned.ends)
    if text and not text.startswith("▁"):
        marked = marked.replace([(0, 0, "▁")])
    return PreTokens(marked, _FROM_MARK)


def keep_whole_with_metaspace(aligned: AlignedText) -> PreTokens:
    """Turn every space into `▁`, add another `▁` at the start, and return the text as one word.

    SentencePiece encodes like this: it trains on separate words, but encodes a text unsplit.

    >>> keep_whole_with_metaspace(AlignedText.raw("Deep learning")).words
    ('▁Deep▁learning',)
    """
    text = aligned.text.replace(" ", "▁")
    marked = AlignedText(text, aligned.starts, aligned.ends)
    return PreTokens(marked.replace([(0, 0, "▁")]) if text else marked, _EVERYTHING)


def keep_lines_with_metaspace(aligned: AlignedText) -> PreTokens:
    """Return the lines as words, without white space around them, with `▁` for each space.

    A line without visible characters is dropped, and so are the line feeds. A line that begins with
    no `▁` gets one, as a text does in `split_metaspace`.

    >>> keep_lines_with_metaspace(AlignedText.raw("Deep learning\\n \\n is  deep ")).words
    ('▁Deep▁learning', '▁is▁▁deep')
    """
    lines = [match.span() for match in _LINE.finditer(aligned.text)]
    text = list(aligned.text)
    for start, end in lines:
        text[start:end] = ["▁" if one == " " else one for one in text[start:end]]
    marked = AlignedText("".join(text), aligned.starts, aligned.ends)
    bare = [start for start, _ in lines if aligned.text[start] != "▁"]
    return PreTokens(marked.replace([(start, start, "▁") for start in bare]), _MARKED_LINE)


def keep_whole(aligned: AlignedText) -> PreTokens:
    """Return the whole text as one word; an empty text has no words."""
    return PreTokens(aligned, _EVERYTHING)


PRE_TOKENIZERS: dict[str, Callable[[AlignedText], PreTokens]] = {
    "spaces": split_spaces,
    "punctuation": split_punctuation,
    "bert": split_bert,
    "gpt2": split_gpt2,
    "digits": split_digits,
    "threes": split_threes,
    "threes_right": split_threes_from_the_right,
    "penn": split_penn,
    "metaspace": split_metaspace,
    "metaspace_whole": keep_whole_with_metaspace,
    "metaspace_lines": keep_lines_with_metaspace,
    "none": keep_whole,
}
