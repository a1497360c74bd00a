"""The computations behind the claims of research papers, on cases small enough to try them all."""

from lessons.claims.values import Computed, Value, yes_or_no
from tokenizers.experiments.best_merges import (
    best_merges,
    greedy_merges,
    splits_after,
    tokens_in,
)
from tokenizers.experiments.small_corpora import words


def greedy_share(length: int, letters: str, merges: int) -> Computed:
    """Which part of the best saving greedy merges save, at the least, of all texts of a length."""
    shares: dict[str, float] = {}
    for text in words(length, letters):
        if letters.startswith("".join(dict.fromkeys(text))):  # the rest are the same, renamed
            left = tokens_in(splits_after({text: 1}, greedy_merges({text: 1}, merges)), [1])
            shares[text] = (length - left) / (length - best_merges({text: 1}, merges).tokens)
    worst = min(shares, key=shares.__getitem__)
    values: dict[str, Value] = {"at least 0.333": yes_or_no(shares[worst] >= 1 / 3)}
    less = sum(share < 1 for share in shares.values())
    facts: dict[str, Value] = {"texts": len(shares), "less": less, "worst": worst}
    return Computed(values, facts | {"share": shares[worst], "length": length, "merges": merges})
