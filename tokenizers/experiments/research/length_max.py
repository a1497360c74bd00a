"""Length-MAX: learn pieces that are frequent *and* long, several tokens at a time.

After Dong and Su, "Length-MAX Tokenizer for Language Models", 2025. A candidate is a *run* of two
or more neighbouring tokens; the next piece is the run that is worth the most, joined wherever it
occurs. What a run is worth:

* `length`: how often it occurs, times its length in characters. This is what the paper maximizes.
* `saved`: how often it occurs, times the tokens that one join saves, which are one fewer than the
  run has. This is what the authors' published program maximizes.

Both prefer a long run to a pair of the same count, so a frequent word is one piece after one step.
As in the authors' program, a run must occur twice, and of those worth the same, the one with more
tokens is taken; of those, here, the first in alphabetical order. A text is split into the fewest
pieces, as by that program (`lattice/fewest.py`). The paper's view of the same choice as a
partitioning of a graph, and what it does to be fast, are not implemented.
"""

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tokenizers.errors import UserError
from tokenizers.progress import CancelCheck, never_cancel
from tokenizers.text.symbols import Split

WORTHS = ("length", "saved")
LONGEST_RUN = 6
"""The most tokens in a run, as in the authors' program unless told otherwise."""


@dataclass(frozen=True, slots=True)
class LearnedPiece:
    """One step: which run of tokens became a piece, how often it occurs, and what it is worth."""

    run: Split
    count: int
    worth: int

    @property
    def token(self) -> str:
        """The new piece."""
        return "".join(self.run)


def worth_of(run: Split, count: int, worth: str) -> int:
    """Return what a run that occurs `count` times is worth.

    >>> worth_of(("t", "h", "e"), 5, "length"), worth_of(("t", "h", "e"), 5, "saved")
    (15, 10)
    """
    return count * (sum(map(len, run)) if worth == "length" else len(run) - 1)


# --- The plain version: everything is counted again at every step ---------------------------------


def runs_of(split: Split, longest: int = LONGEST_RUN) -> list[Split]:
    """List the runs of 2 to `longest` neighbouring tokens, each as often as it occurs.

    >>> runs_of(("l", "o", "w"))
    [('l', 'o'), ('l', 'o', 'w'), ('o', 'w')]
    """
    ends = range(len(split) + 1)
    return [split[i:j] for i in ends for j in ends if 2 <= j - i <= longest]


def join(split: Split, run: Split) -> Split:
    """Join `run` wherever it occurs in `split`, from left to right.

    >>> join(("l", "o", "w", "l", "o", "w"), ("l", "o", "w"))
    ('low', 'low')
    """
    joined, i = list[str](), 0
    while i < len(split):
        size = len(run) if split[i : i + len(run)] == run else 1
        joined.append("".join(split[i : i + size]))
        i += size
    return tuple(joined)


def train_plainly(
    word_counts: Mapping[str, int], num_pieces: int, worth: str = "length"
) -> Iterator[tuple[LearnedPiece, list[Split]]]:
    """Yield each piece and the splits after it, counting every run again at every step."""
    splits = [tuple(word) for word in word_counts]
    for _ in range(num_pieces):
        counts: Counter[Split] = Counter()
        for split, count in zip(splits, word_counts.values(), strict=True):
            for run in runs_of(split):
                counts[run] += count
        ranked = [
            (-worth_of(run, count, worth), -len(run), run)
            for run, count in counts.items()
            if count > 1
        ]
        if not ranked:
            return
        best, _, run = min(ranked)
        splits = [join(split, run) for split in splits]
        yield LearnedPiece(run, counts[run], -best), splits


# --- The same, counting only what changed ---------------------------------------------------------


def train(
    word_counts: Mapping[str, int],
    num_pieces: int,
    worth: str = "length",
    check_cancelled: CancelCheck = never_cancel,
) -> tuple[list[LearnedPiece], list[Split]]:
    """Return the pieces in the order in which they are learned, and the words split by them.

    They may be fewer than `num_pieces`. `check_cancelled` is called at every step. Raises UserError
    if `worth` is none of `WORTHS`.

    >>> pieces, splits = train({"low": 5, "lower": 2, "newest": 6}, 2)
    >>> [piece.token for piece in pieces], splits
    (['newest', 'low'], [('low',), ('low', 'e', 'r'), ('newest',)])
    """
    if worth not in WORTHS:
        raise UserError(f"A run cannot be worth its {worth!r}. Choose from: {', '.join(WORTHS)}.")
    splits, times = [tuple(word) for word in word_counts], list(word_counts.values())
    counts: Counter[Split] = Counter()
    words_with: dict[Split, set[int]] = defaultdict(set)  # may be outdated
    for word, split in enumerate(splits):
        for run in runs_of(split):
            counts[run] += times[word]
            words_with[run].add(word)
    heap = [_entry(run, count, worth) for run, count in counts.items() if count > 1]
    heapq.heapify(heap)
    pieces: list[LearnedPiece] = []
    while heap and len(pieces) < num_pieces:
        best, _, run = heapq.heappop(heap)
        count = counts[run]
        if count < 2 or -best != worth_of(run, count, worth):
            continue  # outdated: the run was pushed again when its count changed
        check_cancelled()
        pieces.append(LearnedPiece(run, count, -best))
        changed: Counter[Split] = Counter()
        for word in words_with.pop(run):
            after = join(splits[word], run)
            for old in runs_of(splits[word]):
                changed[old] -= times[word]
            for new in runs_of(after):
                changed[new] += times[word]
                words_with[new].add(word)
            splits[word] = after
        for other, change in changed.items():
            if change:
                counts[other] += change
                if counts[other] > 1:
                    heapq.heappush(heap, _entry(other, counts[other], worth))
    return pieces, splits


def _entry(run: Split, count: int, worth: str) -> tuple[int, int, Split]:
    return -worth_of(run, count, worth), -len(run), run


def vocabulary(word_counts: Mapping[str, int], pieces: Sequence[LearnedPiece]) -> list[str]:
    """Return the characters of the words, and after them the pieces."""
    characters = sorted({character for word in word_counts for character in word})
    return list(dict.fromkeys([*characters, *(piece.token for piece in pieces)]))
