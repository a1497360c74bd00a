"""Bytes and patches: the model against one that counts everything anew, in whole numbers."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers.experiments.research.patches import KINDS, ByteModel, entropies, patches

many = examples(1_000)
TEXTS = st.text("abé ", max_size=20).map(str.encode)


def expected(learned: bytes, before: bytes) -> tuple[list[int], int]:
    """What comes after `before`: counted in all of the text, mixed with one byte less of it.

    The share of each byte, and what they are shares of: to reduce 256 fractions takes long.
    """
    shorter, whole = expected(learned, before[1:]) if before else ([1] * KINDS, KINDS)
    after = [
        learned[n + len(before)]
        for n in range(len(learned) - len(before))
        if learned.startswith(before, n)
    ]
    mixed = [after.count(byte) * whole + shorter[byte] for byte in range(KINDS)]
    return mixed, (len(after) + 1) * whole


@many
@given(TEXTS, TEXTS, st.integers(0, 3))
def test_it_expects_what_counting_anew_gives(learned, before, order):
    model = ByteModel.learn(learned, order)
    parts, whole = expected(learned, before[max(0, len(before) - order) :])
    assert sum(parts) == whole
    shares = [part / whole for part in parts]
    assert model.expected(before) == pytest.approx(shares)
    entropy = -sum(share * math.log(share) for share in shares)
    assert model.entropy(before) == pytest.approx(entropy)
    assert 0 <= entropy <= math.log(KINDS) + 1e-9


@many
@given(st.lists(st.tuples(st.integers(0, 255), st.floats(0, 5)), min_size=1), st.floats(0, 5))
def test_a_patch_begins_just_where_it_is_hard(read, threshold):
    text, hard = bytes(byte for byte, _ in read), [entropy for _, entropy in read]
    cut, place = patches(text, hard, threshold), 0
    assert b"".join(cut) == text
    for patch in cut:
        assert place == 0 or hard[place] > threshold
        assert all(entropy <= threshold for entropy in hard[place + 1 : place + len(patch)])
        place += len(patch)


@many
@given(TEXTS, st.integers(0, 3))
def test_only_the_last_bytes_count(text, order):
    model = ByteModel.learn(b"ab ab ba", order)
    assert entropies(model, text) == [model.entropy(text[:n]) for n in range(len(text))]


def test_an_empty_text_has_no_patches():
    assert patches(b"", [], 1) == ()


@many
@given(TEXTS, TEXTS, st.integers(0, 3))
def test_entropies_are_those_of_each_whole_context(learned, text, order):
    model = ByteModel.learn(learned, order)
    each = [model.entropy(text[max(0, n - order) : n]) for n in range(len(text))]
    assert entropies(model, text) == each
