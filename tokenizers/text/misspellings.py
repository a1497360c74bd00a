"""Spelling correction: a word one slip away from a listed one becomes that one.

A *slip* is a letter too many, too few or wrong, or two neighbors that have changed places. Covers
lower-case words of five letters or more, and a short list of English words that are often
misspelled (`LISTED`). Left out: words listed nowhere and far from all, other languages, and what
the sentence means: `causal` becomes `casual`, and what was written does not come back.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain

import regex

from tokenizers.text.alignment import Aligned, Edit

LISTED = tuple(
    "about above after again always another around because before began believe between brought "
    "business calendar casual caught change column could country decide definitely different "
    "disease enjoyed enough environment every everything exercise experience family February "
    "finally foreign forty found friend government grammar guarantee having heard height house "
    "immediately interesting knowledge language laugh library listen little loose minute movie "
    "necessary never night often other parliament people perhaps piece place possible probably "
    "quiet quite really receive recommend restaurant right schedule school science second separate "
    "should since similar something special started still strange surprise their there these thing "
    "think third thought through together tomorrow truly twelfth under until usual watched weather "
    "Wednesday weird where whether which while without women world would write writing written"
    .lower().split()
)  # fmt: skip
_WORD = regex.compile(r"(?<!\w)[a-z]{5,}(?!\w)")


def correct(aligned: Aligned) -> Aligned:
    """Replace every word that is one slip away from a listed one, unless it is listed itself.

    >>> correct(Aligned.raw("we enjooyed a causal visit thier")).text
    'we enjoyed a casual visit their'
    """
    edits: list[Edit] = []
    for match in _WORD.finditer(aligned.text):
        if (meant := corrected(match[0])) != match[0]:
            start, end = _difference(match[0], meant)
            new = meant[start : len(meant) - (len(match[0]) - end)]
            edits.append((match.start() + start, match.start() + end, new))
    return aligned.replace(edits)


def corrected(word: str) -> str:
    """Return the first listed word that is one slip away; the word itself if it is listed."""
    if word in _KNOWN:
        return word
    near = {n for part in chain([word], _shorter(word)) for n in _BY_PART.get(part, ())}
    return next((LISTED[n] for n in sorted(near) if is_one_slip(word, LISTED[n])), word)


def is_one_slip(word: str, other: str) -> bool:
    """Tell whether two different words are one slip apart.

    >>> is_one_slip("recieve", "receive"), is_one_slip("movie", "movvie"), is_one_slip("on", "no")
    (True, True, True)
    """
    start, end = _difference(word, other)
    was, now = word[start:end], other[start : len(other) - (len(word) - end)]
    return max(len(was), len(now)) == 1 or (len(was) == 2 and was == now[::-1])


def _difference(word: str, other: str) -> tuple[int, int]:
    """Return where a word begins and where it ends to be another one."""
    shortest, start, behind = min(len(word), len(other)), 0, 0
    while start < shortest and word[start] == other[start]:
        start += 1
    while behind < shortest - start and word[-behind - 1] == other[-behind - 1]:
        behind += 1
    return start, len(word) - behind


def _shorter(word: str) -> Iterator[str]:
    return (word[:n] + word[n + 1 :] for n in range(len(word)))


def _by_part() -> dict[str, list[int]]:
    """Return the numbers of the listed words by themselves, and by what one letter less leaves.

    Two words that are one slip apart always share one of these, so most need no comparing.
    """
    found: dict[str, list[int]] = defaultdict(list)
    for n, word in enumerate(LISTED):
        for part in {word, *_shorter(word)}:
            found[part].append(n)
    return dict(found)


_KNOWN = frozenset(LISTED)
_BY_PART = _by_part()
