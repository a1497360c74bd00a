"""Training sequences for a language model: inputs of one length, and the next id at each position.

Below, `x` is the input and `y` is the target, i.e. the same ids shifted by one. There is no
shuffling, no padding, and no separator between documents.
"""

from collections.abc import Iterator, Sequence


def input_target_pairs(
    ids: Sequence[int], length: int, step: int
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield (x, y) for each sequence of `length` ids, starting every `step` ids.

    If `step` equals `length`, each id is a target at most once; if it is 1, neighbouring sequences
    share all ids but one. An incomplete last sequence is dropped.

    >>> list(input_target_pairs([5, 6, 7, 8, 9, 10], 2, 2))
    [((5, 6), (6, 7)), ((7, 8), (8, 9))]
    """
    for start in range(0, len(ids) - length, step):
        yield tuple(ids[start : start + length]), tuple(ids[start + 1 : start + length + 1])


def num_sequences(num_ids: int, length: int, step: int) -> int:
    """Return the number of sequences that `input_target_pairs` yields.

    >>> num_sequences(6, 2, 2), num_sequences(6, 2, 1)
    (2, 4)
    """
    return len(range(0, num_ids - length, step))
