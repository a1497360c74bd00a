"""What a stream shows after each id, held to `DecodeStream` of Hugging Face's library."""

import json
import random

import pytest

from tests.call_counts import sample
from tokenizers.formats.tokenizer_json import read_tokenizer_json
from tokenizers.runtime.streaming import decode_stream

from . import ask, needs_library
from .families import FAMILIES, texts, trained

pytestmark = needs_library


def streamed(tokenizer, ids, skip):
    """Return what the oracle's `stream_by_files` gives for one list of ids."""
    shown = []
    for step in decode_stream(tokenizer, ids, skip):
        if step.reason == "broken":
            return [*shown, "Exception"]
        shown.append(None if step.held else step.text)
    return shown


@pytest.mark.parametrize("skip", [True, False])
@pytest.mark.parametrize("family", FAMILIES)
def test_family(family, skip):
    file = json.dumps(trained(family))
    tokenizer, rng = read_tokenizer_json(file), random.Random(4)
    known = list(tokenizer.vocab.values())
    many = [list(tokenizer.encode(text).ids)[:200] for text in texts(sample(5_000), seed=4)]
    # Ids that no text gives: parts of characters, special tokens, pieces in any order.
    many += [rng.choices(known, k=rng.randint(1, 20)) for _ in range(sample(5_000))]
    (theirs,) = ask("stream_by_files", files=[file], many_ids=many, skip_special_tokens=skip)
    rows = zip(many, theirs, strict=True)
    assert [
        (ids, mine, shown)
        for ids, shown in rows
        if (mine := streamed(tokenizer, ids, skip)) != shown
    ] == []
