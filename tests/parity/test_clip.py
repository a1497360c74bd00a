"""CLIP's merges cut texts as in open_clip, whose answers are stored by make_file_fixtures.py."""

import json
from pathlib import Path

from tokenizers.formats.opening import open_tokenizer

FIXTURES = Path(__file__).with_name("fixtures")
NAME = "bpe_simple_vocab_16e6.txt"


def test_clip_as_open_clip_reads_it():
    tokenizer = open_tokenizer({NAME: (FIXTURES / "files" / NAME).read_bytes()})
    rows = json.loads((FIXTURES / "clip.json").read_text(encoding="utf-8"))
    assert len(rows) > 300
    for text, ids, decoded in rows:
        found = list(tokenizer.encode(text, add_special_tokens=False).ids)
        assert (text, found) == (text, ids)
        assert tokenizer.decode(found) == decoded
