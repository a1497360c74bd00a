"""Longest match first: how WordPiece splits one word by a vocabulary, without any merges.

Where one piece ends, the longest piece of the vocabulary that matches there comes next; if none
matches, the whole word has no split. `match_steps` tries the candidates one after the other, the
longest first; `automaton.py` finds the same pieces in linear time. Every piece of a word except the
first starts with a *mark*, as in un ##able. Whole texts are encoded by `wordpiece.encode`.
"""

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from tokenizers.text.symbols import Split


@dataclass(frozen=True, slots=True)
class Match:
    """The piece of a word at character `start`, or the failure to find one there.

    `rejected` contains the candidates not found in the vocabulary, the longest first. `piece` is
    the first one found, and ends at `end`; if none is found, it is None and `end` equals `start`.
    """

    start: int
    end: int
    rejected: tuple[str, ...]
    piece: str | None


def match_steps(word: str, vocab: Container[str], mark: str = "##") -> Iterator[Match]:
    """Yield the matches that split `word`, left to right, up to the first failure.

    >>> [match.piece for match in match_steps("unable", {"un", "##a", "##ab", "##le"})]
    ['un', '##ab', '##le']
    """
    start = 0
    while start < len(word):
        match = _longest_match(word, start, vocab, mark if start else "")
        yield match
        if match.piece is None:
            return
        start = match.end


def _longest_match(word: str, start: int, vocab: Container[str], mark: str) -> Match:
    rest, rejected = mark + word[start:], list[str]()
    for length in range(len(rest), len(mark), -1):
        candidate = rest[:length]
        if candidate in vocab:
            return Match(start, start + length - len(mark), tuple(rejected), candidate)
        rejected.append(candidate)
    return Match(start, start, tuple(rejected), None)


def pieces_of_matches(steps: Iterable[Match]) -> Split | None:
    """Return the pieces that `match_steps` found; None for a word that has no split."""
    pieces = [step.piece for step in steps]
    known = tuple([piece for piece in pieces if piece is not None])
    return known if len(known) == len(pieces) else None
