"""Parity-aware BPE: at every merge, the language that is worst off chooses the pair.

This is Foroutan and others, "Parity-Aware Byte-Pair Encoding", 2025. Every language has a training
text and a *parallel* text, which says the same in all of them. The language whose parallel text has
the most tokens at the moment is worst off; the pair that is most frequent in its own training text
is merged, everywhere. `train_plainly` is the algorithm in its plainest form, `train` is the fast
one, on the loop of ordinary BPE.

As in the authors' program, the first language wins a tie, and the first merges may be chosen by all
languages together. Two things differ. Where the worst-off language has no pair left, their program
stops; here the next language chooses. Their variant with a moving window, in which a language that
has just had many turns must wait, is not implemented.
"""

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from tokenizers import bpe
from tokenizers.errors import UserError
from tokenizers.measures.metrics import gini
from tokenizers.merging.queue import FrequencyQueue
from tokenizers.merging.state import Merge, Pair, State, merged_token
from tokenizers.merging.training import NO_FORCED_CHOICES
from tokenizers.merging.training import train_merges as run
from tokenizers.plain import Split, count_pairs, train_merges
from tokenizers.text.corpus import Corpus

ALL = ""
"""Who chooses a merge that all languages choose together."""
Counted = Mapping[Split, int]
"""The words of a text, split into base symbols, with their counts."""


def train_plainly(
    training: Mapping[str, Counted],
    parallel: Mapping[str, Counted],
    ties: str = "first_seen",
    global_merges: int = 0,
) -> Iterator[tuple[str, Pair, int]]:
    """Yield each merge: the language that chose it, the pair, and its count in that language.

    It is the loop of `plain.py`. Only what a pair is worth differs: its count in the training text
    of the language worst off. The first `global_merges` are chosen by all languages.

    >>> low, tal = {("l", "o", "w"): 9}, {("t", "a", "l"): 1}
    >>> list(train_plainly({"en": low, "de": tal}, {"en": {("l",): 1}, "de": tal}))[:2]
    [('de', ('t', 'a'), 1), ('de', ('ta', 'l'), 1)]
    """
    texts = [*training.values(), *parallel.values()]
    splits = [split for text in texts for split in text]
    counts = [count for text in texts for count in text.values()]
    ends = list(accumulate(map(len, texts), initial=0))
    learned = {one: slice(*ends[n : n + 2]) for n, one in enumerate(training)}
    same = {one: slice(*ends[n : n + 2]) for n, one in enumerate(parallel, len(training))}
    learned[ALL] = slice(0, ends[len(training)])
    chosen_by: list[str] = []

    def worth(splits: list[Split], counts: Sequence[int]) -> Mapping[Pair, int]:
        pairs = {one: count_pairs(splits[of], counts[of]) for one, of in learned.items()}
        lengths = {one: count_symbols(splits[of], counts[of]) for one, of in same.items()}
        able = [one for one in training if pairs[one]]
        is_joint = len(chosen_by) < global_merges or not able
        chosen_by.append(ALL if is_joint else max(able, key=lengths.__getitem__))
        return pairs[chosen_by[-1]]

    for pair, count, *_ in train_merges(splits, counts, worth, ties):
        yield chosen_by[-1], pair, int(count)


def count_symbols(splits: Iterable[Split], word_counts: Iterable[int]) -> int:
    """Return the number of symbols in a text.

    >>> count_symbols([("h", "ug"), ("p",)], [10, 5])
    25
    """
    return sum(len(split) * count for split, count in zip(splits, word_counts, strict=True))


# --- The fast version: one queue of pairs for each language ---------------------------------------


@dataclass(frozen=True, slots=True)
class Turn:
    """Who chose a merge, and why.

    `language` is `ALL` where all languages chose together. `count` is the pair's count in the
    training text of the language that chose. `lengths` has the number of tokens of every language's
    parallel text before the merge.
    """

    language: str
    pair: Pair
    count: int
    lengths: tuple[int, ...]

    @property
    def token(self) -> str:
        """The token that the pair makes."""
        return merged_token(self.pair)


@dataclass(frozen=True, slots=True)
class ParityCorpora:
    """The training text and the parallel text of every language, with the languages in one order.

    Raises UserError if the languages are not the same.
    """

    training: Mapping[str, Corpus]
    parallel: Mapping[str, Corpus]

    def __post_init__(self) -> None:
        if not self.training or list(self.training) != list(self.parallel):
            raise UserError("Every language needs a training text and a parallel text.")

    @property
    def joint(self) -> Corpus:
        """All training texts as one corpus, whose words are in the order of the languages."""
        words: Counter[str] = Counter()
        for corpus in self.training.values():
            words.update(corpus.word_counts)
        return Corpus(dict(words), None, next(iter(self.training.values())).pipeline)


class ParityQueue:
    """The pairs that may be merged: those of the language worst off, the most frequent first.

    A `PairQueue` of the joint `state`, which keeps a state and a queue for every language. `turns`
    has the choice of each step so far.
    """

    def __init__(
        self, corpora: ParityCorpora, settings: bpe.Settings, state: State, global_merges: int = 0
    ) -> None:
        self.turns: list[Turn] = []
        self._global_merges = global_merges
        self._states = {ALL: state} | {
            one: _sharing_ids(bpe.start(corpus, settings), state)
            for one, corpus in corpora.training.items()
        }
        self._parallel = {
            one: _sharing_ids(bpe.start(corpus, settings), state)
            for one, corpus in corpora.parallel.items()
        }
        self._lengths = {
            one: sum(parallel.token_counts.values()) for one, parallel in self._parallel.items()
        }
        self._queues = {one: FrequencyQueue(of, settings) for one, of in self._states.items()}
        self._chooser = ALL

    def best(self) -> Pair | None:
        """Return the pair to merge next; None when no pair is frequent enough in any language."""
        self._chooser = ALL
        if len(self.turns) < self._global_merges:
            return self._queues[ALL].best()
        able = {one: pair for one in self._lengths if (pair := self._queues[one].best())}
        if not able:
            return self._queues[ALL].best()
        self._chooser = max(able, key=self._lengths.__getitem__)
        return able[self._chooser]

    def update(self, step: Merge) -> None:
        """Record who chose, and apply the step to the texts of every language."""
        mine = self._states[self._chooser].pair_counts
        count = step.count if self._chooser == ALL else mine[step.pair]
        self.turns.append(Turn(self._chooser, step.pair, count, tuple(self._lengths.values())))
        self._queues[ALL].update(step)
        for one, of in self._states.items():
            if one != ALL and step.pair in of.pair_counts:
                here = of.merge(step.pair)
                of.apply(here)
                self._queues[one].update(here)
        for one, of in self._parallel.items():
            if step.pair in of.pair_counts:
                here = of.merge(step.pair)
                of.apply(here)
                self._lengths[one] -= here.num_applied

    def is_tied(self, pair: Pair) -> bool:
        """Return whether a pair is as frequent as the last result of `best`, to who chose it."""
        return self._queues[self._chooser].is_tied(pair)

    def num_tied(self) -> int:
        """Return the number of pairs tied for best in the language that chooses."""
        return self._queues[self._chooser].num_tied()

    def why_empty(self) -> str:
        """Describe why `best` returned None."""
        return self._queues[ALL].why_empty()


def _sharing_ids(state: State, joint: State) -> State:
    """Return `state` with the ids of the joint one, as some tie rules go by them."""
    state.vocab = joint.vocab
    return state


def train(
    corpora: ParityCorpora, settings: bpe.Settings, global_merges: int = 0
) -> tuple[Generator[Merge, None, str], ParityQueue, State]:
    """Return the run, which yields each `Merge` and returns why it stops; its queue; its state.

    The queue's `turns` and the state grow with the run. The first `global_merges` merges are chosen
    by all languages together.
    """
    state = bpe.start(corpora.joint, settings)
    queue = ParityQueue(corpora, settings, state, global_merges)
    return run(state, queue, settings, NO_FORCED_CHOICES), queue, state


@dataclass(frozen=True, slots=True)
class ParityRun:
    """A finished run: the languages in their order, who chose each merge, and the tokenizer."""

    languages: tuple[str, ...]
    turns: tuple[Turn, ...]
    model: bpe.Model

    @classmethod
    def record(
        cls, corpora: ParityCorpora, settings: bpe.Settings, global_merges: int = 0
    ) -> "ParityRun":
        """Train to the end; see `train`."""
        steps, queue, state = train(corpora, settings, global_merges)
        pairs = [step.pair for step in steps]
        special = [] if settings.unk is None else [settings.unk]
        vocab = {piece: n for n, piece in enumerate([*special, *state.vocab])}
        model = bpe.model(vocab, pairs, settings, corpora.joint.pipeline)
        return cls(tuple(corpora.training), tuple(queue.turns), model)


@dataclass(frozen=True, slots=True)
class Burden:
    """What the languages of a mix pay together, in tokens for the same sentences."""

    costs: Mapping[str, int]

    @property
    def mean(self) -> float:
        """The mean of the languages."""
        return sum(self.costs.values()) / len(self.costs)

    @property
    def worst(self) -> str:
        """The language that pays most."""
        return max(self.costs, key=self.costs.__getitem__)

    @property
    def gini(self) -> float:
        """The Gini coefficient: 0 if all pay the same."""
        return gini(tuple(self.costs.values()))
