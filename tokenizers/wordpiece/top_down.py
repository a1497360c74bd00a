"""Top-down WordPiece training, as in TensorFlow Text: from words to pieces, without merges.

At first every substring of every word is a candidate, and frequent ones are kept. In later rounds,
candidates start only where pieces from the previous round do. A few rounds give the vocabulary for
one *threshold* (the minimum count); a binary search tries thresholds until the size is right.

`train` yields a `ThresholdRound` for each round and a `ThresholdTrial` for each threshold. The
vocabulary is for `wordpiece.encode`.
"""

from collections import defaultdict
from collections.abc import Container, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tokenizers.errors import UserError
from tokenizers.settings import MAX_NUMBER, check
from tokenizers.text.corpus import MAX_SYMBOLS, Corpus
from tokenizers.text.encoding import UNK
from tokenizers.wordpiece.matching import match_ends

_BOUNDS = {
    "vocab_size": (0, MAX_NUMBER),
    "rounds": (0, 100),
    "min_threshold": (0, MAX_SYMBOLS),
    "max_threshold": (0, MAX_SYMBOLS),
    "slack": (0, 1),
    "max_word_length": (0, 200),  # the work grows with its third power
    "max_characters": (0, MAX_NUMBER),
}


@dataclass(frozen=True, slots=True)
class TopDownSettings:
    """The settings, with TensorFlow Text's defaults. Raises UserError for an invalid value.

    The search ends when the vocabulary has `vocab_size` pieces, including the `reserved` ones, or
    at most the fraction `slack` fewer. Thresholds range from `min_threshold` to `max_threshold`,
    but stay between the lowest and highest word counts. A word is ignored if it is longer than
    `max_word_length` or has a character that is not among the `max_characters` most frequent.
    """

    vocab_size: int
    mark: str = "##"
    rounds: int = 4
    min_threshold: int = 10
    max_threshold: int = 10_000_000
    slack: float = 0.05
    max_word_length: int = 50
    max_characters: int = 1000
    reserved: tuple[str, ...] = (UNK,)

    def __post_init__(self) -> None:
        check(self, _BOUNDS, {})
        if not self.mark:
            raise UserError("the mark is empty; give it at least one character")


PartCount = tuple[str, int, int]
"""A substring of words as a piece, its count, and its remaining count (see `count_parts`)."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A substring of words that occurs `count` times; `left` is its remaining count."""

    piece: str
    count: int
    left: int
    kept: bool


@dataclass(frozen=True, slots=True)
class ThresholdRound:
    """One round of a threshold, with its candidates and the resulting vocabulary.

    `number` counts from 1. `candidates` occur at least `threshold` times, sorted from the longest;
    `num_candidates` includes rarer ones. `vocab` maps the pieces after the round to their remaining
    counts; other characters are added with a count of 1, so that every word can be split.
    """

    threshold: int
    number: int
    num_candidates: int
    candidates: tuple[Candidate, ...]
    vocab: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ThresholdTrial:
    """A trial of the threshold halfway between `low` and `high`, with the resulting vocabulary.

    `verdict` is "taken", "too large" (a higher threshold is tried next) or "too small" (a lower).
    """

    threshold: int
    low: int
    high: int
    vocab: tuple[str, ...]
    verdict: str


def train(
    corpus: Corpus, settings: TopDownSettings
) -> Generator[ThresholdRound | ThresholdTrial, None, str]:
    """Yield each threshold's rounds and then its trial; return why the search stops.

    The last step is the `ThresholdTrial` with the resulting vocabulary, unless there are no words.
    """
    words = training_words(corpus, settings)
    if not words:
        return "there are no words to train on"
    counts = corpus.word_counts.values()
    low, high = max(min(counts), settings.min_threshold), min(max(counts), settings.max_threshold)
    parts = count_parts(words, None, settings.mark)  # round 1 is the same for every threshold
    while True:
        threshold = (low + high) // 2
        vocab = yield from _rounds(words, parts, threshold, settings)
        pieces = _in_order(vocab, words, settings)
        verdict = _verdict(len(pieces), settings)
        is_last = low >= high or threshold <= 1
        yield ThresholdTrial(threshold, low, high, pieces, "taken" if is_last else verdict)
        if verdict == "taken":
            size = settings.vocab_size
            return f"the vocabulary has {len(pieces):,} pieces, and the target was {size:,}"
        if is_last:
            return f"there is no other threshold to try; {len(pieces):,} pieces is {verdict}"
        low, high = (threshold + 1, high) if verdict == "too large" else (low, threshold - 1)


def training_words(corpus: Corpus, settings: TopDownSettings) -> dict[str, int]:
    """Return the words that are not reserved, not too long, and free of rare characters."""
    words = {
        word: count
        for word, count in corpus.word_counts.items()
        if len(word) <= settings.max_word_length and word not in settings.reserved
    }
    seen: dict[str, int] = defaultdict(int)
    for word, count in words.items():
        for character in word:
            seen[character] += count
    by_count = sorted(seen, key=lambda character: (-seen[character], character))
    known = set(by_count[: settings.max_characters])
    return {word: count for word, count in words.items() if known.issuperset(word)}


def _verdict(size: int, settings: TopDownSettings) -> str:
    if size > settings.vocab_size:
        return "too large"
    few = settings.vocab_size - size > settings.slack * settings.vocab_size
    return "too small" if few else "taken"


def _rounds(
    words: Mapping[str, int], parts: Sequence[PartCount], threshold: int, settings: TopDownSettings
) -> Generator[ThresholdRound, None, Mapping[str, int]]:
    """Yield the rounds of one threshold, the first from `parts`; return the last vocabulary."""
    vocab: Mapping[str, int] = _characters(words, settings.mark)
    for number in range(1, settings.rounds + 1):
        if number > 1:
            parts = count_parts(words, vocab, settings.mark)
        step = next_round(words, parts, number, threshold, settings.mark)
        yield step
        vocab = step.vocab
    return vocab


_BEGINS, _INSIDE = "^", "-"
"""Prefixes of counted substrings, which tell whether a substring begins a word."""


def count_parts(
    words: Mapping[str, int], vocab: Container[str] | None, mark: str
) -> list[PartCount]:
    """Return the substrings of words, the longest first, with their counts and remaining counts.

    If `vocab` is None, as in round 1, a substring may start at any character, otherwise only where
    a word's piece starts. The original algorithm goes from the longest substring to the shortest
    and subtracts each one's remaining count from all its prefixes, whether it is kept or not. So
    the remaining count is the number of times that a substring ends its word; this is counted here.
    """
    counts: dict[str, int] = defaultdict(int)  # by prefix and letters
    left: dict[str, int] = defaultdict(int)
    for word, count in words.items():
        for start in range(len(word)) if vocab is None else piece_starts(word, vocab, mark):
            rest = (_INSIDE if start else _BEGINS) + word[start:]
            for end in range(2, len(rest) + 1):
                counts[rest[:end]] += count
            left[rest] += count
    return [
        (mark + part[1:] if part[0] == _INSIDE else part[1:], counts[part], left.get(part, 0))
        for part in sorted(counts, key=len, reverse=True)
    ]


def next_round(
    words: Mapping[str, int], parts: Sequence[PartCount], number: int, threshold: int, mark: str
) -> ThresholdRound:
    """Return round `number`, which keeps substrings with a remaining count >= `threshold`."""
    candidates = [
        Candidate(piece, count, left, left >= threshold)
        for piece, count, left in parts
        if count >= threshold
    ]
    kept = {candidate.piece: candidate.left for candidate in candidates if candidate.kept}
    pieces = _characters(words, mark) | kept
    return ThresholdRound(threshold, number, len(parts), tuple(candidates), pieces)


def piece_starts(word: str, vocab: Container[str], mark: str) -> list[int]:
    """Return the positions in `word` where its pieces start.

    >>> piece_starts("unable", {"un", "##a", "##ab", "##le"}, "##")
    [0, 2, 4]
    >>> piece_starts("ox", {"o"}, "##")  # nothing begins behind what cannot be split
    [0, 1]
    """
    return [start for start in (0, *match_ends(word, vocab, mark)) if start < len(word)]


def _characters(words: Iterable[str], mark: str) -> dict[str, int]:
    """Return every character of `words`, without and with the mark, with a count of 1."""
    return {piece: 1 for word in words for char in word for piece in (char, mark + char)}


def _in_order(
    vocab: Mapping[str, int], words: Iterable[str], settings: TopDownSettings
) -> tuple[str, ...]:
    """Return the whole vocabulary: reserved, characters, then pieces by remaining count."""
    characters = sorted({character for word in words for character in word})
    by_count = sorted(vocab, key=lambda piece: (-vocab[piece], piece))
    return tuple(dict.fromkeys([*settings.reserved, *characters, *by_count]))
