"""BPE across the borders of words: against counting every pair of every line anew."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.texts import TEXTS
from tests.call_counts import examples
from tokenizers import bpe
from tokenizers.bpe.superwords import (
    LINES,
    SuperwordSettings,
    is_all_letters,
    is_border,
    is_superword,
    train_plainly,
    words_of,
)
from tokenizers.errors import UserError
from tokenizers.merging.state import Pair
from tokenizers.plain import choose, count_pairs, merge
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus
from tokenizers.text.symbols import Split

TEXT = st.text("abc' \n,1▁", max_size=40)
FEW_WORDS = st.lists(st.sampled_from(["a", "ab", "abc", "a,", "b1", "\n"]), max_size=24).map(
    " ".join
)
RULES = st.sampled_from(["first_seen", "smallest_ids", "smallest_string", "largest_string"])
many = examples(1_000)


def record(text: str, **settings) -> Trace[SuperwordSettings]:
    return Trace.record(Corpus.from_text(text, LINES), SuperwordSettings(**settings))


def lines_of(text: str) -> list[Split]:
    lines = [line.strip() for line in text.split("\n")]
    marked = [line if line.startswith("▁") else f"▁{line}" for line in lines if line]
    return [tuple(line.replace(" ", "▁")) for line in marked]


def superbpe(text: str, inside: int, merges: int, ties: str) -> Iterator[tuple]:
    """Count all pairs of all lines at every step; the first ones without those across a border."""
    splits = lines_of(text)
    vocab = sorted({symbol for split in splits for symbol in split})
    for n in range(merges):
        counts = count_pairs(splits, [1] * len(splits))
        within = {pair: count for pair, count in counts.items() if not is_border(*pair)}
        if n < inside and not within:
            inside = n  # nothing is left inside words
        counts = within if n < inside else counts
        if not counts:
            return
        best = max(counts.values())
        pair = choose([one for one in counts if counts[one] == best], ties, vocab)
        splits = [merge(split, pair) for split in splits]
        vocab.append("".join(pair))
        yield pair, best, splits


@many
@given(TEXT | FEW_WORDS, st.integers(0, 8), st.integers(0, 12), RULES)
def test_superbpe_merges_what_counting_anew_merges(text, inside, merges, ties):
    trace = record(text, num_merges=merges, crossing="after", inside=inside, ties=ties)
    expected = list(superbpe(text, inside, merges, ties))
    assert [*zip(trace.pairs, trace.counts, strict=True)] == [row[:2] for row in expected]


@many
@given(TEXT | FEW_WORDS, st.integers(0, 25), RULES)
def test_boundless_bpe_is_the_plain_one(text, merges, ties):
    trace = record(text, num_merges=merges, ties=ties)
    lines = [words_of(split) for split in lines_of(text)]
    expected = list(train_plainly(lines, merges, ties))
    assert [*zip(trace.pairs, trace.counts, strict=True)] == [row[:2] for row in expected]
    if expected:
        flat = [tuple(symbol for word in line for symbol in word) for line in expected[-1][2]]
        distinct = dict.fromkeys(lines_of(text))
        last = {"".join(split): split for split in flat}
        assert [last["".join(line)] for line in distinct] == trace.state(len(trace)).splits


def mergeable(split: Split) -> Counter[Pair]:
    """Count the pairs inside words, and those of two whole words of letters."""
    places = [0, *(i for i in range(1, len(split)) if is_border(*split[i - 1 : i + 1])), len(split)]
    whole = {start for start, end in pairwise(places) if end - start == 1}
    found: Counter[Pair] = Counter()
    for i, pair in enumerate(pairwise(split)):
        if i + 1 not in places or ({i, i + 1} <= whole and is_all_letters(*pair)):
            found[pair] += 1
    return found


@many
@given(TEXT | FEW_WORDS, st.integers(0, 25))
def test_every_merge_is_the_most_frequent_that_is_allowed(text, merges):
    trace = record(text, num_merges=merges)
    for k in range(len(trace) + 1):
        state, counts = trace.state(k), Counter()
        for split, times in zip(state.splits, trace.corpus.word_counts.values(), strict=True):
            for pair, n in mergeable(split).items():
                counts[pair] += n * times
        assert state.pair_counts == counts
        if k < len(trace):
            assert counts[trace.pairs[k]] == max(counts.values()) == trace.counts[k]
        elif k < merges:
            assert not counts


def by_rank(line: Split, pairs: list[Pair]) -> Split:
    """Apply each merge in the order of training, wherever it is allowed, as the authors do."""
    for pair in pairs:
        i = 0
        while i < len(line) - 1:
            if line[i : i + 2] == pair and is_allowed(line, i):
                line = (*line[:i], "".join(pair), *line[i + 2 :])
            i += 1
    return line


def is_allowed(line: Split, i: int) -> bool:
    if not is_border(line[i], line[i + 1]):
        return True
    starts = i == 0 or is_border(line[i - 1], line[i])
    return starts and (i + 2 == len(line) or is_border(line[i + 1], line[i + 2]))


@many
@given(TEXT | FEW_WORDS, TEXT | FEW_WORDS)
def test_boundless_bpe_encodes_in_the_order_of_training(text, other):
    trace = record(text, num_merges=25)
    model = trace.model()
    for line in lines_of(other.replace("▁", "")):
        raw = "".join(line)[1:].replace("▁", " ")
        assert model.encode(raw).pieces == by_rank(line, trace.pairs)


@many
@given(TEXT | FEW_WORDS, st.sampled_from(["after", "whole_words"]), st.integers(0, 9))
def test_a_training_line_is_encoded_as_training_left_it(text, crossing, inside):
    text = text.replace("▁", " ")  # a line is encoded from its text, where this is a space
    trace = record(text, num_merges=20, crossing=crossing, inside=inside)
    model = trace.model()
    for line, split in zip(trace.words, trace.state(len(trace)).splits, strict=True):
        assert model.encode(line[1:].replace("▁", " ")).pieces == split


@pytest.mark.parametrize("inside", [0, 50, 200])
def test_no_superword_is_made_before_its_time(inside):
    trace = record(TEXTS["prose"].text or "", num_merges=200, crossing="after", inside=inside)
    assert not any(is_superword(token) for token in trace.tokens[:inside])
    assert len(trace) == 200


def test_with_all_merges_inside_words_it_is_bpe():
    text = TEXTS["prose"].text or ""
    words = Counter("".join(word) for line in lines_of(text) for word in words_of(line))
    usual = Trace.record(Corpus(dict(words)), bpe.Settings(num_merges=150))
    assert record(text, num_merges=150, crossing="after", inside=150).pairs == usual.pairs


def test_its_stop_reason():
    trace = record("ab ab", crossing="after", inside=1)
    assert trace.tokens == ["▁a", "▁ab", "▁ab▁ab"]
    assert "single piece" in trace.stop_reason


def test_a_word_that_goes_on_is_not_whole():
    trace = record("of the\nof the\nof the\nof them\nthem then")
    pair = ("▁of", "▁the")
    k = trace.pairs.index(pair)
    assert trace.counts[k] == 3  # not in "of them", where the m is still apart


@pytest.mark.parametrize("wrong", [{"crossing": "always"}, {"inside": -1}, {"base": "bytes"}])
def test_wrong_settings_are_refused(wrong):
    with pytest.raises(UserError):
        SuperwordSettings(**wrong)
