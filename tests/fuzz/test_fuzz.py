"""The whole program on hostile input: a result or a UserError, in time."""

from dataclasses import fields
from random import Random

import pytest

from tests.fuzz import drawing
from tests.fuzz.running import run
from tokenizers import bpe, wordpiece
from tokenizers.merging import queue
from tokenizers.text import symbols
from tokenizers.unigram import settings
from tokenizers.wordpiece import top_down

SETTINGS = (bpe.Settings, wordpiece.Settings, top_down.TopDownSettings, settings.Settings)


def test_every_input_has_a_result_or_a_sentence(pytestconfig: pytest.Config):
    tally = run(0, 0, None, pytestconfig.getoption("--fuzz-seconds"))
    assert not tally.failures, "\n".join(said for _, said in tally.failures[:3])
    assert {kind for _, kind in tally.counts} == {"done", "refused"}


@pytest.mark.parametrize("kind", SETTINGS)
def test_every_field_of_the_settings_is_drawn(kind: type):
    rng = Random(1)
    drawn = [drawing.some_values(kind, rng, 1.0) for _ in range(30)]
    for field in fields(kind):
        assert len({repr(values[field.name]) for values in drawn}) > 1, field.name


def test_the_names_that_are_drawn_are_those_of_the_code():
    for name, known in settings.CHOICES.items():
        assert drawing.names(settings.Settings, name) == known
    assert drawing.names(bpe.Settings, "base") == symbols.BASES
    assert drawing.names(wordpiece.Settings, "ties") == queue.TIE_RULES
    assert drawing.names(wordpiece.Settings, "convention") == wordpiece.CONVENTIONS
