"""A `tokenizer.json` read here does what it does in Hugging Face's library.

For each family of models and for each part alone: ids, places, types and the way back, of random
strings, alone and in pairs. A few strings in a quick run, 10,000 for each in a thorough one.
"""

import json

import pytest
from hypothesis import settings

from tests.effort import THOROUGH
from tokenizers.formats.tokenizer_json import read_tokenizer_json

from . import ask, needs_library
from .families import FAMILIES, texts, trained

pytestmark = needs_library


def count(few=300):
    """Return on how many strings to compare."""
    return 10_000 if settings().max_examples >= THOROUGH else few


def ours(tokenizer, text, pair, **asked):
    """Return what the oracle's `encode_by_file` gives for one text."""
    try:
        e = tokenizer.encode(text, pair, **asked)
    except ValueError:
        return "Exception"
    decoded = [tokenizer.decode(e.ids, skip) for skip in (True, False)]
    return [list(e.ids), list(map(list, e.offsets)), list(e.types), *decoded]


def differences(file, strings, **asked):
    """Return the strings on which we differ, with both answers."""
    written = json.dumps(file)
    tokenizer = read_tokenizer_json(written)
    pairs = [pair if n % 4 == 0 else None for n, pair in enumerate(reversed(strings))]
    theirs = ask("encode_by_file", file=written, texts=strings, pairs=pairs, **asked)
    mine = [ours(tokenizer, *both, **asked) for both in zip(strings, pairs, strict=True)]
    rows = zip(strings, pairs, mine, theirs, strict=True)
    return [row for row in rows if row[2] != row[3]]


@pytest.mark.parametrize("family", FAMILIES)
def test_family(family):
    assert differences(trained(family), texts(count())) == []
