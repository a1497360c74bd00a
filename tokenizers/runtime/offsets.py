"""Character offsets while a text is changed, as Hugging Face's library tracks them.

Where several characters are replaced together (`e` and an accent become `é`), the core maps each
new character to all old ones. The library maps each new character to one old character, the one
that it replaces or, for an insertion, the one before it. Components read from a `tokenizer.json`
follow the library, to give the same offsets.
"""

from array import array
from collections.abc import Iterable

from tokenizers.text.alignment import AlignedText, Edit

CharacterChange = tuple[str, int]
"""A new character and its origin. The origin is 0 if the character replaces an old one, -n if it
also replaces the next n, and a positive number if it was inserted."""


def with_offsets(aligned: AlignedText, changes: Iterable[CharacterChange]) -> AlignedText:
    """Return the text that results from `changes`, which contains all new characters in order.

    >>> with_offsets(AlignedText.raw("e\u0301x"), [("é", -1), ("x", 0)]).span(0, 1)
    (0, 1)
    """
    text: list[str] = []
    starts, ends, at = array("I"), array("I"), 0
    for character, change in changes:
        here = at - 1 if change > 0 else at
        text.append(character)
        starts.append(aligned.starts[here] if here >= 0 else 0)
        ends.append(aligned.ends[here] if here >= 0 else 0)
        if change <= 0:
            at += 1 - change
    return AlignedText("".join(text), starts, ends)


def replace_spans(aligned: AlignedText, edits: Iterable[Edit]) -> AlignedText:
    """Replace as `Aligned.replace` does, but map each new character to the last old one.

    >>> replace_spans(AlignedText.raw("a  b"), [(1, 3, "▁")]).span(1, 2)
    (2, 3)
    """

    def place(_start: int, end: int) -> tuple[int, int]:
        return (aligned.starts[end - 1], aligned.ends[end - 1]) if end else (0, 0)

    return aligned.replace(edits, place)


def insert_prefix(aligned: AlignedText, places: Iterable[int], prefix: str) -> AlignedText:
    """Insert `prefix` before the character at each of `places`, with that character's offsets."""
    return replace_spans(aligned, [(at, at + 1, prefix + aligned.text[at]) for at in places])
