"""Orthogonal matching pursuit on drawn vectors, exactly, and against numpy's least squares."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers.experiments.research.transplant import dot, mean, pursue, solve, weighted_sum

NUMBERS = st.integers(-4, 4).map(Fraction)


@st.composite
def cases(draw):
    """A target and up to six shared vectors of two to four numbers."""
    vectors = st.tuples(*[NUMBERS] * draw(st.integers(2, 4)))
    shared = draw(st.lists(vectors, min_size=1, max_size=6))
    return draw(vectors), dict(zip("abcdef", shared, strict=False))


@examples(1_000)
@given(cases())
def test_one_token_is_the_best_single_by_its_product(case):
    target, shared = case
    products = {token: abs(dot(vector, target)) for token, vector in shared.items()}
    steps = list(pursue(target, shared, 1))
    if not any(products.values()):
        assert not steps
        return
    (step,) = steps
    assert products[step.token] == max(products.values())
    vector = shared[step.token]
    assert step.weights == {step.token: dot(vector, target) / dot(vector, vector)}


@examples(1_000)
@given(cases(), st.integers(1, 6))
def test_the_residual_is_orthogonal_to_all_chosen_and_never_grows(case, most):
    target, shared = case
    steps = list(pursue(target, shared, most))
    lengths = [dot(target, target), *(dot(step.residual, step.residual) for step in steps)]
    assert all(after < before for before, after in pairwise(lengths))
    for step in steps:
        assert all(dot(shared[token], step.residual) == 0 for token in step.weights)
        fitted = weighted_sum(step.weights, shared)
        assert tuple(a + b for a, b in zip(fitted, step.residual, strict=True)) == target
        assert step.token not in set(step.weights) - {step.token}


@examples(1_000)
@given(cases())
def test_the_weights_are_those_of_least_squares_by_numpy(case):
    target, shared = case
    for step in pursue(target, shared, 6):
        matrix = np.array([[float(x) for x in shared[t]] for t in step.weights]).T
        found = np.linalg.lstsq(matrix, np.array([float(x) for x in target]), rcond=None)[0]
        assert np.allclose(found, [float(w) for w in step.weights.values()])


@examples(1_000)
@given(cases())
def test_with_enough_tokens_nothing_is_left(case):
    target, shared = case
    matrix = np.array([[float(x) for x in vector] for vector in shared.values()])
    if np.linalg.matrix_rank(matrix) < len(target):
        return
    steps = list(pursue(target, shared, len(shared)))
    assert not any(steps[-1].residual if steps else target)


@examples(1_000)
@given(st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=6))
def test_the_mean_is_as_far_from_each_side(vectors):
    middle = mean(vectors)
    assert all(sum(v[n] - middle[n] for v in vectors) == 0 for n in range(3))


def test_equations_are_solved_in_any_order():
    rows = [[Fraction(0), Fraction(2)], [Fraction(3), Fraction(1)]]
    assert solve(rows, [Fraction(4), Fraction(5)]) == [1, 2]


def test_a_sum_of_nothing_has_no_length():
    with pytest.raises(ValueError, match="at least one"):
        weighted_sum({}, {})
