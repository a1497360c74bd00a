"""Stemming: remove plural endings, -ed and -ing from words, as search engines used to do.

This is only the first step of Porter's stemmer (1980), for lower-case English words of three
letters or more; its later steps remove endings such as -ational. Irregular forms such as `ran`
are unchanged. No language model stems its text, as the endings cannot be restored.
"""

import regex

from tokenizers.text.alignment import AlignedText, change_words

_WORD = regex.compile(r"(?<!\w)[a-z]{3,}(?!\w)")
_VOWELS = frozenset("aeiou")


def stem_words(aligned: AlignedText) -> AlignedText:
    """Replace every lower-case word by its stem.

    >>> stem_words(AlignedText.raw("she hopped, hoping for ponies")).text
    'she hop, hope for poni'
    """
    return change_words(aligned, _WORD, stem)


def stem(word: str) -> str:
    """Return a lower-case word without a plural ending, -ed or -ing; a final y becomes an i.

    >>> [stem(word) for word in ("caresses", "agreed", "plastered", "sing", "falling", "happy")]
    ['caress', 'agree', 'plaster', 'sing', 'fall', 'happi']
    """
    word = _without_ed_or_ing(_without_plural(word))
    return word[:-1] + "i" if word.endswith("y") and "v" in _shape(word[:-1]) else word


def _without_plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _without_ed_or_ing(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for ending in ("ed", "ing"):
        stem = word.removesuffix(ending)
        if stem != word and "v" in _shape(stem):
            return _restore_stem(stem)
    return word


def _restore_stem(stem: str) -> str:
    """Restore a final e, or remove a doubled letter, where the ending had changed the stem."""
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    shape = _shape(stem)
    if shape.endswith("c") and stem[-2:-1] == stem[-1] and stem[-1] not in "lsz":
        return stem[:-1]
    is_short = shape.endswith("cvc") and stem[-1] not in "wxy"
    return stem + "e" if is_short and _measure(stem) == 1 else stem


def _shape(word: str) -> str:
    """Return v for each vowel and c for each consonant; a y after a consonant is a vowel."""
    shape = ""
    for letter in word:
        is_vowel = letter in _VOWELS or (letter == "y" and shape.endswith("c"))
        shape += "v" if is_vowel else "c"
    return shape


def _measure(word: str) -> int:
    """Return how often a consonant follows a vowel: Porter's measure, m."""
    return _shape(word).count("vc")
