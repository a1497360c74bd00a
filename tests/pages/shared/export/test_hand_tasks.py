"""Encodings and lattices by hand: tasks hold only what is needed, and variants are as hard."""

import math
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.shared.export.worksheets.tasks import encoding_tasks, equal_difficulty, unigram_tasks
from pages.shared.export.worksheets.tasks.encoding_tasks import (
    MatchingTask,
    matching,
    matching_tasks,
    merging,
    merging_tasks,
)
from pages.shared.export.worksheets.tasks.unigram_tasks import (
    em_task,
    em_tasks,
    lattice_task,
    lattice_tasks,
)
from tests.call_counts import examples
from tokenizers import bpe, plain, wordpiece
from tokenizers.errors import UserError
from tokenizers.lattice import Lattice
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus
from tokenizers.text.symbols import METASPACE
from tokenizers.unigram.settings import convention_settings

ROOT = Path(__file__).parents[4]
WORDS = st.text("abcdeu</#é ء", min_size=1, max_size=7)
CORPORA = st.dictionaries(WORDS, st.integers(1, 5), min_size=1, max_size=5).map(Corpus)
BASES = ("characters", "end_of_word", "bytes", "metaspace")
SEED = st.integers(1, 10**6)


@pytest.fixture(autouse=True)
def few_draws(monkeypatch):
    """Enough to find some, and to find none."""
    monkeypatch.setattr(equal_difficulty, "DRAWS", 20)


def drawn(draw: Callable[[Any, int, int], list], task: object, seed: int) -> list:
    """Three tasks, or those that there are where there are not as many."""
    try:
        return draw(task, 3, seed)
    except UserError as refusal:
        (fewer,) = re.findall(r"Ask for (\d+), or choose \w+ \w+\.$", str(refusal))
        return draw(task, int(fewer), seed)


@examples(60)
@given(CORPORA, st.lists(WORDS, min_size=1, max_size=3), st.sampled_from(BASES), SEED)
def test_merging_by_hand_is_merging_and_every_draw_is_as_hard(corpus, chosen, base, seed):
    model = Trace.record(corpus, bpe.Settings(base=base, num_merges=12)).model()
    words = [model.settings.symbols(word) for word in chosen]
    marks = [METASPACE, model.settings.end_mark]
    task = merging(words, model.ranks, marks)
    for word in words:
        assert plain.encode_bpe(word, task.ranks) == plain.encode_bpe(word, model.ranks)
    tasks = drawn(merging_tasks, task, seed)
    assert tasks[0] is task
    assert len(set(tasks)) == len(tasks)
    for one in tasks:
        splits = [plain.encode_bpe(word, one.ranks) for word in one.words]
        assert [*map(len, one.words)] == [*map(len, words)]
        assert [*map(len, splits)] == [len(plain.encode_bpe(w, task.ranks)) for w in words]
        for word, first in zip(one.words, words, strict=True):
            places = [[n for n, s in enumerate(w) if s in marks] for w in (word, first)]
            assert places[0] == places[1]


@examples(60)
@given(CORPORA, st.lists(WORDS, min_size=1, max_size=3), SEED)
def test_matching_by_hand_is_matching_and_every_draw_is_as_hard(corpus, chosen, seed):
    model = Trace.record(corpus, wordpiece.Settings(num_merges=12)).model()
    task = matching(chosen, model.vocab, "##")
    for word in chosen:
        assert plain.longest_match(word, task.pieces) == plain.longest_match(word, model.vocab)
    tasks = drawn(matching_tasks, task, seed)
    assert len(set(tasks)) == len(tasks)
    for one in tasks:
        for word, first in zip(one.words, task.words, strict=True):
            split, wanted = (
                plain.longest_match(w, t.pieces) for w, t in ((word, one), (first, task))
            )
            assert (len(word), split is None) == (len(first), wanted is None)
            assert len(split or ()) == len(wanted or ())


def test_a_piece_that_looks_like_the_mark_alone_fills_no_word_for_ever():
    task = MatchingTask(("<a", "a#"), ("<", "a", "##", "##a", "###"), "##")
    for one in drawn(matching_tasks, task, 1):
        assert [*map(len, one.words)] == [2, 2]


@examples(60)
@given(
    st.text("abcé", min_size=1, max_size=5),
    st.dictionaries(
        st.text("abcé", min_size=1, max_size=3), st.floats(-9, -0.1), min_size=1, max_size=12
    ),
    SEED,
)
def test_every_lattice_that_is_drawn_is_as_hard(text, logs, seed):
    task = lattice_task(Lattice.build(text, logs, -9.0))
    tasks = drawn(lattice_tasks, task, seed)
    ways = len(plain.segmentations(text, {p: math.exp(v) for p, v in task.log_probs}))
    for one in tasks:
        assert len(plain.segmentations(one.text, dict.fromkeys(dict(one.log_probs), 0.5))) == ways
        assert sorted(dict(one.log_probs).values()) == sorted(dict(task.log_probs).values())
        best, wanted = (
            max(
                plain.segmentations(t.text, {p: math.exp(v) for p, v in t.log_probs}).items(),
                key=lambda row: row[1],
            )[0]
            for t in (one, task)
        )
        tied = unigram_tasks.lattice_effort(task)[1]  # type: ignore[index]
        assert len(best) == len(wanted) or max(tied) > 1


@pytest.mark.parametrize("convention", ["textbook", "sentencepiece"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_round_that_is_drawn_is_as_hard(convention, seed):
    corpus = Corpus({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5})
    trace = UnigramTrace.record(corpus, convention_settings(convention, 12))
    step, task = em_task(trace)
    assert set(task.word_counts) <= set(trace.word_counts)
    assert all(task.word_counts[word] == trace.word_counts[word] for word in task.word_counts)
    assert set(task.probs) <= set(trace.state(step))
    total = sum(math.exp(trace.state(step)[piece]) for piece in task.probs)
    for piece, prob in task.probs.items():
        share = math.exp(trace.state(step)[piece]) / total
        assert float(prob) == pytest.approx(share, abs=0.0051)
    tasks = em_tasks(task, 4, seed)
    assert len(set(tasks)) == 4
    for one in tasks:
        assert sorted(one.word_counts.values()) == sorted(task.word_counts.values())
        assert sorted(one.probs.values()) == sorted(task.probs.values())
        ways = [len(plain.segmentations(word, one.probs)) for word in one.word_counts]
        assert ways == [len(plain.segmentations(word, task.probs)) for word in task.word_counts]
        assert len(unigram_tasks.least_needed(one)) == len(unigram_tasks.least_needed(task))


def test_what_cannot_be_changed_raises_a_user_error():
    task = merging([("a", "a", "a")], {("a", "a"): 0})
    with pytest.raises(UserError, match=r"only one sheet .* Ask for 1, or choose other words\.$"):
        merging_tasks(task, 2, 1)


def test_ties_of_offsets_count():
    ranks = {("a", "b"): 0}
    assert encoding_tasks.merging_effort(("a", "b", "a", "b"), ranks) == (4, 2, 3, 1)
    assert encoding_tasks.merging_effort(("a", "b", "c"), ranks) == (3, 1, 1, 0)


SAME_SEED = """
from pages.shared.export.worksheets.tasks.encoding_tasks import merging, merging_tasks
task = merging([tuple("lowest"), tuple("widest")], {("e", "s"): 0, ("es", "t"): 1}, [])
print(merging_tasks(task, 3, 1))
"""


def test_a_seed_gives_the_same_sheets_in_every_process():
    """Strings are hashed otherwise in each, and with them the order of a set."""
    command = [sys.executable, "-c", SAME_SEED]
    given = {
        subprocess.run(
            command, cwd=ROOT, env=seeded, capture_output=True, text=True, check=True
        ).stdout
        for seeded in [os.environ | {"PYTHONHASHSEED": seed} for seed in "0123"]
    }
    assert len(given) == 1
