"""A stream shows what decoding everything gives, and never half a character.

tests/parity/test_decode_stream.py holds it to the library.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.models import MODELS, open_model
from tests.call_counts import examples
from tokenizers.errors import UserError
from tokenizers.runtime.streaming import StreamStep, decode_stream


def test_an_emoji_is_held_back_until_it_is_whole():
    loaded = open_model("gpt2")
    steps = list(decode_stream(loaded, loaded.encode("a 🚀!").ids))
    assert steps == [
        StreamStep("a", 0),
        StreamStep("", 1, "incomplete"),
        StreamStep("", 2, "incomplete"),
        StreamStep(" 🚀", 0),
        StreamStep("!", 0),
    ]


def test_the_space_before_the_first_word_is_dropped_once():
    loaded = open_model("mistral-v1")
    ids = loaded.encode("Hello world").ids
    assert [step.text for step in decode_stream(loaded, ids)] == ["Hello", " world"]


@pytest.mark.parametrize("name", MODELS)
@given(text=st.text(max_size=30))
@examples(40)
def test_all_that_is_shown_is_the_whole_text(name: str, text: str):
    loaded = open_model(name)
    ids = loaded.encode(text).ids
    steps = list(decode_stream(loaded, ids))
    assert len(steps) == len(ids)
    if not any(step.reason == "broken" for step in steps):
        held = steps[-1].held if steps else 0
        whole = loaded.decode(ids)
        shown = "".join(step.text for step in steps)
        assert whole.startswith(shown)
        assert held or whole == shown


def test_an_unknown_id_gets_a_sentence():
    loaded = open_model("gpt2")
    with pytest.raises(UserError, match="The vocabulary of 50,257 tokens has no id 50257"):
        list(decode_stream(loaded, [1, 50257]))
