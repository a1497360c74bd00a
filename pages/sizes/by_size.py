"""One text cut up at every size of a vocabulary, from characters to whole words.

`resize` is what a worker does: it trains one tokenizer to the end, then works out how each word of
the text is cut at every size on record. Kept are changes only: where a cut comes or goes. Left out:
what the browser is sent of it (`frames.py`).

A *position* of a word is between two of its symbols, from 1 on; an *index* is one into the sizes.
"""

from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np

from pages.shared.training.source import ProgressCallback, Source
from pages.shared.training.tokenizer_kinds import PRUNINGS, learn
from pages.sizes.sized_runs import Record, record_of
from tokenizers import bpe, unigram, wordpiece
from tokenizers.errors import UserError
from tokenizers.text.symbols import Split
from tokenizers.wordpiece import MARK

MOST_PIECES = 5_000
FEWEST_PIECES = 1
"""What Unigram is asked for: it ends when nothing but characters is left."""

Changes = tuple[tuple[int, tuple[int, ...]], ...]
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the text: where it is cut at the smallest size, and what changes from there on.

    `changes` are (index, positions): from that size on, each of the positions is cut if it was not
    before, and is not if it was. `is_unknown` is a word that WordPiece finds no pieces for.
    """

    symbols: Split
    count: int
    cuts: tuple[int, ...]
    changes: Changes
    is_unknown: bool = False

    def token(self, span: Span, mark: str = "") -> str:
        """Return the token between two positions; `mark` stands before what begins no word."""
        start, end = span
        return (mark if start else "") + "".join(self.symbols[start:end])

    def split(self, index: int, mark: str = "") -> Split:
        """Return the tokens of the word at the size number `index`."""
        cuts = set(self.cuts)
        for since, positions in self.changes:
            if since <= index:
                cuts ^= set(positions)
        ends = [0, *sorted(cuts), len(self.symbols)]
        return tuple([self.token(span, mark) for span in pairwise(ends)])

    def formed(self) -> Iterator[tuple[int, list[Span]]]:
        """Yield, for index 0 and for every change, which tokens are there that were not before."""
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
    """Return the token that covers a position, or the two that meet there."""
    at = bisect_left(ends, position)
    if ends[at] == position:
        return (ends[at - 1], position), (position, ends[at + 1])
    return ((ends[at - 1], ends[at]),)


@dataclass(frozen=True, slots=True)
class Resized:
    """A text, cut by one tokenizer at every size on record; what was left out, in sentences.

    `text` are the words in their order, as numbers into `words`. `tokens[i]` is how many tokens
    the text has at `sizes[i]`; `new[i]` are the pieces that the size before has not, and
    `places[i]` how often they stand in the text. `beyond` is how many ids there are beyond the
    pieces: one where there is a token for the unknown.
    """

    kind: str
    sizes: tuple[int, ...]
    words: tuple[Word, ...]
    text: tuple[int, ...]
    tokens: tuple[int, ...]
    new: tuple[Split, ...]
    places: tuple[int, ...]
    beyond: int
    stopped: str
    notes: tuple[str, ...]

    @property
    def mark(self) -> str:
        """What stands before a piece that begins no word."""
        return MARK if self.kind == "wordpiece" else ""


def resize(report: ProgressCallback, source: Source, kind: str, text: str) -> Resized:
    """Train a tokenizer of one of `RESIZED` and cut `text` by it at every size on record.

    Raises ValueError, in a sentence, where there is nothing to learn from, for a lone surrogate,
    and for a run that was stopped.
    """
    size = FEWEST_PIECES if kind == "unigram" else MOST_PIECES
    learned = learn(
        lambda done, total: report(done, 2 * total), source, kind, size, prunings=PRUNINGS
    )
    return cut_up(lambda done, total: report(done + total, 2 * total), record_of(learned), text)


def cut_up(report: ProgressCallback, record: Record, text: str) -> Resized:
    """Cut `text` at every size on record. Raises ValueError as `resize` does."""
    in_order = record.pipeline(text).words
    counts = Counter(in_order)
    words = []
    for word in CUTTERS[record.kind](record, counts):
        words.append(word)
        if report(len(words), len(counts)):
            raise UserError("You stopped it before there was anything to show. Run it again.")
    numbers = {word: number for number, word in enumerate(counts)}
    tokens, places = counted(words, record.new, MARK if record.kind == "wordpiece" else "")
    return Resized(
        record.kind,
        record.sizes,
        tuple(words),
        tuple([numbers[word] for word in in_order]),
        tokens,
        record.new,
        places,
        record.beyond,
        record.stopped,
        record.notes,
    )


def counted(
    words: Sequence[Word], new: Sequence[Split], mark: str
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return for every size how many tokens there are, and in how many places a new piece stands.

    At the first size every piece is new, and none is counted.
    """
    more, places = np.zeros(len(new), np.int64), np.zeros(len(new), np.int64)
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
        places[index] = sum(found[piece] for piece in set(found).intersection(pieces))
    return tuple(np.cumsum(more).tolist()), tuple(places.tolist())


# --- BPE: a cut goes when a merge joins what is left and right of it ------------------------------


def _by_merging(record: Record, words: Mapping[str, int]) -> Iterator[Word]:
    """Replay all merges once: with fewer of them, a word is merged by the same ones up to there.

    That holds because no piece is ever made of two different pairs, so a merge comes after all
    those that its parts need.
    """
    model, steps = record.model(-1), record.merges
    assert isinstance(model, bpe.Model)
    for word, count in words.items():
        symbols = model.settings.symbols(word)
        gone: dict[int, list[int]] = defaultdict(list)
        lengths = dict.fromkeys(range(len(symbols)), 1)
        for step in bpe.merge_steps(symbols, model.ranks):
            position = step.start + lengths[step.start]
            lengths[step.start] += lengths.pop(position)
            gone[bisect_left(steps, step.rank + 1)].append(position)
        changes = tuple([(index, tuple(positions)) for index, positions in sorted(gone.items())])
        yield Word(symbols, count, tuple(range(1, len(symbols))), changes)


# --- WordPiece: the longest match is sought anew when a piece is born that stands in the word -----


def _by_matching(record: Record, words: Mapping[str, int]) -> Iterator[Word]:
    born = {piece: index for index, fresh in enumerate(record.new) for piece in fresh}
    longest = max(len(piece) for piece in born)
    model = record.model(-1)
    assert isinstance(model, wordpiece.Model)
    for word, count in words.items():
        starts = _candidates(word, born, longest) if model.letters(word) else []
        sizes = sorted({0, *(index for ends in starts for _, index in ends)})
        cuts = [_longest(starts, index) for index in sizes]
        if not starts or cuts[-1] is None:
            yield Word(tuple(word), count, (), (), is_unknown=True)
        else:
            found = zip(sizes, (set(cut or ()) for cut in cuts), strict=True)
            yield Word(tuple(word), count, *_changing(found))


def _candidates(word: str, born: Mapping[str, int], longest: int) -> list[list[Span]]:
    """Return for each start the pieces that stand there, longest first: (end, index of birth)."""
    starts = []
    for start in range(len(word)):
        mark = MARK if start else ""
        ends = range(min(len(word), start + longest), start, -1)
        here = ((end, born.get(mark + word[start:end])) for end in ends)
        starts.append([(end, index) for end, index in here if index is not None])
    return starts


def _longest(starts: Sequence[Sequence[Span]], index: int) -> list[int] | None:
    """Return where the longest match cuts a word at one size; None where it finds no piece."""
    cuts, at = [], 0
    while at < len(starts):
        at = next((end for end, since in starts[at] if since <= index), 0)
        if not at:
            return None
        cuts.append(at)
    return cuts[:-1]


# --- Unigram: every model on record ---------------------------------------------------------------


def _by_probability(record: Record, words: Mapping[str, int]) -> Iterator[Word]:
    found = map(record.model, range(len(record.sizes)))
    models = [model for model in found if isinstance(model, unigram.Model)]
    for word, count in words.items():
        splits = (unigram.split_word(word, model) for model in models)
        cuts = (set(accumulate(map(len, split[:-1]))) for split in splits)
        yield Word(tuple(word), count, *_changing(enumerate(cuts)))


def _changing(found: Iterable[tuple[int, set[int]]]) -> tuple[tuple[int, ...], Changes]:
    """Return the first cuts, and how they change from one size to the next."""
    (_, first), *later = found
    changes, before = [], first
    for index, cuts in later:
        if cuts != before:
            changes.append((index, tuple(sorted(cuts ^ before))))
        before = cuts
    return tuple(sorted(first)), tuple(changes)


CUTTERS = {
    "bpe": _by_merging,
    "bytes": _by_merging,
    "wordpiece": _by_matching,
    "unigram": _by_probability,
}
RESIZED = tuple(CUTTERS)
