"""BPE, WordPiece and Unigram in their plainest form: read this first.

Everything is counted again at every step, and Unigram lists every segmentation of a word. That is
slow and easy to follow; the rest of the package gives the same results much faster. A *split* is a
word as a tuple of symbols. `word_counts` are the counts of the words. Probabilities may be floats
or fractions; logarithms are in nats.

The tests compare the faster code with this, step by step: see `test_training_is_the_textbooks` in
tests/core/bpe/test_laws.py.
"""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, pairwise

Split = tuple[str, ...]
Pair = tuple[str, str]
Number = float | Fraction
Worth = Callable[[list[Split], Sequence[int]], Mapping[Pair, Number]]
Step = tuple[Pair, Number, list[Pair], list[Split]]

RAREST = 1e-30

# --- BPE: merge the most frequent pair, again and again -------------------------------------------


def count_pairs(splits: Sequence[Split], word_counts: Sequence[int]) -> dict[Pair, int]:
    """Count the pairs of neighbouring symbols in the whole corpus, in the order they come up.

    >>> count_pairs([("h", "u", "g"), ("p", "u", "g")], [10, 5])
    {('h', 'u'): 10, ('u', 'g'): 15, ('p', 'u'): 5}
    """
    counts: dict[Pair, int] = {}
    for split, count in zip(splits, word_counts, strict=True):
        for pair in pairwise(split):
            counts[pair] = counts.get(pair, 0) + count
    return counts


def choose(tied: list[Pair], ties: str, vocab: list[str]) -> Pair:
    """Return the pair to merge where several are worth the same: programs differ in this rule."""
    if ties == "smallest_ids":
        return min(tied, key=lambda pair: (vocab.index(pair[0]), vocab.index(pair[1])))
    if ties == "smallest_string":
        return min(tied)
    if ties == "largest_string":
        return max(tied)
    return tied[0]  # the one that comes first in the corpus


def merge(split: Split, pair: Pair, mark: str = "") -> Split:
    """Join `pair` wherever it occurs in `split`, from left to right.

    >>> merge(("h", "u", "g", "s"), ("u", "g"))
    ('h', 'ug', 's')
    """
    joined: list[str] = []
    i = 0
    while i < len(split):
        if split[i : i + 2] == pair:
            joined.append(pair[0] + pair[1].removeprefix(mark))
            i += 2
        else:
            joined.append(split[i])
            i += 1
    return tuple(joined)


def train_merges(
    splits: list[Split],
    word_counts: Sequence[int],
    worth: Worth = count_pairs,
    ties: str = "first_seen",
    mark: str = "",
    alphabet: Sequence[str] = (),
) -> Iterator[Step]:
    """Yield each merge: the pair, what it is worth, the pairs that tied, the splits after it.

    `alphabet` gives the base symbols in the order of their ids; without it, they are sorted.

    >>> [step[:2] for step in train_merges([("h", "u", "g"), ("p", "u", "g")], [10, 5])]
    [(('u', 'g'), 15), (('h', 'ug'), 10), (('p', 'ug'), 5)]
    """
    vocab = list(alphabet) or sorted(set(chain(*splits)))
    while worths := worth(splits, word_counts):
        best = max(worths.values())
        tied = [pair for pair in worths if worths[pair] == best]
        pair = choose(tied, ties, vocab)
        vocab.append(pair[0] + pair[1].removeprefix(mark))
        splits = [merge(split, pair, mark) for split in splits]
        yield pair, best, tied, splits


def encode_bpe(split: Split, ranks: Mapping[Pair, int]) -> Split:
    """Merge the pair that was learned first, leftmost if it occurs twice, until none is known.

    >>> encode_bpe(("p", "u", "g", "s"), {("u", "g"): 0, ("h", "ug"): 1, ("p", "ug"): 2})
    ('pug', 's')
    """
    while known := [(ranks[pair], i) for i, pair in enumerate(pairwise(split)) if pair in ranks]:
        _, i = min(known)
        split = (*split[:i], split[i] + split[i + 1], *split[i + 2 :])
    return split


# --- WordPiece: merge the pair of the highest score; encode by the longest match ------------------


def characters(word: str, mark: str = "##") -> Split:
    """Return the characters of `word`, all but the first with the mark in front.

    >>> characters("hug")
    ('h', '##u', '##g')
    """
    return tuple(mark + character if i else character for i, character in enumerate(word))


def count_tokens(splits: Sequence[Split], word_counts: Sequence[int]) -> dict[str, int]:
    """Count the symbols in the whole corpus."""
    counts: dict[str, int] = {}
    for split, count in zip(splits, word_counts, strict=True):
        for symbol in split:
            counts[symbol] = counts.get(symbol, 0) + count
    return counts


def scores(splits: Sequence[Split], word_counts: Sequence[int]) -> dict[Pair, Fraction]:
    """Divide the count of each pair by the counts of its two symbols.

    The score is high where two symbols are rarely seen without each other. As a fraction it is
    exact, so that scores tie only when they are equal. Training is the loop above with this worth:

    >>> splits = [characters("hug"), characters("pug")]
    >>> next(train_merges(splits, [10, 5], scores, mark="##"))[:2]
    (('h', '##u'), Fraction(1, 15))
    """
    pairs = count_pairs(splits, word_counts)
    tokens = count_tokens(splits, word_counts)
    return {pair: Fraction(pairs[pair], tokens[pair[0]] * tokens[pair[1]]) for pair in pairs}


def longest_match(word: str, vocab: Collection[str], mark: str = "##") -> Split | None:
    """Take the longest piece that fits, then the longest that fits after it; None if none fits.

    >>> longest_match("hugs", {"hu", "##g", "##gs"})
    ('hu', '##gs')
    """
    pieces: list[str] = []
    start = 0
    while start < len(word):
        prefix = mark if start else ""
        ends = [end for end in range(start + 1, len(word) + 1) if prefix + word[start:end] in vocab]
        if not ends:
            return None  # one gap, and the whole word becomes [UNK]
        pieces.append(prefix + word[start : max(ends)])
        start = max(ends)
    return tuple(pieces)


# --- Unigram: fit probabilities to too many pieces, remove the least useful, repeat ---------------


def substrings(word_counts: Mapping[str, int]) -> dict[str, Number]:
    """Return every substring of the words, as probable as it is frequent: where training starts.

    The characters come first, then the others, the most frequent first.
    """
    counts: dict[str, int] = {}
    for word, count in word_counts.items():
        for start in range(len(word)):
            for end in range(start + 1, len(word) + 1):
                piece = word[start:end]
                counts[piece] = counts.get(piece, 0) + count
    ranked = sorted(counts, key=lambda piece: -counts[piece] if len(piece) > 1 else -math.inf)
    return shares({piece: counts[piece] for piece in ranked})


def shares(counts: Mapping[str, Number]) -> dict[str, Number]:
    """Divide by the sum, so that the numbers sum to one.

    >>> shares({"a": 1, "b": 1, "ab": 2})
    {'a': 0.25, 'b': 0.25, 'ab': 0.5}
    """
    total = sum(counts.values())
    return {piece: count / total for piece, count in counts.items()}


def segmentations(
    text: str, probs: Mapping[str, Number], unknown: Number = 0
) -> dict[Split, Number]:
    """List every segmentation of `text` with its probability: the product of those of its pieces.

    A character that is not a piece gets the probability `unknown`.

    >>> segmentations("hug", {"h": 0.25, "u": 0.125, "g": 0.125, "ug": 0.5})
    {('h', 'u', 'g'): 0.00390625, ('h', 'ug'): 0.125}
    """
    if not text:
        return {(): Fraction(1)}  # nothing left to split: one way, and it is certain
    paths: dict[Split, Number] = {}
    for end in range(1, len(text) + 1):
        piece = text[:end]
        prob = probs.get(piece, 0) or (unknown if end == 1 else 0)
        if prob:
            for rest, rest_prob in segmentations(text[end:], probs, unknown).items():
                paths[piece, *rest] = prob * rest_prob
    return paths


def expected_counts(
    word_counts: Mapping[str, int], probs: Mapping[str, Number], unknown: Number = 0
) -> dict[str, Number]:
    """E step: count each piece in every segmentation, by the share that the segmentation has.

    >>> expected_counts({"ab": 4}, {"a": 0.5, "b": 0.5, "ab": 0.75})
    {'a': 1.0, 'b': 1.0, 'ab': 3.0}
    """
    expected: dict[str, Number] = dict.fromkeys(probs, 0)
    for word, count in word_counts.items():
        paths = segmentations(word, probs, unknown)
        total = sum(paths.values())
        for path, prob in paths.items():
            for piece in path:
                expected[piece] = expected.get(piece, 0) + count * prob / total
    return expected


def maximize(expected: Mapping[str, Number]) -> dict[str, Number]:
    """M step: make each probability the piece's share of all expected counts.

    EM drives the counts of many pieces to zero, faster than a float can follow. A little is left to
    each, so that a character that is needed later is still there.
    """
    return shares({piece: max(count, RAREST) for piece, count in expected.items()})


def log_likelihood(
    word_counts: Mapping[str, int], probs: Mapping[str, Number], unknown: Number = 0
) -> float:
    """Return the log probability of the corpus, every word in all of its segmentations."""
    log_prob = 0.0
    for word, count in word_counts.items():
        prob = sum(segmentations(word, probs, unknown).values())
        log_prob += count * (math.log(prob) if prob else -math.inf)
    return log_prob


def without(probs: Mapping[str, Number], *pieces: str) -> dict[str, Number]:
    """Remove pieces and let the others share their probability, so that they sum to one again."""
    return shares({other: prob for other, prob in probs.items() if other not in pieces})


def expected_log_prob(
    word_counts: Mapping[str, int], old: Mapping[str, Number], new: Mapping[str, Number]
) -> float:
    """Return Q: the log probability by `new` that `old` expects the segmentations to have."""
    q = 0.0
    for word, count in word_counts.items():
        paths = segmentations(word, old)
        total = sum(paths.values())
        for path, prob in paths.items():
            q += count * prob / total * sum(math.log(new[piece]) for piece in path)
    return q


def losses(
    measure: Callable[..., float], word_counts: Mapping[str, int], *models: Mapping[str, Number]
) -> dict[str, float]:
    """Return by how much a measure of the corpus falls without each piece: measure it for each one.

    Single characters are never removed, or some words could no longer be split.
    """
    now = measure(word_counts, *models)
    return {
        piece: now - measure(word_counts, *[without(probs, piece) for probs in models])
        for piece in models[-1]
        if len(piece) > 1
    }


def train_unigram(
    word_counts: Mapping[str, int], size: int, prunings: int = 8, rounds_of_em: int = 2
) -> Iterator[tuple[str, dict[str, Number]]]:
    """Yield each step with the numbers that it makes for the pieces, until `size` are left.

    >>> *_, last = train_unigram({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, 9)
    >>> [piece for piece in last[1] if len(piece) > 1]
    ['hug', 'pun']
    """
    probs = before = substrings(word_counts)
    yield "seed", probs
    at_once = math.ceil((len(probs) - size) / prunings)
    while True:
        for _ in range(rounds_of_em):
            before = probs
            expected = expected_counts(word_counts, before)
            yield "E step", expected
            probs = maximize(expected)
            yield "M step", probs
        surplus = len(probs) - size
        if surplus <= 0:
            return
        costs = losses(expected_log_prob, word_counts, before, probs)
        ranked = sorted(costs, key=costs.__getitem__, reverse=True)
        removed = ranked[-min(at_once, surplus) :]
        probs = without(probs, *removed)
        yield "prune", probs
        if not removed:
            return  # only single characters are left


def encode_unigram(word: str, probs: Mapping[str, Number]) -> Split:
    """Return the most probable segmentation; ValueError if there is none.

    >>> encode_unigram("hug", {"h": 0.25, "u": 0.125, "g": 0.125, "ug": 0.5})
    ('h', 'ug')
    """
    paths = segmentations(word, probs)
    return max(paths, key=paths.__getitem__)
