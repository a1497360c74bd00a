"""Variants of a run by hand are as hard as the first, whatever the seed."""

import random
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.texts import TEXTS
from pages.shared.export.worksheets.tasks import equal_difficulty, variants
from pages.shared.export.worksheets.tasks.variants import (
    best_cross,
    cross_words,
    difficulty,
    permuted_corpus,
)
from tests.call_counts import examples
from tokenizers import bpe, plain, wordpiece
from tokenizers.errors import UserError
from tokenizers.merging.queue import TIE_RULES
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus
from tokenizers.wordpiece.settings import CONVENTIONS

SMALL = ("b1", "b2", "b4", "b5", "w1", "course", "u4", "hats")
WORDS = st.text("abcdeu</é ء", min_size=1, max_size=5)
CORPORA = st.dictionaries(WORDS, st.integers(1, 5), min_size=1, max_size=4).map(Corpus)
SETTINGS = st.builds(
    bpe.Settings,
    base=st.sampled_from(("characters", "end_of_word", "bytes")),
    num_merges=st.integers(0, 5),
    min_count=st.integers(1, 2),
    ties=st.sampled_from(TIE_RULES),
) | st.builds(
    wordpiece.Settings,
    num_merges=st.integers(0, 5),
    convention=st.sampled_from(CONVENTIONS),
    ties=st.sampled_from(TIE_RULES),
)


def corpus_of(name: str) -> Corpus:
    sample = TEXTS[name]
    return Corpus(sample.counts) if sample.counts else Corpus.from_text(sample.text or "")


def drawn(trace: Trace, number: int, seed: int) -> list[Trace]:
    """The runs, or those that there are where there are not as many."""
    try:
        return variants.variants(trace, number, seed)
    except UserError as refusal:
        (fewer,) = re.findall(r"Ask for (\d+), or train on more words\.$", str(refusal))
        return variants.variants(trace, int(fewer), seed)


@examples(60)
@given(CORPORA, SETTINGS, st.integers(1, 10**6))
def test_every_draw_is_as_hard_as_the_first(corpus, settings, seed):
    trace = Trace.record(corpus, settings)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equal_difficulty, "DRAWS", 20)  # enough to find some, and to find none
        runs = drawn(trace, 3, seed)
    assert runs[0] is trace
    texts = [tuple(run.corpus.word_counts.items()) for run in runs]
    assert len(set(texts)) == len(texts)
    for run in runs:
        assert (len(run), run.num_tied) == (len(trace), trace.num_tied)
        assert sorted(run.corpus.word_counts.values()) == sorted(corpus.word_counts.values())
        assert [*map(len, run.words)] == [*map(len, trace.words)]
        pairs = [
            plain.count_pairs(each.state(0).splits, list(each.corpus.word_counts.values()))
            for each in (run, trace)
        ]
        assert len(pairs[0]) == len(pairs[1])


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("make", [bpe.Settings, wordpiece.Settings])
def test_our_small_corpora_give_a_sheet_to_everybody_in_a_class(name, make):
    trace = Trace.record(corpus_of(name), make(num_merges=4))
    cross = best_cross(trace)
    assert cross
    runs = variants.variants(trace, 30, 1)
    assert len({tuple(run.corpus.word_counts.items()) for run in runs}) == 30
    assert {difficulty(run, cross) for run in runs} == {difficulty(trace, cross)}
    assert all(cross_words(run, cross) not in run.words for run in runs)


def test_the_same_seed_draws_the_same_and_a_larger_number_only_more():
    trace = Trace.record(corpus_of("b2"), bpe.Settings(num_merges=5))
    words = [run.words for run in variants.variants(trace, 9, 7)]
    assert [run.words for run in variants.variants(trace, 5, 7)] == words[:5]
    assert [run.words for run in variants.variants(trace, 9, 8)] != words


def test_what_is_measured_tells_runs_apart():
    """Else everything would be equally hard: one more tie, or one word fewer with the pair."""
    settings = bpe.Settings(num_merges=2)
    trace, tie = (
        Trace.record(Corpus(words), settings)
        for words in ({"abc": 3, "abd": 2}, {"abc": 3, "cbd": 2})
    )
    assert difficulty(trace, None) != difficulty(tie, None)
    cross = best_cross(trace)
    assert replace(difficulty(trace, cross), splitting=0) == difficulty(trace, None)


def test_words_that_cannot_be_changed_raise_a_user_error():
    trace = Trace.record(Corpus({"aaaa": 2}), bpe.Settings(num_merges=2))
    with pytest.raises(UserError, match="give only one sheet of the same difficulty"):
        variants.variants(trace, 2, 1)


def test_letters_change_offsets_with_their_like():
    corpus = Corpus({"Dada-12": 1, "dúo": 2, "ДОМ": 1, "ßx": 1, "שלום": 3})
    for seed in range(20):
        other = permuted_corpus(corpus, random.Random(seed))
        for was, now in zip(corpus.word_counts, other.word_counts, strict=True):
            for before, after in zip(was, now, strict=True):
                assert equal_difficulty._kind(before.lower()) == equal_difficulty._kind(
                    after.lower()
                )
                assert before.isupper() == after.isupper()
                assert before.isalpha() or before == after
