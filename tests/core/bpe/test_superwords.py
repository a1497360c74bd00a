"""BPE in two stages: against counting every pair of every line anew, on drawn texts."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.texts import TEXTS
from tests.call_counts import examples
from tokenizers import bpe
from tokenizers.bpe.superwords import (
    LINES,
    StagedCorpus,
    is_superword,
    line_model,
    train_in_stages,
)
from tokenizers.plain import choose, count_pairs, encode_bpe, merge

TEXT = st.text("abc \n▁", max_size=40)
RULES = st.sampled_from(["first_seen", "smallest_string"])
many = examples(1_000)


def plainly(text: str, until: int, merges: int, ties: str) -> Iterator[tuple]:
    """Count all pairs of all lines at every step; up to `until`, none that reaches a new word."""
    lines = [line.strip() for line in text.splitlines()]
    splits = [tuple(f"▁{line}".replace(" ", "▁")) for line in lines if line]
    for n in range(merges):
        counts = count_pairs(splits, [1] * len(splits))
        if n < until:
            counts = {pair: count for pair, count in counts.items() if pair[1][0] != "▁"}
        if not counts:
            if n >= until:
                return
            until = n  # nothing is left inside words
            counts = count_pairs(splits, [1] * len(splits))
            if not counts:
                return
        best = max(counts.values())
        pair = choose([one for one in counts if counts[one] == best], ties, [])
        splits = [merge(split, pair) for split in splits]
        yield pair, best, splits


@many
@given(TEXT, st.integers(0, 8), st.integers(0, 12), RULES)
def test_it_merges_what_counting_anew_merges(text, until, merges, ties):
    stages, settings = StagedCorpus.from_text(text), bpe.Settings(num_merges=merges, ties=ties)
    steps = list(train_in_stages(stages, settings, until))
    expected = list(plainly(text, until, merges, ties))
    assert [(step.pair, step.count) for step in steps] == [row[:2] for row in expected]


@many
@given(TEXT, st.integers(0, 8))
def test_a_line_is_encoded_by_replaying_the_merges(text, until):
    stages, settings = StagedCorpus.from_text(text), bpe.Settings(num_merges=12)
    state = bpe.start(stages.lines, settings)
    pairs = [step.pair for step in train_in_stages(stages, settings, until, state)]
    model, ranks = line_model(state, pairs, settings), {p: n for n, p in enumerate(pairs)}
    for line in stages.lines.word_counts:
        split = encode_bpe(tuple(line), ranks)
        raw = line[1:].replace("▁", " ")
        assert model.encode(raw).pieces == split
        assert LINES(raw).words == (line,)


@pytest.mark.parametrize("until", [0, 50, 200])
def test_no_superword_is_made_before_its_time(until):
    stages = StagedCorpus.from_text(TEXTS["prose"].text or "")
    steps = list(train_in_stages(stages, bpe.Settings(num_merges=200), until))
    assert not any(is_superword(step.token) for step in steps[:until])
    assert len(steps) == 200


def test_with_all_merges_inside_words_it_is_bpe():
    stages, settings = (
        StagedCorpus.from_text(TEXTS["prose"].text or ""),
        bpe.Settings(num_merges=150),
    )
    inside = [step.pair for step in bpe.train(stages.words, settings)]
    assert [step.pair for step in train_in_stages(stages, settings, 150)] == inside


def test_its_stop_reason():
    run = train_in_stages(StagedCorpus.from_text("ab ab"), bpe.Settings(), 1)
    assert [next(run).token for _ in range(2)] == ["▁a", "▁ab"]
    assert next(run).token == "▁ab▁ab"
    with pytest.raises(StopIteration, match="single piece"):
        next(run)
