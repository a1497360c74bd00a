"""The candidates that Unigram training starts from: far more pieces than are wanted.

* `substrings`: every part of every word, counted as often as the word occurs;
* `repeats`: the parts that stand twice or more and are followed by more than one thing. A part that
  is always followed by the same character is left to the longer one. What libraries find with a
  suffix array is found here by growing all places at once, one character a time;
* `merged`: the tokens that byte-pair merging makes.

Each returns candidates of two characters or more with their counts; `find` puts the characters in
front. Left out: which of them are kept, see `training.py`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import add
from typing import Any

import numpy as np

from tokenizers import bpe
from tokenizers.errors import UserError
from tokenizers.progress import CancelCheck, never_cancel
from tokenizers.text.corpus import Corpus
from tokenizers.unigram.array_trie import code_points, stable_sort
from tokenizers.unigram.sentencepiece_parity.text import (
    ANY_SCRIPT,
    COMMON,
    INHERITED,
    MARK,
    UNKNOWN,
    TrainingText,
    count_strings,
    script_of,
)
from tokenizers.unigram.settings import Settings

BOUNDARY = "\0"
MAX_SUBSTRING_CHARACTERS = 50_000_000
"""Characters that all substrings may have together: about a gigabyte with what holds them."""
_LARGEST = "\U0010ffff"


def find(
    loaded: TrainingText, settings: Settings, check_cancelled: CancelCheck = never_cancel
) -> dict[str, int]:
    """Return the seed pieces and what their first probabilities are in proportion to.

    The characters come first, then the other candidates, at most `seed_size` in all. `tick` is
    called now and then; it may raise. Raises UserError for more candidates than memory can hold.
    """
    characters = _characters(loaded, settings)
    counts = _candidates(loaded, settings, check_cancelled)
    by_length = settings.start == "frequency_times_length"
    weights = {piece: n * len(piece) if by_length else n for piece, n in counts.items()}
    room = max(settings.seed_size - len(characters), 0)
    if settings.seed in ("repeats_in_lines", "repeats_by_bytes"):
        room = settings.seed_size  # there it limits the candidates alone
    ordered = sorted(weights, key=_order(weights, settings.seed))[:room]
    return characters | {piece: weights[piece] for piece in ordered}


def _characters(loaded: TrainingText, settings: Settings) -> dict[str, int]:
    """Return how often each character occurs, `▅` apart."""
    if settings.seed in ("substrings", "strict_substrings", "bpe"):
        counts = loaded.word_counts
        return dict(count_strings(list(counts), list(counts.values())))  # as they are first seen
    if settings.seed == "repeats":
        rows = loaded.required.items()
        return dict(sorted(rows, key=lambda row: (row[1], row[0]), reverse=True))
    return dict(loaded.required)  # which are sorted so


def _order(weights: Mapping[str, int], seed: str) -> Callable[[str], Any]:
    """Return the key to sort candidates by: the weight, then what each library does with ties."""
    if seed == "repeats":
        return lambda piece: (-weights[piece], *(-ord(char) for char in piece), 1)
    if seed == "repeats_in_lines":  # an extension comes before what it extends
        return lambda piece: (-weights[piece], piece + _LARGEST)
    if seed == "repeats_by_bytes":
        return lambda piece: (-weights[piece], -len(piece.encode()), piece)
    return lambda piece: -weights[piece]


def _candidates(
    loaded: TrainingText, settings: Settings, check_cancelled: CancelCheck
) -> dict[str, int]:
    longest = settings.max_piece_length
    if settings.seed == "bpe":
        return merged(loaded.word_counts, longest, settings.seed_size, check_cancelled)
    if settings.seed in ("substrings", "strict_substrings"):
        return substrings(
            loaded.word_counts, longest, settings.seed == "strict_substrings", check_cancelled
        )
    if settings.seed == "repeats":
        return repeats(list(loaded.word_counts), longest)
    by_bytes = settings.seed == "repeats_by_bytes"
    times = count_in_context(loaded, by_bytes)
    return repeats(list(times), longest, True, by_bytes, list(times.values()))


def count_in_context(loaded: TrainingText, by_bytes: bool) -> dict[str, int]:
    """Return how often each word of the lines stands before what: all that its parts depend on.

    No part goes on behind the end of a word, so a word is looked through once instead of each time
    that it occurs. Behind it stands `▁`; or the end of its line and how the next one begins. For
    `repeats` of lines the trainer writes them once, or once for each time that they are taken; two
    copies say all that more would say.
    """
    lines, copies, words = loaded.lines, loaded.line_counts, Counter(loaded.word_counts)
    if loaded.from_counts and not by_bytes:
        copies = (2,) * len(lines)
        words = count_strings(lines, copies)
    lasts = [line[-1] for line in lines]
    firsts = [BOUNDARY + line[0][0] for line in lines]
    inside = words - count_strings([(last,) for last in lasts], copies)
    times = Counter({word + MARK: count for word, count in inside.items()})
    for last, first, count in zip(lasts, firsts, copies, strict=True):
        if count > 1:
            times[last + first] += count - 1
    times.update(map(add, lasts, [*firsts[1:], ""]))  # the very last comes last of all
    return times


def substrings(
    word_counts: Mapping[str, int],
    longest: int,
    strict: bool = False,
    check_cancelled: CancelCheck = never_cancel,
) -> dict[str, int]:
    """Return the parts of words, 2 to `longest` characters, with how often they occur.

    They stand in the order in which they are first seen; `strict` leaves out whole words.
    Raises UserError where they could have more than `MOST_SPELLED` characters together.

    >>> substrings({"hat": 2}, 2)
    {'ha': 2, 'at': 2}
    """
    if (
        spelled := sum(_total_length(len(word), longest) for word in word_counts)
    ) > MAX_SUBSTRING_CHARACTERS:
        raise UserError(
            f"The parts of the words have {spelled:,} characters together; at most {MAX_SUBSTRING_CHARACTERS:,}"
            " are weighed. Ask for shorter pieces, or cut the text into shorter words."
        )
    counts: dict[str, int] = {}
    for word, count in word_counts.items():
        check_cancelled()
        for start in range(len(word)):
            for end in range(start + 2, min(start + longest, len(word)) + 1):
                if not strict or end - start < len(word):
                    part = word[start:end]
                    counts[part] = counts.get(part, 0) + count
    return counts


def _total_length(length: int, longest: int) -> int:
    """Return how many characters the parts of a word have together, as often as they stand there.

    >>> _spelled(3, 2)  # of "hat": "ha" and "at"
    4
    """
    return sum(part * (length - part + 1) for part in range(2, min(length, longest) + 1))


def merged(
    word_counts: Mapping[str, int],
    longest: int,
    limit: int,
    check_cancelled: CancelCheck = never_cancel,
) -> dict[str, int]:
    """Return the tokens that byte-pair merging makes, with how often they occur in the words."""
    run = bpe.train(
        Corpus.from_counts(word_counts),
        bpe.Settings(base="characters", num_merges=limit, max_token_length=longest),
    )
    tokens: dict[str, None] = {}
    for step in run:
        check_cancelled()
        tokens[step.token] = None
    counts = substrings(word_counts, max(map(len, tokens), default=0))
    return {token: counts[token] for token in tokens}


# --- Repeats --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Occurrences:
    """Where parts of one length begin, sorted so that equal parts stand together.

    `groups` numbers the parts, `scripts` is the script of each so far, `times` how often each
    place counts.
    """

    starts: np.ndarray
    times: np.ndarray
    groups: np.ndarray
    scripts: np.ndarray


def repeats(
    texts: Sequence[str],
    longest: int,
    within_script: bool = False,
    by_bytes: bool = False,
    times: Sequence[int] | None = None,
) -> dict[str, int]:
    """Return the parts of 2 to `longest` characters that repeat, with how often they do.

    A part repeats if it occurs twice or more, within the texts, and what follows differs somewhere:
    the next character (or the end of a text), or, `by_bytes`, the next byte in UTF-8. So é and è,
    which share the first byte, do not differ. `within_script` asks for parts within one word and
    one script. `times` is how often each text counts, once if it is not given.

    >>> repeats(["abcab", "abd"], 16)
    {'ab': 3}
    """
    text = BOUNDARY.join([*texts, ""])
    symbols = code_points(text)
    alphabet = np.flatnonzero(np.bincount(symbols))
    letters = np.searchsorted(alphabet, np.arange(int(symbols.max(initial=0)) + 1))[symbols]
    followers = _followers(alphabet, by_bytes)[letters]
    scripts = _scripts(alphabet, within_script)[letters]
    # Behind the very last boundary comes nothing, which is unlike everything.
    followers = np.append(followers, -1)
    goes_on = np.append((symbols != 0) & (scripts != _BARRED), False)
    starts = np.flatnonzero(goes_on[:-1] | (symbols == ord(MARK)))
    lengths = [len(one) + 1 for one in texts]
    weights = np.repeat(np.array(times or [1] * len(texts), np.int64), lengths)
    so_far = np.where(scripts == _BARRED, ANY_SCRIPT, scripts)
    occurrences = Occurrences(starts, weights[starts], letters[starts], so_far[starts])
    found: dict[str, int] = {}
    for length in range(2, longest + 1):
        occurrences = _extend(occurrences, length, letters, scripts, goes_on)
        if not len(occurrences.starts):
            break
        for part, count in _repeating(occurrences, length, followers, symbols, by_bytes):
            found[text[part : part + length]] = count
    return found


_BARRED = -2


def _followers(alphabet: np.ndarray, by_bytes: bool) -> np.ndarray:
    """Return what tells apart the characters that follow: themselves, or their first byte."""
    if not by_bytes:
        return alphabet
    return np.array([chr(symbol).encode()[0] for symbol in alphabet], np.int64)


def _scripts(alphabet: np.ndarray, within_script: bool) -> np.ndarray:
    """Return the script of each character, `_BARRED` for one that no piece has within."""
    if not within_script:
        return np.full(len(alphabet), COMMON, np.int16)
    barred = {ord(MARK), ord(UNKNOWN), 0, ord(" ")}
    scripts = [_BARRED if s in barred else script_of(chr(s)) for s in alphabet.tolist()]
    return np.array([ANY_SCRIPT if s == INHERITED else s for s in scripts], np.int16)


def _extend(
    occurrences: Occurrences,
    length: int,
    letters: np.ndarray,
    scripts: np.ndarray,
    goes_on: np.ndarray,
) -> Occurrences:
    """Return the places of the parts one character longer that occur twice or more."""
    ends = occurrences.starts + length - 1
    there = np.flatnonzero(goes_on[ends])
    before, last = occurrences.scripts[there], scripts[ends[there]]
    agree = (before == last) | (before == ANY_SCRIPT) | (last == ANY_SCRIPT)
    there = there[agree]
    starts, now = occurrences.starts[there], np.where(last == ANY_SCRIPT, before, last)[agree]
    num_letters = int(letters.max(initial=0)) + 1
    keys, order = stable_sort(occurrences.groups[there] * num_letters + letters[ends[there]])
    differs = np.ones(len(keys), bool)
    differs[1:] = keys[1:] != keys[:-1]
    groups = np.cumsum(differs) - 1
    times = occurrences.times[there][order]
    repeated = (np.bincount(groups, times) > 1)[groups] if len(groups) else np.zeros(0, bool)
    order, groups = order[repeated], groups[repeated]
    return Occurrences(starts[order], times[repeated], groups, now[order])


def _repeating(
    occurrences: Occurrences,
    length: int,
    followers: np.ndarray,
    symbols: np.ndarray,
    by_bytes: bool,
) -> Iterable[tuple[int, int]]:
    """Return one place of each part that repeats, and how often it occurs."""
    begins = np.flatnonzero(np.diff(occurrences.groups, prepend=-1))
    counts = np.add.reduceat(occurrences.times, begins)
    totals = np.where(_differ(followers[occurrences.starts + length], begins), counts, 0)
    if by_bytes:
        totals = totals + _before_boundary(occurrences, length, followers, symbols, begins)
    (some,) = np.nonzero(totals)
    return zip(occurrences.starts[begins[some]].tolist(), totals[some].tolist(), strict=True)


def _differ(values: np.ndarray, begins: np.ndarray) -> np.ndarray:
    return np.minimum.reduceat(values, begins) != np.maximum.reduceat(values, begins)


def _before_boundary(
    occurrences: Occurrences,
    length: int,
    followers: np.ndarray,
    symbols: np.ndarray,
    begins: np.ndarray,
) -> np.ndarray:
    """Return how often each part counts once more as a part with the end of its text behind it.

    SentencePiece 0.2.3 cuts that end off and adds up. It matters for the very last line only, if
    all lines begin alike: with `▁`.
    """
    ends = occurrences.starts + length
    (at_boundary,) = np.nonzero(symbols[ends] == 0)
    groups = occurrences.groups[at_boundary]
    beyond = followers[np.minimum(ends[at_boundary] + 1, len(followers) - 1)]
    firsts = np.flatnonzero(np.diff(groups, prepend=-1))
    times = np.add.reduceat(occurrences.times[at_boundary], firsts)
    more = np.zeros(len(begins), np.int64)
    parts = np.searchsorted(occurrences.groups[begins], groups[firsts])
    more[parts] = np.where(_differ(beyond, firsts), times, 0)  # which takes two of them at least
    return more
