"""Stems and corrected spellings: against the published examples, and against every word in turn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers.text.alignment import AlignedText
from tokenizers.text.misspellings import LISTED, correct, corrected, is_one_edit_apart
from tokenizers.text.stemming import stem, stem_words

# The examples that Porter gives for the rules of his first step (1980).
STEMS = {
    "caresses": "caress", "ponies": "poni", "ties": "ti", "caress": "caress", "cats": "cat",
    "feed": "feed", "agreed": "agree", "plastered": "plaster", "bled": "bled",
    "motoring": "motor", "sing": "sing", "conflated": "conflate", "troubled": "trouble",
    "sized": "size", "hopping": "hop", "tanned": "tan", "falling": "fall", "hissing": "hiss",
    "fizzed": "fizz", "failing": "fail", "filing": "file", "happy": "happi", "sky": "sky",
}  # fmt: skip
many = examples(1_000)
LETTERS = "abeinrsty"


@pytest.mark.parametrize(("word", "expected"), STEMS.items())
def test_the_published_stems(word, expected):
    assert stem(word) == expected


@many
@given(st.text(st.sampled_from("aeioubdglnstyz. E'_"), max_size=30))
def test_stems_replace_the_words_of_small_letters(text):
    parts, word = [], ""
    for char in f"{text} ":
        if char.isalnum() or char == "_":
            word += char
            continue
        is_word = len(word) > 2 and all("a" <= letter <= "z" for letter in word)
        parts += stem(word) if is_word else word, char
        word = ""
    assert stem_words(AlignedText.raw(text)).text == "".join(parts)[:-1]


def slips(word):
    """Every word that is one slip away from another, by making them all."""
    cuts = [(word[:n], word[n:]) for n in range(len(word) + 1)]
    less = [a + b[1:] for a, b in cuts if b]
    swapped = [a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1]
    wrong = [a + letter + b[1:] for a, b in cuts if b for letter in LETTERS]
    more = [a + letter + b for a, b in cuts for letter in LETTERS]
    return {*less, *swapped, *wrong, *more} - {word}


@many
@given(st.text(LETTERS, min_size=1, max_size=7), st.text(LETTERS, min_size=1, max_size=7))
def test_one_edit_is_what_one_edit_makes(word, other):
    assert is_one_edit_apart(word, other) == (word != other and other in slips(word))
    for near in slips(word):
        assert is_one_edit_apart(word, near)


@many
@given(st.sampled_from(LISTED), st.data())
def test_the_first_listed_word_one_edit_away(word, data):
    wrong = data.draw(st.sampled_from(sorted(slips(word))))
    wrong = data.draw(st.sampled_from([wrong, *sorted(slips(wrong))])) if wrong else wrong
    near = [listed for listed in LISTED if is_one_edit_apart(wrong, listed)]
    assert corrected(wrong) == (wrong if wrong in LISTED else next(iter(near), wrong))
    if len(wrong) > 4:
        assert correct(AlignedText.raw(f"a {wrong}!")).text == f"a {corrected(wrong)}!"


def test_the_list_has_every_word_once():
    assert len(set(LISTED)) == len(LISTED)
    assert all(word.isascii() and word.islower() and len(word) > 4 for word in LISTED)
