"""Spelling correction: replace a word by a listed word that is one edit away.

An *edit* is an insertion, deletion or replacement of a letter, or a swap of two neighbors. Only
lower-case words of five letters or more are corrected, to a short list of English words that are
often misspelled (`LISTED`). The context is ignored, so `causal` becomes `casual`, irreversibly.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain

import regex

from tokenizers.text.alignment import AlignedText, change_words, changed_part

_LISTED = """
about above after again always another around because before began believe between brought business
calendar casual caught change column could country decide definitely different disease enjoyed
enough environment every everything exercise experience family february finally foreign forty found
friend government grammar guarantee having heard height house immediately interesting knowledge
language laugh library listen little loose minute movie necessary never night often other
parliament people perhaps piece place possible probably quiet quite really receive recommend
restaurant right schedule school science second separate should since similar something special
started still strange surprise their there these thing think third thought through together
tomorrow truly twelfth under until usual watched weather wednesday weird where whether which while
without women world would write writing written
"""
LISTED = tuple(_LISTED.split())
_WORD = regex.compile(r"(?<!\w)[a-z]{5,}(?!\w)")


def correct(aligned: AlignedText) -> AlignedText:
    """Replace every unlisted word that is one edit away from a listed one.

    >>> correct(AlignedText.raw("we enjooyed a causal visit thier")).text
    'we enjoyed a casual visit their'
    """
    return change_words(aligned, _WORD, corrected)


def corrected(word: str) -> str:
    """Return the first listed word that is one edit away, or the word itself."""
    if word in _KNOWN:
        return word
    near = {n for part in chain([word], _shorter(word)) for n in _BY_PART.get(part, ())}
    return next((LISTED[n] for n in sorted(near) if is_one_edit_apart(word, LISTED[n])), word)


def is_one_edit_apart(word: str, other: str) -> bool:
    """Return whether two different words are one edit apart.

    >>> is_one_edit_apart("recieve", "receive"), is_one_edit_apart("movie", "movvie")
    (True, True)
    """
    here, there = changed_part(word, other)
    was, now = word[here], other[there]
    return max(len(was), len(now)) == 1 or (len(was) == 2 and was == now[::-1])


def _shorter(word: str) -> Iterator[str]:
    return (word[:n] + word[n + 1 :] for n in range(len(word)))


def _by_part() -> dict[str, list[int]]:
    """Map each listed word, and its spellings with one letter deleted, to indices in `LISTED`.

    Two words that are one edit apart always share such a key, so few need to be compared.
    """
    found: dict[str, list[int]] = defaultdict(list)
    for n, word in enumerate(LISTED):
        for part in {word, *_shorter(word)}:
            found[part].append(n)
    return dict(found)


_KNOWN = frozenset(LISTED)
_BY_PART = _by_part()
