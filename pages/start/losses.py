"""Describe which parts of a text decoding does not give back."""

import unicodedata
from collections import Counter
from functools import lru_cache

import regex

from pages.shared.aligned.side_by_side import first_loss
from pages.shared.drawing.phrasing import count_of
from tokenizers.runtime.components import LoadedEncoding
from tokenizers.runtime.tokenizer import LoadedTokenizer

SPACES = "spaces"
_KINDS = {
    name: regex.compile(pattern, regex.V1)
    for name, pattern in {
        "invisible characters": r"[\p{Cf}\p{DI}]",  # including variation selectors, also marks
        "control characters": r"[\p{Cc}--[\t\n\v\f\r\x85]]",
        "capitals": r"[\p{Uppercase}\p{Lt}]",
        "accents": r"[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]",
        "vowel signs and other marks": r"\p{M}",
        SPACES: r"\s",
    }.items()
}
"""A character's kind is the first that matches it. Accents are marks that many scripts share."""


def describe_losses(text: str, model: LoadedTokenizer, encoding: LoadedEncoding) -> tuple[str, ...]:
    """Return descriptions of what decoding loses; empty if the whole text comes back.

    Unknown tokens are only counted.
    """
    unknown = encoding.unknown()
    kinds = [f"{count_of(len(unknown), 'unknown')} ({model.unk})"] if unknown else []
    decoded = model.decode(encoding.ids)
    if decoded == text:
        return tuple(kinds)
    special = _special_in_text(model, encoding)
    if special:
        kinds.append("special tokens")
    known, decoded_known = _replace_tokens(text, model, encoding, sorted({*unknown, *special}))
    before, after = _count_kinds(known), _count_kinds(decoded_known)
    kinds += [name for name in _KINDS if name != SPACES and after[name] < before[name]]
    if _spaces(known) != _spaces(decoded_known):
        kinds.append(SPACES)
    if not kinds:
        kinds = [f"from character {first_loss(text, decoded) + 1:,} on, other text comes back"]
    return tuple(kinds)


def _special_in_text(model: LoadedTokenizer, encoding: LoadedEncoding) -> list[int]:
    """Return the indices of the special tokens that occur in the text itself."""
    ids = set(model.specials.values())
    rows = enumerate(
        zip(encoding.ids, encoding.tokens, encoding.pieces, encoding.words, strict=True)
    )
    return [n for n, (id_, *same, word) in rows if id_ in ids and word >= 0 and len({*same}) == 1]


def _replace_tokens(
    text: str,
    model: LoadedTokenizer,
    encoding: LoadedEncoding,
    replaced: list[int],
    stand_in: str = "a",
) -> tuple[str, str]:
    """Return the text and its decoding, both with `stand_in` for the tokens at `replaced`.

    If these tokens were simply removed, the spaces around them would seem lost, too. Characters
    dropped right after such a token, up to the next space, are replaced along with it.
    """
    kept, ids, end = [], list(encoding.ids), 0
    starts = [start for start, _ in encoding.offsets]
    for n in replaced:
        start, last = encoding.offsets[n]
        follows = next((one for one in starts[n + 1 : n + 2] if one >= last), len(text))
        while last < follows and not text[last].isspace():
            last += 1
        kept += [text[end:start], stand_in]
        ids[n] = model.vocab[stand_in]
        end = max(end, last)
    return "".join([*kept, text[end:]]), model.decode(ids)


def _spaces(text: str) -> Counter[str]:
    return Counter({char: n for char, n in Counter(text).items() if _kinds_of(char) == (SPACES,)})


def _count_kinds(text: str) -> Counter[str]:
    """Count the characters of each kind; letters and their accents count separately.

    Normalizes each character alone because ordering thousands of marks on one letter would take
    seconds and block all other visitors.
    """
    counts: Counter[str] = Counter()
    for char, n in Counter(text).items():
        for kind in _kinds_of(char):
            counts[kind] += n
    return counts


@lru_cache(maxsize=4096)
def _kinds_of(char: str) -> tuple[str, ...]:
    parts = unicodedata.normalize("NFD", char)
    first = (next((name for name, one in _KINDS.items() if one.match(part)), "") for part in parts)
    return tuple(filter(None, first))
