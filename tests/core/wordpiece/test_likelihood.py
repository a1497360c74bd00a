"""WordPiece by likelihood: every gain against the whole corpus, merged and counted again."""

import itertools
import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tests.core.bpe.test_laws import WORDS
from tokenizers.merging.state import find_pair, join_at, merged_token
from tokenizers.text.corpus import Corpus
from tokenizers.wordpiece import Settings, score, start
from tokenizers.wordpiece.likelihood import gain, gains, train_by_likelihood

many = examples(1_000)
CORPORA = st.dictionaries(WORDS, st.integers(1, 5), min_size=1, max_size=5)


def log_likelihood(splits, counts) -> float:
    """What a unigram model says of a corpus, whose shares are those of the corpus itself."""
    tokens: Counter[str] = Counter()
    for split, count in zip(splits, counts, strict=True):
        for token in split:
            tokens[token] += count
    total = tokens.total()
    return sum(count * math.log(count / total) for count in tokens.values())


def merged(splits, pair):
    return [join_at(split, find_pair(split, pair), merged_token(pair, "##")) for split in splits]


@many
@given(CORPORA)
def test_a_gain_is_what_counting_everything_again_gives(counts):
    corpus = Corpus.from_counts(counts)
    state = start(corpus, Settings())
    splits, times = list(state.splits), list(corpus.word_counts.values())
    before = log_likelihood(splits, times)
    for pair, found in gains(state).items():
        after = log_likelihood(merged(splits, pair), times)
        assert found == pytest.approx(after - before, abs=1e-6)


@many
@given(CORPORA, st.integers(0, 5))
def test_training_takes_the_best_pair_at_every_step(counts, merges):
    corpus = Corpus.from_counts(counts)
    splits = list(start(corpus, Settings()).splits)
    times = list(corpus.word_counts.values())
    steps = list(train_by_likelihood(corpus, Settings(num_merges=merges)))
    for step, found in steps:
        before = log_likelihood(splits, times)
        pairs = {pair for split in splits for pair in itertools.pairwise(split)}
        best = max(log_likelihood(merged(splits, pair), times) for pair in pairs)
        assert found == pytest.approx(best - before, abs=1e-6)
        splits = merged(splits, step.pair)
        assert log_likelihood(splits, times) == pytest.approx(before + found, abs=1e-6)
    if len(steps) < merges:
        pairs = {pair for split in splits for pair in itertools.pairwise(split)}
        now = log_likelihood(splits, times)
        assert all(log_likelihood(merged(splits, pair), times) <= now + 1e-6 for pair in pairs)


def test_nothing_changes_nothing():
    assert gain({"a": 2}, {}) == 0
    assert list(train_by_likelihood(Corpus.from_counts({"a": 3}), Settings())) == []


def test_the_score_is_not_the_gain():
    corpus = Corpus.from_counts({"sunflower": 1, "sun": 2, "flow": 9, "flows": 3})
    state = start(corpus, Settings())
    found = gains(state)
    by_gain = max(found, key=found.__getitem__)
    assert by_gain != max(state.pair_counts, key=lambda pair: score(state, pair))


def test_counts_so_large_that_rounding_is_more_than_what_counts_as_equal():
    corpus = Corpus.from_counts({"aba": 10**11, "ab": 10**10})
    steps = list(train_by_likelihood(corpus, Settings(num_merges=3)))
    assert steps[0][0].pair == ("a", "##b")
