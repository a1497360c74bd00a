"""Ids as a model is trained on them: sequences of one length, and what comes next at each place.

`x` is what the model is given, `y` the same moved by one: at every place, `y` is the id that
follows. Left out: batches in a random order, padding, and marks between documents.
"""

from collections.abc import Iterator, Sequence


def input_target_pairs(
    ids: Sequence[int], length: int, step: int
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield (x, y) for each sequence of `length` ids, one beginning `step` ids after another.

    With `step` equal to `length` each id is asked for at most once; with 1, sequences overlap in
    all ids but one. What does not fill a sequence at the end is left out.

    >>> list(input_target_pairs([5, 6, 7, 8, 9, 10], 2, 2))
    [((5, 6), (6, 7)), ((7, 8), (8, 9))]
    """
    for start in range(0, len(ids) - length, step):
        yield tuple(ids[start : start + length]), tuple(ids[start + 1 : start + length + 1])


def num_sequences(num_ids: int, length: int, step: int) -> int:
    """Return how many sequences `input_target_pairs` yields.

    >>> num_sequences(6, 2, 2), num_sequences(6, 2, 1)
    (2, 4)
    """
    return len(range(0, num_ids - length, step))
