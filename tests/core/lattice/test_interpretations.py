"""Bounds on the sum of a lattice, and its reading as a hidden Markov model, by brute force."""

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers.lattice import LOG_ZERO, Lattice, forward_values, log_sum_exp
from tokenizers.lattice.hidden_markov import finished_sum, forward_by_state
from tokenizers.lattice.jensen import lower_bound

many = examples(1_000)
LOGS = st.lists(st.floats(-8, -0.01), min_size=1, max_size=6)
PIECES = st.dictionaries(
    st.text("ab", min_size=1, max_size=3), st.floats(-6, -0.01), min_size=1, max_size=6
)


@many
@given(LOGS, st.data())
def test_no_shares_bound_more_than_the_sum(logs, data):
    weights = data.draw(st.lists(st.integers(0, 9), min_size=len(logs), max_size=len(logs)))
    weights[0] += 1
    shares = [weight / sum(weights) for weight in weights]
    assert lower_bound(logs, shares).value <= log_sum_exp(logs) + 1e-9


@many
@given(LOGS)
def test_the_models_own_shares_give_the_sum(logs):
    total = log_sum_exp(logs)
    own = [math.exp(log - total) for log in logs]
    assert lower_bound(logs, own).value == pytest.approx(total)


def test_what_cannot_happen_bounds_nothing():
    assert lower_bound([LOG_ZERO, -1.0], [0.5, 0.5]).value == LOG_ZERO
    assert lower_bound([LOG_ZERO, -1.0], [0.0, 1.0]).value == -1.0


def by_brute_force(text: str, pieces: dict[str, float], end: int) -> dict[tuple[str, int], float]:
    """The sum of every row of states that writes the text up to `end`, by its last state."""
    states = [(piece, done) for piece in pieces for done in range(1, len(piece) + 1)]
    sums: dict[tuple[str, int], list[float]] = {}
    for row in product(states, repeat=end):
        log = 0.0
        for place, (piece, done) in enumerate(row):
            follows = place and row[place - 1] == (piece, done - 1)
            was_done = place == 0 or len(row[place - 1][0]) == row[place - 1][1]
            if piece[done - 1] != text[place] or not (follows if done > 1 else was_done):
                break
            log += pieces[piece] if done == 1 else 0.0
        else:
            sums.setdefault(row[-1], []).append(log)
    return {state: log_sum_exp(logs) for state, logs in sums.items()}


@many
@given(
    st.text("ab", min_size=1, max_size=4),
    st.dictionaries(st.sampled_from(["a", "b", "ab", "ba"]), st.floats(-6, -0.01), min_size=1),
)
def test_every_state_has_the_sum_of_all_rows_that_end_in_it(text, pieces):
    lattice = Lattice.build(text, pieces)
    there = {edge.piece: edge.log_prob for edge in lattice.edges}
    for end, column in enumerate(forward_by_state(lattice), start=1):
        assert column == pytest.approx(by_brute_force(text, there, end))


@many
@given(st.text("ab", min_size=1, max_size=9), PIECES)
def test_what_is_finished_is_the_forward_value(text, pieces):
    lattice = Lattice.build(text, pieces)
    finished = [finished_sum(column) for column in forward_by_state(lattice)]
    assert finished == pytest.approx(list(forward_values(lattice)[1:]))
