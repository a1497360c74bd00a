"""The whole program on hostile input: a result or a sentence, in time."""

import pytest

from tests.fuzz.running import run


def test_every_input_has_a_result_or_a_sentence(pytestconfig: pytest.Config):
    tally = run(0, 0, None, pytestconfig.getoption("--fuzz-seconds"))
    assert not tally.failures, "\n".join(said for _, said in tally.failures[:3])
    assert {kind for _, kind in tally.counts} == {"done", "refused"}
