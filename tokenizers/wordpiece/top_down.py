"""WordPiece from the top down: the learner of TensorFlow Text, which goes from words to pieces.

Nothing is merged. Every part of every word is a candidate at first, and those seen often enough
are kept. A few rounds of that, each with the words split by the pieces of the round before, make a
vocabulary for one *threshold*; a binary search tries thresholds until the size is right.

`train` yields a `ThresholdRound` for each round and a `ThresholdTrial` for each threshold. Its vocabulary is one for
`wordpiece.encode`. Left out: which words to count (`corpus.py`), ids.
"""

from collections import defaultdict
from collections.abc import Container, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tokenizers.errors import UserError
from tokenizers.settings import MAX_NUMBER, check
from tokenizers.text.corpus import MAX_SYMBOLS, Corpus
from tokenizers.text.encoding import UNK

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
    """What the learner is asked to do, with its own defaults; ValueError for what means nothing.

    A vocabulary of `vocab_size` pieces, the `reserved` ones counted, or up to the share `slack`
    fewer is taken. Thresholds are looked for between `min_threshold` and `max_threshold`, but not
    below the lowest and not above the highest count of a word. Words longer than `max_word_length`
    are left out, and those with a character that is not among the `max_characters` most frequent.
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
"""A part of words as a piece, how often it is seen, and how many are left without longer ones."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A part of words: seen `count` times, of which `left` remain without the longer ones."""

    piece: str
    count: int
    left: int
    kept: bool


@dataclass(frozen=True, slots=True)
class ThresholdRound:
    """Round `number`, from 1 on, of a threshold: what was weighed, and what came of it.

    `candidates` are those seen at least `threshold` times, the longest first; `num_candidates`
    counts the others too. `vocab` are the pieces after it with what was left of them; characters
    that were not kept are put back, with a 1, so that every word can be split.
    """

    threshold: int
    number: int
    num_candidates: int
    candidates: tuple[Candidate, ...]
    vocab: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ThresholdTrial:
    """A threshold that was tried, the middle of `low` and `high`, and the vocabulary it gave.

    `verdict` is "taken", or "too large" or "too small" where the search goes on: above or below.
    """

    threshold: int
    low: int
    high: int
    vocab: tuple[str, ...]
    verdict: str


def train(
    corpus: Corpus, settings: TopDownSettings
) -> Generator[ThresholdRound | ThresholdTrial, None, str]:
    """Yield the rounds of every threshold, each time followed by how it ended; return why it stops.

    The last step is a `ThresholdTrial` whose vocabulary is taken, unless the corpus has no words.
    """
    words = training_words(corpus, settings)
    if not words:
        return "there are no words to train on"
    counts = corpus.word_counts.values()
    low, high = max(min(counts), settings.min_threshold), min(max(counts), settings.max_threshold)
    parts = count_parts(words, None, settings.mark)  # round 1 weighs the same for every threshold
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
    """Return the words that are not reserved, too long or spelled with rare characters."""
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
    """Yield the rounds of one threshold, the first with `parts`; return the last one's pieces."""
    vocab: Mapping[str, int] = _characters(words, settings.mark)
    for number in range(1, settings.rounds + 1):
        if number > 1:
            parts = count_parts(words, vocab, settings.mark)
        step = next_round(words, parts, number, threshold, settings.mark)
        yield step
        vocab = step.vocab
    return vocab


_BEGINS, _INSIDE = "^", "-"
"""What stands in front of letters while they are counted: whether they begin a word."""


def count_parts(
    words: Mapping[str, int], vocab: Container[str] | None, mark: str
) -> list[PartCount]:
    """Return the parts of words, the longest first, with what is left of each.

    Without `vocab`, as in round 1, a part may begin at any character, then only where a piece of
    `vocab` does. From the longest part to the shortest, what is left of it is to be taken from all
    of its beginnings, whether it is kept or not. So what is left of a part is how often it goes to
    the end of a word, and that is counted.
    """
    counts: dict[str, int] = defaultdict(int)  # by letters, with where they stand in front
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
    """Keep the parts of words of which `threshold` or more are left."""
    candidates = [
        Candidate(piece, count, left, left >= threshold)
        for piece, count, left in parts
        if count >= threshold
    ]
    kept = {candidate.piece: candidate.left for candidate in candidates if candidate.kept}
    pieces = _characters(words, mark) | kept
    return ThresholdRound(threshold, number, len(parts), tuple(candidates), pieces)


def piece_starts(word: str, vocab: Container[str], mark: str) -> list[int]:
    """Return where the pieces of `word` begin.

    >>> piece_starts("unable", {"un", "##a", "##ab", "##le"}, "##")
    [0, 2, 4]
    >>> piece_starts("ox", {"o"}, "##")  # nothing begins behind what cannot be split
    [0, 1]
    """
    found, start = list[int](), 0
    while start < len(word):  # as `match_steps`, which also keeps what it has tried
        found.append(start)
        rest, before = (mark + word[start:], len(mark)) if start else (word, 0)
        length = len(rest)
        while length > before and rest[:length] not in vocab:
            length -= 1
        if length == before:
            break
        start += length - before
    return found


def _characters(words: Iterable[str], mark: str) -> dict[str, int]:
    """Return every character of `words`, without and with the mark, and a count of 1."""
    return {piece: 1 for word in words for char in word for piece in (char, mark + char)}


def _in_order(
    vocab: Mapping[str, int], words: Iterable[str], settings: TopDownSettings
) -> tuple[str, ...]:
    """Return the whole vocabulary: reserved, characters, then pieces by what was left of them."""
    characters = sorted({character for word in words for character in word})
    by_count = sorted(vocab, key=lambda piece: (-vocab[piece], piece))
    return tuple(dict.fromkeys([*settings.reserved, *characters, *by_count]))
