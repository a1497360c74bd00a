"""The seeds of Unigram training: far more candidate pieces than the final vocabulary.

* `substrings` returns every substring of every word, counted as often as the word occurs.
* `repeats` returns the substrings that occur twice or more and are followed by different
  characters. If a substring is always followed by the same character, both together replace it.
  Libraries use a suffix array; here all occurrences are extended one character at a time.
* `merged` returns the tokens of a BPE run.

All candidates have two characters or more and a count; `find` puts the single characters first.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import add

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
"""The maximum total length of all substrings, which take about a gigabyte of memory."""
_LARGEST = "\U0010ffff"


def find(
    training_text: TrainingText, settings: Settings, check_cancelled: CancelCheck = never_cancel
) -> dict[str, int]:
    """Return the seed pieces with weights that their first probabilities are proportional to.

    The characters come first, then the other candidates, at most `seed_size` in total.
    `check_cancelled` is called now and then and may raise. Raises UserError if there are more
    candidates than fit in memory.
    """
    characters = _characters(training_text, settings)
    counts = _candidates(training_text, settings, check_cancelled)
    by_length = settings.start == "frequency_times_length"
    weights = {piece: n * len(piece) if by_length else n for piece, n in counts.items()}
    room = max(settings.seed_size - len(characters), 0)
    if settings.seed in ("repeats_in_lines", "repeats_by_bytes"):
        room = settings.seed_size  # SentencePiece does not count the characters
    ordered = _ordered(weights, settings.seed)[:room]
    return characters | {piece: weights[piece] for piece in ordered}


def _characters(training_text: TrainingText, settings: Settings) -> dict[str, int]:
    """Return how often each character occurs, without `▅`."""
    if settings.seed in ("substrings", "strict_substrings", "bpe"):
        counts = training_text.word_counts
        return dict(count_strings(list(counts), list(counts.values())))  # by first occurrence
    if settings.seed == "repeats":
        rows = training_text.required.items()
        return dict(sorted(rows, key=lambda row: (row[1], row[0]), reverse=True))
    return dict(training_text.required)  # already sorted


def _ordered(weights: Mapping[str, int], seed: str) -> list[str]:
    """Return the candidates, the highest weight first, then by the library's tie rule.

    Sorting is stable, so the last criterion comes first.
    """
    candidates = list(weights)
    if seed == "repeats":
        candidates.sort(key=lambda piece: (*(-ord(char) for char in piece), 1))
    elif seed == "repeats_in_lines":  # an extension comes before what it extends
        candidates.sort(key=lambda piece: piece + _LARGEST)
    elif seed == "repeats_by_bytes":
        candidates.sort()
        candidates.sort(key=lambda piece: len(piece.encode()), reverse=True)
    return sorted(candidates, key=weights.__getitem__, reverse=True)


def _candidates(
    training_text: TrainingText, settings: Settings, check_cancelled: CancelCheck
) -> dict[str, int]:
    longest = settings.max_piece_length
    if settings.seed == "bpe":
        return merged(training_text.word_counts, longest, settings.seed_size, check_cancelled)
    if settings.seed in ("substrings", "strict_substrings"):
        return substrings(
            training_text.word_counts,
            longest,
            settings.seed == "strict_substrings",
            check_cancelled,
        )
    if settings.seed == "repeats":
        return repeats(list(training_text.word_counts), longest)
    by_bytes = settings.seed == "repeats_by_bytes"
    times = count_in_context(training_text, by_bytes)
    return repeats(list(times), longest, True, by_bytes, list(times.values()))


def count_in_context(training_text: TrainingText, by_bytes: bool) -> dict[str, int]:
    """Count each word of the lines together with what follows it; `repeats` depends on both.

    No substring extends beyond the end of a word, so each distinct word is searched once. A word is
    followed by `▁`, or by the end of its line and the beginning of the next line. The trainer
    repeats a line as often as its count says, or not at all; for `repeats`, two copies suffice.
    """
    lines, copies, words = (
        training_text.lines,
        training_text.line_counts,
        Counter(training_text.word_counts),
    )
    if training_text.from_counts and not by_bytes:
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
    """Return the words' substrings of 2 to `longest` characters with their counts.

    They are in the order of their first occurrence; `strict` excludes whole words. Raises UserError
    if the substrings' total length could exceed `MAX_SUBSTRING_CHARACTERS`.

    >>> substrings({"hat": 2}, 2)
    {'ha': 2, 'at': 2}
    """
    if (
        spelled := sum(_total_length(len(word), longest) for word in word_counts)
    ) > MAX_SUBSTRING_CHARACTERS:
        raise UserError(
            f"The parts of the words have {spelled:,} characters together; at most "
            f"{MAX_SUBSTRING_CHARACTERS:,} are weighed. Ask for shorter pieces, or "
            "cut the text into shorter words."
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
    """Return the total length of a word's substrings of 2 to `longest` characters, with repeats.

    >>> _total_length(3, 2)  # of "hat": "ha" and "at"
    4
    """
    return sum(part * (length - part + 1) for part in range(2, min(length, longest) + 1))


def merged(
    word_counts: Mapping[str, int],
    longest: int,
    limit: int,
    check_cancelled: CancelCheck = never_cancel,
) -> dict[str, int]:
    """Return the tokens of a BPE run and how often each occurs as a substring of the words."""
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
    """Occurrences of substrings of one length, sorted so that equal substrings are adjacent.

    For each occurrence, `starts` contains its position, `times` its count, `groups` the number of
    the distinct substring, and `scripts` the script of the characters so far.
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
    """Return the repeated substrings of 2 to `longest` characters, with their counts.

    A substring counts as repeated if it occurs twice or more within texts and is not always
    followed by the same character (or the end of a text). With `by_bytes`, the next UTF-8 byte is
    compared: é and è share their first byte, so they do not differ. `within_script` restricts
    substrings to one word and one script. `times` contains the count of each text, 1 by default.

    >>> repeats(["abcab", "abd"], 16)
    {'ab': 3}
    """
    text = BOUNDARY.join([*texts, ""])
    symbols = code_points(text)
    alphabet = np.flatnonzero(np.bincount(symbols))
    letters = np.searchsorted(alphabet, np.arange(int(symbols.max(initial=0)) + 1))[symbols]
    followers = _followers(alphabet, by_bytes)[letters]
    scripts = _scripts(alphabet, within_script)[letters]
    # The end after the last boundary differs from every follower.
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
    """Return what following characters are compared by, their code points or first bytes."""
    if not by_bytes:
        return alphabet
    return np.array([chr(symbol).encode()[0] for symbol in alphabet], np.int64)


def _scripts(alphabet: np.ndarray, within_script: bool) -> np.ndarray:
    """Return the script of each character, or `_BARRED` if no piece may be extended by it."""
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
    """Extend the occurrences to `length` characters; return those of repeated substrings."""
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
    """Return one position of each repeated substring, and its count."""
    begins = np.flatnonzero(np.diff(occurrences.groups, prepend=-1))
    counts = np.add.reduceat(occurrences.times, begins)
    differ = _differ(followers[occurrences.starts + length], occurrences.groups)
    totals = np.where(differ[occurrences.groups[begins]], counts, 0)
    if by_bytes:
        totals = totals + _before_boundary(occurrences, length, followers, symbols, begins)
    (some,) = np.nonzero(totals)
    return zip(occurrences.starts[begins[some]].tolist(), totals[some].tolist(), strict=True)


def _differ(values: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Return for each group of adjacent values whether they differ, by the number of the group."""
    differ = np.zeros(int(groups[-1]) + 1 if len(groups) else 0, bool)
    differ[groups[1:][(values[1:] != values[:-1]) & (groups[1:] == groups[:-1])]] = True
    return differ


def _before_boundary(
    occurrences: Occurrences,
    length: int,
    followers: np.ndarray,
    symbols: np.ndarray,
    begins: np.ndarray,
) -> np.ndarray:
    """Return the additional count of each substring at the end of texts.

    SentencePiece 0.2.3 counts a substring together with the end of a text separately, then cuts the
    end off and adds the counts. If all lines begin with `▁`, this only affects the last line.
    """
    ends = occurrences.starts + length
    (at_boundary,) = np.nonzero(symbols[ends] == 0)
    groups = occurrences.groups[at_boundary]
    beyond = followers[np.minimum(ends[at_boundary] + 1, len(followers) - 1)]
    firsts = np.flatnonzero(np.diff(groups, prepend=-1))
    times = np.add.reduceat(occurrences.times[at_boundary], firsts)
    more = np.zeros(len(begins), np.int64)
    parts = np.searchsorted(occurrences.groups[begins], groups[firsts])
    more[parts] = np.where(_differ(beyond, groups)[groups[firsts]], times, 0)
    return more
