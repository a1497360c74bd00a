"""Agreement between two segmentations of one text, measured by words and by cuts.

Words are defined as in `metrics`. A word is *cut alike* if its tokens have the same spans of raw
text; tokens with an empty span are ignored. A *cut* is a position inside a word where a token
starts or ends. A word with an unknown token in either segmentation is left out of both measures.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from tokenizers.measures.metrics import Span, tokens_of_words
from tokenizers.text.encoding import Encoding

WordTokens = tuple[tuple[int, int, bool], ...]
"""A word's tokens, each as its start and end in the raw text and whether it is unknown."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of two segmentations; `alike` of the `known` words are cut alike.

    Known words have no unknown token in either; of their `cuts`, both segmentations have `shared`.
    """

    words: int
    known: int
    alike: int
    cuts: int
    shared: int

    @property
    def share(self) -> float | None:
        """The Jaccard index of the cuts, from 0 to 1, or 1 if there are no cuts.

        It is None if no word is known to both segmentations.
        """
        if not self.known:
            return None
        return self.shared / self.cuts if self.cuts else 1.0


def tokens_by_word(words: Sequence[Span], encoding: Encoding) -> tuple[WordTokens, ...]:
    """Return the tokens of each word, with spans clipped to the word.

    >>> found = Encoding(("lo", "w</w>"), (0, 1), ((0, 2), (2, 3)), ("lo", "w</w>"), (0, 0))
    >>> tokens_by_word([(0, 3)], found)
    (((0, 2, False), (2, 3, False)),)
    """
    rows = tuple(zip(encoding.offsets, encoding.tokens, encoding.pieces, strict=True))
    return tuple(
        tuple(
            (max(start, a), min(end, b), token != piece)
            for (a, b), token, piece in rows[held.start : held.stop]
            if a < b
        )
        for (start, end), held in zip(words, tokens_of_words(words, encoding), strict=True)
    )


def compare(
    words: Sequence[Span], one: Sequence[WordTokens], other: Sequence[WordTokens]
) -> Agreement:
    """Return the agreement of two segmentations of the same words."""
    rows = zip(words, one, other, strict=True)
    known = [row for row in rows if not has_unknown(row[1]) and not has_unknown(row[2])]
    spans = [word for word, _, _ in known]
    cuts = cut_positions(spans, [a for _, a, _ in known])
    other_cuts = cut_positions(spans, [b for _, _, b in known])
    alike = sum(a == b for _, a, b in known)
    return Agreement(len(words), len(known), alike, len(cuts | other_cuts), len(cuts & other_cuts))


def has_unknown(parts: WordTokens) -> bool:
    """Return whether a word has an unknown token."""
    return any(is_unknown for _, _, is_unknown in parts)


def cut_positions(words: Sequence[Span], parts: Sequence[WordTokens]) -> set[int]:
    """Return the positions inside words where a token starts or ends."""
    return {
        position
        for (start, end), word in zip(words, parts, strict=True)
        for position in chain.from_iterable(part[:2] for part in word)
        if start < position < end
    }


def same_in_all(segmentations: Sequence[Sequence[WordTokens]]) -> list[bool]:
    """Return for each word whether all segmentations cut it alike, without unknown tokens."""
    return [
        len(set(word)) == 1 and not has_unknown(word[0])
        for word in zip(*segmentations, strict=True)
    ]


# --- Compositionality -----------------------------------------------------------------------------

SUFFIXES = ("s", "es", "ed", "er", "est", "ing", "ly", "ness", "ful", "less", "able")
"""The English endings that `suffixed_words` recognizes."""
MIN_STEM_LENGTH = 3


def suffixed_words(words: Iterable[str]) -> dict[str, int]:
    """Return the words that are another word plus an ending, with the length of that word.

    The ending is one of `SUFFIXES`. The other word, the stem, is as long as possible and has
    `MIN_STEM_LENGTH` letters or more.

    >>> suffixed_words(["low", "lower", "lowest", "the", "then"])
    {'lower': 3, 'lowest': 3}
    """
    known = dict.fromkeys(words)
    found: dict[str, int] = {}
    for word in known:
        stems = (n for n in range(len(word) - 1, MIN_STEM_LENGTH - 1, -1) if word[:n] in known)
        at = next((n for n in stems if word[n:] in SUFFIXES), None)
        if at is not None:
            found[word] = at
    return found
