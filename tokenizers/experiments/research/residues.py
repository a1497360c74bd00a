"""Merge residues: tokens that BPE makes on the way to longer ones, but hardly ever leaves.

Sun, Yang, Lin and Zhang, "LiteToken: Removing Intermediate Merge Residues From BPE Tokenizers"
(2026), divide how often a token is left in the end by how often it was made at all; a residue has a
low ratio. A removed residue is still made while a word is merged. If one is left, it is split into
its parts, and what is left is merged again without making another. The paper also keeps candidates
whose neighbors vary a lot, and counts in a large corpus; here the ratio alone decides.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tokenizers import plain
from tokenizers.bpe.encoding import MergeStep, merge_steps, split_after
from tokenizers.merging.state import Pair
from tokenizers.record.trace import Trace
from tokenizers.text.symbols import Split

# --- In its plainest form -------------------------------------------------------------------------


def count_plainly(
    splits: Sequence[Split], word_counts: Sequence[int], ranks: Mapping[Pair, int]
) -> tuple[Counter[str], Counter[str]]:
    """Encode all words; return how often each token was made, and how often it is left.

    >>> made, left = count_plainly([("l", "o", "w")], [3], {("l", "o"): 0, ("lo", "w"): 1})
    >>> made["lo"], left["lo"]
    (3, 0)
    """
    made, left = Counter[str](), Counter[str]()
    for split, count in zip(splits, word_counts, strict=True):
        while known := [(ranks[p], i) for i, p in enumerate(pairwise(split)) if p in ranks]:
            _, i = min(known)
            split = (*split[:i], split[i] + split[i + 1], *split[i + 2 :])
            made[split[i]] += count
        for token in split:
            left[token] += count
    return made, left


def encode_plainly(split: Split, ranks: Mapping[Pair, int], residues: AbstractSet[str]) -> Split:
    """Encode with all merges, split the residues that are left, and merge again without them.

    >>> encode_plainly(("l", "o", "w"), {("l", "o"): 0, ("lo", "w"): 1}, {"lo"})
    ('low',)
    >>> encode_plainly(("l", "o", "t"), {("l", "o"): 0, ("lo", "w"): 1}, {"lo"})
    ('l', 'o', 't')
    """
    parts = {"".join(pair): pair for pair in sorted(ranks, key=lambda pair: -ranks[pair])}
    split = plain.encode_bpe(split, ranks)
    while any(token in residues for token in split):
        split = tuple(p for t in split for p in (parts[t] if t in residues else (t,)))
    kept = {pair: rank for pair, rank in ranks.items() if "".join(pair) not in residues}
    return plain.encode_bpe(split, kept)


# --- From what is recorded ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TokenUses:
    """How often merges made each token in a text, and how often it is left in the end."""

    made: Mapping[str, int]
    left: Mapping[str, int]

    def ratio(self, token: str) -> float:
        """Return the share of a token's occurrences that are left: the paper's FI ratio."""
        return self.left.get(token, 0) / self.made[token]

    def residues(self, share: float = 0) -> list[str]:
        """Return the tokens of which at most `share` is left, in the order they came up."""
        return [token for token in self.made if self.ratio(token) <= share]


def uses_after(trace: Trace[Any], k: int) -> TokenUses:
    """Return the uses of the tokens in the words trained on, after step `k` of a run."""
    made = Counter[str]()
    for token, num_applied in zip(trace.tokens[:k], trace.num_applied[:k], strict=True):
        made[token] += num_applied
    return TokenUses(made, trace.state(k).token_counts)


def count_uses(words: Iterable[tuple[Sequence[MergeStep], Sequence[str], int]]) -> TokenUses:
    """Return the uses in a text's words, each with its merges, its tokens, and its count."""
    made, left = Counter[str](), Counter[str]()
    for steps, tokens, count in words:
        for step in steps:
            made["".join(step.pair)] += count
        for token in tokens:
            left[token] += count
    return TokenUses(made, left)


@dataclass(frozen=True)
class RanksWithout(Mapping[Pair, int]):
    """The ranks of the merges that make no residue."""

    ranks: Mapping[Pair, int]
    residues: AbstractSet[str]

    def __getitem__(self, pair: Pair) -> int:
        if "".join(pair) in self.residues:
            raise KeyError(pair)
        return self.ranks[pair]

    def get(self, pair: Any, default: Any = None) -> Any:
        if None in pair or "".join(pair) in self.residues:
            return default
        return self.ranks.get(pair, default)

    def __iter__(self) -> Iterator[Pair]:
        return (pair for pair in self.ranks if "".join(pair) not in self.residues)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def split_residues(
    tokens: Iterable[str], residues: AbstractSet[str], parts_of: Callable[[str], Pair]
) -> Split:
    """Return the tokens with every residue split into its parts, and these in turn."""
    found, waiting = list[str](), [*tokens][::-1]
    while waiting:
        token = waiting.pop()
        if token in residues:
            waiting += parts_of(token)[::-1]
        else:
            found.append(token)
    return tuple(found)


def encode_without(
    tokens: Split,
    ranks: Mapping[Pair, int],
    residues: AbstractSet[str],
    parts_of: Callable[[str], Pair],
) -> Split:
    """Return a word's tokens after the residues among them are removed from the vocabulary.

    They are split, and what is left is merged again by all merges that make no residue.
    """
    if residues.isdisjoint(tokens):
        return tokens
    split = split_residues(tokens, residues, parts_of)
    return split_after(split, merge_steps(split, RanksWithout(ranks, residues)))
