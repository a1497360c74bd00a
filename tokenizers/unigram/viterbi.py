"""The best segmentation of a text, position by position (Viterbi), and of many words at once.

`plain.py` lists every segmentation of a word, `lattice.py` has an object for every edge. Here two
lists of numbers do (`best_starts`): for every position the best sum of log probabilities, and where
the last piece of the best way there begins. `best_cuts` does the same for many words at once, in
the arrays of `batch.py`: the same sums, and of ways that tie the one with the longest last piece.

SentencePiece adds up along the whole text and rounds every sum to float32 (`best_ways`). Where no
piece goes on behind the end of a word, every way leads through every such end, so a word that comes
again is cut the same way: unless two ways are so near that rounding decides, which depends on the
sum that comes in from before. So `split_text` takes what `best_cuts` found wherever it leads by
more than rounding can move, and goes through the word as SentencePiece does where it does not.
Leaves out ids and places in the text: see `encoding.py`.
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
"""Beyond this, SentencePiece 0.2.3 lets its sum start over at 0: a float32 has few digits."""

_WORD = regex.compile(f"{METASPACE}+[^{METASPACE}]*|[^{METASPACE}]+")
_INTO_THE_NEXT_WORD = regex.compile(f"[^{METASPACE}]{METASPACE}")
_ROUNDING = 2.125 * 2.0**-24
"""What one addition on either of two ways can be off by together, as a share of the sum, and a
little more: an addition in float32 is off by 2**-24 at most."""
MANY_LETTERS = 1_000
"""From so many on, the arrays are worth their overhead."""
MAX_WORD_LENGTH = 64
"""Longer words are gone through alone: the arrays take one pass for each letter of the longest."""
WORDS_AT_ONCE = 1_000
"""Over so many words a sum is followed before it is seen which of them must be gone through."""

Trie = dict[str, tuple[float, "Trie"]]
"""The characters that pieces begin with; for each, the log probability of the piece that ends with
it, `NEVER` if none does, and the characters that may follow."""

_NO_PIECE: tuple[float, Trie] = (LOG_ZERO, {})


def make_trie(log_probs: Mapping[str, float]) -> Trie:
    """Return the pieces letter by letter.

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
    """The part of a model that is asked here; `encoding.Model` says what its fields are."""

    convention: str
    pieces: Mapping[str, float]
    longest: int
    unknown: float

    @cached_property
    def trie(self) -> Trie:
        """The pieces letter by letter."""
        return make_trie(self.pieces)

    @cached_property
    def array_trie(self) -> ArrayTrie:
        """The same for many words at once."""
        return ArrayTrie(list(self.pieces))

    @cached_property
    def max_step(self) -> float:
        """By how much a sum may change from one character to the next."""
        return max(map(abs, (self.unknown, *self.pieces.values())))

    @cached_property
    def can_split_by_words(self) -> bool:
        """Whether a long text is cut word by word, though its sum goes on.

        Sums in float32 of numbers that are in float32, too, and no piece beyond the end of a word.
        """
        in_float32 = self.in_float32 and all(as_float32(p) == p for p in self.pieces.values())
        return in_float32 and end_with_words(self.pieces)

    @property
    def in_float32(self) -> bool:
        """Whether sums are rounded to 24 binary digits."""
        return self.convention.startswith("sentencepiece")


# --- One run along a text -------------------------------------------------------------------------


def best_starts(text: str, model: ViterbiParams) -> list[int]:
    """Return, for every position of `text`, where the last piece of the best way there begins.

    That of position 0 means nothing.
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
    """Return, for every position, the start of the last piece, the best sum and the second best.

    `here` is the sum before the text. The second best is of the ways that end in another piece.
    """
    in_float32, is_classic = model.in_float32, model.convention == "sentencepiece_classic"
    starts_over = model.convention == "sentencepiece"
    trie, longest, unknown = model.trie, model.longest, model.unknown
    # An array of "f" rounds what is put into it to float32.
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
    """Return the letters of a text; of a long one, ask for the time now and then."""
    return (
        chain.from_iterable(timed_chunks(text)) if len(text) > CHARACTERS_PER_TIME_CHECK else text
    )


def _rebase(best: MutableSequence[float], start: int, longest: int) -> None:
    """Count all sums from that of the position `start`, as far as a piece reaches from before."""
    here = best[start]
    for position in range(start, min(start + longest, len(best))):
        best[position] -= here


def split_text(text: str, model: ViterbiParams) -> list[str]:
    """Return the pieces of the best segmentation; each unknown character is one."""
    if len(text) >= MANY_LETTERS and model.can_split_by_words:
        return _split_by_words(text, model)
    return backtrace(text, best_starts(text, model))


# --- Many words at once ---------------------------------------------------------------------------


class WordSplits(NamedTuple):
    """The best segmentations of words: all pieces with their scores, one word behind the other.

    Those of word n stand from `bounds[n]` to `bounds[n + 1]`; each unknown character is a piece. A
    segmentation stays the best, whatever is rounded, behind sums that are nearer to 0 than its
    `reach`.
    """

    pieces: list[str]
    scores: list[float]
    bounds: list[int]
    safe_prefix_bounds: list[float]


def split_words(words: Collection[str], model: ViterbiParams) -> list[list[str]]:
    """Return the pieces of each word, as `split_text` would."""
    if model.in_float32 or sum(map(len, words)) < MANY_LETTERS:
        return [split_text(word, model) for word in words]
    short = [word for word in words if 0 < len(word) <= MAX_WORD_LENGTH]
    cuts = best_word_splits(short, model)
    bounds = pairwise(cuts.bounds)
    known = {word: cuts.pieces[slice(*bound)] for word, bound in zip(short, bounds, strict=True)}
    return [known[word] if word in known else split_text(word, model) for word in words]


def best_word_splits(words: Sequence[str], model: ViterbiParams) -> WordSplits:
    """Return the best segmentation of each word, with sums in float64 from 0 on."""
    lattices = Lattices.from_trie(words, [1] * len(words), model.array_trie)
    weights = lattices.weights(np.array([*model.pieces.values()], float), model.unknown)
    sums, best = lattices.viterbi(weights)
    path = lattices.paths(best)
    owners = lattices.words[path]
    bounds = np.searchsorted(owners, np.arange(len(words) + 1)).tolist()
    leads = lattices.margins(weights, sums, best)[lattices.ends[path]]
    reaches = _safe_prefix_bounds(np.minimum.reduceat(leads, bounds[:-1]), lattices.lengths, model)
    # Each word has one node more than it has characters.
    starts = (lattices.starts[path] - owners).tolist()
    ends = (lattices.ends[path] - owners).tolist()
    text = "".join(words)
    pieces = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    return WordSplits(pieces, weights[path].tolist(), bounds, reaches.tolist())


def _safe_prefix_bounds(
    margins: np.ndarray, lengths: np.ndarray, model: ViterbiParams
) -> np.ndarray:
    """Return how large a sum before words may be, that rounding does not take away their leads.

    A sum that is so large that it may start over within the word is too large.
    """
    deepest = margins / (lengths * _ROUNDING)
    if model.convention == "sentencepiece":
        deepest = np.minimum(deepest, MAX_NATS)
    return deepest - lengths * model.max_step


def end_with_words(pieces: Iterable[str]) -> bool:
    """Tell whether no piece goes on behind the end of a word; a word begins with its `▁`.

    >>> end_with_words(["▁low", "▁▁", "er"]), end_with_words(["low▁"])
    (True, False)
    """
    return not any(map(_INTO_THE_NEXT_WORD.search, pieces))


def _split_by_words(text: str, model: ViterbiParams) -> list[str]:
    """Return the pieces of the best segmentation where pieces end with words.

    The sum is followed over many words at once, up to the next one that has to be gone through.
    """
    words = _WORD.findall(text)
    short = [word for word in dict.fromkeys(words) if len(word) <= MAX_WORD_LENGTH]
    known = best_word_splits(short, model)
    numbers = {word: number for number, word in enumerate(short)}
    order = np.array([numbers.get(word, -1) for word in words], np.int64)  # -1: too long
    sizes = np.append(np.diff(known.bounds), 0)[order]
    reaches = np.append(known.safe_prefix_bounds, 0.0)[order]
    begins = np.append(0, np.cumsum(sizes))
    which = np.repeat(np.array(known.bounds)[order] - begins[:-1], sizes)
    which += np.arange(len(which))  # of the known pieces, one after the other
    scores = np.array(known.scores, np.float32)[which]
    alone = np.array(known.pieces, object)[which]
    pieces, first, here = list[str](), 0, np.float32(0)
    while first < len(words):
        begin, until = begins[first], min(first + WORDS_AT_ONCE, len(words))
        sums = np.add.accumulate(np.append(here, scores[begin : begins[until]]))
        before = np.abs(sums[begins[first:until] - begin])
        (near,) = np.nonzero(before >= reaches[first:until])
        first = first + int(near[0]) if len(near) else until
        pieces += alone[begin : begins[first]].tolist()
        here = sums[begins[first] - begin]
        if len(near):
            starts, own, _ = best_and_second(words[first], model, float(here))
            pieces += backtrace(words[first], starts)
            first, here = first + 1, np.float32(own[-1])
    return pieces
