"""Segment one text at every size of a vocabulary, from characters to whole words.

`train_and_segment` runs in a worker process. It trains one tokenizer to the end, then computes how
each word of the text is split at every recorded size. Only the cuts that appear or vanish from one
size to the next are kept. The message to the browser is built in `size_message.py`.

A *position* in a word lies between two symbols and is at least 1. An *index* refers to a size.
"""

from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np

from pages.shared.training.source import CorpusSource
from pages.shared.training.tokenizer_kinds import PRUNINGS, train_kind
from pages.sizes.sized_runs import SizedRun, sized_run_of
from tokenizers import bpe, unigram, wordpiece
from tokenizers.errors import UserError
from tokenizers.progress import ProgressCallback
from tokenizers.text.symbols import Split
from tokenizers.wordpiece import MARK
from tokenizers.wordpiece.matching import ends_by_stage

MOST_PIECES = 5_000
FEWEST_PIECES = 1
"""The target size for Unigram, so that it stops only when just characters are left."""

CutChanges = tuple[tuple[int, tuple[int, ...]], ...]
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class WordBySize:
    """A word of the text with its cuts at the smallest size, and their changes at larger sizes.

    `changes` has pairs (index, positions); the cuts at these positions are toggled at that size.
    `is_unknown` is set for a word for which WordPiece finds no pieces.
    """

    symbols: Split
    count: int
    cuts: tuple[int, ...]
    changes: CutChanges
    is_unknown: bool = False

    def token(self, span: Span, mark: str = "") -> str:
        """Return the token between two positions, with `mark` unless it begins the word."""
        start, end = span
        return (mark if start else "") + "".join(self.symbols[start:end])

    def split(self, index: int, mark: str = "") -> Split:
        """Return the word's tokens at the size with this index."""
        cuts = set(self.cuts)
        for since, positions in self.changes:
            if since <= index:
                cuts ^= set(positions)
        ends = [0, *sorted(cuts), len(self.symbols)]
        return tuple([self.token(span, mark) for span in pairwise(ends)])

    def formed(self) -> Iterator[tuple[int, list[Span]]]:
        """Yield, for index 0 and every change, the index and the spans of tokens new there."""
        ends = [0, *self.cuts, len(self.symbols)]
        yield 0, list(pairwise(ends))
        for index, positions in self.changes:
            for position in positions:
                _toggle(ends, position)
            yield index, sorted({span for p in positions for span in _spans_at(ends, p)})


def _toggle(ends: list[int], position: int) -> None:
    at = bisect_left(ends, position)
    if ends[at] == position:
        del ends[at]
    else:
        insort(ends, position)


def _spans_at(ends: Sequence[int], position: int) -> Iterable[Span]:
    """Return the span of the token that covers a position, or of the two that meet there."""
    at = bisect_left(ends, position)
    if ends[at] == position:
        return (ends[at - 1], position), (position, ends[at + 1])
    return ((ends[at - 1], ends[at]),)


@dataclass(frozen=True, slots=True)
class SegmentationsBySize:
    """A text segmented by one tokenizer at every recorded size, with notes on limits.

    `text` has the words in order, as indices into `words`. `tokens[i]` is the text's number of
    tokens at `sizes[i]`; `new[i]` has the pieces that the previous size lacks, and `occurrences[i]`
    says how often these occur in the text. `extra_ids` is the number of ids that are not pieces,
    i.e. 1 if there is an unknown token.
    """

    kind: str
    sizes: tuple[int, ...]
    words: tuple[WordBySize, ...]
    text: tuple[int, ...]
    tokens: tuple[int, ...]
    new: tuple[Split, ...]
    occurrences: tuple[int, ...]
    extra_ids: int
    stopped: str
    notes: tuple[str, ...]

    @property
    def mark(self) -> str:
        """The prefix of a piece that does not begin a word."""
        return MARK if self.kind == "wordpiece" else ""


def train_and_segment(
    report: ProgressCallback, source: CorpusSource, kind: str, text: str
) -> SegmentationsBySize:
    """Train a tokenizer of one of `TRAINABLE` and segment `text` at every recorded size.

    Raises UserError if there are no words, if a text has a lone surrogate, or if the user stops it.
    """
    size = FEWEST_PIECES if kind == "unigram" else MOST_PIECES
    learned = train_kind(
        lambda done, total: report(done, 2 * total), source, kind, size, prunings=PRUNINGS
    )
    return segment_by_size(
        lambda done, total: report(done + total, 2 * total), sized_run_of(learned), text
    )


def segment_by_size(report: ProgressCallback, record: SizedRun, text: str) -> SegmentationsBySize:
    """Segment `text` at every recorded size; raise UserError as `train_and_segment` does."""
    in_order = record.pipeline(text).words
    counts = Counter(in_order)
    words = []
    for word in SEGMENTERS[record.kind](record, counts):
        words.append(word)
        if report(len(words), len(counts)):
            raise UserError("You stopped it before there was anything to show. Run it again.")
    numbers = {word: number for number, word in enumerate(counts)}
    tokens, occurrences = count_tokens(
        words, record.new, MARK if record.kind == "wordpiece" else ""
    )
    return SegmentationsBySize(
        record.kind,
        record.sizes,
        tuple(words),
        tuple([numbers[word] for word in in_order]),
        tokens,
        record.new,
        occurrences,
        record.extra_ids,
        record.stopped,
        record.notes,
    )


def count_tokens(
    words: Sequence[WordBySize], new: Sequence[Split], mark: str
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return, for every size, the number of tokens and how often new pieces occur in the text.

    At the first size, where every piece is new, the number of occurrences is 0.
    """
    more, occurrences = np.zeros(len(new), np.int64), np.zeros(len(new), np.int64)
    formed: list[Counter[str]] = [Counter() for _ in new]
    for word in words:
        cuts = set(word.cuts)
        more[0] += word.count * (len(cuts) + 1)
        for index, positions in word.changes:
            before = len(cuts)
            cuts ^= set(positions)
            more[index] += word.count * (len(cuts) - before)
        for index, spans in word.formed():
            if index:
                for span in spans:
                    formed[index][word.token(span, mark)] += word.count
    for index, (found, pieces) in enumerate(zip(formed, new, strict=True)):
        occurrences[index] = sum(found[piece] for piece in set(found).intersection(pieces))
    return tuple(np.cumsum(more).tolist()), tuple(occurrences.tolist())


# --- BPE: a merge of the symbols left and right of a cut removes the cut --------------------------


def _by_merging(record: SizedRun, words: Mapping[str, int]) -> Iterator[WordBySize]:
    """Replay all merges once; a shorter list applies the same merges up to its end.

    This holds because no piece is made from two different pairs, so that a merge comes after all
    merges that its parts need.
    """
    model, steps = record.model(-1), record.merges
    assert isinstance(model, bpe.Model)
    for word, count in words.items():
        symbols = model.settings.symbols(word)
        removed: dict[int, list[int]] = defaultdict(list)
        for step in bpe.merge_steps(symbols, model.ranks):
            removed[bisect_left(steps, step.rank + 1)].append(step.middle)
        changes = tuple([(index, tuple(positions)) for index, positions in sorted(removed.items())])
        yield WordBySize(symbols, count, tuple(range(1, len(symbols))), changes)


# --- WordPiece: a word is matched again at each size that adds a piece occurring in it ------------


def _by_matching(record: SizedRun, words: Mapping[str, int]) -> Iterator[WordBySize]:
    first_index = {piece: index for index, fresh in enumerate(record.new) for piece in fresh}
    longest = max(map(len, first_index), default=0)
    model = record.model(-1)
    assert isinstance(model, wordpiece.Model)
    for word, count in words.items():
        found = dict(ends_by_stage(word, first_index, MARK, longest)) if model.letters(word) else {}
        cuts = {index: ends[:-1] for index, ends in found.items() if ends[-1:] == [len(word)]}
        if not found or max(found) not in cuts:
            yield WordBySize(tuple(word), count, (), (), is_unknown=True)
        else:
            changes = ((index, set(cuts.get(index, ()))) for index in found)
            yield WordBySize(tuple(word), count, *_cut_changes(changes))


# --- Unigram: a word is split by the model of every recorded size ---------------------------------


def _by_probability(record: SizedRun, words: Mapping[str, int]) -> Iterator[WordBySize]:
    found = map(record.model, range(len(record.sizes)))
    models = [model for model in found if isinstance(model, unigram.Model)]
    for word, count in words.items():
        splits = (unigram.split_word(word, model) for model in models)
        cuts = (set(accumulate(map(len, split[:-1]))) for split in splits)
        yield WordBySize(tuple(word), count, *_cut_changes(enumerate(cuts)))


def _cut_changes(found: Iterable[tuple[int, set[int]]]) -> tuple[tuple[int, ...], CutChanges]:
    """Return the cuts at the first size, and their changes at later sizes."""
    (_, first), *later = found
    changes, before = [], first
    for index, cuts in later:
        if cuts != before:
            changes.append((index, tuple(sorted(cuts ^ before))))
        before = cuts
    return tuple(sorted(first)), tuple(changes)


SEGMENTERS = {
    "bpe": _by_merging,
    "bytes": _by_merging,
    "wordpiece": _by_matching,
    "unigram": _by_probability,
}
TRAINABLE = tuple(SEGMENTERS)
