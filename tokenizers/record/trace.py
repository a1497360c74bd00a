"""The record of a training run, which answers for any moment of it at once.

`Trace.record` runs the steps and files them away in columns: numbers, not snapshots, so that a run
of thousands of merges over a megabyte of text fits in a few megabytes and crosses from one process
to another in a moment. `step(k)` gives back the very step, `state(k)` what was true after it.
Nothing here decides anything: what is read is what was recorded.
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
ALGORITHMS = {bpe.Settings: bpe, wordpiece.Settings: wordpiece}

SettingsT = TypeVar("SettingsT", bpe.Settings, wordpiece.Settings)


class Trace(Generic[SettingsT]):
    """A recorded run: the corpus, the settings, every step, and in words why it stopped.

    The settings say whether it is one of BPE or of WordPiece. Steps are numbered from 1; the state
    before the first is `state(0)`. Of step k, `pairs[k - 1]` is the pair and `tokens[k - 1]` what
    it made; `vocab_sizes[k]` and `num_tokens[k]` are the pieces of the vocabulary and the tokens
    of the whole corpus after it.
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
        # Where pairs were joined: of one step after the other, the word and the place in its split.
        self._words, self._places, self._ends = array("i"), array("i"), array("q", [0])

    @classmethod
    def record(
        cls,
        corpus: Corpus,
        settings: SettingsT,
        progress: ProgressCallback = ignore_progress,
        forced_choices: ForcedChoices = NO_FORCED_CHOICES,
    ) -> "Trace[SettingsT]":
        """Train on `corpus` and record it; `progress` is asked after every step.

        While the pairs are counted it is asked too, with 0 of 1. Stopped then, there is nothing to
        record: ValueError, in a sentence. With `forced_choices`, some ties are decided otherwise than by
        the rule; ValueError for one that is none.
        """

        def tick() -> None:
            if progress(0, 1):
                raise UserError(STOPPED_BEFORE_START)

        algorithm = ALGORITHMS[type(settings)]
        state = algorithm.start(corpus, settings, tick)
        trace = cls(corpus, settings, state)
        most = max_merges(state, settings)
        run = algorithm.train(corpus, settings, state, forced_choices)
        steps: list[Merge] = []  # are filed away many at once, which is quicker
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
        for step in steps:
            for word, places in step.changed_words.items():
                for place in places:
                    self._words.append(word)
                    self._places.append(place)
            self._ends.append(len(self._places))

    def __len__(self) -> int:
        return len(self.pairs)

    def __getstate__(self) -> dict[str, Any]:
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
            self.num_tied[k - 1],
            self.num_applied[k - 1],
            _grouped(self._words[part], self._places[part]),
            self.pair_history.changes(k),
        )

    def truncated(self, k: int) -> "Trace[SettingsT]":
        """Return the record of the run as if it had been stopped after step `k`."""
        if k >= len(self):
            return self
        first = copy(self)
        first.__dict__ = self.__getstate__()  # without what is derived from all steps
        for name in ("pairs", "tokens", "counts", "part_counts", "num_tied", "num_applied"):
            setattr(first, name, getattr(self, name)[:k])
        for name in ("vocab_sizes", "num_tokens", "_ends"):
            setattr(first, name, getattr(self, name)[: k + 1])
        first._words, first._places = self._words[: self._ends[k]], self._places[: self._ends[k]]
        first.pair_history = self.pair_history.truncated(k)
        first.stop_reason = stopped_text(k)
        return first

    def state(self, k: int) -> "Snapshot":
        """Return what is true after step `k`, from 0 on. Raises IndexError outside the run."""
        if not 0 <= k <= len(self):
            raise IndexError(f"there is no step {k}; the run has {len(self)}")
        return Snapshot(self, k)

    @cached_property
    def token_history(self) -> History[str]:
        """How often each token stands in the corpus, step by step."""
        merges = zip(self.pairs, self.tokens, self.num_applied, strict=True)
        return History(self._first_token_counts, (token_count_deltas(*merge) for merge in merges))

    @cached_property
    def _by_word(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The merged places sorted by word: where each word begins, their steps, the places."""
        words, places = np.array(self._words), np.array(self._places)
        order = np.argsort(words, kind="stable")
        begins = np.searchsorted(words[order], np.arange(len(self.words) + 1))
        return begins, np.searchsorted(self._ends, order, side="right"), places[order]

    def word_merges(self, word: int) -> dict[int, Positions]:
        """Return the steps that changed word number `word`, and at which symbols of its split."""
        begins, steps, places = self._by_word
        part = slice(begins[word], begins[word + 1])
        return _grouped(steps[part].tolist(), places[part].tolist())

    def split(self, word: int, k: int) -> Split:
        """Return the split of word number `word` after step `k`."""
        split = self.settings.symbols(self.words[word])
        for step, places in self.word_merges(word).items():
            if step > k:
                break
            split = join_at(split, places, self.tokens[step - 1])
        return split

    def created_at(self, token: str) -> int | None:
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
        algorithm = ALGORITHMS[type(self.settings)]
        return algorithm.model(vocab, self.pairs[:k], self.settings, self.corpus.pipeline)


def max_merges(state: State, settings: MergeSettings) -> int:
    """Return how many merges a run from `state` can have at most.

    Each one joins two symbols somewhere, and none goes beyond what the settings ask for.
    """
    limits = [sum(max(len(split) - 1, 0) for split in state.splits)]
    if settings.num_merges is not None:
        limits.append(settings.num_merges)
    if settings.vocab_size is not None:
        # A merge may make a token that is there already, but hardly ever does: an estimate.
        limits.append(max(settings.vocab_size - len(state.vocab), 0))
    return min(limits)


def stopped_text(k: int) -> str:
    """Return why a run ended that was stopped from outside."""
    return f"you stopped it after {k:,} merges"


def _grouped(keys: Iterable[int], places: Iterable[int]) -> dict[int, Positions]:
    """Return the places of each key, in their order."""
    together: dict[int, Positions] = {}
    for key, place in zip(keys, places, strict=True):
        together[key] = (*together.get(key, ()), place)
    return together


class Snapshot:
    """What is true after step `k` of a trace; each part is worked out when it is asked for."""

    def __init__(self, trace: Trace[Any], k: int) -> None:
        self.trace, self.k = trace, k
        self._pair_counts: dict[Pair, int] | None = None
        self._token_counts: dict[str, int] | None = None

    # Not `cached_property`: type checkers do not take one for the property of `merging.Counts`.
    @property
    def pair_counts(self) -> dict[Pair, int]:
        """How often each pair stands in the corpus."""
        if self._pair_counts is None:
            self._pair_counts = self.trace.pair_history.counts_at(self.k)
        return self._pair_counts

    @property
    def token_counts(self) -> dict[str, int]:
        """How often each token stands in the corpus; tokens that have died out are left out."""
        if self._token_counts is None:
            self._token_counts = self.trace.token_history.counts_at(self.k)
        return self._token_counts

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

    def tied_candidates(self) -> list[Pair]:
        """Return the pairs that tie for the next step, its own too; IndexError after the last."""
        pair, settings = self.trace.pairs[self.k], self.trace.settings
        if isinstance(settings, wordpiece.Settings):
            return wordpiece.tied_pairs(self, pair, settings)
        return self.pairs_with_count(self.trace.counts[self.k])

    def pairs_with_count(self, count: int) -> list[Pair]:
        """Return the pairs that are seen `count` times and may be merged."""
        settings = self.trace.settings
        return [
            pair
            for pair, seen in self.pair_counts.items()
            if seen == count and settings.allows(pair)
        ]
