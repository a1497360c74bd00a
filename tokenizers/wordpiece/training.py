"""WordPiece: train by merging the pair of the highest score, encode by the longest match.

The *score* of a pair is how often it occurs in the corpus, divided by how often its first symbol
does times how often its second does: high where two symbols are seldom seen without each other.
Training (`train`) yields one `Merge` per step, as BPE's does. Every symbol but the first of its
word has a *mark* in front, usually `##`. Encoding needs no merges, only the vocabulary.

The program that made BERT's vocabulary was never published: `CONVENTIONS` names what others do.
Left out: encoding (`encoding.py`), the learner of TensorFlow Text (`top_down.py`), BERT's
way from a text to words (`normalizers.py`, `pre_tokenizers.py`), file formats.
"""

import heapq
from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence
from fractions import Fraction

from tokenizers import bpe
from tokenizers.merging import queue as merging_queue
from tokenizers.merging.queue import (
    NO_BRANCHES,
    NO_PAIR_LEFT,
    Branches,
    next_merge,
    reached,
    tie_key,
    too_rare,
)
from tokenizers.merging.state import Counts, Merge, Pair, State
from tokenizers.text.corpus import Corpus, Pipeline, Tick, go_on
from tokenizers.text.symbols import Split
from tokenizers.wordpiece.encoding import (
    Model,
)
from tokenizers.wordpiece.settings import Settings


def start(corpus: Corpus, settings: Settings, tick: Tick = go_on) -> State:
    """Return the state before the first merge: every word in base symbols."""
    splits = [settings.symbols(word) for word in corpus.word_counts]
    vocab = {symbol: n for n, symbol in enumerate(_alphabet(splits, settings), start=1)}
    return State(splits, list(corpus.word_counts.values()), vocab, settings.mark, tick)


def _alphabet(splits: Iterable[Split], settings: Settings) -> list[str]:
    """Return the symbols that a vocabulary begins with, in the order of their ids."""
    firsts = {symbol for split in splits for symbol in split[:1]}
    rest = {symbol for split in splits for symbol in split[1:]}
    if settings.convention == "score":
        return sorted(firsts | rest)
    plain = firsts | {symbol[len(settings.mark) :] for symbol in rest}
    return [*sorted(plain), *sorted(rest - plain)]


def train(
    corpus: Corpus, settings: Settings, state: State | None = None, branches: Branches = NO_BRANCHES
) -> Generator[Merge, None, str]:
    """Yield one `Merge` per training step; return why there are no more.

    To look on, give a `state` fresh from `start`: every step changes it. With `branches`, some ties
    are decided otherwise; ValueError for one that is none.
    """
    if state is None:
        state = start(corpus, settings)
    queue = _queue(state, settings)
    num_merges = 0
    while not (limit := reached(settings, num_merges, len(state.vocab))):
        # Which pair, and what merging it changes.
        step = next_merge(state, queue, branches.get(num_merges + 1))
        if step is None:
            return queue.why_empty()
        state.apply(step)  # the only code that changes a state; replay uses it too
        queue.update(step)
        yield step  # the whole of the instrumentation
        num_merges += 1
    return limit


def model(
    vocab: Mapping[str, int], pairs: Sequence[Pair], settings: Settings, pipeline: Pipeline
) -> Model:
    """Return the tokenizer of a vocabulary; encoding does not need the merges, `pairs`."""
    return Model(vocab, settings, pipeline)


def _queue(state: State, settings: Settings) -> "bpe.Queue | Queue":
    if settings.convention == "score":
        return Queue(state, settings)
    return bpe.Queue(state, bpe.Settings(min_count=settings.min_count, ties=settings.ties))


class Queue(merging_queue.Queue):
    """The pairs that may be merged, those of the highest score first.

    A merge makes both of its symbols rarer and so changes the score of every pair that has one of
    them: `_pairs_with` knows those, and some that have died out. A pair is worth its score as a
    whole number, see `precision`.
    """

    def __init__(self, state: State, settings: Settings) -> None:
        self._scores: dict[Pair, int] = {}
        super().__init__(self._scores, tie_key(state, settings.ties))
        self._state, self._min_count = state, max(settings.min_count, 1)
        self._precision = precision(state)
        self._pairs_with: dict[str, set[Pair]] = defaultdict(set)
        self._look_at(state.pair_counts)

    def update(self, step: Merge) -> None:
        """Update the queue with the counts that `step` changed, including those of its symbols."""
        changed = set(step.recount)
        for symbol in (*step.pair, step.token):
            changed |= self._pairs_with[symbol]
        self._look_at(changed)

    def _look_at(self, pairs: Iterable[Pair]) -> None:
        """Work out what `pairs` are worth now."""
        counts, tokens = self._state.pair_counts, self._state.token_counts
        precision, min_count, pairs_with = self._precision, self._min_count, self._pairs_with
        for pair in pairs:
            first, second = pair
            count = counts.get(pair, 0)
            if count >= min_count:
                pairs_with[first].add(pair)
                pairs_with[second].add(pair)
                self._set(pair, (count << precision) // (tokens[first] * tokens[second]))
            else:
                pairs_with[first].discard(pair)
                pairs_with[second].discard(pair)
                self._set(pair, 0)

    def _set(self, pair: Pair, score: int) -> None:
        before = self._scores.pop(pair, 0)
        if before:
            self.tally[before] -= 1
            if not self.tally[before]:
                del self.tally[before]  # there are far more scores over time than counts
        if score:
            self._scores[pair] = score
            self.tally[score] += 1
            if score != before:
                self.file(pair, score)

    def why_empty(self) -> str:
        """Say why `best` has found nothing."""
        counts = self._state.pair_counts.values()
        return too_rare(max(counts), self._min_count) if counts else NO_PAIR_LEFT


# --- Scores ---------------------------------------------------------------------------------------


def precision(state: Counts) -> int:
    """Return how many binary digits after the point tell any two scores apart.

    With N symbols in the corpus, a score has a denominator of at most N * N, so two that differ do
    so by at least 1 / N ** 4: cut off after these digits they are whole numbers in the same order,
    and equal only if the scores are. Floating-point numbers would not promise that.
    """
    return 4 * sum(state.token_counts.values()).bit_length()


def score(state: Counts, pair: Pair) -> Fraction:
    """Return the score of `pair`; KeyError for one that does not stand in the corpus."""
    first, second = pair
    return Fraction(state.pair_counts[pair], state.token_counts[first] * state.token_counts[second])


def ranking(state: Counts, limit: int | None = None, min_count: int = 1) -> list[Pair]:
    """Return the pairs seen `min_count` times or more, those of the highest score first.

    Pairs that tie stand in the order of `state.pair_counts`; `limit` keeps only the first ones.
    """
    tokens, digits = state.token_counts, precision(state)
    scores = {
        pair: (count << digits) // (tokens[pair[0]] * tokens[pair[1]])
        for pair, count in state.pair_counts.items()
        if count >= min_count
    }
    if limit is None:
        return sorted(scores, key=scores.__getitem__, reverse=True)
    return heapq.nlargest(limit, scores, key=scores.__getitem__)


def tied_with(state: Counts, pair: Pair, settings: Settings) -> list[Pair]:
    """Return the pairs that may be merged and are as good as `pair`, itself among them."""
    counts = state.pair_counts
    may_be_merged = [other for other in counts if counts[other] >= settings.min_count]
    if settings.convention == "hugging_face":
        return [other for other in may_be_merged if counts[other] == counts[pair]]
    tokens, best = state.token_counts, score(state, pair)
    return [
        other
        for other in may_be_merged
        if counts[other] * best.denominator == best.numerator * tokens[other[0]] * tokens[other[1]]
    ]
