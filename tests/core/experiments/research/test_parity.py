"""Parity-aware BPE: against the plain version, and against counting all texts anew."""

from collections import Counter
from collections.abc import Iterator, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers import bpe
from tokenizers.experiments.research.parity import (
    ALL,
    ParityCorpora,
    Turn,
    train,
    train_plainly,
)
from tokenizers.measures.metrics import gini
from tokenizers.merging.queue import TIE_RULES
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline

many = examples(1_000)
WORDS = st.dictionaries(st.text("abc", min_size=1, max_size=6), st.integers(1, 4), max_size=4)
CORPORA = st.dictionaries(
    st.sampled_from("xyz"), st.tuples(WORDS, WORDS), min_size=1, max_size=3
).map(
    lambda texts: ParityCorpora(
        {one: Corpus.from_counts(learned) for one, (learned, _) in texts.items()},
        {one: Corpus.from_counts(same) for one, (_, same) in texts.items()},
    )
)


def fast(corpora: ParityCorpora, ties: str, merges: int, together: int) -> list[tuple]:
    run, queue, _ = train(corpora, bpe.Settings(num_merges=merges, ties=ties), together)
    pairs = [step.pair for step in run]
    return [
        (turn.language, pair, turn.count) for turn, pair in zip(queue.turns, pairs, strict=True)
    ]


def letters(corpora: Mapping[str, Corpus]) -> dict[str, dict[tuple[str, ...], int]]:
    return {
        one: {tuple(word): count for word, count in corpus.word_counts.items()}
        for one, corpus in corpora.items()
    }


@many
@given(CORPORA, st.sampled_from(TIE_RULES), st.integers(0, 12), st.integers(0, 6))
def test_the_fast_one_is_the_plain_one(corpora, ties, merges, together):
    plain = train_plainly(letters(corpora.training), letters(corpora.parallel), ties, together)
    assert fast(corpora, ties, merges, together) == [
        row for _, row in zip(range(merges), plain, strict=False)
    ]


def joined(text: str, pair: tuple[str, str]) -> str:
    """A text of symbols between spaces, words between lines, with the pair joined from the left."""
    symbols, out = text.split(" "), list[str]()
    while symbols:
        if tuple(symbols[:2]) == pair:
            out.append("".join(pair))
            del symbols[:2]
        else:
            out.append(symbols.pop(0))
    return " ".join(out)


def by_hand(corpora: ParityCorpora, merges: int) -> Iterator[tuple[str, tuple[str, str], int]]:
    """Every word written out as often as it occurs, all counted anew; the last pair wins a tie."""
    texts = [
        {
            one: [
                " ".join(word) for word, count in corpus.word_counts.items() for _ in range(count)
            ]
            for one, corpus in part.items()
        }
        for part in (corpora.training, corpora.parallel)
    ]
    for _ in range(merges):
        learned, same = texts
        sizes = {one: sum(len(word.split(" ")) for word in words) for one, words in same.items()}
        pairs = {
            one: Counter(
                (a, b)
                for word in words
                for a, b in zip(word.split(" "), word.split(" ")[1:], strict=False)
            )
            for one, words in learned.items()
        }
        for one in sorted(sizes, key=lambda one: (-sizes[one], list(sizes).index(one))):
            if pairs[one]:
                break
        else:
            return
        count, pair = max((count, pair) for pair, count in pairs[one].items())
        yield one, pair, count
        texts = [{a: [joined(word, pair) for word in b] for a, b in part.items()} for part in texts]


@many
@given(CORPORA, st.integers(0, 12))
def test_it_is_what_counting_everything_anew_gives(corpora, merges):
    assert fast(corpora, "largest_string", merges, 0) == list(by_hand(corpora, merges))


@many
@given(CORPORA, st.sampled_from(TIE_RULES), st.integers(0, 12))
def test_chosen_by_all_it_is_ordinary_bpe(corpora, ties, merges):
    trace = Trace.record(corpora.joint, bpe.Settings(num_merges=merges, ties=ties))
    found = fast(corpora, ties, merges, merges)
    assert [row[1:] for row in found] == list(zip(trace.pairs, trace.counts, strict=True))
    assert {row[0] for row in found} <= {ALL}


@many
@given(CORPORA, st.integers(0, 12))
def test_the_lengths_are_those_of_the_parallel_texts_split_by_the_merges_so_far(corpora, merges):
    run, queue, state = train(corpora, bpe.Settings(num_merges=merges))
    pairs = [step.pair for step in run]
    for k, turn in enumerate(queue.turns):
        ranks = {pair: rank for rank, pair in enumerate(pairs[:k])}
        assert len(set(pairs)) < len(pairs) or turn.lengths == tuple(
            sum(
                len(bpe.split_word(word, bpe.Model(state.vocab, ranks, bpe.Settings(), Pipeline())))
                * count
                for word, count in corpus.word_counts.items()
            )
            for corpus in corpora.parallel.values()
        )


def test_a_small_run_by_hand():
    """Worst off: y, with 6 letters to 4; after one merge both have 4, and the first one chooses."""
    corpora = ParityCorpora(
        {"x": Corpus.from_counts({"ab": 9}), "y": Corpus.from_counts({"cde": 1})},
        {"x": Corpus.from_counts({"ab": 2}), "y": Corpus.from_counts({"cde": 2})},
    )
    run, queue, state = train(corpora, bpe.Settings())
    assert [step.token for step in run] == ["cd", "ab", "cde"]
    assert queue.turns == [
        Turn("y", ("c", "d"), 1, (4, 6)),
        Turn("x", ("a", "b"), 9, (4, 4)),
        Turn("y", ("cd", "e"), 1, (2, 4)),
    ]
    assert state.splits == [("ab",), ("cde",)]


def test_a_language_without_pairs_leaves_the_turn_to_the_next():
    corpora = ParityCorpora(
        {"x": Corpus.from_counts({"ab": 1}), "y": Corpus.from_counts({"c": 1})},
        {"x": Corpus.from_counts({"ab": 1}), "y": Corpus.from_counts({"cc": 9})},
    )
    assert fast(corpora, "first_seen", 5, 0) == [("x", ("a", "b"), 1)]


def test_languages_without_a_parallel_text_are_rejected():
    with pytest.raises(ValueError, match="parallel text"):
        ParityCorpora({"x": Corpus.from_counts({"ab": 1})}, {})


@many
@given(st.lists(st.integers(1, 500), min_size=1, max_size=8))
def test_gini_is_half_the_mean_difference_by_the_mean(costs):
    mean = sum(costs) / len(costs)
    pairs = [abs(a - b) for a in costs for b in costs]
    assert gini(costs) == pytest.approx(sum(pairs) / len(pairs) / 2 / mean)


def test_gini_of_known_lists():
    assert gini([7, 7, 7]) == 0
    assert gini([1, 3]) == 0.25
    assert gini([]) == 0
