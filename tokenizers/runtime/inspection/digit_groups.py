"""How a vocabulary's tokens group the digits of numbers, from the left or from the right.

A tokenizer that cuts digits in threes starts at the left, so the same place of two numbers may lie
in different tokens. Singh and Strouse 2024 compare this with groups from the right.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tokenizers.errors import UserError
from tokenizers.runtime.inspection.segmentation_graph import graph_of
from tokenizers.runtime.tokenizer import LoadedTokenizer

GROUP = 3
"""The largest number of digits in a group from the right, as between two commas."""


@dataclass(frozen=True, slots=True)
class DigitGroup:
    """A token of a number: its text, its id, and the number of digits and commas after it."""

    text: str
    id: int
    after: int


def digit_groups(
    loaded: LoadedTokenizer, number: str, *, from_right: bool = False
) -> list[DigitGroup]:
    """Return the tokens of a number, the tokenizer's own or those `from_right`.

    From the right, each token has up to three digits, as many as the vocabulary allows. A space
    that the tokenizer puts in front is left out. Raises UserError as `graph_of` does, and if the
    tokens do not decode to the number.
    """
    graph = graph_of(loaded, number)
    size = graph.graph.size
    if graph.text.replace(" ", "") != number:  # BERT's commas are words
        raise UserError(f"This tokenizer changes “{number}” to “{graph.text.strip()}”.")
    start = size - len(number)
    path = graph.canonical
    if from_right:
        before = tuple([token for token in path if token.end <= start])
        path = (*before, *graph.from_the_right(before[-1].end if before else 0, size, GROUP))
        graph.ids(path)
    return [
        DigitGroup(
            graph.text_between(max(token.start, start), token.end), token.id, size - token.end
        )
        for token in path
        if token.end > start
    ]


def share_places(rows: Sequence[Sequence[DigitGroup]]) -> bool:
    """Whether numbers have the same boundaries, counted from the right, where they overlap.

    >>> long, short = DigitGroup("12", 7, 1), DigitGroup("3", 8, 0)
    >>> share_places([[long, short], [short]]), share_places([[DigitGroup("45", 9, 0)], [long]])
    (True, False)
    """
    sizes = [sum(len(group.text) for group in row) for row in rows]
    ends = [{group.after for group in row} for row in rows]
    return all(
        {place for place in ends[a] if place < min(sizes[a], sizes[b])}
        == {place for place in ends[b] if place < min(sizes[a], sizes[b])}
        for a in range(len(rows))
        for b in range(a)
    )


def line_up(loaded: LoadedTokenizer, numbers: Sequence[str], *, from_right: bool = False) -> bool:
    """Whether the tokens of numbers have digits of the same places."""
    return share_places([digit_groups(loaded, one, from_right=from_right) for one in numbers])
