"""Exercises with a lattice or a round of EM, small enough for paper, in equally hard variants.

A task's numbers are rounded for print, and all solutions are computed from the rounded numbers.
There are no length priors and no library conventions about the loss.
"""

import math
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations
from typing import TypeVar

from pages.shared.export.worksheets.tasks.equal_difficulty import (
    equally_hard,
    letter_permutation,
    shuffled,
)
from tokenizers import plain
from tokenizers.errors import UserError
from tokenizers.lattice import Lattice, best_path, num_segmentations, viterbi_steps
from tokenizers.lattice.lattice import TIE_EPS
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.unigram.steps import Expectation

MAX_WORD_LENGTH = 7
MAX_SEGMENTATIONS = 6  # of a word
MAX_MULTIPLE = 6  # pieces of several characters
MAX_TRIED = 60  # of a run's words, the most frequent first
Number = TypeVar("Number", float, Fraction)
_ADVICE = "choose another text"

# ---- a lattice ----


@dataclass(frozen=True, slots=True)
class LatticeTask:
    """A text and the pieces in it, with log probabilities of two decimals, in nats.

    `unknown` contains the characters that are not pieces; they have a log probability too.
    """

    text: str
    log_probs: tuple[tuple[str, float], ...]
    unknown: frozenset[str] = frozenset()

    def lattice(self) -> Lattice:
        """Return the lattice of the text with the rounded log probabilities."""
        return Lattice.build(self.text, dict(self.log_probs))

    def probs(self) -> dict[str, float]:
        """Return the probabilities, with three significant digits."""
        return {piece: float(f"{math.exp(log):.3g}") for piece, log in self.log_probs}

    def sums(self) -> Lattice:
        """Return the lattice of the text with the rounded probabilities."""
        return Lattice.build(self.text, {p: math.log(prob) for p, prob in self.probs().items()})


def lattice_task(lattice: Lattice) -> LatticeTask:
    """Return the task of filling in a lattice."""
    logs = {edge.piece: round(edge.log_prob, 2) + 0.0 for edge in lattice.edges}
    unknown = frozenset(edge.piece for edge in lattice.edges if not edge.known)
    return LatticeTask(lattice.text, tuple(logs.items()), unknown)


def lattice_effort(task: LatticeTask) -> object:
    """Return each position's edges and ties, the best path's length, and the number of paths."""
    lattice = task.lattice()
    scores = list(viterbi_steps(lattice))
    tied = [sum(total > one.value - TIE_EPS for total in one.totals) for one in scores]
    path = best_path(lattice) or ()
    return [len(one.edges) for one in scores], tied, len(path), num_segmentations(lattice)


def lattice_tasks(task: LatticeTask, number: int, seed: int) -> list[LatticeTask]:
    """Return `number` equally hard lattices, the given one first; see `equally_hard`."""

    def draw(rng: random.Random, is_late: bool) -> LatticeTask:
        letters = letter_permutation(task.text, rng)
        logs = _permuted_values(dict(task.log_probs), rng)
        return LatticeTask(
            task.text.translate(letters),
            tuple([(piece.translate(letters), log) for piece, log in logs.items()]),
            frozenset(piece.translate(letters) for piece in task.unknown),
        )

    return equally_hard(task, number, seed, draw, lattice_effort, _ADVICE)


def _permuted_values(values: Mapping[str, Number], rng: random.Random) -> dict[str, Number]:
    """Permute the values among the pieces of one character, and among the other pieces."""
    moved = dict(values)
    for is_single in (True, False):
        same = [piece for piece in values if (len(piece) == 1) is is_single]
        moved |= zip(same, shuffled((values[piece] for piece in same), rng), strict=True)
    return moved


# ---- a round of EM ----


@dataclass(frozen=True, slots=True)
class EmTask:
    """One or two words, and the pieces in them with probabilities in hundredths."""

    words: tuple[tuple[str, int], ...]
    pieces: tuple[tuple[str, Fraction], ...]

    @property
    def word_counts(self) -> dict[str, int]:
        """How often each word occurs."""
        return dict(self.words)

    @property
    def probs(self) -> dict[str, Fraction]:
        """The probability of each piece."""
        return dict(self.pieces)

    @property
    def multiple(self) -> list[str]:
        """The pieces of several characters, which are the ones that could be removed."""
        return [piece for piece, _ in self.pieces if len(piece) > 1]


def segmentation_shares(task: EmTask, word: str) -> dict[plain.Split, Fraction]:
    """Return a word's segmentations with their posterior probabilities, computed by `plain`."""
    found = plain.segmentations(word, task.probs)
    total = sum(found.values())
    return {path: Fraction(prob) / Fraction(total) for path, prob in found.items()}


def share_without(task: EmTask, word: str, piece: str) -> Fraction:
    """Return the posterior probability that a word's segmentation does not use a piece."""
    shares = segmentation_shares(task, word)
    return sum((share for path, share in shares.items() if piece not in path), Fraction(0))


def loss(task: EmTask, piece: str) -> float:
    """Return by how many nats the log-likelihood decreases without a piece.

    The other pieces keep their probabilities.
    """
    return sum(count * -math.log(share_without(task, word, piece)) for word, count in task.words)


def least_needed(task: EmTask) -> list[str]:
    """Return the piece of several characters that has the smallest loss, or all tied ones."""
    found = {piece: loss(task, piece) for piece in task.multiple}
    least = min(found.values(), default=0.0)
    return [piece for piece, value in found.items() if value < least + TIE_EPS]


def em_task(trace: UnigramTrace) -> tuple[int, EmTask]:
    """Return the number of the E step that the task starts with, and the task made from the run.

    The task has one or two of the most frequent words, at the first E step at which they have few
    segmentations. Their pieces' probabilities are normalized and rounded. Raises UserError if no
    word is suitable.
    """
    counts = trace.word_counts
    often = sorted(counts, key=lambda word: -counts[word])
    short = [word for word in often if 1 < len(word) <= MAX_WORD_LENGTH][:MAX_TRIED]
    for k in range(1, len(trace) + 1):
        if isinstance(trace.step(k), Expectation):
            candidates = _suitable_words(short, trace.state(k))
            if candidates:
                pairs = _word_pairs(candidates)
                words = max(pairs, key=lambda some: _num_shared_pieces(some, candidates))
                chosen = {word: counts[word] for word in words}
                return k, _rounded_task(chosen, candidates, trace.state(k))
    raise UserError(
        "A worksheet is for pencil and paper: it needs a word of at most "
        f"{MAX_WORD_LENGTH} characters that this run can split in two to {MAX_SEGMENTATIONS} ways, "
        "with two pieces or more that could be removed. There is none here. Choose another "
        "training text."
    )


def _suitable_words(words: Iterable[str], log_probs: Mapping[str, float]) -> dict[str, list[str]]:
    """Return the words that are neither too easy nor too hard, each with its pieces."""
    found: dict[str, list[str]] = {}
    for word in words:
        lattice = Lattice.build(word, log_probs)
        pieces = list(dict.fromkeys(edge.piece for edge in lattice.edges))
        multiple = sum(len(piece) > 1 for piece in pieces)
        singles = set(word) <= set(pieces)  # so no other piece is needed
        paths = num_segmentations(lattice)
        if singles and 2 <= multiple <= MAX_MULTIPLE and 2 < paths <= MAX_SEGMENTATIONS:
            found[word] = pieces
    return found


def _word_pairs(candidates: Mapping[str, list[str]]) -> list[tuple[str, ...]]:
    pairs = [
        pair
        for pair in combinations(candidates, 2)
        if sum(len(piece) > 1 for piece in _pieces_of_words(pair, candidates)) <= MAX_MULTIPLE
    ]
    return pairs or [(word,) for word in candidates]


def _pieces_of_words(words: Iterable[str], candidates: Mapping[str, list[str]]) -> list[str]:
    return list(dict.fromkeys(chain.from_iterable(candidates[word] for word in words)))


def _num_shared_pieces(words: tuple[str, ...], candidates: Mapping[str, list[str]]) -> int:
    """Return the number of pieces of several characters that all of the words share."""
    first, *others = (candidates[word] for word in words)
    return sum(len(piece) > 1 for piece in set(first).intersection(*others))


def _rounded_task(
    counts: Mapping[str, int], candidates: Mapping[str, list[str]], log_probs: Mapping[str, float]
) -> EmTask:
    pieces = sorted(_pieces_of_words(counts, candidates), key=len)
    probs = {piece: math.exp(log_probs[piece]) for piece in pieces}
    total = sum(probs.values())
    rounded = [(piece, Fraction(max(1, round(100 * p / total)), 100)) for piece, p in probs.items()]
    return EmTask(tuple(counts.items()), tuple(rounded))


def em_effort(task: EmTask) -> object:
    """Return what makes a round hard: segmentations, counts, probabilities, ties, and uses."""
    shares = [segmentation_shares(task, word) for word, _ in task.words]
    return (
        [sorted(map(len, some)) for some in shares],
        sorted(count for _, count in task.words),
        sorted(prob for _, prob in task.pieces),
        len(least_needed(task)),
        [sum(piece in path for some in shares for path in some) for piece in task.multiple],
    )


def em_tasks(task: EmTask, number: int, seed: int) -> list[EmTask]:
    """Return `number` equally hard rounds, the given one first; see `equally_hard`."""

    def draw(rng: random.Random, is_late: bool) -> EmTask:
        letters = letter_permutation("".join(word for word, _ in task.words), rng)
        counts = shuffled((count for _, count in task.words), rng)
        words = [word.translate(letters) for word, _ in task.words]
        pieces = [
            (p.translate(letters), prob) for p, prob in _permuted_values(task.probs, rng).items()
        ]
        return EmTask(tuple(zip(words, counts, strict=True)), tuple(pieces))

    return equally_hard(task, number, seed, draw, em_effort, _ADVICE)
