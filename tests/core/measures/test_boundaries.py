"""Boundaries inside words: against counting every position of every word, on drawn cases."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.texts import MORPHEMES
from lessons.trained import SETTINGS, open_trained
from tests.call_counts import examples
from tokenizers.measures.boundaries import (
    Boundaries,
    boundaries,
    boundaries_in_span,
    boundary_scores,
    parts,
    segment_word,
)

many = examples(1_000)
PARTS = st.lists(st.text("abü", min_size=1, max_size=4), min_size=1, max_size=5)


@st.composite
def twice_cut(draw):
    """A word as one list of parts, and as another."""
    one = draw(PARTS)
    word = "".join(one)
    at = draw(st.sets(st.integers(1, max(len(word) - 1, 1))))
    return one, [part for part in parts(word, at) if part]


def by_hand(pairs) -> tuple[Fraction, Fraction, Fraction]:
    """Precision, recall and F1: for each place inside each word, is it cut, and should it be?"""
    right = drawn = gold = 0
    for true, guessed in pairs:
        for place in range(1, len("".join(true))):
            is_gold, is_drawn = (
                any(len("".join(side[:n])) == place for n in range(len(side)))
                for side in (true, guessed)
            )
            right, drawn, gold = right + (is_gold and is_drawn), drawn + is_drawn, gold + is_gold
    precision = Fraction(right, drawn) if drawn else Fraction(1)
    recall = Fraction(right, gold) if gold else Fraction(1)
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else Fraction(0)


@many
@given(st.lists(twice_cut(), min_size=1, max_size=6))
def test_the_scores_are_those_of_counting_every_position(pairs):
    found = boundary_scores(
        Boundaries(boundaries(guessed), boundaries(true)) for true, guessed in pairs
    )
    expected = tuple(map(float, by_hand(pairs)))
    if found.predicted and found.gold:
        assert (found.precision, found.recall, found.f1) == pytest.approx(expected)
    else:
        assert (found.precision, found.recall) == pytest.approx(expected[:2])
        assert found.f1 == (1.0 if found.predicted == found.gold else 0.0)


@many
@given(twice_cut())
def test_right_wrong_and_missed_are_all_there_is(pair):
    true, guessed = map(boundaries, pair)
    found = Boundaries(guessed, true)
    assert found.correct | found.wrong == guessed
    assert found.correct | found.missed == true
    assert not found.correct & found.wrong
    assert not found.wrong & found.missed


@many
@given(PARTS)
def test_parts_and_boundaries_are_each_the_way_back_of_the_other(one):
    word = "".join(one)
    assert parts(word, boundaries(one)) == tuple(one)
    places = [0, *sorted(boundaries(one)), len(word)]
    spans = [(a + 3, b + 3) for a, b in pairwise(places)]
    assert boundaries_in_span([(0, 3), *spans], 3, 3 + len(word)) == boundaries(one)


def test_no_words_have_nothing_wrong():
    none = boundary_scores([])
    assert (none.precision, none.recall, none.f1) == (1, 1, 1)


@pytest.mark.parametrize("kind", SETTINGS)
def test_the_tokens_of_a_word_spell_it(kind):
    """The cuts are where the tokens end, the marks of each kind left out."""
    for morphemes in MORPHEMES:
        word, found = "".join(morphemes), segment_word(open_trained(kind), morphemes)
        bare = [
            token.removeprefix("##").removesuffix("</w>").lstrip("▁Ġ") for token in found.tokens
        ]
        assert "".join(bare) == word
        assert found.boundaries.predicted == boundaries([part for part in bare if part])
        assert found.boundaries.gold == boundaries(morphemes)


def test_the_list_of_words_is_one():
    words = ["".join(morphemes) for morphemes in MORPHEMES]
    assert len(words) == len(set(words)) == 100
    assert all(part.isascii() and part.isalpha() for parts in MORPHEMES for part in parts)
