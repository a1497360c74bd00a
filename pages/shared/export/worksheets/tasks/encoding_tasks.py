"""Exercises in splitting words by hand, by merges or the longest match, in equally hard variants.

A task contains only the tokenizer's merges or pieces that may apply in its words; the splits are
the same as with all of them.
"""

import random
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pages.shared.export.worksheets.tasks.equal_difficulty import equally_hard, letter_permutation
from tokenizers.bpe.encoding import candidates, merge_steps, split_after
from tokenizers.merging.state import Pair
from tokenizers.text.symbols import Split
from tokenizers.wordpiece.matching import match_steps

TRIES = 20  # to draw a word of the same length
_ADVICE = "choose other words"


@dataclass(frozen=True, slots=True)
class MergingTask:
    """Words, given as symbols, and the pairs to merge, in order.

    `marks` contains the symbols that are not letters; variants keep them in place.
    """

    words: tuple[Split, ...]
    pairs: tuple[Pair, ...]
    marks: frozenset[str] = frozenset()

    @property
    def ranks(self) -> dict[Pair, int]:
        """The position of each pair in the order, from 0."""
        return {pair: rank for rank, pair in enumerate(self.pairs)}


@dataclass(frozen=True, slots=True)
class MatchingTask:
    """Words, and the pieces that may fit somewhere in them."""

    words: tuple[str, ...]
    pieces: tuple[str, ...]
    mark: str


# ---- the merges and pieces that may apply ----


def merging(
    words: Sequence[Split], ranks: Mapping[Pair, int], marks: Iterable[str] = ()
) -> MergingTask:
    """Return the task of splitting words, with only the merges that may apply in them.

    >>> merging([("l", "o", "w")], {("o", "w"): 0, ("e", "r"): 1, ("l", "ow"): 2}).pairs
    (('o', 'w'), ('l', 'ow'))
    """
    spans = (span for word in words for span in _spans(word))
    # These are all pairs that may become adjacent in a word.
    pairs = (("".join(span[:n]), "".join(span[n:])) for span in spans for n in range(1, len(span)))
    found = {pair: ranks[pair] for pair in pairs if pair in ranks}
    return MergingTask(tuple(words), tuple(sorted(found, key=found.__getitem__)), frozenset(marks))


def _spans(word: Split) -> Iterable[Split]:
    for start in range(len(word)):
        for end in range(start + 1, len(word) + 1):
            yield word[start:end]


def matching(words: Sequence[str], vocab: Container[str], mark: str) -> MatchingTask:
    """Return the task of splitting words, with only the pieces that occur in them.

    >>> matching(["hugs"], {"hug": 0, "##s": 1, "##hug": 2, "s": 3}, "##").pieces
    ('hug', '##s')
    """
    within = (
        (mark if start else "") + word[start:end]
        for word in words
        for start in range(len(word))
        for end in range(start + 1, len(word) + 1)
    )
    return MatchingTask(tuple(words), tuple(dict.fromkeys(p for p in within if p in vocab)), mark)


# ---- difficulty ----


def merging_effort(word: Split, ranks: Mapping[Pair, int]) -> tuple[int, ...]:
    """Return a word's numbers of symbols, merges, candidate pairs over all steps, and ties.

    A tie is a step at which the best pair occurs twice.
    """
    steps = list(merge_steps(word, ranks))
    choices = [candidates(split_after(word, steps[:n]), ranks) for n in range(len(steps))]
    ties = sum(len(found) > 1 and found[0][0] == found[1][0] for found in choices)
    return len(word), len(steps), sum(map(len, choices)), ties


def matching_effort(word: str, task: MatchingTask) -> tuple[int, ...]:
    """Return the numbers of characters, pieces and rejected candidates, and if there is a split."""
    steps = list(match_steps(word, task.pieces, task.mark))
    tried = sum(len(step.rejected) for step in steps)
    return len(word), len(steps), tried, steps[-1].piece is not None if steps else True


# ---- equally hard tasks ----


def merging_tasks(task: MergingTask, number: int, seed: int) -> list[MergingTask]:
    """Return `number` equally hard tasks, the given one first; see `equally_hard`."""
    spans = {"".join(span): span for word in task.words for span in _spans(word)}
    made = [left + right for left, right in task.pairs]
    symbols = dict.fromkeys(symbol for word in task.words for symbol in word)
    parts = [spans[token] for token in dict.fromkeys([*symbols, *made])]

    def draw(rng: random.Random, is_late: bool) -> MergingTask:
        words = [_other_merging(word, task, parts, rng) for word in task.words]
        letters = letter_permutation("".join(s for s in symbols if s not in task.marks), rng)

        def renamed(token: str) -> str:
            return "".join(s if s in task.marks else s.translate(letters) for s in spans[token])

        return MergingTask(
            tuple([tuple(map(renamed, word)) for word in words]),
            tuple([(renamed(left), renamed(right)) for left, right in task.pairs]),
            task.marks,
        )

    def measure(one: MergingTask) -> object:
        return len(set(one.words)), [merging_effort(word, one.ranks) for word in one.words]

    return equally_hard(task, number, seed, draw, measure, _ADVICE)


def _other_merging(
    word: Split, task: MergingTask, parts: Sequence[Split], rng: random.Random
) -> Split:
    """Return another, equally hard word made of `parts`, or the same word if none is drawn."""
    marked = [symbol in task.marks for symbol in word]
    starts, ends = sum(marked[:1]), sum(marked[1:][-1:])
    if sum(marked) != starts + ends:
        return word  # a mark inside cannot be replaced
    plain = [part for part in parts if task.marks.isdisjoint(part)]
    heads = [p for p in parts if p[0] == word[0] and task.marks.isdisjoint(p[1:])]
    tails = [p for p in parts if p[-1] == word[-1] and task.marks.isdisjoint(p[:-1])]
    wanted, ranks = merging_effort(word, task.ranks), task.ranks
    for _ in range(TRIES):
        head = rng.choice(heads) if starts else ()
        tail = rng.choice(tails) if ends else ()
        other = (*head, *_random_fill(plain, len(word) - len(head) - len(tail), rng), *tail)
        if other != word and merging_effort(other, ranks) == wanted:
            return other
    return word


def _random_fill(parts: Sequence[Split], room: int, rng: random.Random) -> Split:
    """Return random parts with `room` symbols in total, or fewer if no part fits."""
    filled: list[str] = []
    while fitting := [part for part in parts if len(part) <= room - len(filled)]:
        filled += rng.choice(fitting)
    return tuple(filled)


def matching_tasks(task: MatchingTask, number: int, seed: int) -> list[MatchingTask]:
    """Return `number` equally hard tasks, the given one first; see `equally_hard`."""

    def draw(rng: random.Random, is_late: bool) -> MatchingTask:
        words = [_other_matching(word, task, rng) for word in task.words]
        letters = letter_permutation("".join(task.words), rng)
        pieces = [_translated(piece, task.mark, letters) for piece in task.pieces]
        return MatchingTask(
            tuple([word.translate(letters) for word in words]), tuple(pieces), task.mark
        )

    def measure(one: MatchingTask) -> object:
        return len(set(one.words)), [matching_effort(word, one) for word in one.words]

    return equally_hard(task, number, seed, draw, measure, _ADVICE)


def _other_matching(word: str, task: MatchingTask, rng: random.Random) -> str:
    """Return another, equally hard word of the task's pieces, or the same word if none is drawn."""
    rests = [p.removeprefix(task.mark) for p in task.pieces if p.startswith(task.mark)]
    inside = [tuple(rest) for rest in rests if rest]  # the mark alone may be a piece of the text
    heads = [tuple(p) for p in task.pieces if not p.startswith(task.mark)]
    wanted = matching_effort(word, task)
    for _ in range(TRIES if heads else 0):
        head = rng.choice(heads)
        other = "".join((*head, *_random_fill(inside, len(word) - len(head), rng)))
        if other != word and matching_effort(other, task) == wanted:
            return other
    return word


def _translated(piece: str, mark: str, letters: Mapping[int, str]) -> str:
    """Return a piece with its letters renamed and its mark unchanged."""
    head = mark if piece.startswith(mark) else ""
    return head + piece.removeprefix(mark).translate(letters)
