"""Digits from the left, with commas, and from the right, against the places of plain arithmetic."""

import random
from itertools import pairwise

import pytest

from lessons.models import open_model
from tokenizers.errors import UserError
from tokenizers.runtime.inspection.digit_groups import digit_groups, line_up


def by_commas(number: int) -> list[str]:
    return f"{number:,}".split(",")


def from_left(number: int) -> list[str]:
    digits = str(number)
    return [digits[at : at + 3] for at in range(0, len(digits), 3)]


def test_a_thousand_sums_are_grouped_as_the_pattern_and_the_commas_say():
    loaded, rng = open_model("cl100k"), random.Random(3)
    for _ in range(1_000):
        number = rng.randrange(10 ** rng.randrange(1, 12))
        left = [group.text for group in digit_groups(loaded, str(number))]
        right = [group.text for group in digit_groups(loaded, str(number), from_right=True)]
        assert left == from_left(number)
        assert right == by_commas(number)


def test_numbers_line_up_if_no_place_is_cut_in_one_and_not_in_another():
    loaded, rng = open_model("cl100k"), random.Random(4)
    for _ in range(300):
        one, other = (rng.randrange(10 ** rng.randrange(1, 9)) for _ in range(2))
        cuts = [
            {len(str(n)) - sum(map(len, from_left(n)[:k])) for k in range(len(from_left(n)))}
            for n in (one, other)
        ]
        shorter = min(len(str(one)), len(str(other)))
        inside = [{place for place in some if 0 < place < shorter} for some in cuts]
        assert line_up(loaded, [str(one), str(other)]) == (inside[0] == inside[1])
        assert line_up(loaded, [str(one), str(other)], from_right=True)


@pytest.mark.parametrize("name", ["gpt2", "qwen3", "mistral-v1", "bert-uncased"])
def test_every_vocabulary_keeps_all_digits(name: str):
    loaded = open_model(name)
    for number in ("7", "1234567", "1,234,567"):
        for from_right in (False, True):
            groups = digit_groups(loaded, number, from_right=from_right)
            assert "".join(group.text for group in groups) == number
            ends = [len(number), *(group.after for group in groups)]
            assert all(
                a - b == len(g.text) for (a, b), g in zip(pairwise(ends), groups, strict=True)
            )
            assert not from_right or all(len(group.text) <= 3 for group in groups)


def test_a_vocabulary_without_digits_says_so():
    with pytest.raises(UserError, match="cannot spell"):
        digit_groups(open_model("unigram-english"), "347")
