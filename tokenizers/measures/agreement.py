"""Where two segmentations of one text are the same: by words, and by cuts.

Words are those of `metrics`. A word is *cut alike* where the same stretches of raw text are tokens;
tokens that stand for nothing in the text are left out. A *cut* is a place inside a word where a
token begins or ends. Whoever cannot write a word does not cut it: where something in it is unknown
there is no agreement to count, neither on the word nor on its cuts.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from tokenizers.measures.metrics import Span, tokens_of_words
from tokenizers.text.encoding import Encoding

WordTokens = tuple[tuple[int, int, bool], ...]
"""The tokens of a word: from where to where in the raw text, and whether unknown."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two segmentations agree: `alike` of `words`, and `shared` of all `cuts` of both.

    The cuts are those of the `known` words, in which neither has anything unknown.
    """

    words: int
    known: int
    alike: int
    cuts: int
    shared: int

    @property
    def share(self) -> float | None:
        """The cuts that both make, of those that either makes, 0 to 1; 1 where none does.

        None where no word is known to both.
        """
        if not self.known:
            return None
        return self.shared / self.cuts if self.cuts else 1.0


def tokens_by_word(words: Sequence[Span], encoding: Encoding) -> tuple[WordTokens, ...]:
    """Return how each word is cut; a token is cut off at the ends of the word.

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
    """Return how far two segmentations of the same words agree."""
    rows = zip(words, one, other, strict=True)
    known = [row for row in rows if not has_unknown(row[1]) and not has_unknown(row[2])]
    spans = [word for word, _, _ in known]
    cuts = cut_positions(spans, [a for _, a, _ in known])
    other_cuts = cut_positions(spans, [b for _, _, b in known])
    alike = sum(a == b for _, a, b in known)
    return Agreement(len(words), len(known), alike, len(cuts | other_cuts), len(cuts & other_cuts))


def has_unknown(parts: WordTokens) -> bool:
    """Tell whether a word has a token that stands for something unknown."""
    return any(is_unknown for _, _, is_unknown in parts)


def cut_positions(words: Sequence[Span], parts: Sequence[WordTokens]) -> set[int]:
    """Return the places inside words where a token begins or ends."""
    return {
        place
        for (start, end), word in zip(words, parts, strict=True)
        for place in chain.from_iterable(part[:2] for part in word)
        if start < place < end
    }


def same_in_all(segmentations: Sequence[Sequence[WordTokens]]) -> list[bool]:
    """Tell of each word whether all segmentations cut it alike, with nothing unknown in it."""
    return [
        len(set(word)) == 1 and not has_unknown(word[0])
        for word in zip(*segmentations, strict=True)
    ]


# --- Compositionality -----------------------------------------------------------------------------

SUFFIXES = ("s", "es", "ed", "er", "est", "ing", "ly", "ness", "ful", "less", "able")
"""English endings that are looked for behind a word."""
MIN_STEM_LENGTH = 3


def suffixed_words(words: Iterable[str]) -> dict[str, int]:
    """Return the words that are another word and an ending, with the length of that word.

    The ending is one of `SUFFIXES`, the stem has `MIN_STEM_LENGTH` letters or more; of several stems
    the longest counts.

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
