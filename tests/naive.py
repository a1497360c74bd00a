"""BPE, WordPiece and Unigram as a textbook has them: everything is counted again at every step.

For Unigram, all segmentations of a string are listed, and what is asked of them is summed up over
the list, in fractions. Slow and plain on purpose, and without a line of the core: tests compare the
core with it.
"""

import math
from collections import Counter
from fractions import Fraction
from itertools import accumulate, pairwise


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


def segmentations(text, chances, unknown=Fraction(0)):
    """Return the probability, a fraction, of every segmentation of `text` that has any.

    `chances` are those of the pieces, `unknown` that of a character which is none.
    """
    paths: dict[tuple[str, ...], Fraction] = {} if text else {(): Fraction(1)}
    for end in range(1, len(text) + 1):
        chance = chances.get(text[:end], 0) or (unknown if end == 1 else 0)
        if chance:
            for rest, other in segmentations(text[end:], chances, unknown).items():
                paths[text[:end], *rest] = chance * other
    return paths


def log(fraction):
    """Return the natural logarithm, however small the fraction."""
    return math.log(fraction.numerator) - math.log(fraction.denominator)


def places(path):
    """Return where each piece begins and ends."""
    return list(pairwise(accumulate(map(len, path), initial=0)))


def edge_shares(paths):
    """Return, for each place where a piece can stand, the share of the paths that use it."""
    total, shares = sum(paths.values()), Counter()
    for path, chance in paths.items():
        for place in places(path):
            shares[place] += chance / total
    return shares


def expected_counts(paths):
    """Return how often each piece is seen in a path drawn at random."""
    total, counts = sum(paths.values()), Counter()
    for path, chance in paths.items():
        for piece in path:
            counts[piece] += chance / total
    return counts


def entropy(paths):
    """Return the entropy of a path drawn at random, in nats."""
    total = sum(paths.values())
    return -math.fsum(chance / total * log(chance / total) for chance in paths.values())


def by_length(paths):
    """Return, for each number of pieces, the probabilities of the paths that have so many."""
    lengths = {}
    for path, chance in paths.items():
        lengths.setdefault(len(path), []).append(chance)
    return lengths


def falls_behind(path, text, chances, unknown=Fraction(0)):
    """Return the positions at which `path` falls further behind the best way there, and how far."""
    behind, chance, least = [], Fraction(1), Fraction(1)
    for piece, (_, end) in zip(path, places(path), strict=True):
        chance *= chances.get(piece, 0) or unknown
        ratio = max(segmentations(text[:end], chances, unknown).values()) / chance
        if ratio > least:
            behind.append((end, log(ratio)))
            least = ratio
    return behind


def powered(paths, alpha):
    """Return each path's share when its probability is raised to the power of `alpha`."""
    most = max(paths.values())
    powers = {path: math.exp(alpha * log(chance / most)) for path, chance in paths.items()}
    return {path: power / math.fsum(powers.values()) for path, power in powers.items()}


def hugging_face_shares(text, chances, alpha, unknown=Fraction(0)):
    """Return each path's share where the sum at a position is raised to `alpha` at every edge."""
    sums: list[float] = [1.0]
    ways: list[dict[tuple, float]] = [{(): 1.0}]
    for end in range(1, len(text) + 1):
        edges = [
            (start, text[start:end], float(chance))
            for start in range(end)
            if ways[start]
            and (chance := chances.get(text[start:end], 0) or (unknown if start == end - 1 else 0))
        ]
        weights = [sums[start] * chance**alpha for start, _, chance in edges]
        sums.append(math.fsum([(sums[start] * chance) ** alpha for start, _, chance in edges]))
        ways.append(
            {
                (*path, piece): share * weight / math.fsum(weights)
                for (start, piece, _), weight in zip(edges, weights, strict=True)
                for path, share in ways[start].items()
            }
        )
    return ways[-1]
