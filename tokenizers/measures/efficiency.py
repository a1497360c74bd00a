"""Rényi efficiency tells how evenly a text uses its tokens, as one number from 0 to 1.

It was proposed as a measure of tokenizers that needs no model (Zouhar and others, "Tokenization and
the Noiseless Channel", 2023). Two functions here raise it without making the tokenizer any better
(Cognetta and others, "Two Counterexamples …", 2024), by duplicating tokens or by splitting them
into their parts. `counts` always maps each token to its number of occurrences.
"""

import math
from collections.abc import Collection, Mapping

from tokenizers.errors import UserError
from tokenizers.merging.state import Pair

ALPHA = 2.5
"""The order α that correlated best with translation quality (Zouhar and others, 2023)."""

_LOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def renyi_entropy(counts: Mapping[str, int], alpha: float = ALPHA) -> float:
    """Return the Rényi entropy of order `alpha` in nats; order 1 is Shannon's entropy.

    The larger `alpha` is, the more weight the frequent tokens have. Raises UserError if there are
    no tokens, or if `alpha` is below 0.

    >>> math.exp(renyi_entropy({"low": 5, "tide": 5}))
    2.0
    """
    total = sum(counts.values())
    if not total or not alpha >= 0:
        raise UserError("The entropy is that of one token or more, and its order is at least 0.")
    shares = [count / total for count in counts.values() if count]
    if alpha == 1:
        return -sum(share * math.log(share) for share in shares)
    most = max(shares)
    if math.isinf(alpha):
        return -math.log(most)
    if powers := sum(share**alpha for share in shares):
        return math.log(powers) / (1 - alpha)
    relative = sum((share / most) ** alpha for share in shares)  # all powers underflowed
    return alpha / (1 - alpha) * math.log(most) + math.log(relative) / (1 - alpha)


def renyi_efficiency(counts: Mapping[str, int], alpha: float = ALPHA) -> float:
    """Return the entropy divided by the uniform distribution's entropy over the same tokens.

    The efficiency of a single token is 1. Raises UserError in the same cases as `renyi_entropy`.

    >>> round(renyi_efficiency({"low": 5, "tide": 5}), 9), renyi_efficiency({"low": 5})
    (1.0, 1.0)
    """
    entropy, kinds = renyi_entropy(counts, alpha), sum(count > 0 for count in counts.values())
    return entropy / math.log(kinds) if kinds > 1 else 1.0


def with_copies(counts: Mapping[str, int], tokens: Collection[str], copies: int) -> dict[str, int]:
    """Return the counts if each of `tokens` existed `copies` times and the copies took turns.

    >>> with_copies({"the": 5, "low": 2}, ["the"], 2)
    {'the': 3, 'the₂': 2, 'low': 2}
    """
    found: dict[str, int] = {}
    for token, count in counts.items():
        names = [token, *(token + str(n).translate(_LOW) for n in range(2, copies + 1))]
        for n, name in enumerate(names if token in tokens else [token]):
            found[name] = (count + copies - 1 - n) // copies if token in tokens else count
    return {name: count for name, count in found.items() if count}


def with_split_tokens(
    counts: Mapping[str, int], tokens: Collection[str], parts: Mapping[str, Pair]
) -> dict[str, int]:
    """Return the counts if each of `tokens` is replaced by the two parts that it was merged from.

    A part that is itself one of `tokens` is split too. `parts` maps each merged token to its parts.

    >>> with_split_tokens({"the": 5, "e": 1}, ["the"], {"the": ("th", "e")})
    {'th': 5, 'e': 6}
    """
    found: dict[str, int] = {}
    waiting = list(counts.items())[::-1]
    while waiting:
        token, count = waiting.pop()
        if token in tokens and token in parts:
            waiting += [(part, count) for part in parts[token][::-1]]
        else:
            found[token] = found.get(token, 0) + count
    return found
