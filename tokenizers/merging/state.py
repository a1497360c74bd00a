"""Splits, pairs and merges: the data structures of BPE and WordPiece training.

A *split* is one word as a tuple of symbols. A *merge* joins a pair of neighbouring symbols
wherever it occurs. `State` holds the splits of all words and the counts of pairs and symbols;
only `State.apply` changes it. The next pair is chosen in `queue.py` or `wordpiece/scores.py`.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Protocol, TypeVar

from tokenizers.errors import UserError
from tokenizers.text.symbols import Split

Key = TypeVar("Key")
Pair = tuple[str, str]
Positions = tuple[int, ...]
WORDS_PER_CANCEL_CHECK = 256


@dataclass(slots=True)  # not frozen: creating thousands in a run would take five times as long
class Merge:
    """One training step: which pair was merged, why, and what that changed.

    `count` is the pair's count in the corpus, and `part_counts` are its two symbols' counts.
    `num_tied` is the number of equally good pairs, including this one. `num_applied` is how often
    the pair was joined, which is less than `count` if it overlaps itself, as in a a a.
    `changed_words` maps the index of each changed word to the pair's positions in its split.
    `pair_count_deltas` maps each affected pair to the change of its count, which may be 0.
    """

    pair: Pair
    token: str
    count: int
    part_counts: tuple[int, int]
    num_tied: int
    num_applied: int
    changed_words: Mapping[int, Positions] = field(repr=False)
    pair_count_deltas: Mapping[Pair, int] = field(repr=False)

    @property
    def score(self) -> Fraction:
        """WordPiece's score: the pair's count divided by the product of its parts' counts."""
        first, second = self.part_counts
        return Fraction(self.count, first * second)


def merged_token(pair: Pair, mark: str = "") -> str:
    """Return the token that `pair` makes: the second symbol loses its leading `mark`.

    >>> merged_token(("##f", "##l"), "##")
    '##fl'
    """
    return pair[0] + pair[1][len(mark) :]


def token_count_deltas(pair: Pair, token: str, num_applied: int) -> dict[str, int]:
    """Return the change of each token's count when `pair` is joined `num_applied` times.

    >>> token_count_deltas(("a", "a"), "aa", 3)
    {'a': -6, 'aa': 3}
    """
    first, second = pair
    changes = {first: -num_applied}
    changes[second] = changes.get(second, 0) - num_applied
    changes[token] = (
        changes.get(token, 0) + num_applied
    )  # equal to `second` if a word contains the mark
    return changes


def find_pair(split: Split, pair: Pair) -> Positions:
    """Return the positions of `pair` in `split`, left to right and without overlaps.

    >>> find_pair(("a", "a", "a", "b", "a", "a"), ("a", "a"))
    (0, 4)
    """
    first, second = pair
    times = split.count(first)
    if not times:
        return ()
    i, end = split.index(first), len(split) - 1
    if times == 1:  # of long words most symbols differ
        return (i,) if i < end and split[i + 1] == second else ()
    positions = list[int]()
    while i < end:
        if split[i] == first and split[i + 1] == second:
            positions.append(i)
            i += 2
        else:
            i += 1
    return tuple(positions)


def join_at(split: Split, positions: Positions, token: str) -> Split:
    """Return `split` with `token` in place of the two symbols at each of `positions`.

    >>> join_at(("l", "o", "w", "l", "o"), (0, 3), "lo")
    ('lo', 'w', 'lo')
    """
    symbols = list(split)
    for i in reversed(positions):  # from the right, so that the other positions stay valid
        symbols[i] = token
        del symbols[i + 1]
    return tuple(symbols)


class Counts(Protocol):
    """The pair and token counts after some step of a running `State` or a recorded `Snapshot`."""

    @property
    def pair_counts(self) -> Mapping[Pair, int]: ...
    @property
    def token_counts(self) -> Mapping[str, int]: ...


class State:
    """The splits of all words, with pair and token counts, after some step of a training run.

    `splits[i]` is the split of word i, which occurs `word_counts[i]` times. `pair_counts` and
    `token_counts` are weighted by the word counts and have no zero entries. `vocab` maps each piece
    to its id, in order of creation. Every symbol of a word except the first starts with `mark`.
    `check_cancelled` is called now and then while the pairs are counted.
    """

    def __init__(
        self,
        splits: Sequence[Split],
        word_counts: Sequence[int],
        vocab: Mapping[str, int],
        mark: str = "",
        check_cancelled: Callable[[], object] = lambda: None,
    ) -> None:
        self.mark = mark
        self.splits = list(splits)
        self.word_counts = tuple(word_counts)
        self.vocab = dict(vocab)
        self._next_id = max(self.vocab.values(), default=-1) + 1
        token_counts: dict[str, int] = defaultdict(int)
        words_of: dict[Pair, list[int]] = defaultdict(list)  # lists a word once per occurrence
        for word, (split, count) in enumerate(zip(self.splits, self.word_counts, strict=True)):
            if word % WORDS_PER_CANCEL_CHECK == WORDS_PER_CANCEL_CHECK - 1:
                check_cancelled()
            for symbol in split:
                token_counts[symbol] += count
            for pair in pairwise(split):
                words_of[pair].append(word)
        count_of = self.word_counts.__getitem__
        self.pair_counts = {pair: sum(map(count_of, words)) for pair, words in words_of.items()}
        self.token_counts = dict(token_counts)
        # An index that may be stale: a word may be listed twice, or have lost the pair since.
        self._words_with = words_of

    def words_with(self, pair: Pair) -> list[int]:
        """Return the indices of the words that may contain `pair`, in the order of the corpus."""
        return sorted(set(self._words_with.get(pair, ())))

    def first_position(self, pair: Pair) -> tuple[int, int]:
        """Return the index of the first word with `pair`, and the number of letters before `pair`.

        Raises UserError if no word has the pair.
        """
        words = self.words_with(pair)
        for n, word in enumerate(words):
            split = self.splits[word]
            if positions := find_pair(split, pair):
                self._words_with[pair] = words[n:]
                marks = len(self.mark) * max(positions[0] - 1, 0)
                return word, sum(map(len, split[: positions[0]])) - marks
        raise UserError(f"the pair {pair} stands in no word")

    def merge(self, pair: Pair, num_tied: int = 1) -> Merge:
        """Return the step that merges `pair`, without changing anything; see `apply`."""
        first, second = pair
        token = merged_token(pair, self.mark)
        num_applied = 0
        changed_words: dict[int, Positions] = {}
        deltas: dict[Pair, int] = defaultdict(int)
        splits, word_counts, pair_count = self.splits, self.word_counts, self.pair_counts[pair]
        for word in self.words_with(pair):
            split = splits[word]
            if not (positions := find_pair(split, pair)):
                continue  # the word has lost the pair to an earlier merge
            changed_words[word] = positions
            count = word_counts[word]
            num_applied += count * len(positions)
            before, last = -2, len(split) - 2
            for i in positions:
                if i:
                    left = token if i == before + 2 else split[i - 1]
                    deltas[left, first] -= count
                    deltas[left, token] += count
                if i < last:
                    right = split[i + 2]
                    deltas[second, right] -= count
                    deltas[token, right] += count
                before = i
            if num_applied == pair_count:
                break  # the remaining words have all lost the pair
        deltas[pair] -= num_applied
        counts = self.token_counts[first], self.token_counts[second]
        return Merge(
            pair, token, pair_count, counts, num_tied, num_applied, changed_words, dict(deltas)
        )

    def apply(self, step: Merge) -> None:
        """Apply a merge. Only this method changes a state, in training and in replay."""
        splits, words_with, token = self.splits, self._words_with, step.token
        for word, positions in step.changed_words.items():
            split = splits[word] = join_at(splits[word], positions, token)
            last = len(split) - 1
            for num_joined, position in enumerate(positions):
                i = position - num_joined
                if i:
                    words_with[split[i - 1], token].append(word)
                if i < last:
                    words_with[token, split[i + 1]].append(word)
        words_with.pop(step.pair, None)
        _add(self.pair_counts, step.pair_count_deltas)
        _add(self.token_counts, token_count_deltas(step.pair, token, step.num_applied))
        if token not in self.vocab:  # two pairs can spell the same token
            self.vocab[token] = self._next_id
            self._next_id += 1


def _add(counts: dict[Key, int], changes: Mapping[Key, int]) -> None:
    """Add `changes` to `counts`, and delete entries that become zero."""
    for key, change in changes.items():
        count = counts.get(key, 0) + change
        if count:
            counts[key] = count
        else:
            counts.pop(key, None)
