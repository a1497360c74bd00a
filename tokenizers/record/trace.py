"""Traces of training runs by merging, with random access to any step.

`Trace.record` runs the training and stores its steps in columns: numbers, not snapshots, so that a
run of thousands of merges over a megabyte of text takes a few megabytes and is quick to pickle.
`step(k)` returns the step as it was yielded, `state(k)` the state after it.
"""

from array import array
from collections.abc import Iterable
from copy import copy
from functools import cached_property
from itertools import accumulate
from operator import sub
from typing import Any, Generic, TypeVar, overload

import numpy as np

from tokenizers import bpe, wordpiece
from tokenizers.bpe import superwords
from tokenizers.errors import UserError
from tokenizers.merging.queue import MergeSettings
from tokenizers.merging.state import Merge, Pair, Positions, State, join_at, token_count_deltas
from tokenizers.merging.training import NO_FORCED_CHOICES, ForcedChoices
from tokenizers.progress import ProgressCallback, ignore_progress
from tokenizers.record.history import History
from tokenizers.text.corpus import Corpus
from tokenizers.text.symbols import Split

STEPS_PER_BATCH = 64
STOPPED_BEFORE_START = "You stopped it before the first step. Run it again."
ALGORITHMS = {
    bpe.Settings: bpe,
    superwords.SuperwordSettings: superwords,
    wordpiece.Settings: wordpiece,
}

SettingsT = TypeVar("SettingsT", bpe.Settings, wordpiece.Settings)


class Trace(Generic[SettingsT]):
    """A recorded run: the corpus, the settings, every step, and why it stopped.

    The type of the settings tells BPE from WordPiece. Steps are numbered from 1; `state(0)` is the
    state before the first. Step k merges `pairs[k - 1]` into `tokens[k - 1]`; after it, the
    vocabulary has `vocab_sizes[k]` pieces and the corpus `num_tokens[k]` tokens.
    """

    def __init__(self, corpus: Corpus, settings: SettingsT, initial: State) -> None:
        self.corpus, self.settings, self.stop_reason = corpus, settings, ""
        self.words = tuple(corpus.word_counts)
        self.alphabet = tuple(initial.vocab)
        self.pairs: list[Pair] = []
        self.tokens: list[str] = []
        self.counts: list[int] = []
        self.part_counts: list[tuple[int, int]] = []
        self.num_tied: list[int] = []
        self.num_applied: list[int] = []
        self.vocab_sizes = [len(initial.vocab)]
        self.num_tokens = [sum(initial.token_counts.values())]
        self.pair_history = History(initial.pair_counts)
        self._first_token_counts = dict(initial.token_counts)
        # Where pairs were joined, step by step: the word and the position in its split.
        self._words, self._positions, self._ends = array("i"), array("i"), array("q", [0])

    @classmethod
    def record(
        cls,
        corpus: Corpus,
        settings: SettingsT,
        progress: ProgressCallback = ignore_progress,
        forced_choices: ForcedChoices = NO_FORCED_CHOICES,
    ) -> "Trace[SettingsT]":
        """Train on `corpus` and record it; `progress` is called after every step.

        It is also called with (0, 1) while the pairs are counted. `forced_choices` override the tie
        rule at some steps. Raises UserError if the user stops the run before the first step, and
        for a forced pair that does not tie.
        """

        def check_cancelled() -> None:
            if progress(0, 1):
                raise UserError(STOPPED_BEFORE_START)

        algorithm = ALGORITHMS[type(settings)]
        state = algorithm.start(corpus, settings, check_cancelled)
        trace = cls(corpus, settings, state)
        most = max_merges(state, settings)
        run = algorithm.train(corpus, settings, state, forced_choices)
        steps: list[Merge] = []  # appended in batches, which is faster
        while not trace.stop_reason:
            try:
                steps.append(next(run))
            except StopIteration as end:
                trace.stop_reason = end.value
            else:
                trace.vocab_sizes.append(len(state.vocab))
                done = len(trace) + len(steps)
                if progress(done, most):
                    trace.stop_reason = stopped_text(done)
            if trace.stop_reason or len(steps) == STEPS_PER_BATCH:
                trace._extend(steps)
                steps.clear()
        return trace

    def _extend(self, steps: list[Merge]) -> None:
        self.pairs += [step.pair for step in steps]
        self.tokens += [step.token for step in steps]
        self.counts += [step.count for step in steps]
        self.part_counts += [step.part_counts for step in steps]
        self.num_tied += [step.num_tied for step in steps]
        self.num_applied += [step.num_applied for step in steps]
        fewer = accumulate([step.num_applied for step in steps], sub, initial=self.num_tokens[-1])
        self.num_tokens += [*fewer][1:]
        self.pair_history.extend([step.pair_count_deltas for step in steps])
        words, joined, num_joined = list[int](), list[int](), [0]
        for step in steps:
            for word, positions in step.changed_words.items():
                words += [word] * len(positions)
                joined += positions
            num_joined.append(len(joined))
        self._ends.fromlist([self._ends[-1] + number for number in num_joined[1:]])
        self._words.fromlist(words)
        self._positions.fromlist(joined)

    def __len__(self) -> int:
        return len(self.pairs)

    def __getstate__(self) -> dict[str, Any]:
        derived = ("_by_word", "distinct_pieces", "token_history")
        return {name: value for name, value in self.__dict__.items() if name not in derived}

    def step(self, k: int) -> Merge:
        """Return step `k`, counted from 1. Raises IndexError outside the run."""
        if not 1 <= k <= len(self):
            raise IndexError(f"there is no step {k}; the run has {len(self)}")
        part = slice(self._ends[k - 1], self._ends[k])
        return Merge(
            self.pairs[k - 1],
            self.tokens[k - 1],
            self.counts[k - 1],
            self.part_counts[k - 1],
            self.num_tied[k - 1],
            self.num_applied[k - 1],
            _grouped(self._words[part], self._positions[part]),
            self.pair_history.changes(k),
        )

    def truncated(self, k: int) -> "Trace[SettingsT]":
        """Return the trace of the run as if it had been stopped after step `k`."""
        if k >= len(self):
            return self
        shorter = copy(self)
        shorter.__dict__ = self.__getstate__()  # without the cached properties
        for name in ("pairs", "tokens", "counts", "part_counts", "num_tied", "num_applied"):
            setattr(shorter, name, getattr(self, name)[:k])
        for name in ("vocab_sizes", "num_tokens", "_ends"):
            setattr(shorter, name, getattr(self, name)[: k + 1])
        end = self._ends[k]
        shorter._words, shorter._positions = self._words[:end], self._positions[:end]
        shorter.pair_history = self.pair_history.truncated(k)
        shorter.stop_reason = stopped_text(k)
        return shorter

    def state(self, k: int) -> "Snapshot":
        """Return the state after step `k`, counted from 0. Raises IndexError outside the run."""
        if not 0 <= k <= len(self):
            raise IndexError(f"there is no step {k}; the run has {len(self)}")
        return Snapshot(self, k)

    @cached_property
    def token_history(self) -> History[str]:
        """The count of each token in the corpus, step by step."""
        merges = zip(self.pairs, self.tokens, self.num_applied, strict=True)
        return History(self._first_token_counts, (token_count_deltas(*merge) for merge in merges))

    @cached_property
    def distinct_pieces(self) -> list[str]:
        """The alphabet and the tokens in order of creation; step k knows `vocab_sizes[k]`."""
        return list(dict.fromkeys([*self.alphabet, *self.tokens]))

    @cached_property
    def _by_word(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(bounds, steps, positions) of all joins by word; word i's lie in bounds[i : i + 2]."""
        words, positions = np.array(self._words), np.array(self._positions)
        order = np.argsort(words, kind="stable")
        begins = np.searchsorted(words[order], np.arange(len(self.words) + 1))
        return begins, np.searchsorted(self._ends, order, side="right"), positions[order]

    def word_merges(self, word: int) -> dict[int, Positions]:
        """Return the steps that changed word number `word`, with the positions in its split."""
        begins, steps, positions = self._by_word
        part = slice(begins[word], begins[word + 1])
        return _grouped(steps[part].tolist(), positions[part].tolist())

    def split(self, word: int, k: int) -> Split:
        """Return the split of word number `word` after step `k`."""
        split = self.settings.symbols(self.words[word])
        for step, positions in self.word_merges(word).items():
            if step > k:
                break
            split = join_at(split, positions, self.tokens[step - 1])
        return split

    def created_at(self, token: str) -> int | None:
        """Return the first step that made `token`: 0 for a base symbol, None if no step did."""
        if token in self.alphabet:
            return 0
        return self.tokens.index(token) + 1 if token in self.tokens else None

    @overload
    def model(self: "Trace[bpe.Settings]", k: int | None = None) -> bpe.Model: ...
    @overload
    def model(self: "Trace[wordpiece.Settings]", k: int | None = None) -> wordpiece.Model: ...
    def model(self, k: int | None = None) -> bpe.Model | wordpiece.Model:
        """Return the tokenizer after the first `k` steps, or after all of them."""
        k = len(self) if k is None else k
        special = [] if self.settings.unk is None else [self.settings.unk]
        pieces = dict.fromkeys([*special, *self.alphabet, *self.tokens[:k]])
        vocab = {piece: n for n, piece in enumerate(pieces)}
        algorithm = ALGORITHMS[type(self.settings)]
        return algorithm.model(vocab, self.pairs[:k], self.settings, self.corpus.pipeline)


def max_merges(state: State, settings: MergeSettings) -> int:
    """Return an upper bound on the number of merges of a run from `state`.

    Each merge joins two symbols somewhere; the settings may stop the run earlier.
    """
    limits = [sum(max(len(split) - 1, 0) for split in state.splits)]
    if settings.num_merges is not None:
        limits.append(settings.num_merges)
    if settings.vocab_size is not None:
        # An estimate: a merge may make an existing token, but hardly ever does.
        limits.append(max(settings.vocab_size - len(state.vocab), 0))
    return min(limits)


def stopped_text(k: int) -> str:
    """Return the stop reason of a run that the user stopped after step `k`."""
    return f"you stopped it after {k:,} merges"


def _grouped(keys: Iterable[int], positions: Iterable[int]) -> dict[int, Positions]:
    """Return the positions of each key, in order."""
    grouped: dict[int, Positions] = {}
    for key, position in zip(keys, positions, strict=True):
        grouped[key] = (*grouped.get(key, ()), position)
    return grouped


class Snapshot:
    """The state after step `k` of a trace, computed on demand."""

    def __init__(self, trace: Trace[Any], k: int) -> None:
        self.trace, self.k = trace, k
        self._pair_counts: dict[Pair, int] | None = None
        self._token_counts: dict[str, int] | None = None

    # Not `cached_property`: type checkers reject it for a property of the protocol `Counts`.
    @property
    def pair_counts(self) -> dict[Pair, int]:
        """The count of each pair in the corpus."""
        if self._pair_counts is None:
            self._pair_counts = self.trace.pair_history.counts_at(self.k)
        return self._pair_counts

    @property
    def token_counts(self) -> dict[str, int]:
        """The count of each token in the corpus, without tokens that no longer occur."""
        if self._token_counts is None:
            self._token_counts = self.trace.token_history.counts_at(self.k)
        return self._token_counts

    @cached_property
    def vocab(self) -> list[str]:
        """The pieces in order of creation, without `[UNK]`."""
        return self.trace.distinct_pieces[: self.trace.vocab_sizes[self.k]]

    @property
    def splits(self) -> list[Split]:
        """The split of every word of the corpus."""
        return [self.split(word) for word in range(len(self.trace.words))]

    def split(self, word: int) -> Split:
        """Return the split of word number `word`."""
        return self.trace.split(word, self.k)

    def tied_candidates(self) -> list[Pair]:
        """Return the pairs tied for the next step, including the one merged.

        Raises IndexError after the last step.
        """
        pair, settings = self.trace.pairs[self.k], self.trace.settings
        if isinstance(settings, wordpiece.Settings):
            return wordpiece.tied_pairs(self, pair, settings)
        return self.pairs_with_count(self.trace.counts[self.k])

    def pairs_with_count(self, count: int) -> list[Pair]:
        """Return the pairs that occur `count` times and may be merged."""
        settings = self.trace.settings
        return [
            pair
            for pair, seen in self.pair_counts.items()
            if seen == count and settings.allows(pair)
        ]
