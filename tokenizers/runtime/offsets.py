"""How Hugging Face's library keeps the places of characters while a text is changed.

Where several characters become others together (`e` and an accent become `é`), the core says that
each new one stands for all of them. The library gives each new character the place of one old
character: of the one that it replaces or, if it was put in, of the one before it. What is read
from a `tokenizer.json` follows the library, so that its offsets are the same.
"""

from array import array
from collections.abc import Iterable

from tokenizers.text.alignment import AlignedText, Edit

CharacterChange = tuple[str, int]
"""A new character and how it came: 0 in place of an old one, -n the same while the n old ones after
that are dropped, and a positive number if it was put in."""


def with_offsets(aligned: AlignedText, changes: Iterable[CharacterChange]) -> AlignedText:
    """Return the text made by `changes`.

    >>> placed(AlignedText.raw("e\u0301x"), [("é", -1), ("x", 0)]).span(0, 1)
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
    """Do what `Aligned.replace` does, but each new character has the place of the last old one.

    >>> replaced(AlignedText.raw("a  b"), [(1, 3, "▁")]).span(1, 2)
    (2, 3)
    """

    def place(_start: int, end: int) -> tuple[int, int]:
        return (aligned.starts[end - 1], aligned.ends[end - 1]) if end else (0, 0)

    return aligned.replace(edits, place)


def insert_prefix(aligned: AlignedText, places: Iterable[int], prefix: str) -> AlignedText:
    """Return the text with `prefix` in front of each of these characters, at that one's place."""
    return replace_spans(aligned, [(at, at + 1, prefix + aligned.text[at]) for at in places])
