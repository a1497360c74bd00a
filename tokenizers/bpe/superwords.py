"""Pieces beyond words: BPE whose merges may cross the borders of words.

A text is a list of lines, and a line a list of *words*, cut at spaces, and where letters, digits
and punctuation meet. A space is written `▁` and begins its word. A piece of several words is a
*superword*. Two rules say when a pair may cross a border:

* `after`: any pair, once a given number of merges inside words is done. This is SuperBPE (Liu and
  others, "SuperBPE: Space Travel for Language Models", 2025). The paper's limits on the content of
  superwords are not implemented.
* `whole_words`: at any time, two neighbours that are each a whole word in one piece, or a superword
  already, and consist of letters, `'` and `_`. Their count competes with the counts inside words.
  This is BoundlessBPE (Schmidt and others, "Boundless Byte Pair Encoding", 2025). Its deletion of
  pieces that only serve as parts (PickyBPE) is not implemented. Ties follow the tie rule; the
  authors' program prefers the superword.
"""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, groupby, pairwise, takewhile

from tokenizers.bpe import encoding, training
from tokenizers.bpe.settings import Settings
from tokenizers.merging.queue import FrequencyQueue
from tokenizers.merging.state import Merge, Pair, Positions, State, join_at, merged_token
from tokenizers.merging.training import NO_FORCED_CHOICES, ForcedChoices, train_merges
from tokenizers.plain import choose, merge
from tokenizers.progress import CancelCheck, never_cancel
from tokenizers.settings import MAX_NUMBER, check
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.encoding import Encoding, encode_words
from tokenizers.text.symbols import METASPACE, Split, alphabet

LINES = Pipeline((), "metaspace_lines")
CROSSINGS = ("after", "whole_words")


# --- BoundlessBPE in its plainest form: everything is counted again at every step -----------------


def train_plainly(
    lines: Sequence[Sequence[Split]], num_merges: int, ties: str = "first_seen"
) -> Iterator[tuple[Pair, int, list[list[Split]]]]:
    """Yield BoundlessBPE's merges: the pair, its count, and the lines after it.

    A line is a list of words, and a word a tuple of symbols; a superword is a word of one symbol.

    >>> lines = [[("▁a",), ("▁b",), ("▁", "c")], [("▁a",), ("▁b",)]]
    >>> [step[:2] for step in train_plainly(lines, 2)]
    [(('▁a', '▁b'), 2), (('▁', 'c'), 1)]
    """
    vocab = sorted({symbol for line in lines for word in line for symbol in word})
    now = [list(line) for line in lines]
    for _ in range(num_merges):
        counts: Counter[Pair] = Counter()
        for line in now:
            for i, word in enumerate(line):
                counts.update(pairwise(word))
                together = tuple(chain(*line[i : i + 2]))
                if len(word) == 1 and len(together) == 2 and is_all_letters(*together):
                    counts[together] += 1
        if not counts:
            return
        best = max(counts.values())
        pair = choose([one for one in counts if counts[one] == best], ties, vocab)
        vocab.append("".join(pair))
        now = [_join_plainly(line, pair) for line in now]
        yield pair, best, now


def _join_plainly(line: Sequence[Split], pair: Pair) -> list[Split]:
    words, i = list[Split](), 0
    while i < len(line):
        if [*line[i : i + 2]] == [(pair[0],), (pair[1],)]:  # two whole words become one
            words.append(("".join(pair),))
            i += 2
        else:
            words.append(merge(line[i], pair))
            i += 1
    return words


# --- Words and borders ----------------------------------------------------------------------------


def is_all_letters(*symbols: str) -> bool:
    """Return whether symbols have letters, marks, `'`, `_` and spaces alone, each with a letter.

    >>> is_all_letters("▁don't", "▁stop"), is_all_letters("▁by", "▁1911"), is_all_letters("▁")
    (True, False, False)
    """
    return all(
        all(character == "▁" or character_kind(character) == "letter" for character in symbol)
        and any(map(str.isalpha, symbol))
        for symbol in symbols
    )


def is_border(left: str, right: str) -> bool:
    """Return whether a new word begins between two neighbouring symbols.

    >>> is_border("▁sea", "▁was"), is_border("▁sea", ","), is_border("▁se", "a")
    (True, True, False)
    """
    if left[-1] == "▁" or right[0] == "▁":
        return right[0] == "▁"
    return character_kind(left[-1]) != character_kind(right[0])


def character_kind(character: str) -> str:
    """Return whether a character belongs to words of letters, to numbers, or to neither.

    >>> [character_kind(one) for one in "é'7."]
    ['letter', 'letter', 'number', 'other']
    """
    kind = unicodedata.category(character)[0]
    if kind in "LM" or character in "_'’":
        return "letter"
    return "number" if kind == "N" else "other"


def words_of(split: Split) -> list[Split]:
    """Cut a line's symbols into words.

    >>> words_of(("▁", "h", "i", ",", "▁you"))
    [('▁', 'h', 'i'), (',',), ('▁you',)]
    """
    words: list[Split] = []
    start = 0
    for i in range(1, len(split) + 1):
        if i == len(split) or is_border(split[i - 1], split[i]):
            words.append(split[start:i])
            start = i
    return words


def is_superword(piece: str) -> bool:
    """Return whether a piece contains a space other than a leading one.

    >>> [is_superword(piece) for piece in ("▁low▁tide", "▁low", "▁")]
    [True, False, False]
    """
    return METASPACE in piece[1:]


# --- Training -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SuperwordSettings(Settings):
    """The settings of a run whose merges may cross the borders of words.

    `crossing` is `after` or `whole_words`; with `after`, the first `inside` merges stay inside
    words, or fewer if no more are possible. Raises UserError for an invalid value.
    """

    base: str = "metaspace"
    crossing: str = "whole_words"
    inside: int = 0

    def __post_init__(self) -> None:
        Settings.__post_init__(self)
        choices = {"base": ("metaspace",), "crossing": CROSSINGS}
        check(self, {"inside": (0, MAX_NUMBER)}, choices)


class LineState(State):
    """The splits of all lines, with the counts of the pairs that may be merged now."""

    def __init__(
        self,
        splits: Sequence[Split],
        word_counts: Sequence[int],
        vocab: dict[str, int],
        crossing: str,
        inside: int,
        check_cancelled: CancelCheck = never_cancel,
    ) -> None:
        super().__init__(splits, word_counts, vocab, check_cancelled=check_cancelled)
        self._whole_words_only = crossing == "whole_words"
        self._inside = 0 if self._whole_words_only else inside
        self._num_applied = 0
        counts: dict[Pair, int] = defaultdict(int)
        for split, count in zip(self.splits, self.word_counts, strict=True):
            for i, pair in enumerate(pairwise(split)):
                if self._may_merge(split, i):
                    counts[pair] += count
        self.pair_counts = dict(counts)

    def _may_merge(self, split: Split, i: int) -> bool:
        """Return whether the symbols i and i + 1 of a line may be merged now."""
        if not is_border(split[i], split[i + 1]):
            return True
        if not self._whole_words_only:
            return self._num_applied >= self._inside
        is_whole = (not i or is_border(split[i - 1], split[i])) and (
            i + 2 == len(split) or is_border(split[i + 1], split[i + 2])
        )
        return is_whole and is_all_letters(split[i], split[i + 1])

    def _find(self, split: Split, pair: Pair) -> Positions:
        """Return where `pair` may be merged in a line, left to right and without overlaps."""
        positions = list[int]()
        for i, one in enumerate(pairwise(split)):
            is_apart = not positions or positions[-1] < i - 1
            if one == pair and is_apart and self._may_merge(split, i):
                positions.append(i)
        return tuple(positions)

    def first_position(self, pair: Pair) -> tuple[int, int]:
        """Return the index of the first line where `pair` may be merged, and its place there."""
        for line in self.words_with(pair):
            split = self.splits[line]
            for i, one in enumerate(pairwise(split)):
                if one == pair and self._may_merge(split, i):
                    return line, sum(map(len, split[:i]))
        return super().first_position(pair)

    def merge(self, pair: Pair, num_tied: int = 1) -> Merge:
        """Return the step that merges `pair`, without changing anything; see `apply`."""
        token = merged_token(pair)
        changed: dict[int, Positions] = {}
        deltas: dict[Pair, int] = defaultdict(int)
        num_applied = 0
        after = dict[int, Split]()
        for line in self.words_with(pair):
            split, count = self.splits[line], self.word_counts[line]
            if positions := self._find(split, pair):
                changed[line], after[line] = positions, join_at(split, positions, token)
                num_applied += count * len(positions)
                # The merged token may be a whole word, but its neighbours are what they were.
                before = {i + n for i in positions for n in (-1, 0, 1)}
                self._add(deltas, split, before, -count)
                joined = [i - n for n, i in enumerate(positions)]
                self._add(deltas, after[line], {i + n for i in joined for n in (-1, 0)}, count)
        if self._num_applied + 1 == self._inside:  # from the next step on, borders may be crossed
            for line, split in enumerate(self.splits):
                for left, right in pairwise(after.get(line, split)):
                    if is_border(left, right):
                        deltas[left, right] += self.word_counts[line]
        first, second = pair
        counts = self.token_counts[first], self.token_counts[second]
        pair_count = self.pair_counts[pair]
        return Merge(pair, token, pair_count, counts, num_tied, num_applied, changed, dict(deltas))

    def _add(self, deltas: dict[Pair, int], split: Split, places: set[int], change: int) -> None:
        for i in places:
            if 0 <= i < len(split) - 1 and self._may_merge(split, i):
                deltas[split[i], split[i + 1]] += change

    def apply(self, step: Merge) -> None:
        """Apply a merge; after the last one inside words, borders may be crossed."""
        super().apply(step)
        self._num_applied += 1


def start(
    corpus: Corpus, settings: SuperwordSettings, check_cancelled: CancelCheck = never_cancel
) -> LineState:
    """Return the state before the first merge; the words of `corpus` are lines."""
    splits = [settings.symbols(line) for line in corpus.word_counts]
    counts = list(corpus.word_counts.values())
    vocab = {s: n for n, s in enumerate(alphabet(splits, settings.base), start=1)}
    inside = settings.inside
    if inside and settings.crossing == "after":
        inside = min(inside, _possible_inside(splits, counts, settings))
    return LineState(splits, counts, vocab, settings.crossing, inside, check_cancelled)


def _possible_inside(
    splits: Sequence[Split], counts: Sequence[int], settings: SuperwordSettings
) -> int:
    """Return how many merges inside words are possible, up to the number wanted."""
    words: Counter[str] = Counter()
    for split, count in zip(splits, counts, strict=True):
        for word in words_of(split):
            words["".join(word)] += count
    usual = Settings(
        num_merges=settings.inside,
        min_count=settings.min_count,
        max_token_length=settings.max_token_length,
        ties=settings.ties,
    )
    return sum(1 for _ in training.train(Corpus(dict(words)), usual))


def train(
    corpus: Corpus,
    settings: SuperwordSettings,
    state: State | None = None,
    forced_choices: ForcedChoices = NO_FORCED_CHOICES,
) -> Generator[Merge, None, str]:
    """Yield one `Merge` per training step, as `bpe.train` does; return why it stops."""
    state = start(corpus, settings) if state is None else state
    return train_merges(state, FrequencyQueue(state, settings), settings, forced_choices)


def num_inside(pairs: Sequence[Pair], settings: SuperwordSettings) -> int | None:
    """Return the number of merges of a run before any pair may cross borders.

    It is less than `settings.inside` if no more merges were possible inside words, and None with
    `whole_words`.
    """
    if settings.crossing != "after":
        return None
    return min(sum(1 for _ in takewhile(lambda one: not is_border(*one), pairs)), settings.inside)


# --- Encoding -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Model(encoding.Model):
    """A trained model; a word of its pipeline is a line."""

    def encode(self, text: str, dropout: encoding.Dropout | None = None) -> Encoding:
        """Split `text` into pieces; there is no dropout."""
        return encode_words(self.pipeline(text), partial(split_line, model=self), self)


def model(
    vocab: Mapping[str, int],
    pairs: Sequence[Pair],
    settings: SuperwordSettings,
    pipeline: Pipeline,
) -> Model:
    """Return the tokenizer whose merges are `pairs`, in this order."""
    return Model(vocab, {pair: rank for rank, pair in enumerate(pairs)}, settings, pipeline)


def split_line(line: str, model: Model) -> Split:
    """Return the pieces of a line, by the lowest rank first, then the leftmost position.

    With `whole_words`, the merges inside words can all come first, since a superword only joins
    words that need none any more.
    """
    symbols = model.settings.symbols(line)
    assert isinstance(model.settings, SuperwordSettings)
    if model.settings.crossing == "after":
        return _merged(symbols, model.ranks)
    words = [_merged(word, model.ranks) for word in words_of(symbols)]
    pieces: list[str] = []
    for is_whole, run in groupby(words, lambda word: len(word) == 1):
        together = tuple(piece for word in run for piece in word)
        pieces += _merged(together, model.ranks) if is_whole else together
    return tuple(pieces)


def _merged(symbols: Split, ranks: Mapping[Pair, int]) -> Split:
    return encoding.split_after(symbols, encoding.merge_steps(symbols, ranks))
