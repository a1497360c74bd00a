"""What if: two runs of one corpus side by side, as a recording."""

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from pages.what_if import unigram_runs
from pages.what_if.changes import train_changed
from pages.what_if.side_by_side import DIFFERS, MOST_WORDS
from pages.what_if.two_runs import BranchChange, CountChange, TieRuleChange
from tests.call_counts import examples
from tests.recordings import packed_text, unpacked
from tokenizers import bpe, wordpiece
from tokenizers.merging.queue import TIE_RULES
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus
from tokenizers.unigram.settings import convention_settings

WORDS = st.text("abc", min_size=1, max_size=5)
CORPORA = st.dictionaries(WORDS, st.integers(1, 9), min_size=1, max_size=MOST_WORDS - 1)
CHANGES = st.builds(CountChange, WORDS, st.integers(0, 20)) | st.builds(
    TieRuleChange, st.sampled_from(TIE_RULES)
)
KINDS = [bpe.Settings(), bpe.Settings("end_of_word"), wordpiece.Settings()]


def never(done, total):
    return False


def twice(words, settings, change):
    return train_changed(never, Trace.record(Corpus(words), settings), change)


@examples(60)
@given(CORPORA, st.sampled_from(KINDS), CHANGES)
def test_both_runs_stand_at_the_same_step(words, settings, change):
    two, recording = twice(words, settings, change)
    whole, changed = two.whole, two.changed
    assert whole.pairs == Trace.record(Corpus(words), settings).pairs
    if isinstance(change, TieRuleChange):
        ruled = replace(settings, ties=change.ties)
        assert changed.pairs == Trace.record(Corpus(words), ruled).pairs
    head, frames = unpacked(recording)
    assert [part["side"] for part in head["parts"]] == ["left", "left", "right", "right"]
    assert recording.last == max(len(whole), len(changed))

    def texts(numbers):
        return tuple(head["tokens"][n][0] for n in numbers)

    for k, frame in enumerate(frames):
        left, left_words, right, right_words = frame["parts"]
        for trace, table, strips in ((whole, left, left_words), (changed, right, right_words)):
            at = min(k, len(trace))
            assert ("ended" in table["caption"]) == (k > len(trace))
            if at:
                assert texts(table["lines"][0][0][0]) == trace.pairs[at - 1]
            counts = trace.corpus.word_counts
            splits = [trace.split(n, at) for n in range(len(trace.words))]
            shown = [texts(strip[2] or strip[1]) for strip in strips["lines"]]
            assert shown == splits
            for word, strip in zip(counts, strips["lines"], strict=True):
                other = changed if trace is whole else whole
                places = list(other.words)
                differs = word in places and (
                    other.split(places.index(word), min(k, len(other)))
                    != trace.split(list(counts).index(word), at)
                )
                assert strip[0].startswith(DIFFERS) == differs
                assert strip[0].removeprefix(DIFFERS) == f"{counts[word]} ×"


@examples(40)
@given(CORPORA, st.sampled_from(KINDS), CHANGES)
def test_the_first_difference_is_marked_and_described(words, settings, change):
    two, recording = twice(words, settings, change)
    head, frames = unpacked(recording)
    ((name, positions, is_tick), *_) = head["jumpTargets"]
    assert (name, is_tick) == ("the runs first differ", True)
    assert positions == ([two.first] if two.first else [])
    said = [
        k
        for k, frame in enumerate(frames)
        if ["tie", "The first difference. "] in frame["sentence"]
    ]
    assert said == positions


@examples(40)
@given(CORPORA, st.sampled_from(KINDS), CHANGES)
def test_the_last_step_says_which_pieces_came_and_went(words, settings, change):
    two, recording = twice(words, settings, change)
    head, frames = unpacked(recording)
    if not recording.last:
        return
    *_, before, conclusion = packed_text(head, frames[-1]["sentence"]).partition("In the end ")
    assert before
    vocabularies = [set(trace.state(len(trace)).vocab) for trace in (two.whole, two.changed)]
    missing, new = vocabularies[0] - vocabularies[1], vocabularies[1] - vocabularies[0]
    assert ("both have the same pieces" in conclusion) == (not missing and not new)
    for pieces, sign in ((missing, "missing"), (new, "new")):
        assert (re.search(rf"(is|are) {sign}", conclusion) is not None) == bool(pieces)
        if len(pieces) == 1:
            assert f"{min(pieces)} is {sign}" in conclusion


def test_a_tie_can_take_another_branch():
    words = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    two, _ = twice(words, bpe.Settings("end_of_word", num_merges=10), BranchChange(1, ("s", "t")))
    assert (two.first, two.changed.pairs[0]) == (1, ("s", "t"))


@examples(20)
@given(
    CORPORA,
    st.builds(CountChange, WORDS, st.integers(0, 20)) | st.builds(TieRuleChange, st.just("first")),
)
def test_two_unigram_runs_differ_first_where_their_pieces_do(words, change):
    settings = convention_settings("textbook", 8)
    whole = UnigramTrace.record(Corpus(words), settings)
    changed, recording = unigram_runs.train_changed(never, whole, change)
    head, frames = unpacked(recording)
    assert len(frames) == max(len(whole), len(changed)) + 1
    (_, positions, _), *_ = head["jumpTargets"]
    first = positions[0] if positions else None
    assert len(positions) <= 1
    for k in range(1, min(len(whole), len(changed), first or 10**6) + 1):
        pieces = [set(trace.state(k)) for trace in (whole, changed)]
        assert (pieces[0] == pieces[1]) == (k != first)
