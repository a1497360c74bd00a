"""Truncation and padding that a `tokenizer.json` asks for, held to Hugging Face's library."""

import json
import random

import pytest

from tests.call_counts import sample
from tokenizers.errors import UserError
from tokenizers.formats.tokenizer_json import read_tokenizer_json

from . import ask, needs_library
from .families import FAMILIES, texts, trained

pytestmark = needs_library


def sections(rng):
    """Return both sections of a file, drawn at random."""
    truncation = {
        "max_length": rng.choice([0, 1, 2, 3, 4, 5, 6, 8, 10, 16]),
        "strategy": rng.choice(["LongestFirst", "LongestFirst", "OnlyFirst", "OnlySecond"]),
        "stride": rng.choice([0, 0, 0, 1, 2, 3]),
        "direction": rng.choice(["Right", "Left"]),
    }
    padding = {
        "strategy": rng.choice(["BatchLongest", {"Fixed": rng.randint(0, 20)}]),
        "direction": rng.choice(["Right", "Left"]),
        "pad_to_multiple_of": rng.choice([None, 0, 1, 8]),
        **{"pad_id": rng.randint(0, 9), "pad_type_id": rng.randint(0, 2), "pad_token": "[PAD]"},
    }
    return {
        "truncation": rng.choice([truncation, truncation, None]),
        "padding": rng.choice([padding, None]),
    }


def to_length(file, text, pair, add_special_tokens):
    """Return what the oracle's `encode_to_length` gives."""
    try:
        fitted = read_tokenizer_json(file).encode_to_length(
            text, pair, add_special_tokens=add_special_tokens
        )
    except UserError:
        return None
    return [
        [
            *map(list, (one.encoding.ids, one.encoding.offsets, one.encoding.types)),
            list(one.attention_mask),
        ]
        for one in (fitted, *fitted.overflow)
    ]


def compared(answer):
    """Return an answer without the type ids of its overflow: see `encode_to_length`."""
    if answer is None:
        return None
    first, *overflow = answer
    return [first, *([ids, offsets, mask] for ids, offsets, _, mask in overflow)]


@pytest.mark.parametrize("add_special_tokens", [True, False])
@pytest.mark.parametrize("family", FAMILIES)
def test_family(family, add_special_tokens):
    rng, strings = random.Random(5), texts(sample(2_000), seed=5)
    files = [json.dumps({**trained(family), **sections(rng)}) for _ in strings]
    firsts = [text[:60] for text in strings]
    pairs = [rng.choice([None, text[:60]]) for text in reversed(strings)]
    theirs = ask(
        "encode_to_length",
        **{"files": files, "texts": firsts, "pairs": pairs},
        add_special_tokens=add_special_tokens,
    )
    rows = zip(files, firsts, pairs, theirs, strict=True)
    assert [
        row for row in rows if compared(to_length(*row[:3], add_special_tokens)) != compared(row[3])
    ] == []
