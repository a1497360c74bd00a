"""Compare two vocabularies, to find the tokens they share and the tokens that only one has.

Two tokens are the same if they spell the same bytes, however each file writes them.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pages.real.vocabulary import VocabularyTable

SAMPLES = 24


@dataclass(frozen=True, slots=True)
class VocabularyOverlap:
    """Counts and samples of tokens; a sample is a spelling with its ids in the vocabularies.

    `both` counts the common spellings, `moved` the common spellings that have different ids.
    """

    both: int
    moved: int
    only_first: int
    only_second: int
    samples_moved: tuple[tuple[bytes, int, int], ...]
    samples_first: tuple[tuple[bytes, int], ...]
    samples_second: tuple[tuple[bytes, int], ...]


def compare_vocabularies(first: VocabularyTable, second: VocabularyTable) -> VocabularyOverlap:
    """Return the overlap; of tokens spelled alike in one vocabulary, the lowest id counts."""
    one, two = _by_spelling(first), _by_spelling(second)
    both = one.keys() & two.keys()
    moved = sorted((one[text], text) for text in both if one[text] != two[text])
    return VocabularyOverlap(
        len(both),
        len(moved),
        len(one) - len(both),
        len(two) - len(both),
        tuple((text, id_, two[text]) for id_, text in _spread(moved)),
        _sample(one, both),
        _sample(two, both),
    )


def _by_spelling(table: VocabularyTable) -> dict[bytes, int]:
    return dict(zip(reversed(table.spelled), reversed(table.ids.tolist()), strict=True))


def _sample(vocab: dict[bytes, int], both: set[bytes]) -> tuple[tuple[bytes, int], ...]:
    only = sorted((id_, text) for text, id_ in vocab.items() if text not in both)
    return tuple((text, id_) for id_, text in _spread(only))


def _spread(rows: list[tuple[int, bytes]]) -> Iterable[tuple[int, bytes]]:
    """Return evenly spaced samples, from the first to near the last."""
    step = max(len(rows) // SAMPLES, 1)
    return rows[::step][:SAMPLES]
