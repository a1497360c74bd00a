"""Edits of a vocabulary: against training anew, and against naive code."""

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers import bpe
from tokenizers.bpe.vocabulary_edit import (
    WithAddedTokens,
    with_first_merges,
    with_more_merges,
    without_pieces,
)
from tokenizers.errors import UserError
from tokenizers.plain import encode_bpe, train_merges
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus

COUNTS = st.dictionaries(st.text("abc", min_size=1, max_size=6), st.integers(1, 9), min_size=1)
MERGES = 12
PLACE = st.integers(0, MERGES - 1)
"""Chooses a piece that was made, counted around: which pieces there are is not known before."""
many = examples(1_000)


def learned(counts, merges=MERGES) -> bpe.Model:
    return Trace.record(Corpus.from_counts(counts), bpe.Settings(num_merges=merges)).model()


@many
@given(COUNTS, st.integers(0, 12))
def test_the_first_merges_are_those_of_a_shorter_run(counts, merges):
    found, expected = with_first_merges(learned(counts), merges), learned(counts, merges)
    assert (found.vocab, found.ranks) == (expected.vocab, expected.ranks)


@many
@given(COUNTS, st.sets(PLACE, min_size=1, max_size=2))
def test_what_cannot_be_made_goes_along_and_nothing_else(counts, places):
    model = learned(counts)
    made = sorted({a + b for a, b in model.ranks})
    if not made:
        return
    gone = {made[place % len(made)] for place in places}
    left = without_pieces(model, gone, renumbered=False)
    # Plainly: begin with single characters, and make what can be made until nothing is new.
    there = {piece for piece in model.vocab if piece not in made}
    for _ in model.ranks:
        there |= {a + b for a, b in model.ranks if a in there and b in there and a + b not in gone}
    assert set(left.vocab) == there
    assert all(model.vocab[piece] == id_ for piece, id_ in left.vocab.items())
    ranks = {pair: rank for pair, rank in model.ranks.items() if {*pair, "".join(pair)} <= there}
    for word in counts:
        assert left.encode(word).pieces == encode_bpe(tuple(word), ranks)


@many
@given(COUNTS, PLACE)
def test_closed_gaps_leave_the_order(counts, place):
    model = learned(counts)
    made = sorted({a + b for a, b in model.ranks})
    if not made:
        return
    gone = {made[place % len(made)]}
    gaps, closed = (without_pieces(model, gone, renumbered) for renumbered in (False, True))
    assert sorted(closed.vocab.values()) == list(range(len(closed.vocab)))
    assert sorted(closed.vocab, key=closed.vocab.__getitem__) == sorted(
        gaps.vocab, key=gaps.vocab.__getitem__
    )
    for word in counts:
        assert closed.encode(word).tokens == gaps.encode(word).tokens
        assert closed.decode(closed.encode(word).ids) == word


@many
@given(
    COUNTS,
    st.lists(st.text("abc", min_size=1, max_size=3), max_size=3),
    st.text("abc", max_size=12),
)
def test_added_tokens_are_found_first_the_leftmost_and_longest(counts, added, text):
    model = learned(counts)
    expected: list[str] = []
    between, at = "", 0
    while at < len(text):
        here = max((one for one in added if text.startswith(one, at)), key=len, default="")
        if here:
            expected += [*model.encode(between).tokens, here]
            between, at = "", at + len(here)
        else:
            between, at = between + text[at], at + 1
    found = WithAddedTokens(model, tuple(added))
    tokens, ids = found.encode(text)
    assert list(tokens) == [*expected, *model.encode(between).tokens]
    assert [found.vocab[token] for token in tokens] == list(ids)
    assert all(found.vocab[piece] == id_ for piece, id_ in model.vocab.items())
    new = [token for token in dict.fromkeys(added) if token not in model.vocab]
    assert [found.vocab[token] - len(model.vocab) for token in new] == list(range(len(new)))


def test_a_base_symbol_cannot_be_removed():
    with pytest.raises(UserError, match="not made by a merge"):
        without_pieces(learned({"ab": 1}), {"a"}, renumbered=True)


@many
@given(COUNTS, COUNTS, st.integers(0, 6))
def test_merges_go_on_from_the_words_as_they_are_split(counts, others, more):
    model = learned(counts, 6)
    longer = with_more_merges(model, Corpus.from_counts(others), more)
    splits = [encode_bpe(model.settings.symbols(word), model.ranks) for word in others]
    run = [pair for pair, *_ in islice(train_merges(splits, list(others.values())), more)]
    assert list(longer.ranks)[: len(model.ranks)] == list(model.ranks)
    assert list(longer.ranks)[len(model.ranks) :] == [p for p in run if p not in model.ranks]
    assert all(longer.vocab[piece] == id_ for piece, id_ in model.vocab.items())
    assert sorted(longer.vocab.values()) == sorted(set(longer.vocab.values()))
    assert {a + b for a, b in longer.ranks} <= longer.vocab.keys()


@many
@given(COUNTS, st.integers(0, 6), st.integers(0, 6))
def test_going_on_with_the_same_text_is_one_longer_run(counts, first, more):
    longer = with_more_merges(learned(counts, first), Corpus.from_counts(counts), more)
    whole = learned(counts, first + more)
    assert (longer.ranks, longer.vocab) == (whole.ranks, whole.vocab)
