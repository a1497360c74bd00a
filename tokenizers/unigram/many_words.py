"""The best segmentations of many words, or of a long text, at once.

`viterbi.py` runs along one text, position by position. Here the lattices of all words are in arrays
(`batch.py`), so that one step serves all words. It adds up the same numbers in the same order, and
of tied paths it also chooses the one with the longest last piece: so the paths are the same.

SentencePiece sums along the whole text and rounds every sum to float32. Its best path passes
through every place that no piece extends across. Between two such places lies a part of the text,
whose best path is the same whatever comes before, unless two paths are so close that rounding
decides, which depends on the sum before the part. So each part is split alone, with exact sums. If
its best path's margin exceeds the possible rounding error, that is its path; otherwise the part is
run through like SentencePiece, from the rounded sum before it.
"""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from tokenizers.lattice.fewest import backtrace
from tokenizers.limits import check_time
from tokenizers.text.alignment import ranges
from tokenizers.text.symbols import METASPACE
from tokenizers.unigram.array_trie import UNKNOWN, stable_sort
from tokenizers.unigram.batch import Lattices
from tokenizers.unigram.viterbi import MAX_NATS, ViterbiParams, best_and_second, best_starts

MANY_LETTERS = 1_000
"""The number of characters from which the arrays are worth their overhead."""
MAX_WORD_LENGTH = 64
"""Longer words and parts are run through one by one: the arrays take one step for each letter of
the longest."""
LETTERS_AT_ONCE = 20_000
"""How many letters of a long text are looked up together, to limit the memory of the arrays."""
PARTS_AT_ONCE = 4_000
"""The number of parts over which the sum is computed before it is compared with their bounds."""

_ROUNDING = 2.125 * 2.0**-24
"""The relative rounding error of one addition on each of two paths, with a small reserve. One
float32 addition has a relative error of at most 2**-24."""
_WORD = re.compile(f"{METASPACE}+[^{METASPACE}]*|[^{METASPACE}]+")


class WordPaths(NamedTuple):
    """The best segmentations of words, in arrays.

    `numbers` are the pieces of all words, each by its number among the model's pieces or `UNKNOWN`
    for an unknown character, `starts` and `ends` their spans in their word. The pieces of word n
    are the next `sizes[n]` from `begins[n]`.
    """

    numbers: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    begins: np.ndarray
    sizes: np.ndarray

    @property
    def owners(self) -> np.ndarray:
        """The word that each piece belongs to."""
        found = np.empty(len(self.numbers), np.int64)
        found[ranges(self.begins, self.sizes)] = np.repeat(np.arange(len(self.sizes)), self.sizes)
        return found

    def pieces(self, words: Collection[str], model: ViterbiParams) -> np.ndarray:
        """Return the pieces themselves, given the same words."""
        found, unknown = model.names[self.numbers], np.flatnonzero(self.numbers == UNKNOWN)
        if len(unknown):
            listed = list(words)
            rows = (self.owners[unknown], self.starts[unknown], self.ends[unknown])
            spans = zip(*[row.tolist() for row in rows], strict=True)
            found[unknown] = [listed[word][start:end] for word, start, end in spans]
        return found

    def splits(self, words: Collection[str], model: ViterbiParams) -> list[list[str]]:
        """Return the pieces of each word, given the same words."""
        pieces = self.pieces(words, model).tolist()
        bounds = zip(self.begins.tolist(), (self.begins + self.sizes).tolist(), strict=True)
        return [pieces[begin:end] for begin, end in bounds]

    def fuse_unknown(self) -> "WordPaths":
        """Return the segmentations with adjacent unknown characters of a word joined."""
        unknown, owners = self.numbers == UNKNOWN, self.owners
        joined = np.zeros(len(unknown), bool)
        joined[1:] = unknown[1:] & unknown[:-1] & (owners[1:] == owners[:-1])
        kept = np.flatnonzero(~joined)
        ends = self.ends[np.append(kept, len(joined))[1:] - 1]  # where the last one ends
        begins = self.begins - np.append(0, np.cumsum(joined))[self.begins]
        sizes = np.bincount(owners[kept], minlength=len(self.sizes))
        return WordPaths(self.numbers[kept], self.starts[kept], ends, begins, sizes)


def split_text(text: str, model: ViterbiParams) -> list[str]:
    """Return the pieces of the best segmentation; each unknown character is a piece."""
    return split_words([text], model)[0]


def split_words(words: Collection[str], model: ViterbiParams) -> list[list[str]]:
    """Return the pieces of each word, as `split_text` does."""
    if paths := best_paths(words, model):
        return paths.splits(words, model)
    return [backtrace(word, best_starts(word, model)) for word in words]


def best_paths(words: Collection[str], model: ViterbiParams) -> WordPaths | None:
    """Return each word's best segmentation, or None if the arrays are no help."""
    if sum(map(len, words)) < MANY_LETTERS:
        return None
    if not model.in_float32:
        return _paths_of_words(words, model)
    (text,) = words if len(words) == 1 else ("",)
    is_fit = text and model.has_float32_scores and model.longest <= MAX_WORD_LENGTH
    return _path_of_text(text, model) if is_fit else None


# --- Many words, with sums in float64 -------------------------------------------------------------


def _paths_of_words(words: Collection[str], model: ViterbiParams) -> WordPaths:
    """Return the best segmentation of each word; long words are run through one by one."""
    long, short = list[tuple[int, str]](), list(words)
    if max(map(len, words), default=0) > MAX_WORD_LENGTH:
        long = [(n, word) for n, word in enumerate(words) if len(word) > MAX_WORD_LENGTH]
        short = [word if len(word) <= MAX_WORD_LENGTH else "" for word in words]
    lattices = Lattices.from_trie(short, [1] * len(short), model.array_trie)
    _, best = lattices.viterbi(lattices.weights(model.log_prob_array, model.unknown))
    path = lattices.paths(best)
    owners = lattices.words[path]
    sizes = np.bincount(owners, minlength=len(short))
    begins = np.cumsum(sizes) - sizes
    firsts = lattices.first_nodes[owners]
    rows = [(lattices.pieces[path], lattices.starts[path] - firsts, lattices.ends[path] - firsts)]
    num_pieces = len(path)
    for n, word in long:
        rows.append(row := _spans(*_numbered(backtrace(word, best_starts(word, model)), model)))
        begins[n], sizes[n] = num_pieces, len(row[0])
        num_pieces += len(row[0])
    numbers, starts, ends = map(np.concatenate, zip(*rows, strict=True))
    return WordPaths(numbers, starts, ends, begins, sizes)


def _numbered(pieces: Sequence[str], model: ViterbiParams) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers and the lengths of pieces."""
    numbers = [model.number_of.get(piece, UNKNOWN) for piece in pieces]
    return np.array(numbers, np.int64), np.array([*map(len, pieces)], np.int64)


def _spans(numbers: np.ndarray, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the numbers of pieces that follow each other, and where each starts and ends."""
    ends = np.cumsum(lengths)
    return numbers, ends - lengths, ends


# --- A long text, with sums in float32 ------------------------------------------------------------


class _Parts(NamedTuple):
    """The parts of a text between the places that no piece extends across.

    A part has its span in the text, its number of pieces and its bound: rounding cannot change
    its best segmentation if the absolute value of the sum before it is below. A part that is too
    long has no pieces here. The last three are those of the pieces of all parts.
    """

    starts: np.ndarray
    ends: np.ndarray
    sizes: np.ndarray
    safe_prefix_bounds: np.ndarray
    numbers: np.ndarray
    piece_lengths: np.ndarray
    scores: np.ndarray


def _path_of_text(text: str, model: ViterbiParams) -> WordPaths:
    """Return the best segmentation of a text."""
    words = _WORD.findall(text) if model.ends_with_words else [text]
    order_of = {word: n for n, word in enumerate(dict.fromkeys(words))}
    different = "".join(order_of)
    lengths = np.fromiter(map(len, order_of), np.int64, len(order_of))
    parts = _split_into_parts(different, lengths, model)
    firsts = np.searchsorted(parts.starts, np.append(0, np.cumsum(lengths)))
    which = np.fromiter(map(order_of.__getitem__, words), np.int64, len(words))
    order = ranges(firsts[which], np.diff(firsts)[which])  # the parts of the text
    numbers, spans = _follow(different, parts, order, model)
    return WordPaths(*_spans(numbers, spans), np.array([0]), np.array([len(numbers)]))


def _follow(
    text: str, parts: _Parts, order: np.ndarray, model: ViterbiParams
) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers and lengths of all pieces if the parts of `text` come in this order.

    Adds up many parts at once, until the next one whose best path rounding could change.
    """
    sizes, bounds = parts.sizes[order], parts.safe_prefix_bounds[order]
    ends = np.append(0, np.cumsum(sizes))
    which = ranges((np.cumsum(parts.sizes) - parts.sizes)[order], sizes)
    numbers, lengths = parts.numbers[which], parts.piece_lengths[which]
    scores = parts.scores[which].astype(np.float32)
    found: list[tuple[np.ndarray, np.ndarray]] = []
    first, here = 0, np.float32(0)
    while first < len(order):
        begin, until = ends[first], min(first + PARTS_AT_ONCE, len(order))
        sums = np.add.accumulate(np.append(here, scores[begin : ends[until]]))
        before = np.abs(sums[ends[first:until] - begin])
        (near,) = np.nonzero(before >= bounds[first:until])
        first = first + int(near[0]) if len(near) else until
        found.append((numbers[begin : ends[first]], lengths[begin : ends[first]]))
        here = sums[ends[first] - begin]
        if len(near):
            part = text[parts.starts[order[first]] : parts.ends[order[first]]]
            starts, best, _ = best_and_second(part, model, float(here))
            found.append(_numbered(backtrace(part, starts), model))
            first, here = first + 1, np.float32(best[-1])
    all_numbers, all_lengths = map(np.concatenate, zip(*found, strict=True))
    return all_numbers, all_lengths


def _split_into_parts(text: str, lengths: np.ndarray, model: ViterbiParams) -> _Parts:
    """Return the parts of words, which are given as one text and the length of each."""
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(text))
    found: list[_Parts] = []
    begin = 0
    while begin < len(text):
        check_time()
        found.append(_next_parts(text, begin, left, model))
        begin = int(found[-1].ends[-1])
    return _Parts(*map(np.concatenate, zip(*found, strict=True)))


def _next_parts(text: str, begin: int, left: np.ndarray, model: ViterbiParams) -> _Parts:
    """Return the next parts of a text from the border `begin`, at least one.

    `left` is the number of characters from each position to the end of its word.
    """
    here = text[begin : begin + LETTERS_AT_ONCE]
    size = len(here)
    left_here = np.minimum(left[begin : begin + size], np.arange(size, 0, -1))
    starts, pieces, spans = model.array_trie.find(here, left_here)
    # Where more pieces have started before than have ended, one of them extends across.
    started = np.bincount(starts + 1, minlength=size + 1)
    crossing = np.cumsum(started - np.bincount(starts + spans, minlength=size + 1))
    sure = size if begin + size == len(text) else max(size - model.longest, 0)
    borders = np.flatnonzero(crossing[: sure + 1] == 0)
    if len(borders) < 2:  # none but the first: the rest of the word is run through
        rest, nothing = np.array([begin, begin + left[begin]]), np.zeros(0, np.int64)
        return _Parts(
            rest[:1], rest[1:], np.array([0]), np.array([-np.inf]), nothing, nothing, nothing
        )
    lengths = np.diff(borders)
    short = np.where(lengths <= MAX_WORD_LENGTH, lengths, 0)
    owners = np.repeat(np.arange(len(lengths)), lengths)
    edges = np.flatnonzero(starts < borders[-1])
    edges = edges[short[owners[starts[edges]]] > 0]
    starts, pieces, spans = starts[edges], pieces[edges], spans[edges]
    # Each part has one node more than characters.
    nodes = starts + (np.cumsum(short + 1) - short - 1 - borders[:-1])[owners[starts]]
    ends, order = stable_sort(nodes + spans)  # `find` returns the longest first
    lattices = Lattices(np.ones(len(short)), short, nodes[order], ends, pieces[order])
    weights = lattices.weights(model.log_prob_array, model.unknown)
    sums, best = lattices.viterbi(weights)
    path = lattices.paths(best)
    sizes = np.bincount(lattices.words[path], minlength=len(short))
    (split,) = sizes.nonzero()
    margins = np.full(len(short), -np.inf)
    margins[split] = np.minimum.reduceat(
        lattices.margins(weights, sums, best)[lattices.ends[path]],
        (np.cumsum(sizes) - sizes)[split],
    )
    return _Parts(
        begin + borders[:-1],
        begin + borders[1:],
        sizes,
        _safe_prefix_bounds(margins, lengths, model),
        lattices.pieces[path],
        lattices.ends[path] - lattices.starts[path],
        weights[path],
    )


def _safe_prefix_bounds(
    margins: np.ndarray, lengths: np.ndarray, model: ViterbiParams
) -> np.ndarray:
    """Return the largest absolute prefix sums for which rounding cannot change the best splits.

    A prefix sum is also too large if the sum could be reset within the part.
    """
    deepest = margins / (lengths * _ROUNDING)
    if model.convention == "sentencepiece":
        deepest = np.minimum(deepest, MAX_NATS)
    return deepest - lengths * model.max_step
