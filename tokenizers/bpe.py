"""Byte-pair encoding: train by merging the most frequent pair, encode by replaying the merges.

Training (`train`) yields one `Merge` per step. Encoding (`merge_steps`) yields one `Applied` per
merge; `encode` runs it over a whole text. The names:

* a *pair* is two neighbouring symbols, its *rank* the number of its merge, counted from 0;
* the *tie rule* says which pair is taken when several are the most frequent (`choosing.py`).

Left out: pre-tokenization (`pre_tokenizers.py`), base symbols (`symbols.py`), file formats.
"""

import heapq
import random
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from tokenizers import choosing
from tokenizers.choosing import NO_PAIR_LEFT, TIE_RULES, next_merge, reached, tie_key, too_rare
from tokenizers.corpus import Corpus, Pipeline
from tokenizers.encoding import UNK, Encoding, encode_words
from tokenizers.merging import Merge, Pair, Split, State, pairs_of, token_of
from tokenizers.symbols import BASES, END_MARK, alphabet, base_symbols


@dataclass(frozen=True, slots=True)
class Settings:
    """What a BPE training run is asked to do. Raises ValueError for a value that means nothing.

    `num_merges` and `vocab_size` stop the run, whichever comes first; the vocabulary is counted
    without `[UNK]`. `max_token_length` is in base symbols, the end-of-word mark not counted.

    The tie rules: `first_seen` takes the pair that stands first in the corpus as it is split now
    (minbpe, tiktoken's educational trainer, the Hugging Face course); `smallest_ids` the one whose
    left, then right symbol is oldest in the vocabulary (Hugging Face's trainer);
    `smallest_string` the first in code point order.
    """

    base: str = "characters"
    end_mark: str = END_MARK
    num_merges: int | None = None
    vocab_size: int | None = None
    min_count: int = 1
    max_token_length: int | None = None
    ties: str = "first_seen"

    def __post_init__(self) -> None:
        if self.base not in BASES:
            raise ValueError(f"base is {self.base!r}; it must be one of {', '.join(BASES)}")
        if self.ties not in TIE_RULES:
            raise ValueError(f"ties is {self.ties!r}; it must be one of {', '.join(TIE_RULES)}")
        if not self.end_mark:
            raise ValueError("the end-of-word mark is empty; give it at least one character")
        for name in ("num_merges", "vocab_size", "min_count", "max_token_length"):
            value = getattr(self, name)
            if value is not None and value < 0:
                raise ValueError(f"{name} is {value}; it must not be negative")

    @property
    def unk(self) -> str | None:
        """`[UNK]`, or None where every text can be encoded: with bytes."""
        return None if self.base == "bytes" else UNK

    def symbols(self, word: str) -> Split:
        """Return the base symbols of `word`."""
        return base_symbols(word, self.base, self.end_mark)

    def length(self, token: str) -> int:
        """Return how many base symbols `token` is made of, the end-of-word mark not counted."""
        return len(token.removesuffix(self.end_mark) if self.base == "end_of_word" else token)

    def allows(self, pair: Pair) -> bool:
        """Tell whether the token that `pair` makes is short enough."""
        limit = self.max_token_length
        return limit is None or self.length(pair[0] + pair[1]) <= limit


def start(corpus: Corpus, settings: Settings) -> State:
    """Return the state before the first merge: every word in base symbols."""
    splits = [settings.symbols(word) for word in corpus.word_counts]
    first_id = 0 if settings.unk is None else 1
    vocab = {s: first_id + n for n, s in enumerate(alphabet(splits, settings.base))}
    return State(splits, list(corpus.word_counts.values()), vocab)


def train(
    corpus: Corpus, settings: Settings, state: State | None = None
) -> Generator[Merge, None, str]:
    """Yield one `Merge` per training step; return why there are no more.

    To look on, give a `state` fresh from `start`: every step changes it.
    """
    if state is None:
        state = start(corpus, settings)
    queue = Queue(state, settings)
    num_merges = 0
    while not (limit := reached(settings, num_merges, len(state.vocab))):
        step = next_merge(state, queue)  # which pair, and what merging it changes
        if step is None:
            return queue.why_empty()
        state.apply(step)  # the only code that changes a state; replay uses it too
        queue.update(step)
        yield step  # the whole of the instrumentation
        num_merges += 1
    return limit


class Queue(choosing.Queue):
    """The pairs that may be merged, most frequent first: a pair is worth its count."""

    def __init__(self, state: State, settings: Settings) -> None:
        super().__init__(state.pair_counts, tie_key(state, settings.ties), settings.min_count)
        self._settings = settings
        for pair, count in state.pair_counts.items():
            if settings.allows(pair):
                self.tally[count] += 1
                self.file(pair, count)

    def update(self, step: Merge) -> None:
        """Take notice of the counts that `step` has changed."""
        counts, tally = self.worth, self.tally
        unlimited = self._settings.max_token_length is None
        for pair, change in step.recount.items():
            if unlimited or self._settings.allows(pair):
                count = counts.get(pair, 0)
                tally[count - change] -= 1
                tally[count] += 1
                if count:
                    self.file(pair, count)

    def why_empty(self) -> str:
        """Say why `best` has found nothing."""
        counts, settings = self.worth, self._settings
        if not counts:
            return NO_PAIR_LEFT
        allowed = [count for pair, count in counts.items() if settings.allows(pair)]
        if not allowed:
            limit = settings.max_token_length
            symbols = "symbol" if limit == 1 else "symbols"
            return f"every pair left would make a piece longer than {limit:,} {symbols}"
        return too_rare(max(allowed), settings.min_count)


@dataclass(frozen=True, slots=True)
class Model:
    """A trained BPE model: ids of the pieces, and the rank of each merge."""

    vocab: Mapping[str, int]
    ranks: Mapping[Pair, int]
    settings: Settings
    pipeline: Pipeline


@dataclass(frozen=True, slots=True)
class Applied:
    """One merge of an encoding: the pair at symbol `start` of the word's base symbols.

    `dropped` are the better candidates, as (rank, start), that BPE-dropout passed over.
    """

    rank: int
    pair: Pair
    start: int
    dropped: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Dropout:
    """BPE-dropout (Provilkov et al. 2020): each merge is passed over with probability `p`.

    `for_good` is SentencePiece's variant, where a merge that was passed over never comes back;
    otherwise, as in the paper and in Hugging Face's library, it gets another chance at the next
    step. Raises ValueError unless 0 <= p <= 1.
    """

    p: float
    seed: int = 0
    for_good: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.p <= 1:
            raise ValueError(f"the dropout probability is {self.p}; it must lie between 0 and 1")


def candidates(split: Split, ranks: Mapping[Pair, int]) -> list[tuple[int, int]]:
    """Return the possible merges, best first, as (rank, index of the left symbol in `split`).

    >>> candidates(("l", "o", "w"), {("o", "w"): 0, ("l", "o"): 1})
    [(0, 1), (1, 0)]
    """
    return sorted((ranks[pair], i) for i, pair in enumerate(pairs_of(split)) if pair in ranks)


def merge_steps(
    symbols: Sequence[str],
    ranks: Mapping[Pair, int],
    dropout: Dropout | None = None,
    rng: random.Random | None = None,
    mark: str = "",
) -> Iterator[Applied]:
    """Yield the merges that encode one word: always the lowest rank, then the leftmost place.

    `mark` is what a second symbol has in front and loses when it is joined. Takes time n log n in
    the number of symbols. The symbols form a linked list: `right[i]` is the start of the symbol
    after the one that starts at i, and `texts[i]` is None once a merge has swallowed it.
    """
    p, for_good = (dropout.p, dropout.for_good) if dropout else (0.0, False)
    rng = rng or random.Random(dropout.seed if dropout else 0)
    n = len(symbols)
    texts: list[str | None] = list(symbols)
    left, right = list(range(-1, n)), list(range(1, n + 1))
    heap: list[tuple[int, int]] = []
    dropped: list[tuple[int, int]] = []  # will come back
    passed_over: list[tuple[int, int]] = []  # since the last merge, or ever

    def pair_at(i: int) -> tuple:
        return (texts[i], texts[right[i]]) if right[i] < n else ()

    def offer(i: int) -> None:
        rank = ranks.get(pair_at(i)) if 0 <= i < n else None
        if rank is not None:
            heapq.heappush(heap, (rank, i))

    def stands(candidate: tuple[int, int]) -> bool:
        rank, i = candidate
        return texts[i] is not None and ranks.get(pair_at(i)) == rank

    for i in range(n):
        offer(i)
    while heap:
        candidate = rank, i = heapq.heappop(heap)
        if p and rng.random() < p:
            passed_over.append(candidate)
            if not for_good:
                dropped.append(candidate)
            continue
        while dropped:
            heapq.heappush(heap, dropped.pop())
        if not stands(candidate):
            continue  # a merge since has changed what stands here
        better = {other for other in passed_over if other < candidate and stands(other)}
        if not for_good:
            passed_over.clear()
        pair, j = pair_at(i), right[i]
        texts[i], texts[j] = token_of(pair, mark), None
        right[i] = right[j]
        if right[j] < n:
            left[right[j]] = i
        yield Applied(rank, pair, i, tuple(sorted(better)))
        offer(left[i])
        offer(i)


def split_after(symbols: Sequence[str], steps: Sequence[Applied]) -> Split:
    """Return the split of a word after the merges `steps`.

    >>> split_after("lower", [Applied(0, ("l", "o"), 0), Applied(1, ("e", "r"), 3)])
    ('lo', 'w', 'er')
    """
    texts: dict[int, str] = dict(enumerate(symbols))
    for step in steps:
        first, second = step.pair
        texts[step.start] = first + second
        del texts[step.start + _length(symbols, step.start, first)]
    return tuple(texts.values())


def _length(symbols: Sequence[str], start: int, text: str) -> int:
    """Return how many symbols from `start` on spell `text`."""
    count, letters = 0, 0
    while letters < len(text):
        letters += len(symbols[start + count])
        count += 1
    return count


def split_word(
    word: str, model: Model, dropout: Dropout | None = None, rng: random.Random | None = None
) -> Split:
    """Return the pieces of `word`; symbols that are not in the vocabulary stay as they are."""
    symbols = model.settings.symbols(word)
    return split_after(symbols, list(merge_steps(symbols, model.ranks, dropout, rng)))


def encode(text: str, model: Model, dropout: Dropout | None = None) -> Encoding:
    """Split `text` into pieces of `model`, with the raw text that each piece stands for."""
    rng = random.Random(dropout.seed) if dropout else None
    split = partial(split_word, model=model, dropout=dropout, rng=rng)
    return encode_words(model.pipeline(text), split, model, remember=dropout is None)
