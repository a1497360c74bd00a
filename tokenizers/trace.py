"""The record of a training run, which answers for any moment of it at once.

`Trace.record` runs the steps and files them away in columns: numbers, not snapshots, so that a run
of thousands of merges over a megabyte of text fits in a few megabytes and crosses from one process
to another in a moment. `step(k)` gives back the very step, `state(k)` what was true after it.
Nothing here decides anything: what is read is what was recorded.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate

import numpy as np

from tokenizers.bpe import Model, Settings, start, train
from tokenizers.corpus import Corpus
from tokenizers.encoding import UNK
from tokenizers.merging import Merge, Pair, Places, Split, State, join

CHANGES_PER_CHECKPOINT = 50_000


class History:
    """Counts that change step by step, and can be read as they stood after any step.

    Made from the counts at the start and, for each step, by how much which counts change. The
    changes of all steps stand one behind the other; every so many of them, all counts are kept.
    """

    def __init__(self, counts: Mapping, steps: Sequence[Mapping]) -> None:
        ids = {key: n for n, key in enumerate(counts)}
        log = [ids.setdefault(key, len(ids)) for changes in steps for key in changes]
        self.keys: list = list(ids)
        self._log = np.array(log, np.int32)
        self._changes = np.array([n for changes in steps for n in changes.values()], np.int64)
        self._ends = _ends(map(len, steps))
        current = np.zeros(len(ids), np.int64)
        current[: len(counts)] = list(counts.values())
        self._checkpoints = [current]
        for end in range(CHANGES_PER_CHECKPOINT, len(log) + 1, CHANGES_PER_CHECKPOINT):
            current = current.copy()
            self._add(current, end - CHANGES_PER_CHECKPOINT, end)
            self._checkpoints.append(current)

    def _add(self, counts: np.ndarray, begin: int, end: int) -> None:
        np.add.at(counts, self._log[begin:end], self._changes[begin:end])

    def array(self, k: int) -> np.ndarray:
        """Return the counts after step `k`, in the order of `keys`."""
        end = self._ends[k]
        checkpoint = end // CHANGES_PER_CHECKPOINT
        counts = self._checkpoints[checkpoint].copy()
        self._add(counts, checkpoint * CHANGES_PER_CHECKPOINT, end)
        return counts

    def walk(self) -> Iterator[np.ndarray]:
        """Yield the counts at the start and after every step: one array, changed in place."""
        counts = self.array(0)
        yield counts
        for begin, end in zip(self._ends, self._ends[1:], strict=False):
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
        keys = map(self.keys.__getitem__, self._log[part].tolist())
        return dict(zip(keys, self._changes[part].tolist(), strict=True))

    def series(self, key: object) -> list[tuple[int, int]]:
        """Return (step, count) at the start and at every step that changed the count of `key`."""
        if key not in self.keys:
            return [(0, 0)]
        index = self.keys.index(key)
        (where,) = (self._log == index).nonzero()
        first = int(self._checkpoints[0][index])
        counts = first + np.cumsum(self._changes[where])
        steps = np.searchsorted(self._ends, where, side="right")
        return [(0, first), *zip(steps.tolist(), counts.tolist(), strict=True)]


def _ends(lengths: Iterable[int]) -> np.ndarray:
    """Return how many entries there are up to and with each step, from 0 before the first."""
    return np.array([0, *accumulate(lengths)], np.int64)


class Trace:
    """A recorded run: the corpus, the settings, every step, and in words why it stopped.

    Steps are numbered from 1; the state before the first is `state(0)`. Of step k, `pairs[k - 1]`
    is the pair and `tokens[k - 1]` what it made; `vocab_sizes[k]` and `num_tokens[k]` are the
    pieces of the vocabulary and the tokens of the whole corpus after it.
    """

    def __init__(
        self, corpus: Corpus, settings: Settings, first: State, steps: Sequence[Merge], stopped: str
    ) -> None:
        self.corpus, self.settings, self.stopped = corpus, settings, stopped
        self.words = tuple(corpus.word_counts)
        self.alphabet = tuple(first.vocab)
        self.pairs: list[Pair] = [step.pair for step in steps]
        self.counts = [step.count for step in steps]
        self.tied = [step.tied for step in steps]
        self.merged = [step.merged for step in steps]
        self.vocab_sizes = _growth(self.alphabet, [step.token for step in steps])
        total = sum(first.token_counts.values())
        self.num_tokens = [total, *(total - n for n in accumulate(self.merged))]
        self.pair_history = History(first.pair_counts, [step.recount for step in steps])
        self.token_history = History(first.token_counts, [step.token_changes for step in steps])
        resplits = [step.resplit for step in steps]
        self._words = np.array([w for r in resplits for w, ps in r.items() for _ in ps], np.int32)
        self._places = np.array([p for r in resplits for ps in r.values() for p in ps], np.int32)
        self._ends = _ends([sum(map(len, resplit.values())) for resplit in resplits])

    @classmethod
    def record(
        cls, corpus: Corpus, settings: Settings, stop: Callable[[int], bool] = lambda done: False
    ) -> "Trace":
        """Train on `corpus` and record it; `stop` is asked after every step, with their number."""
        first = start(corpus, settings)
        steps: list[Merge] = []
        run = train(corpus, settings)
        while True:
            try:
                steps.append(next(run))
            except StopIteration as end:
                return cls(corpus, settings, first, steps, end.value)
            if stop(len(steps)):
                stopped = f"you stopped it after {len(steps):,} merges"
                return cls(corpus, settings, first, steps, stopped)

    def __len__(self) -> int:
        return len(self.pairs)

    def __getstate__(self) -> dict:
        cached = ("tokens", "_by_word")
        return {name: value for name, value in self.__dict__.items() if name not in cached}

    @cached_property
    def tokens(self) -> list[str]:
        """The token that each step made; that of step k is `tokens[k - 1]`."""
        return [first + second for first, second in self.pairs]

    def step(self, k: int) -> Merge:
        """Return step `k`, from 1 on, as it was yielded. Raises IndexError outside the run."""
        if not 1 <= k <= len(self):
            raise IndexError(f"there is no step {k}; the run has {len(self)}")
        part = slice(self._ends[k - 1], self._ends[k])
        return Merge(
            self.pairs[k - 1],
            self.tokens[k - 1],
            self.counts[k - 1],
            self.tied[k - 1],
            self.merged[k - 1],
            _together(self._words[part], self._places[part]),
            self.pair_history.changes(k),
        )

    def state(self, k: int) -> "Snapshot":
        """Return what is true after step `k`; `state(0)` is the start. Raises IndexError outside."""
        if not 0 <= k <= len(self):
            raise IndexError(f"there is no step {k}; the run has {len(self)}")
        return Snapshot(self, k)

    @cached_property
    def _by_word(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The merged places sorted by word: where each word begins, their steps, the places."""
        order = np.argsort(self._words, kind="stable")
        begins = np.searchsorted(self._words[order], np.arange(len(self.words) + 1))
        return begins, np.searchsorted(self._ends, order, side="right"), self._places[order]

    def word_merges(self, word: int) -> dict[int, Places]:
        """Return the steps that changed word number `word`, and at which symbols of its split."""
        begins, steps, places = self._by_word
        part = slice(begins[word], begins[word + 1])
        return _together(steps[part], places[part])

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

    def model(self, k: int | None = None) -> Model:
        """Return the tokenizer that the first `k` steps give, or all of them."""
        k = len(self) if k is None else k
        special = [] if self.settings.unk is None else [UNK]
        pieces = dict.fromkeys([*special, *self.alphabet, *self.tokens[:k]])
        ranks = {pair: rank for rank, pair in enumerate(self.pairs[:k])}
        vocab = {piece: n for n, piece in enumerate(pieces)}
        return Model(vocab, ranks, self.settings, self.corpus.pipeline)


def _together(keys: np.ndarray, places: np.ndarray) -> dict[int, Places]:
    together: dict[int, Places] = {}
    for key, place in zip(keys.tolist(), places.tolist(), strict=True):
        together[key] = (*together.get(key, ()), place)
    return together


def _growth(alphabet: Sequence[str], tokens: Sequence[str]) -> list[int]:
    """Return the size of the vocabulary at the start and after each token."""
    known = set(alphabet)
    sizes = [len(known)]
    for token in tokens:
        known.add(token)
        sizes.append(len(known))
    return sizes


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

