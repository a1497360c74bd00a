"""CLIP's list of merges: what its text becomes, and sentences for damaged files."""

import gzip
import re

import pytest

from tests.core.formats.test_opening import is_sentence
from tokenizers.errors import UserError
from tokenizers.formats.opening import open_tokenizer
from tokenizers.limits import MAX_FILE_BYTES

MERGES = b'"bpe_simple_vocab_16e6.txt#version: 0.2\nl o\nlo w</w>\nn e\nne w</w>\na t</w>\n'
FIRST, LAST = 512 + 5, 512 + 6


@pytest.mark.parametrize(
    "files",
    [
        {"bpe_simple_vocab_16e6.txt": MERGES},
        {"bpe_simple_vocab_16e6.txt.gz": gzip.compress(MERGES)},
        {"merges": MERGES},
    ],
    ids=["txt", "gz", "by content"],
)
def test_a_word_ends_in_its_mark_and_two_tokens_are_put_around_a_text(files: dict[str, bytes]):
    tokenizer = open_tokenizer(files)
    encoded = tokenizer.encode("  LOW\n new")
    assert encoded.tokens == ("<|startoftext|>", "low</w>", "new</w>", "<|endoftext|>")
    assert encoded.ids == (FIRST, 513, 515, LAST)
    assert encoded.offsets == ((0, 0), (2, 5), (7, 10), (0, 0))
    assert tokenizer.decode(encoded.ids) == "low new "


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("A &amp;lt; B", "a < b"),
        ("&#x41;&#0;&unknown;", "a\ufffd&unknown;"),
        ("ΑΣ. ΣΑ", "ας. σα"),
        ("a\x1c\u3000b\u2029", "a b"),
        ("", ""),
    ],
)
def test_a_text_is_cleaned_first(text: str, cleaned: str):
    stages = open_tokenizer({"clip": MERGES}).stages(text)
    (at,) = [stage for stage in stages if stage.kind == "normalizer"]
    assert "".join(segment.words.aligned.text for segment in at.segments) == cleaned


def test_special_tokens_are_found_in_the_cleaned_text():
    tokenizer = open_tokenizer({"clip": MERGES})
    assert tokenizer.encode("&lt;|EndOfText|&gt;", add_special_tokens=False).ids == (LAST,)
    as_text = tokenizer.encode("<|endoftext|>", add_special_tokens=False, special="text")
    assert LAST not in as_text.ids


def test_of_too_many_merges_the_first_are_used():
    glyphs = [*"abcdefghijklmnopqrstuvwxyz"]
    pairs = [f"{a} {b}" for a in glyphs for b in glyphs]
    triples = [f"{pair.replace(' ', '')} {c}" for pair in pairs for c in glyphs]
    more = [f"{triple.replace(' ', '')} {d}" for triple in triples for d in glyphs[:3]]
    lines = "\n".join([*pairs, *triples, *more]).encode()
    tokenizer = open_tokenizer({"clip": MERGES.splitlines(keepends=True)[0] + lines})
    assert len(tokenizer.vocab) == 49_408
    assert tokenizer.specials == {"<|startoftext|>": 49_406, "<|endoftext|>": 49_407}


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"clip": MERGES + b"x y z\n"}, "of the merges is “x y z”"),
        ({"clip": MERGES + b"low er\n"}, "the vocabulary has no 'low'"),
        ({"clip": MERGES + b"l o\n"}, "Two of the merges make the same piece"),
        ({"clip": MERGES + b"\xff a\n"}, "The merges are not UTF-8"),
        ({"a.gz": gzip.compress(MERGES)[:-8]}, "a.gz is compressed and was cut off"),
        ({"a.gz": b"\x1f\x8b" + b"?" * 20}, "a.gz is compressed, but damaged"),
        ({"a.gz": gzip.compress(b" " * (MAX_FILE_BYTES + 1))}, "takes more than 64 MB unpacked"),
        ({"a.xz": b"\xfd7zXZ"}, "a.xz is compressed. Unpack it first"),
    ],
)
def test_a_damaged_file_raises_a_sentence(files: dict[str, bytes], message: str):
    with pytest.raises(UserError, match=re.escape(message)) as error:
        open_tokenizer(files)
    assert is_sentence(error)
