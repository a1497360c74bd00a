"""WordPiece by likelihood: merge the pair that makes the corpus most likely, as often described.

WordPiece's paper leaves the language model open. Here it is the simplest, a unigram model, in which
a token's probability is its relative frequency. The *gain* of a pair is the increase of the
corpus's log-likelihood when the pair is merged and the frequencies are recomputed. Every merge
changes the number of tokens and so every gain. All gains are recomputed at every step, so use this
only for small corpora.
"""

import math
from collections.abc import Iterator, Mapping

from tokenizers.merging.state import Merge, Pair, State, merged_token, token_count_deltas
from tokenizers.text.corpus import Corpus
from tokenizers.wordpiece.settings import Settings
from tokenizers.wordpiece.training import start

TIE_EPS = 1e-9
"""Gains, in nats, that differ by less count as equal, because rounding may be the cause."""


def gain(tokens: Mapping[str, int], changes: Mapping[str, int]) -> float:
    """Return by how many nats a corpus's log-likelihood grows when `changes` are added to `tokens`.

    >>> round(gain({"a": 2, "b": 2}, {"a": -2, "b": -2, "ab": 2}), 4)  # now certain: 4 log 2
    2.7726
    """
    before = sum(tokens.values())
    after = before + sum(changes.values())
    return math.fsum(
        [
            *(_count_log_count(tokens.get(token, 0) + change) for token, change in changes.items()),
            *(-_count_log_count(tokens.get(token, 0)) for token in changes),
            _count_log_count(before) - _count_log_count(after),
        ]
    )


def _count_log_count(count: int) -> float:
    return count * math.log(count) if count else 0.0


def gains(state: State) -> dict[Pair, float]:
    """Return the gain of every pair of a corpus."""
    found, tokens = dict[Pair, float](), state.token_counts
    for pair, count in state.pair_counts.items():
        merged = (
            state.merge(pair).num_applied if pair[0] == pair[1] else count
        )  # it may overlap itself
        found[pair] = gain(tokens, token_count_deltas(pair, merged_token(pair, state.mark), merged))
    return found


def train_by_likelihood(corpus: Corpus, settings: Settings) -> Iterator[tuple[Merge, float]]:
    """Yield each merge with its gain, as long as some merge makes the corpus more likely.

    Among tied pairs, the first seen is merged. Of the settings, only the base, the marks and
    `num_merges` are used.
    """
    state = start(corpus, settings)
    done = 0
    while state.pair_counts and (settings.num_merges is None or done < settings.num_merges):
        found = gains(state)
        most = max(found.values())
        if most <= TIE_EPS:
            return
        pair = next(pair for pair in found if found[pair] >= most - TIE_EPS)
        step = state.merge(pair)
        state.apply(step)
        yield step, found[pair]
        done += 1
