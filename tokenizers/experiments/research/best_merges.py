"""Find the optimal merges by exhaustive search, for comparison with BPE's greedy choice.

The *best* merges leave the fewest tokens. Every pair may come first, and each choice leads to other
pairs, so the search is feasible only for tiny corpora; the problem is NP-hard (Whittington and
others 2024, Kozma and Voderholzer 2024). As in BPE, a merge applies everywhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tokenizers.errors import UserError
from tokenizers.merging.state import Pair
from tokenizers.plain import Split, count_pairs, merge, train_merges

MAX_STATES = 20_000
"""The limit on search states (splits of all words); that many take a few seconds."""


@dataclass(frozen=True, slots=True)
class BestMerges:
    """The best further merges of a corpus, for a given number of merges.

    `tokens` is the minimum number of tokens, `merges` the first sequence of merges that reaches it,
    `num_orders` the number of all sequences, and `num_optimal` how many reach the minimum.
    """

    tokens: int
    merges: tuple[Pair, ...]
    num_orders: int
    num_optimal: int


def best_merges(
    word_counts: Mapping[str, int], num_merges: int, first: Sequence[Pair] = ()
) -> BestMerges:
    """Return the best merges of a corpus, starting from characters.

    The merges `first` are already done and count toward `num_merges`. Sequences that reach the same
    splits are continued only once. Raises UserError if there are more than `MAX_STATES` states.

    >>> best_merges({"thorn": 3, "art": 4, "forth": 3}, 2).merges
    (('t', 'h'), ('o', 'r'))
    """
    splits = splits_after(word_counts, first)
    return _best_from(splits, tuple(word_counts.values()), num_merges - len(first), {})


def _best_from(
    splits: Sequence[Split],
    counts: Sequence[int],
    num_merges: int,
    known: dict[tuple[int, tuple[Split, ...]], BestMerges],
) -> BestMerges:
    """Return the best `num_merges` further merges of these splits; `known` caches results."""
    key = num_merges, tuple(splits)
    if key in known:
        return known[key]
    if len(known) >= MAX_STATES:
        raise UserError(
            "There are too many orders of merges to try them all. Ask for fewer merges."
        )
    pairs = count_pairs(splits, counts)
    if num_merges and pairs:
        after: dict[Pair, BestMerges] = {}
        for pair in pairs:
            merged = [merge(split, pair) for split in splits]
            after[pair] = _best_from(merged, counts, num_merges - 1, known)
        first = min(after, key=lambda pair: after[pair].tokens)
        fewest = after[first].tokens
        found = BestMerges(
            fewest,
            (first, *after[first].merges),
            sum(rest.num_orders for rest in after.values()),
            sum(rest.num_optimal for rest in after.values() if rest.tokens == fewest),
        )
    else:
        found = BestMerges(num_tokens(splits, counts), (), 1, 1)
    known[key] = found
    return found


def greedy_merges(word_counts: Mapping[str, int], num_merges: int) -> tuple[Pair, ...]:
    """Return BPE's merges; of tied pairs, the one seen first is merged.

    >>> greedy_merges({"thorn": 3, "art": 4, "forth": 3}, 2)
    (('r', 't'), ('a', 'rt'))
    """
    run = train_merges([tuple(word) for word in word_counts], list(word_counts.values()))
    return tuple([step[0] for step, _ in zip(run, range(num_merges), strict=False)])


def splits_after(word_counts: Mapping[str, int], merges: Sequence[Pair]) -> tuple[Split, ...]:
    """Return the words after these merges.

    >>> splits_after({"thorn": 3}, [("t", "h"), ("o", "r")])
    (('th', 'or', 'n'),)
    """
    splits = [tuple(word) for word in word_counts]
    for pair in merges:
        splits = [merge(split, pair) for split in splits]
    return tuple(splits)


def num_tokens(splits: Sequence[Split], counts: Sequence[int]) -> int:
    """Return the words' total number of tokens, with each word weighted by its count."""
    return sum(len(split) * count for split, count in zip(splits, counts, strict=True))
