"""Forced choices: up to them the run is the same, after them that of the plain code."""

from collections.abc import Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.call_counts import examples
from tests.core.bpe.test_laws import CORPORA, SETTINGS
from tests.core.wordpiece.test_wordpiece_laws import BY_SCORE
from tests.oracles import may_merge, often_enough
from tokenizers import bpe, plain
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus

many = examples(300)


def worth_of(settings):
    if settings.by_score:
        return often_enough(plain.scores, settings.min_count)
    return may_merge(settings)


def pairs_from(trace: Trace, k: int) -> Sequence[tuple[str, str]]:
    """The merges that the plain code makes after step `k`."""
    state, settings = trace.state(k), trace.settings
    counts = list(trace.corpus.word_counts.values())
    run = plain.train_merges(
        state.splits, counts, worth_of(settings), settings.ties, settings.mark, state.vocab
    )
    return [pair for pair, *_ in run]


@many
@given(CORPORA, SETTINGS | BY_SCORE, st.data())
def test_a_branch_at_a_tie_goes_on_as_the_plain_code(corpus, settings, data):
    whole = Trace.record(corpus, settings)
    ties = [k for k, tied in enumerate(whole.num_tied, start=1) if tied > 1]
    assume(ties)
    k = data.draw(st.sampled_from(ties))
    tied = whole.state(k - 1).tied_candidates()
    assert len(tied) == whole.num_tied[k - 1]
    assert whole.pairs[k - 1] in tied
    pair = data.draw(st.sampled_from(tied))
    other = Trace.record(corpus, settings, forced_choices={k: pair})
    assert other.pairs[: k - 1] == whole.pairs[: k - 1]
    assert other.pairs[k - 1] == pair
    assert other.num_tied[k - 1] == whole.num_tied[k - 1]
    assert other.pairs[k:] == pairs_from(other, k)
    assert (other.pairs == whole.pairs) == (pair == whole.pairs[k - 1])


def test_a_pair_that_does_not_tie_is_rejected():
    corpus = Corpus({"hug": 10, "pug": 5})
    with pytest.raises(ValueError, match=r"The pair h \+ u does not tie"):
        Trace.record(corpus, bpe.Settings(), forced_choices={1: ("h", "u")})
