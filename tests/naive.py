"""BPE and WordPiece as a textbook has them: everything is counted again before every step.

Slow and plain on purpose, and without a line of the core: tests compare the core with it.
"""

from collections import Counter
from fractions import Fraction
from itertools import pairwise


def merged(split, pair):
    """Return `split` with `pair` joined, left to right."""
    done, i = [], 0
    while i < len(split):
        step = 2 if tuple(split[i : i + 2]) == pair else 1
        done.append("".join(split[i : i + step]))
        i += step
    return tuple(done)


def count_pairs(splits, word_counts):
    """Count neighbouring pairs; the keys stand in the order in which the pairs are seen."""
    counts = Counter()
    for split, count in zip(splits, word_counts, strict=True):
        for pair in pairwise(split):
            counts[pair] += count
    return dict(counts)


def count_tokens(splits, word_counts):
    """Count tokens."""
    counts = Counter()
    for split, count in zip(splits, word_counts, strict=True):
        for token in split:
            counts[token] += count
    return dict(counts)


def choose(tied, rule, vocab):
    """Return the one of the `tied` pairs, given as they are seen, that the tie rule takes."""
    if rule == "first_seen":
        return tied[0]
    if rule == "smallest_string":
        return min(tied)
    return min(tied, key=lambda pair: (vocab.index(pair[0]), vocab.index(pair[1])))


def train(splits, word_counts, vocab, rule="first_seen", min_count=1, allows=lambda pair: True):
    """Yield (pair, count, tied pairs, splits after it) until no pair is left."""
    splits, vocab = list(splits), list(vocab)
    while True:
        counts = {p: n for p, n in count_pairs(splits, word_counts).items() if allows(p)}
        best = max(counts.values(), default=0)
        if best < max(min_count, 1):
            return
        tied = [pair for pair, count in counts.items() if count == best]
        pair = choose(tied, rule, vocab)
        splits = [merged(split, pair) for split in splits]
        if "".join(pair) not in vocab:
            vocab.append("".join(pair))
        yield pair, best, tied, tuple(splits)


def encode(symbols, ranks):
    """Merge the leftmost pair of the lowest rank until none is left."""
    split = tuple(symbols)
    while known := [(ranks[p], i) for i, p in enumerate(pairwise(split)) if p in ranks]:
        _, i = min(known)
        split = (*split[:i], split[i] + split[i + 1], *split[i + 2 :])
    return split


def marked(word, mark):
    """Return the characters of `word`, all but the first with the mark in front."""
    return tuple(character if i == 0 else mark + character for i, character in enumerate(word))


def merged_marked(split, pair, mark):
    """Return `split` with `pair` joined; the second symbol loses its mark."""
    done, i = [], 0
    while i < len(split):
        if tuple(split[i : i + 2]) == pair:
            done.append(pair[0] + pair[1][len(mark) :])
            i += 2
        else:
            done.append(split[i])
            i += 1
    return tuple(done)


def scores(splits, word_counts, min_count=1):
    """Return the score of every pair seen often enough, in the order in which they are seen."""
    tokens = count_tokens(splits, word_counts)
    return {
        (first, second): Fraction(count, tokens[first] * tokens[second])
        for (first, second), count in count_pairs(splits, word_counts).items()
        if count >= max(min_count, 1)
    }


def train_wordpiece(splits, word_counts, vocab, mark, rule="first_seen", min_count=1):
    """Yield (pair, score, tied pairs, splits after it) until no pair is left."""
    splits, vocab = list(splits), list(vocab)
    while known := scores(splits, word_counts, min_count):
        best = max(known.values())
        tied = [pair for pair, score in known.items() if score == best]
        pair = choose(tied, rule, vocab)
        splits = [merged_marked(split, pair, mark) for split in splits]
        token = pair[0] + pair[1][len(mark) :]
        if token not in vocab:
            vocab.append(token)
        yield pair, best, tied, tuple(splits)


def longest_matches(word, vocab, mark):
    """Return the pieces of `word` by longest match first; None where nothing matches."""
    pieces = []
    rest, in_front = word, ""
    while rest:
        known = [end for end in range(1, len(rest) + 1) if in_front + rest[:end] in vocab]
        if not known:
            return None
        pieces.append(in_front + rest[: max(known)])
        rest, in_front = rest[max(known) :], mark
    return tuple(pieces)
