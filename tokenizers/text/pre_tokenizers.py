"""Pre-tokenizers: how a normalized text is cut into words before any piece is learned.

Covers the seven ways in `PRE_TOKENIZERS`. A word is a span of the normalized text, and through it
a span of the raw text. Leaves out byte glyphs (`Ġ`), which belong to byte-level models, and the
patterns of the models after GPT-2.

In the `regex` module `\\s` is Unicode's White_Space and `\\w` is what Rust's regex crate takes it
for. In the standard library's `re` both differ, so it must not be used here.
"""

from collections.abc import Callable
from dataclasses import dataclass

import regex

from tokenizers.text.alignment import Aligned
from tokenizers.text.bert_punctuation import PUNCTUATION

_NOT_SPACE = regex.compile(r"\S+")
_WORD_OR_PUNCTUATION = regex.compile(r"\w+|[^\w\s]+")
_GPT2 = regex.compile(
    r"""'(?:[stmd]|re|ve|ll)"""  # contractions
    r"""| ?(?:\p{L}+|\p{N}+|[^\s\p{L}\p{N}]+)"""  # letters, digits, the rest, each with one space
    r"""|\s+(?!\S)|\s+"""  # other spaces, leaving the last one to the word that follows
)
# The class is long: to look for letters first spares most characters the way through it.
_BERT = regex.compile(rf"(?=\S)(?:(?:\p{{L}}++|[^\s{PUNCTUATION}])++|.)", regex.DOTALL)
_FROM_MARK = regex.compile("▁[^▁]*")
_EVERYTHING = regex.compile(".+", regex.DOTALL)


@dataclass(frozen=True, slots=True)
class PreTokens:
    """A normalized text and the pattern of its words, which are looked for when asked for."""

    aligned: Aligned
    pattern: regex.Pattern[str]

    @property
    def words(self) -> tuple[str, ...]:
        """The words themselves, in the order of the text."""
        return tuple(self.pattern.findall(self.aligned.text))

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The spans of the words in the normalized text; `aligned.span` leads to the raw one."""
        return tuple([match.span() for match in self.pattern.finditer(self.aligned.text)])


def split_spaces(aligned: Aligned) -> PreTokens:
    """Cut at white space, which is removed."""
    return PreTokens(aligned, _NOT_SPACE)


def split_punctuation(aligned: Aligned) -> PreTokens:
    """Cut at white space, which is removed, and between word characters and others.

    It is Hugging Face's `Whitespace`.

    >>> split_punctuation(Aligned.raw("Don't stop!!")).words
    ('Don', "'", 't', 'stop', '!!')
    """
    return PreTokens(aligned, _WORD_OR_PUNCTUATION)


def split_bert(aligned: Aligned) -> PreTokens:
    """Cut at white space, which is removed, and around every single punctuation character.

    It is Hugging Face's `BertPreTokenizer`.

    >>> split_bert(Aligned.raw("Don't stop!!")).words
    ('Don', "'", 't', 'stop', '!', '!')
    """
    return PreTokens(aligned, _BERT)


def split_gpt2(aligned: Aligned) -> PreTokens:
    """Cut as GPT-2 does: a space stays in front of its word, nothing is removed.

    >>> split_gpt2(Aligned.raw("I don't   know")).words
    ('I', ' don', "'t", '  ', ' know')
    """
    return PreTokens(aligned, _GPT2)


def split_metaspace(aligned: Aligned) -> PreTokens:
    """Turn every space into `▁`, put one in front unless it is there, and cut before each `▁`.

    It is SentencePiece's way, and Hugging Face's `Metaspace` (prepend_scheme="always",
    split=True). Only U+0020 counts as a space; nothing is removed.

    >>> split_metaspace(Aligned.raw("Deep learning")).words
    ('▁Deep', '▁learning')
    """
    text = aligned.text.replace(" ", "▁")
    marked = Aligned(text, aligned.starts, aligned.ends)
    if text and not text.startswith("▁"):
        marked = marked.replace([(0, 0, "▁")])
    return PreTokens(marked, _FROM_MARK)


def keep_whole_with_metaspace(aligned: Aligned) -> PreTokens:
    """Turn every space into `▁`, put one more in front, and take the text as one word.

    It is how SentencePiece encodes: words are learned one by one, but a text is never cut.

    >>> keep_whole_with_metaspace(Aligned.raw("Deep learning")).words
    ('▁Deep▁learning',)
    """
    text = aligned.text.replace(" ", "▁")
    marked = Aligned(text, aligned.starts, aligned.ends)
    return PreTokens(marked.replace([(0, 0, "▁")]) if text else marked, _EVERYTHING)


def keep_whole(aligned: Aligned) -> PreTokens:
    """Take the whole text as one word; an empty text has none."""
    return PreTokens(aligned, _EVERYTHING)


PRE_TOKENIZERS: dict[str, Callable[[Aligned], PreTokens]] = {
    "spaces": split_spaces,
    "punctuation": split_punctuation,
    "bert": split_bert,
    "gpt2": split_gpt2,
    "metaspace": split_metaspace,
    "metaspace_whole": keep_whole_with_metaspace,
    "none": keep_whole,
}
