"""The record of a training run, which answers for any moment of it at once.

`Trace.record` runs the steps and files them away in columns: numbers, not snapshots, so that a run
of thousands of merges over a megabyte of text fits in a few megabytes and crosses from one process
to another in a moment. `step(k)` gives back the very step, `state(k)` what was true after it.
Nothing here decides anything: what is read is what was recorded.
"""

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from functools import cached_property
from itertools import pairwise
from typing import Generic, TypeVar, overload

import numpy as np

from tokenizers import bpe, wordpiece
from tokenizers.corpus import Corpus
from tokenizers.merging import Merge, Pair, Places, Split, State, join, token_changes

CHANGES_PER_CHECKPOINT = 50_000
ALGORITHMS = {bpe.Settings: bpe, wordpiece.Settings: wordpiece}

Settings = TypeVar("Settings", bpe.Settings, wordpiece.Settings)


class History:
    """Counts that change step by step, and can be read as they stood after any step.

    Made from the counts at the start and, for each step, by how much which counts change; more
    steps can follow (`append`). `keys` is what is counted, in the order in which it came up. The
    changes of all steps stand one behind the other; every so many of them, all counts are kept.
    """

    def __init__(self, counts: Mapping, steps: Iterable[Mapping] = ()) -> None:
        self.keys = list(counts)
        self._index = {key: n for n, key in enumerate(self.keys)}
        self._log = array("i")  # which keys changed, by their index
        self._changes = array("q")  # and by how much
        self._ends = array("q", [0])  # where the changes of each step end
        self._checkpoint_steps = [0]
        self._checkpoints = [np.array(list(counts.values()), np.int64)]
        for changes in steps:
            self.append(changes)

    def append(self, changes: Mapping) -> None:
        """Take what the next step changes."""
        index, log, amounts = self._index, self._log, self._changes
        for key, change in changes.items():
            if key not in index:
                index[key] = len(index)
                self.keys.append(key)
            log.append(index[key])
            amounts.append(change)
        self._ends.append(len(self._log))
        if self._ends[-1] - self._ends[self._checkpoint_steps[-1]] >= CHANGES_PER_CHECKPOINT:
            step = len(self._ends) - 1
            self._checkpoints.append(self.array(step))
            self._checkpoint_steps.append(step)

    def _add(self, counts: np.ndarray, begin: int, end: int) -> None:
        np.add.at(counts, np.asarray(self._log[begin:end]), np.asarray(self._changes[begin:end]))

    def array(self, k: int) -> np.ndarray:
        """Return the counts after step `k`, in the order of `keys`."""
        nearest = bisect_right(self._checkpoint_steps, k) - 1
        known = self._checkpoints[nearest]
        counts = np.zeros(len(self.keys), np.int64)
        counts[: len(known)] = known
        self._add(counts, self._ends[self._checkpoint_steps[nearest]], self._ends[k])
        return counts

    def first(self, k: int) -> "History":
        """Return the history of the first `k` steps alone."""
        start = self._checkpoints[0].tolist()
        known = dict(zip(self.keys[: len(start)], start, strict=True))
        return History(known, (self.changes(step) for step in range(1, k + 1)))

    def walk(self) -> Iterator[np.ndarray]:
        """Yield the counts at the start and after every step: one array, changed in place."""
        counts = self.array(0)
        yield counts
        for begin, end in pairwise(self._ends):
            self._add(counts, begin, end)
            yield counts

    def at(self, k: int) -> dict:
        """Return the counts after step `k`; those of zero are left out."""
        counts = self.array(k)
        (some,) = counts.nonzero()
        keys = map(self.keys.__getitem__, some.tolist())
        return dict(zip(keys, counts[some].tolist(), strict=True))

    def changes(self, k: int) -> dict:
        """Return what step `k` changed."""
        part = slice(self._ends[k - 1], self._ends[k])
        keys = map(self.keys.__getitem__, self._log[part])
        return dict(zip(keys, self._changes[part], strict=True))

    def series(self, key: object) -> list[tuple[int, int]]:
        """Return (step, count) at the start and at every step that changed the count of `key`."""
        if key not in self._index:
            return [(0, 0)]
        (where,) = (np.asarray(self._log) == self._index[key]).nonzero()
        first = int(self.array(0)[self._index[key]])
        counts = first + np.cumsum(np.asarray(self._changes)[where])
        steps = np.searchsorted(self._ends, where, side="right")
        return [(0, first), *zip(steps.tolist(), counts.tolist(), strict=True)]


class Trace(Generic[Settings]):
    """A recorded run: the corpus, the settings, every step, and in words why it stopped.

    The settings say whether it is one of BPE or of WordPiece. Steps are numbered from 1; the state
    before the first is `state(0)`. Of step k, `pairs[k - 1]` is the pair and `tokens[k - 1]` what
    it made; `vocab_sizes[k]` and `num_tokens[k]` are the pieces of the vocabulary and the tokens
    of the whole corpus after it.
    """

    def __init__(self, corpus: Corpus, settings: Settings, first: State) -> None:
        self.corpus, self.settings, self.stopped = corpus, settings, ""
        self.words = tuple(corpus.word_counts)
        self.alphabet = tuple(first.vocab)
        self.pairs: list[Pair] = []
        self.tokens: list[str] = []
        self.counts: list[int] = []
        self.part_counts: list[tuple[int, int]] = []
        self.tied: list[int] = []
        self.merged: list[int] = []
        self.vocab_sizes = [len(first.vocab)]
        self.num_tokens = [sum(first.token_counts.values())]
        self.pair_history = History(first.pair_counts)
        self._first_token_counts = dict(first.token_counts)
        # Where pairs were joined: of one step after the other, the word and the place in its split.
        self._words, self._places, self._ends = array("i"), array("i"), array("q", [0])

    @classmethod
    def record(
        cls, corpus: Corpus, settings: Settings, stop: Callable[[int], bool] = lambda done: False
    ) -> "Trace[Settings]":
        """Train on `corpus` and record it; `stop` is asked after every step, with their number."""
        algorithm = ALGORITHMS[type(settings)]
        state = algorithm.start(corpus, settings)
        trace = cls(corpus, settings, state)
        run = algorithm.train(corpus, settings, state)
        while not trace.stopped:
            try:
                step = next(run)
            except StopIteration as end:
                trace.stopped = end.value
            else:
                trace._append(step, len(state.vocab))
                if stop(len(trace)):
                    trace.stopped = stopped_after(len(trace))
        return trace

    def _append(self, step: Merge, vocab_size: int) -> None:
        self.pairs.append(step.pair)
        self.tokens.append(step.token)
        self.counts.append(step.count)
        self.part_counts.append(step.part_counts)
        self.tied.append(step.tied)
        self.merged.append(step.merged)
        self.vocab_sizes.append(vocab_size)
        self.num_tokens.append(self.num_tokens[-1] - step.merged)
        self.pair_history.append(step.recount)
        for word, places in step.resplit.items():
            for place in places:
                self._words.append(word)
                self._places.append(place)
        self._ends.append(len(self._places))

    def __len__(self) -> int:
        return len(self.pairs)

    def __getstate__(self) -> dict:
        derived = ("_by_word", "token_history")
        return {name: value for name, value in self.__dict__.items() if name not in derived}

    def step(self, k: int) -> Merge:
        """Return step `k`, from 1 on, as it was yielded. Raises IndexError outside the run."""
        if not 1 <= k <= len(self):
            raise IndexError(f"there is no step {k}; the run has {len(self)}")
        part = slice(self._ends[k - 1], self._ends[k])
        return Merge(
            self.pairs[k - 1],
            self.tokens[k - 1],
            self.counts[k - 1],
            self.part_counts[k - 1],
            self.tied[k - 1],
            self.merged[k - 1],
            _together(self._words[part], self._places[part]),
            self.pair_history.changes(k),
        )

    def first(self, k: int) -> "Trace[Settings]":
        """Return the record of the run as if it had been stopped after step `k`."""
        if k >= len(self):
            return self
        first = copy(self)
        first.__dict__ = self.__getstate__()  # without what is derived from all steps
        for name in ("pairs", "tokens", "counts", "part_counts", "tied", "merged"):
            setattr(first, name, getattr(self, name)[:k])
        for name in ("vocab_sizes", "num_tokens", "_ends"):
            setattr(first, name, getattr(self, name)[: k + 1])
        first._words, first._places = self._words[: self._ends[k]], self._places[: self._ends[k]]
        first.pair_history = self.pair_history.first(k)
        first.stopped = stopped_after(k)
        return first

    def state(self, k: int) -> "Snapshot":
        """Return what is true after step `k`, from 0 on. Raises IndexError outside the run."""
        if not 0 <= k <= len(self):
            raise IndexError(f"there is no step {k}; the run has {len(self)}")
        return Snapshot(self, k)

    @cached_property
    def token_history(self) -> History:
        """How often each token stands in the corpus, step by step."""
        merges = zip(self.pairs, self.tokens, self.merged, strict=True)
        return History(self._first_token_counts, (token_changes(*merge) for merge in merges))

    @cached_property
    def _by_word(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The merged places sorted by word: where each word begins, their steps, the places."""
        words, places = np.array(self._words), np.array(self._places)
        order = np.argsort(words, kind="stable")
        begins = np.searchsorted(words[order], np.arange(len(self.words) + 1))
        return begins, np.searchsorted(self._ends, order, side="right"), places[order]

    def word_merges(self, word: int) -> dict[int, Places]:
        """Return the steps that changed word number `word`, and at which symbols of its split."""
        begins, steps, places = self._by_word
        part = slice(begins[word], begins[word + 1])
        return _together(steps[part].tolist(), places[part].tolist())

    def split(self, word: int, k: int) -> Split:
        """Return the split of word number `word` after step `k`."""
        split = self.settings.symbols(self.words[word])
        for step, places in self.word_merges(word).items():
            if step > k:
                break
            split = join(split, places, self.tokens[step - 1])
        return split

    def born(self, token: str) -> int | None:
        """Return the first step that made `token`: 0 for a base symbol, None if none did."""
        if token in self.alphabet:
            return 0
        return self.tokens.index(token) + 1 if token in self.tokens else None

    @overload
    def model(self: "Trace[bpe.Settings]", k: int | None = None) -> bpe.Model: ...
    @overload
    def model(self: "Trace[wordpiece.Settings]", k: int | None = None) -> wordpiece.Model: ...
    def model(self, k: int | None = None) -> bpe.Model | wordpiece.Model:
        """Return the tokenizer that the first `k` steps give, or all of them."""
        k = len(self) if k is None else k
        special = [] if self.settings.unk is None else [self.settings.unk]
        pieces = dict.fromkeys([*special, *self.alphabet, *self.tokens[:k]])
        vocab = {piece: n for n, piece in enumerate(pieces)}
        if isinstance(self.settings, wordpiece.Settings):
            return wordpiece.Model(vocab, self.settings, self.corpus.pipeline)
        ranks = {pair: rank for rank, pair in enumerate(self.pairs[:k])}
        return bpe.Model(vocab, ranks, self.settings, self.corpus.pipeline)


def stopped_after(k: int) -> str:
    """Return why a run ended that was stopped from outside."""
    return f"you stopped it after {k:,} merges"


def _together(keys: Iterable[int], places: Iterable[int]) -> dict[int, Places]:
    """Return the places of each key, in their order."""
    together: dict[int, Places] = {}
    for key, place in zip(keys, places, strict=True):
        together[key] = (*together.get(key, ()), place)
    return together


class Snapshot:
    """What is true after step `k` of a trace; each part is worked out when it is asked for."""

    def __init__(self, trace: Trace, k: int) -> None:
        self.trace, self.k = trace, k

    @cached_property
    def pair_counts(self) -> dict[Pair, int]:
        """How often each pair stands in the corpus."""
        return self.trace.pair_history.at(self.k)

    @cached_property
    def token_counts(self) -> dict[str, int]:
        """How often each token stands in the corpus; tokens that have died out are left out."""
        return self.trace.token_history.at(self.k)

    @cached_property
    def vocab(self) -> list[str]:
        """The pieces, in the order in which they came to be; `[UNK]` is not among them."""
        return list(dict.fromkeys([*self.trace.alphabet, *self.trace.tokens[: self.k]]))

    @property
    def splits(self) -> list[Split]:
        """The split of every word of the corpus."""
        return [self.split(word) for word in range(len(self.trace.words))]

    def split(self, word: int) -> Split:
        """Return the split of word number `word`."""
        return self.trace.split(word, self.k)

    def tied(self, count: int) -> list[Pair]:
        """Return the pairs that are seen `count` times and may be merged."""
        settings = self.trace.settings
        return [
            pair
            for pair, seen in self.pair_counts.items()
            if seen == count and settings.allows(pair)
        ]
