"""Longest match first: how WordPiece splits one word by a vocabulary, without any merges.

Where one piece ends, the longest piece of the vocabulary that matches there comes next; if none
matches, the whole word has no split. `match_ends` is the only loop that matches; everything else
here reads its result. `automaton.py` finds the same pieces in linear time. Every piece of a word
except the first starts with a *mark*, as in un ##able. Whole texts are encoded by
`wordpiece.encode`.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tokenizers.limits import CHARACTERS_PER_TIME_CHECK, check_time
from tokenizers.text.symbols import Split


def match_ends(
    word: str, vocab: Container[str], mark: str = "##", longest: int | None = None
) -> list[int]:
    """Return where each piece of `word` ends, left to right, up to the first failure.

    The word has a split if the last end is the word's. No piece in `vocab` has more than `longest`
    characters, if that is given.

    >>> match_ends("unable", {"un", "##a", "##ab", "##le"})
    [2, 4, 6]
    """
    length = len(word)
    longest = length if longest is None else longest
    ends: list[int] = []
    start, before = 0, ""
    while start < length:
        if length > CHARACTERS_PER_TIME_CHECK:
            check_time()
        rest = before + word[start : start + longest]
        for size in range(len(rest), len(before), -1):
            if rest[:size] in vocab:
                break
        else:
            return ends  # nothing fits here
        start += size - len(before)
        ends.append(start)
        before = mark
    return ends


def longest_matches(word: str, vocab: Container[str], mark: str = "##") -> Split | None:
    """Return the pieces that split `word`; None if it has no split.

    >>> longest_matches("unable", {"un", "##a", "##ab", "##le"})
    ('un', '##ab', '##le')
    """
    return split_at(word, match_ends(word, vocab, mark), mark)


def split_at(word: str, ends: Sequence[int], mark: str) -> Split | None:
    """Return the pieces of `word` that end at `ends`; None if they do not cover it."""
    if (ends[-1] if ends else 0) < len(word):
        return None
    spans = pairwise([0, *ends])
    return tuple([(mark if start else "") + word[start:end] for start, end in spans])


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
    for end in match_ends(word, vocab, mark):
        *rejected, piece = _candidates(word, start, end, mark)
        yield Match(start, end, tuple(rejected), piece)
        start = end
    if start < len(word):
        yield Match(start, start, tuple(_candidates(word, start, start + 1, mark)), None)


def _candidates(word: str, start: int, last: int, mark: str) -> Iterator[str]:
    """Yield the candidates at `start`, from the longest to the one that ends at `last`."""
    for end in range(len(word), last - 1, -1):
        yield (mark if start else "") + word[start:end]


def pieces_of_matches(steps: Iterable[Match]) -> Split | None:
    """Return the pieces that `match_steps` found; None for a word that has no split."""
    pieces = [step.piece for step in steps]
    known = tuple([piece for piece in pieces if piece is not None])
    return known if len(known) == len(pieces) else None


def ends_by_stage(
    word: str, stage_of: Mapping[str, int], mark: str, longest: int
) -> Iterator[tuple[int, list[int]]]:
    """Match `word` at each stage of a growing vocabulary at which the result may change.

    `stage_of` maps each piece to the first stage that has it; no piece has more than `longest`
    characters. Yields (stage, result of `match_ends`) for stage 0 and for each stage that adds a
    piece that occurs in the word.

    >>> stages = {"a": 0, "##b": 0, "##c": 0, "##bc": 2, "x": 3}
    >>> list(ends_by_stage("abc", stages, "##", 4))
    [(0, [1, 2, 3]), (2, [1, 3])]
    """
    found: dict[int, set[str]] = {0: set()}
    for start in range(len(word)):
        before = mark if start else ""
        for end in range(start + 1, min(len(word), start + longest) + 1):
            if (stage := stage_of.get(piece := before + word[start:end])) is not None:
                found.setdefault(stage, set()).add(piece)
    known, most = set[str](), 0
    for stage in sorted(found):
        known |= found[stage]
        most = max(most, *map(len, found[stage]), 0)
        yield stage, match_ends(word, known, mark, most)
