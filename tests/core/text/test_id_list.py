"""Ids are read in whatever form people paste them; anything else gets a sentence, and soon."""

import json
import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples, share
from tokenizers.errors import UserError
from tokenizers.text.id_list import FORMS, MAX_CHARS, MAX_IDS, looks_like_ids, read_ids, write_ids

IDS = [9906, 0, 1917]
WAYS = [
    "[9906, 0, 1917]",
    "[9906,0,1917]",
    "(9906, 0, 1917)",
    "9906 0 1917",
    "9906, 0, 1917",
    "9906\n0\r\n1917\n",
    "9906\t0;1917",
    "ids = [9906, 0, 1917]",
    "[\n  9906,\n  0,\n  1917,\n]",
    "[9906    0 1917]",
    "tensor([9906, 0, 1917])",
    "tensor([ 9906,    0,\n         1917])",
    "tensor([[9906, 0, 1917]], device='cuda:0')",
    "tensor([9906, 0, 1917], dtype=torch.int32, grad_fn=<AddBackward0>)",
    "torch.tensor([9906, 0, 1917])",
    "array([9906, 0, 1917], dtype=int64)",
    "np.array([[9906, 0, 1917]])",
    "[np.int64(9906), np.int64(0), np.int64(1917)]",
    "array('I', [9906, 0, 1917])",
    "Array([9906, 0, 1917], dtype=int32)",
    "<tf.Tensor: shape=(1, 3), dtype=int32, numpy=array([[9906, 0, 1917]], dtype=int32)>",
    "{'input_ids': [9906, 0, 1917], 'token_type_ids': [0, 0, 0], 'attention_mask': [1, 1, 1]}",
    "{'input_ids': tensor([[9906, 0, 1917]]), 'attention_mask': tensor([[1, 1, 1]])}",
    '{"text": "a", "ids": [9906, 0, 1917], "n": 3}',
    "[9906, 0, 1917",
]
REFUSED = {
    "": "There are no ids here.",
    "[]": "There are no ids here.",
    "hello": "“hello” is not an id",
    "[9906, x]": "“x” is not an id",
    "1e9": "“1e9” is not an id",
    "[1.0, 2.0]": "“1.0” is not an id",
    "0x1F": "“0x1F” is not an id",
    "[1, None]": "“None” is not an id",
    "[5, -3]": "“-3” is negative",
    "[5, -100]": "-100 is not an id: training code writes it",
    "[1 2 ... 3]": "The list is shortened",
    "٣ ٤": "“٣” is not written in the digits 0 to 9",
    "１２": "“１２” is not written in the digits 0 to 9",
    "[[1, 2], [3]]": "These are 2 lists of ids",
    "[1, [2]]": "These are 2 lists of ids",
    "1" * 20: "has 20 digits",
    "1 " * (MAX_IDS + 1): "These are 100,001 ids; at most 100,000",
    "9" * (MAX_CHARS + 1): "This text has 2,000,001 characters",
}


@pytest.mark.parametrize("written", WAYS)
def test_ids_are_read_in_every_form(written: str):
    assert read_ids(written) == IDS
    assert looks_like_ids(written)


@pytest.mark.parametrize("written", REFUSED)
def test_anything_else_gets_a_sentence(written: str):
    with pytest.raises(UserError) as caught:
        read_ids(written)
    assert str(caught.value).startswith(REFUSED[written]) or REFUSED[written] in str(caught.value)
    assert str(caught.value).endswith(".")
    assert not looks_like_ids(written)


@pytest.mark.parametrize("written", WAYS[:-1])
def test_long_lists_look_like_ids_too(written: str):
    of_scalars = "np.int64" in written
    more = ", np.int64(1)" if of_scalars else ", 1"
    last = "np.int64(1917)" if of_scalars else "1917"
    assert looks_like_ids(written.replace(last, last + more * 200))


def test_a_long_text_is_soon_told_from_ids():
    start = time.process_time()
    assert not looks_like_ids("In 1917 " * 250_000)
    assert not looks_like_ids("1917 " * 30 + "in " * 500_000)
    assert time.process_time() - start < 0.2


@pytest.mark.parametrize("text", ["12345", "in 1917", "def main(): return 0", "a [1]", "naïve, 12"])
def test_a_text_is_not_taken_for_ids(text: str):
    assert not looks_like_ids(text)


@given(st.lists(st.integers(0, 2**32), min_size=1))
@examples(200)
def test_what_is_written_is_read_again(ids: list[int]):
    assert [read_ids(write_ids(ids, form)) for form in FORMS] == [ids] * len(FORMS)
    assert json.loads(write_ids(ids, "json")) == ids


HOSTILE_PARTS = (
    *("[", "]", "(", ")", "{", "}", ",", " ", "\n", "-", ".", "1e9", "٣", "12", "0", "1_000"),
    *("tensor(", "array(", "array('I',", "np.int64(", "<tf.Tensor: ", "numpy=", "dtype=<", ")>"),
    *("'input_ids': ", "ids=", "shape=(", "device='", "\0", "\ud800", "🧑‍🚀", "...", "x"),
)


def hostile(rng: random.Random) -> str:
    """A text of numbers, brackets, keys and nonsense, some of it repeated very often."""
    parts = [*HOSTILE_PARTS, "9" * 25]
    chosen = [rng.choice(parts) for _ in range(rng.randint(1, 12))]
    times = rng.choice([1, 1, 2, 1_000, 100_000])
    at = rng.randrange(len(chosen))
    chosen[at] *= times if len(chosen[at]) * times < MAX_CHARS else 1
    return "".join(chosen)


def ids_or_sentence(text: str) -> tuple[list[int], str]:
    try:
        return read_ids(text), ""
    except UserError as error:
        return [], str(error)


def test_hostile_texts_are_answered_soon():
    rng = random.Random(3)
    for _ in range(share(2_000)):
        text = hostile(rng)
        start = time.process_time()
        ids, sentence = ids_or_sentence(text)
        assert all(type(id_) is int and id_ >= 0 for id_ in ids)
        assert bool(ids) != (sentence.endswith(".") and len(sentence) < 400)
        assert ids or not looks_like_ids(text)
        assert time.process_time() - start < 2
