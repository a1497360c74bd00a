"""The best segmentation of a text, position by position (Viterbi).

`plain.py` lists every segmentation of a word, `lattice.py` has an object for every edge. Here
(`best_starts`) two lists of numbers suffice. They hold, for every position, the best sum of log
probabilities and the start of the last piece on the best path there. SentencePiece sums along the
whole text and rounds every sum to float32 (`best_and_second`). `many_words.py` finds the same paths
for many words at once.
"""

from array import array
from collections.abc import Iterable, Mapping, MutableSequence
from functools import cached_property
from itertools import chain

import numpy as np
import regex

from tokenizers.lattice import LOG_ZERO
from tokenizers.limits import (
    CHARACTERS_PER_TIME_CHECK,
    MAX_TRIE_NODES,
    check_at_most,
    gc_disabled,
    timed_chunks,
)
from tokenizers.text.symbols import METASPACE
from tokenizers.unigram.array_trie import ArrayTrie
from tokenizers.unigram.sentencepiece_parity.float32 import as_float32

MAX_NATS = 100_000
"""Beyond this, SentencePiece 0.2.3 resets its sum to 0, to keep the precision of float32."""

_INTO_THE_NEXT_WORD = regex.compile(f"[^{METASPACE}]{METASPACE}")

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
    def has_float32_scores(self) -> bool:
        """Whether sums are rounded to float32, and the scores themselves are exact in it."""
        return self.in_float32 and all(as_float32(p) == p for p in self.pieces.values())

    @cached_property
    def ends_with_words(self) -> bool:
        """Whether no piece extends beyond the end of a word."""
        return end_with_words(self.pieces)

    # --- The pieces by number, in the order of `pieces` ---

    @cached_property
    def names(self) -> np.ndarray:
        """The pieces themselves, and "" for `UNKNOWN`."""
        return np.array([*self.pieces, ""], object)

    @cached_property
    def log_prob_array(self) -> np.ndarray:
        """The pieces' log probabilities."""
        return np.array([*self.pieces.values()], float)

    @cached_property
    def number_of(self) -> Mapping[str, int]:
        """Each piece's number."""
        return {piece: number for number, piece in enumerate(self.pieces)}

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


def end_with_words(pieces: Iterable[str]) -> bool:
    """Return whether no piece extends beyond the end of a word; a word begins with its `▁`.

    >>> end_with_words(["▁low", "▁▁", "er"]), end_with_words(["low▁"])
    (True, False)
    """
    return not any(map(_INTO_THE_NEXT_WORD.search, pieces))
