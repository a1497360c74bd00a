"""Chunks by the angle of vectors, and codebook indices: against the definitions, written anew."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers.experiments.research.chunks import BOUNDARY, boundary_probabilities, cosine
from tokenizers.experiments.research.codebooks import (
    bits_per_second,
    grid,
    nearest,
    residual_codes,
    tokens_per_second,
)
from tokenizers.experiments.research.patches import patches
from tokenizers.measures.units import PATCH, fixed_patches, unlearned_units

many = examples(1_000)
NUMBERS = st.integers(-9, 9)
VECTORS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=12)


@many
@given(VECTORS)
def test_a_chunk_begins_where_the_angle_is_more_than_a_right_one(vectors):
    probabilities = boundary_probabilities(vectors, vectors)
    assert probabilities[0] == 1
    for t in range(1, len(vectors)):
        (a, b), (c, d) = vectors[t - 1 : t + 1]
        product = a * c + b * d
        assert 0 <= probabilities[t] <= 1
        assert (probabilities[t] > BOUNDARY) == (product < 0)
        if any((a, b)) and any((c, d)):
            angle = abs(math.atan2(a * d - b * c, product))
            assert probabilities[t] == pytest.approx((1 - math.cos(angle)) / 2)
    text = bytes(range(97, 97 + len(vectors)))
    chunks = patches(text, probabilities, BOUNDARY)
    assert b"".join(chunks) == text
    assert len(chunks) == sum(one > BOUNDARY for one in probabilities)


@many
@given(VECTORS, st.integers(1, 9))
def test_how_long_a_vector_is_does_not_matter(vectors, factor):
    longer = [[factor * x for x in vector] for vector in vectors]
    assert boundary_probabilities(longer, vectors) == pytest.approx(
        boundary_probabilities(vectors, longer)
    )


def test_a_vector_without_a_length_has_no_direction():
    assert cosine([0, 0], [1, 1]) == 0


@many
@given(st.tuples(NUMBERS, NUMBERS), VECTORS)
def test_the_nearest_entry_is_as_near_as_any(vector, codebook):
    best = nearest(vector, codebook)
    squares = [sum((a - b) ** 2 for a, b in zip(vector, one, strict=True)) for one in codebook]
    assert squares[best] == min(squares)
    assert best == squares.index(min(squares))
    assert residual_codes(vector, [codebook]) == (best,)


@many
@given(st.tuples(NUMBERS, NUMBERS), st.lists(VECTORS, min_size=1, max_size=3))
def test_each_codebook_codes_what_is_left(vector, codebooks):
    codes = residual_codes(vector, codebooks)
    left = vector
    for code, codebook in zip(codes, codebooks, strict=True):
        assert code == nearest(left, codebook)
        left = tuple(a - b for a, b in zip(left, codebook[code], strict=True))


@many
@given(st.integers(1, 60), st.integers(1, 60), st.integers(1, 20))
def test_the_patches_of_a_grid_fit_into_the_image(width, height, patch):
    columns, rows = grid(width, height, patch)
    corners = [
        (x, y)
        for x in range(0, width, patch)
        for y in range(0, height, patch)
        if x + patch <= width and y + patch <= height
    ]
    assert columns * rows == len(corners)


def test_the_rates_of_a_codec():
    assert tokens_per_second(24_000, 8 * 5 * 4 * 2) == 75
    assert [bits_per_second(24_000, 320, n, 1024) for n in (2, 4, 8, 16, 32)] == [
        1500, 3000, 6000, 12000, 24000,
    ]  # fmt: skip


@many
@given(st.text(max_size=40), st.integers(1, 9))
def test_fixed_patches_join_to_the_text(text, size):
    raw = text.encode("utf-8", "surrogatepass")
    cut = fixed_patches(raw, size)
    assert b"".join(cut) == raw
    assert all(len(patch) == size for patch in cut[:-1])
    assert len(cut) == -(-len(raw) // size)


def test_the_units_of_a_text():
    units = unlearned_units("Zoë set the type.")
    assert units == {"bytes": 18, "fixed": -(-18 // PATCH), "characters": 17, "words": 4}
