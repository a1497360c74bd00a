"""Corpus edits: first difference, effect of each count by brute force, recomputed numbers."""

from fractions import Fraction
from itertools import pairwise
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.texts import TEXTS
from pages.shared.drawing.rich_text_html import html_rich_text
from pages.shared.recording.frame_types import plain_text
from pages.shared.training.source import CorpusSource
from pages.what_if import counts as page
from pages.what_if import explanation as why
from pages.what_if.changes import describe_result, train_again
from pages.what_if.drawing import counts_chart, html_intervals
from pages.what_if.exports import merges
from pages.what_if.two_runs import CountChange, CountEdit
from tests.pages.opening import lines_of
from tokenizers import bpe, wordpiece
from tokenizers.experiments.research import corpus_edit
from tokenizers.experiments.research.corpus_edit import Probe
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline

COURSE = Corpus({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5})
BPE, WORDPIECE = bpe.Settings(num_merges=8), wordpiece.Settings(num_merges=8)
BY_COUNT = wordpiece.Settings(num_merges=8, convention="hugging_face")
KINDS = (BPE, WORDPIECE, BY_COUNT, bpe.Settings(base="end_of_word", ties="smallest_string"))
SMALL = ("b1", "b2", "b3", "b4", "b5", "w1", "course", "u4")


def never(done: int, total: int) -> bool:
    return False


def corpus_of(name: str) -> Corpus:
    sample = TEXTS[name]
    pipeline = Pipeline((), str(sample.settings["pre_tokenizer"]))
    if sample.counts:
        return Corpus.from_counts(sample.counts, pipeline)
    return Corpus.from_text(sample.text or "", pipeline)


def operated(
    corpus: Corpus, word: str, count: int, settings: corpus_edit.Settings = BPE
) -> CountEdit:
    edit = train_again(never, Trace.record(corpus, settings), CountChange(word, count))
    assert isinstance(edit, CountEdit)
    return edit


def plainly_first(some: list, others: list) -> int | None:
    """The first difference, by padding the shorter run."""
    longest = max(len(some), len(others))
    padded = [[*run, *[None] * (longest - len(run))] for run in (some, others)]
    return next((k for k in range(1, longest + 1) if padded[0][k - 1] != padded[1][k - 1]), None)


corpora = st.dictionaries(st.text("abc", min_size=1, max_size=5), st.integers(1, 9), min_size=1)


# ---- the core ----


def test_a_count_is_changed_in_its_place():
    changed = corpus_edit.with_count(COURSE, "pug", 7).word_counts
    assert list(changed.items())[:2] == [("hug", 10), ("pug", 7)]
    assert list(COURSE.word_counts.items())[1] == ("pug", 5), "the corpus itself stays"


def test_a_word_is_removed_or_added_at_the_end():
    assert "hug" not in corpus_edit.with_count(COURSE, "hug", 0).word_counts
    assert list(corpus_edit.with_count(COURSE, "mug", 3).word_counts.items())[-1] == ("mug", 3)
    assert corpus_edit.with_count(COURSE, "mug", 0).word_counts == COURSE.word_counts


@pytest.mark.parametrize(
    ("word", "count", "wrong"),
    [("hug", -1, "is -1"), ("", 3, "not a word"), ("hug", 10**17, "add up to more"),
     ("\ud800", 3, "half a character")],
)  # fmt: skip
def test_what_cannot_be_a_count_is_a_sentence(word, count, wrong):
    with pytest.raises(ValueError, match=wrong):
        corpus_edit.with_count(COURSE, word, count)


@given(corpora, st.integers(0, 12), st.sampled_from(KINDS))
def test_the_first_difference_is_that_of_the_pair_lists(counts, count, settings):
    corpus, word = Corpus(counts), next(iter(counts))
    whole = Trace.record(corpus, settings)
    changed = Trace.record(corpus_edit.with_count(corpus, word, count), settings)
    expected = plainly_first(whole.pairs, changed.pairs)
    assert corpus_edit.first_difference(whole.pairs, changed.pairs) == expected
    assert corpus_edit.probe(whole.pairs, changed.corpus, settings) == expected


@given(corpora, st.sampled_from(KINDS))
def test_an_unchanged_count_changes_nothing(counts, settings):
    for word, count in counts.items():
        operation = operated(Corpus(counts), word, count, settings)
        assert operation.first is None
        assert operation.lost == operation.gained == []


@pytest.mark.parametrize("settings", KINDS)
@pytest.mark.parametrize("name", SMALL)
def test_thresholds_are_those_of_brute_force(name, settings):
    corpus = corpus_of(name)
    whole = Trace.record(corpus, settings)
    word = max(corpus.word_counts, key=lambda w: corpus.word_counts[w])
    count = corpus.word_counts[word]
    probes = page.try_counts(never, whole, word)
    assert [probe.count for probe in probes] == list(range(probes[-1].count + 1))
    for probe in probes:
        changed = Trace.record(corpus_edit.with_count(corpus, word, probe.count), settings)
        assert probe.first == plainly_first(whole.pairs, changed.pairs)
    for merge in (None, 1, len(whole)):
        reach = [p for p in probes if p.first and p.first <= (merge or 10**9)]
        below, above = corpus_edit.nearest(probes, count, merge)
        assert below == max((p for p in reach if p.count < count), key=_count, default=None)
        assert above == min((p for p in reach if p.count > count), key=_count, default=None)


def _count(probe: Probe) -> int:
    return probe.count


def test_a_scan_that_is_stopped_keeps_what_it_has():
    whole = Trace.record(COURSE, BPE)
    probes = corpus_edit.scan(
        whole, "hug", corpus_edit.counts_outward(10, 10), lambda done: done == 3
    )
    assert [probe.count for probe in probes] == [9, 10, 11]


@given(corpora, st.integers(0, 12), st.sampled_from(KINDS))
def test_the_evidence_is_a_plain_recount(counts, count, settings):
    word = next(iter(counts))
    operation = operated(Corpus(counts), word, count, settings)
    for rival in why.find_rivals(operation):
        for known, trace in ((rival.before, operation.whole), (rival.now, operation.changed)):
            splits = trace.state((operation.first or 1) - 1).splits
            weights = list(trace.corpus.word_counts.values())
            pairs = [
                pair for s, n in zip(splits, weights, strict=True) for pair in [*pairwise(s)] * n
            ]
            symbols = [sym for s, n in zip(splits, weights, strict=True) for sym in s * n]
            assert known.count == pairs.count(known.pair)
            assert known.parts == tuple(map(symbols.count, known.pair))


@given(corpora, st.integers(0, 12), st.sampled_from(KINDS))
def test_counts_differ_by_the_change_times_what_is_in_the_word(counts, count, settings):
    word = next(iter(counts))
    operation = operated(Corpus(counts), word, count, settings)
    for rival in why.find_rivals(operation):
        by = count - counts[word]
        assert rival.now.count == rival.before.count + by * rival.before.in_word
        for now, before, inside in zip(
            rival.now.parts, rival.before.parts, rival.before.parts_in_word, strict=True
        ):
            assert now == before + by * inside
        assert rival.before.in_word == rival.now.in_word


@given(corpora, st.integers(0, 12), st.sampled_from(KINDS))
def test_the_winner_is_worth_at_least_as_much_in_its_own_run(counts, count, settings):
    operation = operated(Corpus(counts), next(iter(counts)), count, settings)
    found = why.find_rivals(operation)
    if len(found) == 2:
        old, new = found
        whole, changed = operation.whole, operation.changed
        assert why.worth(old.before, whole) >= why.worth(new.before, whole)
        assert why.worth(new.now, changed) >= why.worth(old.now, changed)


# ---- what the page says ----


def test_hug_seen_three_times():
    operation = operated(COURSE, "hug", 3)
    assert plain_text(describe_result(operation)) == (
        "With hug seen 3 times instead of 10 times, merge 1 is p + u (17) instead of u + g (20)."
    )
    assert (
        plain_text(why.describe_reason(operation))
        == "Before: 20 > 17, so u + g. Now: 17 > 13, so p + u."
    )
    assert r"&= 20 + (3 - 10)\cdot 1\\" in why.formula(operation, why.find_rivals(operation)[0])
    assert operation.lost == ["ug", "un"]
    assert operation.gained == ["pu", "hu", "bu"]


def test_a_score_is_shown_with_its_numbers():
    operation = operated(COURSE, "hug", 18, WORDPIECE)
    assert "(17 / (17 × 21) = 0.04762) instead of hu + ##gs (5 / (15 × 5) = 0.06667)" in plain_text(
        describe_result(operation)
    )
    rival = why.find_rivals(operation)[0]
    assert why.worth(rival.now, operation.changed) == Fraction(5, 23 * 5)
    assert r"\left(15 + (18 - 10)\cdot 1\right)" in why.formula(operation, rival)


def test_a_tie_is_explained_by_its_rule():
    operation = operated(Corpus({"ab": 2, "cd": 3}), "ab", 3)
    assert plain_text(why.describe_reason(operation)) == (
        "Before: 3 > 2, so c + d. Now: 3 = 3, a tie; a + b wins: it comes first in the text."
    )


def test_a_run_that_ends_and_one_that_goes_on():
    ends, goes_on = operated(Corpus({"ab": 2}), "ab", 0), operated(Corpus({"a": 2}), "ab", 3)
    assert plain_text(describe_result(ends)) == (
        "Without ab, which is seen twice, merge 1 is missing, a + b (2): "
        "every word is a single piece, so no pair is left."
    )
    assert "With ab added, seen 3 times, there is one more, merge 1: a + b (3)" in plain_text(
        describe_result(goes_on)
    )
    assert why.describe_reason(ends) == why.describe_reason(goes_on) == ()


def test_nothing_to_merge_is_described():
    operation = operated(Corpus({"a": 2}), "a", 3)
    assert plain_text(describe_result(operation)).endswith("nothing to merge, before or after.")


@pytest.mark.parametrize("settings", KINDS)
def test_rows_are_the_runs(settings):
    operation = operated(COURSE, "hug", 2, settings)
    runs = operation.whole, operation.changed
    for row in merges(operation).rows:
        step, *cells = cast("list[Any]", list(row))
        sides = zip((cells[:5], cells[5:]), runs, runs[::-1], strict=True)
        for (*pair, count, score, elsewhere), trace, other in sides:
            if step > len(trace):
                assert [*pair, count, score, elsewhere] == [""] * 5
            else:
                made = trace.step(step)
                assert (tuple(pair), count, score) == (made.pair, made.count, float(made.score))
                places = [k for k, one in enumerate(other.pairs, start=1) if one == made.pair]
                assert elsewhere == (places[-1] if places else "never")


@given(st.lists(st.sampled_from([None, 1, 2, 5]), min_size=1, max_size=12))
def test_intervals_hold_every_probe_once(firsts):
    probes = [Probe(n, first) for n, first in enumerate(firsts)]
    found = page.intervals(probes)
    spread = [(n, first) for low, high, first in found for n in range(low, high + 1)]
    assert spread == list(enumerate(firsts))
    assert all(a[2] != b[2] for a, b in pairwise(found))


@given(corpora, st.sampled_from([s for s in KINDS if not s.by_score]))
def test_by_count_a_larger_change_never_shows_later(counts, settings):
    word = next(iter(counts))
    probes = page.try_counts(never, Trace.record(Corpus(counts), settings), word)
    assert page.is_monotone(probes, counts[word])


def test_by_score_a_larger_change_may_show_later():
    probes = page.try_counts(never, Trace.record(Corpus({"ba": 4, "cc": 2}), WORDPIECE), "ba")
    assert page.intervals(probes) == [(0, 0, 2), (1, 2, 1), (3, 14, None)]
    assert not page.is_monotone(probes, 4)
    with pytest.raises(ValueError, match="every count"):
        corpus_edit.bisect(Trace.record(COURSE, WORDPIECE), "hug", None, 20)


@given(
    corpora,
    st.sampled_from([s for s in KINDS if not s.by_score]),
    st.one_of(st.none(), st.integers(1, 6)),
    st.booleans(),
)
def test_halving_finds_what_trying_every_count_finds(counts, settings, merge, is_new):
    word = "cab" if is_new else next(iter(counts))
    whole = Trace.record(Corpus(counts), settings)
    probes = page.try_counts(never, whole, word)
    found = corpus_edit.nearest(probes, counts.get(word, 0), merge)
    assert corpus_edit.bisect(whole, word, merge, probes[-1].count) == found


def test_the_smallest_change_is_described():
    whole = Trace.record(COURSE, BPE)
    assert plain_text(
        page.describe_smallest(page.bisect_counts(never, whole, "hug", None), 10, None, "0 to 20")
    ) == (
        "The smallest change that reaches any merge: 4 fewer (seen 6 times) changes merge 1; "
        "1 more (seen 11 times) changes merge 2. Counts tried: 0 to 20."
    )
    assert plain_text(
        page.describe_smallest(page.bisect_counts(never, whole, "hug", 1), 10, 1, "0 to 20")
    ) == (
        "The smallest change that reaches merge 1 or an earlier one: 4 fewer (seen 6 times) "
        "changes merge 1. Counts tried: 0 to 20."
    )
    assert "No count from 3 to 4" in plain_text(
        page.describe_smallest((None, None), 3, None, "3 to 4")
    )


def test_the_chart_has_every_count():
    operation = operated(COURSE, "hug", 3)
    probes = page.try_counts(never, operation.whole, "hug")
    drawn = lines_of(counts_chart(probes, operation))[0]
    assert list(drawn["x"]) == list(range(21))
    assert [None if y == len(operation.whole) + 2 else y for y in drawn["y"]] == [
        probe.first for probe in probes
    ]
    assert "7 to 10" in html_intervals(probes)


def test_how_many_counts_are_tried_is_bounded():
    whole = Trace.record(COURSE, BPE)
    assert page.search_radius(whole, 0) == page.MIN_RADIUS
    assert page.search_radius(whole, 10**12) == page.MAX_RADIUS
    assert list(corpus_edit.counts_outward(0, 2)) == [0, 1, 2]


def test_words_become_text():
    text = html_rich_text(("<img>", ("token", "<b>"), ("word", "<i>x"), ("strong", "\u202e")))
    assert "<img>" not in text
    assert "<b>" not in text
    assert "\u202e" not in text


def test_the_split_of_a_word():
    operation = operated(COURSE, "hug", 0, WORDPIECE)
    assert page.splits(operation, "zzz") == (None, None)
    whole, _ = page.splits(operation, "hugs")
    assert whole == operation.whole.split(4, len(operation.whole))


@pytest.mark.parametrize("settings", KINDS)
def test_a_run_on_a_source(settings):
    whole, notes = page.train_whole(never, CorpusSource(text="low low lower"), Pipeline(), settings)
    assert whole.corpus.word_counts == {"low": 2, "lower": 1}
    assert not notes
    with pytest.raises(ValueError, match="no words to train on"):
        page.train_whole(never, CorpusSource(text=" "), Pipeline(), settings)
