"""The best segmentation of a text, position by position (Viterbi), and of many words at once.

`plain.py` lists every segmentation of a word, `lattice.py` has an object for every edge. Here
(`best_starts`) two lists of numbers suffice. They hold, for every position, the best sum of log
probabilities and the start of the last piece on the best path there. `best_word_splits` does the
same for many words at once, in the arrays of `batch.py`. It computes the same sums, and of tied
paths it also chooses the one with the longest last piece.

SentencePiece sums along the whole text and rounds every sum to float32 (`best_and_second`). If no
piece extends beyond the end of a word, every path passes through every word end, so a repeated word
is split the same way, unless two paths are so close that rounding decides. Rounding depends on the
sum before the word. So `split_text` uses the result of `best_word_splits` if the best path's margin
exceeds the possible rounding error, and otherwise runs through the word like SentencePiece.
"""

from array import array
from collections.abc import Collection, Iterable, Mapping, MutableSequence, Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
import regex

from tokenizers.lattice import LOG_ZERO
from tokenizers.lattice.fewest import backtrace
from tokenizers.limits import (
    CHARACTERS_PER_TIME_CHECK,
    MAX_TRIE_NODES,
    check_at_most,
    gc_disabled,
    timed_chunks,
)
from tokenizers.text.symbols import METASPACE
from tokenizers.unigram.array_trie import ArrayTrie
from tokenizers.unigram.batch import Lattices
from tokenizers.unigram.sentencepiece_parity.float32 import as_float32

MAX_NATS = 100_000
"""Beyond this, SentencePiece 0.2.3 resets its sum to 0, to keep the precision of float32."""

_WORD = regex.compile(f"{METASPACE}+[^{METASPACE}]*|[^{METASPACE}]+")
_INTO_THE_NEXT_WORD = regex.compile(f"[^{METASPACE}]{METASPACE}")
_ROUNDING = 2.125 * 2.0**-24
"""The relative rounding error of one addition on each of two paths, with a small reserve. One
float32 addition has a relative error of at most 2**-24."""
MANY_LETTERS = 1_000
"""The number of characters from which the arrays are worth their overhead."""
MAX_WORD_LENGTH = 64
"""Longer words are processed alone: the arrays take one pass per letter of the longest word."""
WORDS_AT_ONCE = 1_000
"""The number of words over which the sum is computed before it is compared with their bounds."""

Trie = dict[str, tuple[float, "Trie"]]
"""Maps each first character of pieces to a log probability and a trie of the next characters. The
log probability is that of the piece that ends there, or `LOG_ZERO` if no piece does."""

_NO_PIECE: tuple[float, Trie] = (LOG_ZERO, {})


def make_trie(log_probs: Mapping[str, float]) -> Trie:
    """Return the trie of the pieces, as nested dictionaries.

    >>> make_trie({"at": -1.5, "a": -2.0})
    {'a': (-2.0, {'t': (-1.5, {})})}
    """
    with gc_disabled():
        return _trie(log_probs)


def _trie(log_probs: Mapping[str, float]) -> Trie:
    trie: Trie = {}
    nodes = 0
    for piece, log_prob in log_probs.items():
        node, following = {}, trie
        for letter in piece:
            node, entry = following, following.get(letter)
            if entry is None:
                entry = node[letter] = LOG_ZERO, {}
                nodes += 1
            following = entry[1]
        node[piece[-1]] = log_prob, following
        check_at_most(nodes, MAX_TRIE_NODES, "different beginnings of pieces")
    return trie


class ViterbiParams:
    """The parameters of the Viterbi search; `encoding.Model` documents the fields."""

    convention: str
    pieces: Mapping[str, float]
    longest: int
    unknown: float

    @cached_property
    def trie(self) -> Trie:
        """The trie of the pieces."""
        return make_trie(self.pieces)

    @cached_property
    def array_trie(self) -> ArrayTrie:
        """The trie of the pieces in arrays, for many words at once."""
        return ArrayTrie(list(self.pieces))

    @cached_property
    def max_step(self) -> float:
        """The maximum absolute score of an edge."""
        return max(map(abs, (self.unknown, *self.pieces.values())))

    @cached_property
    def can_split_by_words(self) -> bool:
        """Whether a long text can be split word by word, although its sum runs on between words.

        Requires float32 sums, scores that are exact in float32, and no piece across word ends.
        """
        in_float32 = self.in_float32 and all(as_float32(p) == p for p in self.pieces.values())
        return in_float32 and end_with_words(self.pieces)

    @property
    def in_float32(self) -> bool:
        """Whether sums are rounded to float32."""
        return self.convention.startswith("sentencepiece")


# --- One run along a text -------------------------------------------------------------------------


def best_starts(text: str, model: ViterbiParams) -> list[int]:
    """Return, for every position of `text`, the start of the last piece on the best path there.

    The value at position 0 is unused.
    """
    if model.in_float32:
        return best_and_second(text, model)[0]
    trie, longest, unknown = model.trie, model.longest, model.unknown
    best, starts = [0.0] + [LOG_ZERO] * len(text), [0] * (len(text) + 1)
    for start, character in enumerate(_letters(text)):
        here, end = best[start], start + 1
        log_prob, following = trie.get(character, _NO_PIECE)
        total = here + (log_prob if log_prob > LOG_ZERO else unknown)
        if total > best[end]:
            best[end], starts[end] = total, start
        for letter in text[end : start + longest] if following else "":
            if letter not in following:
                break
            log_prob, following = following[letter]
            end += 1
            total = here + log_prob
            if total > best[end]:
                best[end], starts[end] = total, start
    return starts


def best_and_second(
    text: str, model: ViterbiParams, here: float = 0.0
) -> tuple[list[int], MutableSequence[float], list[float]]:
    """Return, for every position, the last piece's start, the best sum and the second-best sum.

    `here` is the sum before the text. The second-best sum is over paths with another last piece.
    """
    in_float32, is_classic = model.in_float32, model.convention == "sentencepiece_classic"
    starts_over = model.convention == "sentencepiece"
    trie, longest, unknown = model.trie, model.longest, model.unknown
    # An array of type "f" rounds to float32 on assignment.
    best = array("f", [LOG_ZERO]) * (len(text) + 1) if in_float32 else [LOG_ZERO] * (len(text) + 1)
    best[0], second, starts = here, [LOG_ZERO] * (len(text) + 1), [0] * (len(text) + 1)
    for start, character in enumerate(_letters(text)):
        here, end = best[start], start + 1
        if starts_over and not -MAX_NATS <= here <= MAX_NATS:
            _rebase(best, start, longest)
            here = best[start]
        log_prob, following = trie.get(character, _NO_PIECE)
        is_known = log_prob > LOG_ZERO
        total, before = here + (log_prob if is_known else unknown), best[end]
        if total > before:
            best[end], second[end] = total, before
            if best[end] > before or (is_classic and is_known):
                starts[end] = start
        elif total > second[end]:
            second[end] = total
        for letter in text[end : start + longest] if following else ():
            if letter not in following:
                break
            log_prob, following = following[letter]
            end += 1
            total, before = here + log_prob, best[end]
            if total > before:
                best[end], second[end] = total, before
                if best[end] > before or is_classic:
                    starts[end] = start
            elif total > second[end]:
                second[end] = total
    return starts, best, second


def _letters(text: str) -> Iterable[str]:
    """Return the letters of a text; if it is long, check the time limit now and then."""
    return (
        chain.from_iterable(timed_chunks(text)) if len(text) > CHARACTERS_PER_TIME_CHECK else text
    )


def _rebase(best: MutableSequence[float], start: int, longest: int) -> None:
    """Subtract the sum at `start` from itself and from all sums that earlier pieces reach."""
    here = best[start]
    for position in range(start, min(start + longest, len(best))):
        best[position] -= here


def split_text(text: str, model: ViterbiParams) -> list[str]:
    """Return the pieces of the best segmentation; each unknown character is a piece."""
    if len(text) >= MANY_LETTERS and model.can_split_by_words:
        return _split_by_words(text, model)
    return backtrace(text, best_starts(text, model))


# --- Many words at once ---------------------------------------------------------------------------


class WordSplits(NamedTuple):
    """The best segmentations of words, as the concatenated pieces of all words with their scores.

    The pieces of word n are at `bounds[n]:bounds[n + 1]`; each unknown character is a piece.
    Rounding cannot change a word's best segmentation if the absolute value of the sum before it is
    below its entry in `safe_prefix_bounds`.
    """

    pieces: list[str]
    scores: list[float]
    bounds: list[int]
    safe_prefix_bounds: list[float]


def split_words(words: Collection[str], model: ViterbiParams) -> list[list[str]]:
    """Return the pieces of each word, as `split_text` does."""
    if model.in_float32 or sum(map(len, words)) < MANY_LETTERS:
        return [split_text(word, model) for word in words]
    short = [word for word in words if 0 < len(word) <= MAX_WORD_LENGTH]
    cuts = best_word_splits(short, model)
    bounds = pairwise(cuts.bounds)
    known = {word: cuts.pieces[slice(*bound)] for word, bound in zip(short, bounds, strict=True)}
    return [known[word] if word in known else split_text(word, model) for word in words]


def best_word_splits(words: Sequence[str], model: ViterbiParams) -> WordSplits:
    """Return the best segmentation of each word, using float64 sums that start at 0."""
    lattices = Lattices.from_trie(words, [1] * len(words), model.array_trie)
    weights = lattices.weights(np.array([*model.pieces.values()], float), model.unknown)
    sums, best = lattices.viterbi(weights)
    path = lattices.paths(best)
    owners = lattices.words[path]
    bounds = np.searchsorted(owners, np.arange(len(words) + 1)).tolist()
    margins = lattices.margins(weights, sums, best)[lattices.ends[path]]
    prefix_bounds = _safe_prefix_bounds(
        np.minimum.reduceat(margins, bounds[:-1]), lattices.lengths, model
    )
    # Each word has one node more than characters.
    starts = (lattices.starts[path] - owners).tolist()
    ends = (lattices.ends[path] - owners).tolist()
    text = "".join(words)
    pieces = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    return WordSplits(pieces, weights[path].tolist(), bounds, prefix_bounds.tolist())


def _safe_prefix_bounds(
    margins: np.ndarray, lengths: np.ndarray, model: ViterbiParams
) -> np.ndarray:
    """Return the largest absolute prefix sums for which rounding cannot change the best splits.

    A prefix sum is also too large if the sum could be reset within the word.
    """
    deepest = margins / (lengths * _ROUNDING)
    if model.convention == "sentencepiece":
        deepest = np.minimum(deepest, MAX_NATS)
    return deepest - lengths * model.max_step


def end_with_words(pieces: Iterable[str]) -> bool:
    """Return whether no piece extends beyond the end of a word; a word begins with its `▁`.

    >>> end_with_words(["▁low", "▁▁", "er"]), end_with_words(["low▁"])
    (True, False)
    """
    return not any(map(_INTO_THE_NEXT_WORD.search, pieces))


def _split_by_words(text: str, model: ViterbiParams) -> list[str]:
    """Return the pieces of the best segmentation; no piece may extend beyond the end of a word.

    This adds up many words at once, until the next word whose split rounding could change.
    """
    words = _WORD.findall(text)
    short = [word for word in dict.fromkeys(words) if len(word) <= MAX_WORD_LENGTH]
    known = best_word_splits(short, model)
    numbers = {word: number for number, word in enumerate(short)}
    order = np.array([numbers.get(word, -1) for word in words], np.int64)  # -1: too long
    sizes = np.append(np.diff(known.bounds), 0)[order]
    prefix_bounds = np.append(known.safe_prefix_bounds, 0.0)[order]
    begins = np.append(0, np.cumsum(sizes))
    which = np.repeat(np.array(known.bounds)[order] - begins[:-1], sizes)
    which += np.arange(len(which))  # indices into the known pieces
    scores = np.array(known.scores, np.float32)[which]
    alone = np.array(known.pieces, object)[which]
    pieces, first, here = list[str](), 0, np.float32(0)
    while first < len(words):
        begin, until = begins[first], min(first + WORDS_AT_ONCE, len(words))
        sums = np.add.accumulate(np.append(here, scores[begin : begins[until]]))
        before = np.abs(sums[begins[first:until] - begin])
        (near,) = np.nonzero(before >= prefix_bounds[first:until])
        first = first + int(near[0]) if len(near) else until
        pieces += alone[begin : begins[first]].tolist()
        here = sums[begins[first] - begin]
        if len(near):
            starts, best, _ = best_and_second(words[first], model, float(here))
            pieces += backtrace(words[first], starts)
            first, here = first + 1, np.float32(best[-1])
    return pieces
