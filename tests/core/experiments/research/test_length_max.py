"""Length-MAX: the fast version against the plain one, and each choice against all candidates."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.texts import TEXTS
from tests.call_counts import examples
from tokenizers.errors import UserError
from tokenizers.experiments.research.length_max import (
    LONGEST_RUN,
    WORTHS,
    train,
    train_plainly,
    vocabulary,
)
from tokenizers.lattice.fewest import fewest_pieces
from tokenizers.text.corpus import Corpus, Pipeline

COUNTS = st.dictionaries(st.text("ab▁é", min_size=1, max_size=9), st.integers(1, 5), max_size=6)
many = examples(1_000)


@many
@given(COUNTS, st.integers(0, 9), st.sampled_from(WORTHS))
def test_it_learns_what_counting_anew_learns(counts, most, worth):
    pieces, splits = train(counts, most, worth)
    expected = list(train_plainly(counts, most, worth))
    assert pieces == [piece for piece, _ in expected]
    if expected:
        assert splits == expected[-1][1]


def worth_by_hand(split: tuple[str, ...], times: int, worth: str) -> dict:
    """List every run of a word by its start and end: its count and what one of them is worth."""
    found: dict[tuple[str, ...], list[int]] = {}
    for start in range(len(split)):
        for end in range(start + 2, min(start + LONGEST_RUN, len(split)) + 1):
            run = split[start:end]
            one = len("".join(run)) if worth == "length" else len(run) - 1
            found.setdefault(run, [0, one])[0] += times
    return found


@many
@given(COUNTS, st.integers(1, 9), st.sampled_from(WORTHS))
def test_no_run_is_worth_more_than_the_chosen_one(counts, most, worth):
    splits = [tuple(word) for word in counts]
    for piece, after in train_plainly(counts, most, worth):
        total: dict[tuple[str, ...], list[int]] = {}
        for times, split in zip(counts.values(), splits, strict=True):
            for run, (count, one) in worth_by_hand(split, times, worth).items():
                total.setdefault(run, [0, one])[0] += count
        worths = {run: count * one for run, (count, one) in total.items() if count > 1}
        assert worths[piece.run] == piece.worth == max(worths.values())
        assert total[piece.run][0] == piece.count
        assert ["".join(split) for split in after] == list(counts)  # nothing is lost
        splits = after


@many
@given(COUNTS, st.integers(0, 9))
def test_the_fewest_pieces_are_at_most_those_of_training(counts, most):
    pieces, splits = train(counts, most)
    known = set(vocabulary(counts, pieces))
    for word, split in zip(counts, splits, strict=True):
        assert len(fewest_pieces(word, known) or ()) <= len(split)


def test_a_frequent_word_is_one_piece_after_one_step():
    words = Corpus.from_text(TEXTS["prose"].text or "", Pipeline((), "metaspace")).word_counts
    (first,), _ = train(words, 1)
    assert (first.token, first.worth) == ("▁the", 4 * first.count)


def test_an_unknown_worth_is_refused():
    with pytest.raises(UserError, match="Choose from: length, saved"):
        train({"aa": 1}, 1, "beauty")
