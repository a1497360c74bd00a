"""SentencePiece's files without the library: small models made here, broken ones, hostile ones."""

import random
import struct
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tests.core.formats.test_sentencepiece_normalizer import MAP
from tokenizers.runtime.sentencepiece import model_file, protobuf
from tokenizers.runtime.sentencepiece.loading import from_model_file as _of_file
from tokenizers.runtime.sentencepiece.loading import load
from tokenizers.runtime.sentencepiece.model_file import (
    BPE,
    BYTE,
    CHAR,
    CONTROL,
    NORMAL,
    UNKNOWN,
    UNUSED,
    USER_DEFINED,
    WORD,
    ModelFile,
    NormalizerSpec,
)
from tokenizers.text.alignment import AlignedText
from tokenizers.unigram import BYTES, split_word


def from_file(file) -> Any:
    """Return the tokenizer, whose model may be of either kind."""
    return _of_file(file)


def small(**changes):
    """Return a Unigram model of a few pieces."""
    rows = [
        ("<unk>", 0.0, UNKNOWN), ("<s>", 0.0, CONTROL), ("</s>", 0.0, CONTROL),
        ("▁", -3.0, NORMAL), ("a", -3.0, NORMAL), ("b", -3.5, NORMAL), ("▁a", -4.0, NORMAL),
        ("ab", -5.0, NORMAL), ("▁ab", -5.5, NORMAL), ("ba", -6.0, NORMAL), ("c", -7, NORMAL),
    ]  # fmt: skip
    pieces, scores, kinds = zip(*rows, strict=True)
    return ModelFile(**{"pieces": pieces, "scores": scores, "kinds": bytes(kinds), **changes})


# --- Whole tokenizers -----------------------------------------------------------------------------


def test_a_small_model_by_hand():
    tokenizer = load(model_file.write(small()))
    encoding = tokenizer.encode("ab  ☃☃ba", special="text")
    assert encoding.tokens == ("▁ab", "▁", "<unk>", "ba")
    assert encoding.pieces == ("▁ab", "▁", "☃☃", "ba")
    assert encoding.offsets == ((0, 2), (2, 4), (4, 6), (6, 8))
    assert tokenizer.decode(encoding.ids) == "ab  ⁇ ba"
    assert "counted" in tokenizer.caveats[0]


def test_a_control_piece_in_a_text_has_two_readings():
    tokenizer = from_file(small())
    assert tokenizer.encode("<s>ab").ids[0] == 1
    assert tokenizer.encode("<s>ab", special="text").ids[:2] == (3, 0)


def test_bpe_steps_and_undone_merges_of_unused_pieces():
    scores = [0, 0, 0, -9, -9, -9, -2, -1, -3, 0, 0]
    kinds = bytearray(small().kinds)
    file = small(model_type=BPE, scores=scores, kinds=bytes(kinds))
    model = from_file(file).model
    assert [(s.rank, s.pair, s.start) for s in model.steps("▁ab")] == [
        (1, ("a", "b"), 1),
        (3, ("▁", "ab"), 0),
    ]
    assert [piece.text for piece in model.cut("▁ab")] == ["▁ab"]
    kinds[8] = UNUSED
    unused = from_file(replace(file, kinds=bytes(kinds)))
    assert [piece.text for piece in unused.model.cut("▁ab")] == ["▁", "ab"]
    assert "reconstructed" in unused.caveats[1]


def test_user_defined_pieces_are_never_merged():
    kinds = bytearray(small().kinds)
    kinds[7] = USER_DEFINED
    tokenizer = from_file(small(model_type=BPE, kinds=bytes(kinds)))
    assert tokenizer.encode("ab", special="text").tokens == ("▁", "ab")


def test_words_are_looked_up_as_a_whole():
    tokenizer = load(model_file.write(small(model_type=WORD)))
    encoding = tokenizer.encode("ab cb ba  a", special="text")
    assert encoding.tokens == ("▁ab", "<unk>", "▁a")
    assert encoding.pieces == ("▁ab", "▁cb▁ba", "▁a")
    assert tokenizer.decode(encoding.ids) == "ab ⁇  a"


def test_characters_are_looked_up_and_user_defined_pieces_before_them():
    kinds = bytearray(small().kinds)
    assert from_file(small(model_type=CHAR)).encode("aba", special="text").tokens == (*"▁aba",)
    kinds[7] = USER_DEFINED
    tokenizer = from_file(small(model_type=CHAR, kinds=bytes(kinds)))
    encoding = tokenizer.encode("aba☃☃", special="text")
    assert encoding.tokens == ("▁", "ab", "a", "<unk>")
    assert encoding.offsets == ((0, 0), (0, 2), (2, 3), (3, 5))


def test_n_best_of_nothing_is_nothing():
    assert from_file(small()).model.n_best("", 5) == []
    cuts = from_file(small()).model.n_best("▁ab", 9)
    assert [[piece.text for piece in cut] for cut in cuts][:2] == [["▁ab"], ["▁a", "b"]]


@examples(100)
@given(st.lists(st.sampled_from(["ab", "b", "aab", "bab", "☃", "aaaa", "abc"]), max_size=40))
def test_cached_words_are_split_like_uncached_ones(words):
    # The score of ▁ab is below that of ▁a and b by less than the rounding error.
    scores = [0, 0, 0, -3, -3, -3.5, -4, -6.50001, -7.50001, -6.50001, -7]
    tokenizer, text = from_file(small(scores=scores)), " ".join(words * 40)
    model = tokenizer.model
    whole = tokenizer.normalizer(AlignedText.raw(text)).text
    for _ in range(2):  # the second time all words are cached
        encoding = tokenizer.encode(text, special="text")
        assert encoding.pieces == split_word(whole, model.core)


# --- Invalid files --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no pieces"),
        (b"GGUF\x03\0\0\0", "GGUF"),
        (b"version https://git-lfs.github.com/spec/v1\n", "Git LFS"),
        (b'{"model": {}}', "JSON"),
        (b"\x1f\x8b\x08", "gzip"),
        (struct.pack("<IHHHHi", 12, 4, 8, 0, 0, 4) + bytes(40), "FlatBuffer"),
        (b"\x0a\x7f", "only 0 bytes follow"),
        (b"\x0a" + b"\xff" * 12, "does not end"),
        (b"\x0b\x00", "not supported"),
        (b"\x00\x00", "number 0"),
        (protobuf.write(1, protobuf.write(1, b"\xff")), "UTF-8"),
        (protobuf.write(1, protobuf.write(1, "a") + protobuf.write(3, 9)), "kind 9"),
        (
            protobuf.write(1, protobuf.write(1, "a")) + protobuf.write(2, protobuf.write(3, 5)),
            "model type of this file is 5",
        ),
    ],
)
def test_other_files_are_rejected_by_name(data, message):
    with pytest.raises(ValueError, match=message):
        load(data)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pieces": ("<unk>", *"aa▁cdefghi")}, "twice"),
        ({"pieces": ("<unk>", "", *"▁bcdefghi")}, "empty"),
        ({"pieces": ("<unk>", "a\0", *"▁bcdefghi")}, "NUL"),
        ({"pieces": ("<unk>", "x" * 8000, *"▁bcdefghi")}, "8,000"),
        ({"scores": [float("nan")] * 11}, "infinite"),
        ({"kinds": bytes([NORMAL] * 11)}, "unknown"),
        ({"kinds": bytes([UNKNOWN, UNKNOWN] + [NORMAL] * 9)}, "unknown"),
        ({"kinds": bytes([UNKNOWN] + [CONTROL] * 10)}, "cut into"),
        ({"kinds": bytes([UNKNOWN, NORMAL] + [BYTE] * 9)}, "byte"),
        ({"byte_fallback": True}, "each byte"),
    ],
)
def test_invalid_vocabularies_are_rejected(changes, message):
    with pytest.raises(ValueError, match=message):
        small(**changes)


def with_everything():
    """Return the bytes of a file that has every field that is read."""
    small_ = small()
    bytes_ = tuple(BYTES)
    file = small(
        pieces=(*small_.pieces, *bytes_, "☃"),
        scores=[*small_.scores, *[0.0] * 256, 0.0],
        kinds=small_.kinds + bytes([BYTE] * 256 + [USER_DEFINED]),
        byte_fallback=True,
        normalizer=NormalizerSpec("rules", MAP),
        denormalizer=NormalizerSpec("back", MAP, False, False, False),
        unk_surface="?",
    )
    data = model_file.write(file)
    assert model_file.read(data) == replace(file, scores=model_file.read(data).scores)
    return data


DATA = with_everything()


def mutated(rng):
    """Return the file with some bytes changed, dropped or doubled, or cut off."""
    data = bytearray(DATA if rng.random() < 0.5 else DATA[: rng.randrange(len(DATA))])
    for _ in range(rng.choice((1, 1, 2, 5, 30))):
        if not data:
            break
        at = rng.randrange(len(data)) if rng.random() < 0.5 else rng.randrange(min(len(data), 400))
        match rng.randrange(4):
            case 0:
                data[at] = rng.randrange(256)
            case 1:
                data[at] ^= 1 << rng.randrange(8)
            case 2:
                del data[at : at + rng.randrange(9)]
            case _:
                data[at:at] = rng.choice((b"\xff" * 9, data[at : at + 20], b"\x80", bytes(4)))
    return bytes(data)


def error_of(data):
    """Return the error of a file, or nothing."""
    try:
        tokenizer = load(data)
        tokenizer.decode(tokenizer.encode("ab ffi~☃\0 Qx<s>").ids)
    except ValueError as error:
        return str(error)
    return ""


@examples(2_000)
@given(st.integers(0, 2**32))
def test_a_mutated_file_is_read_or_raises_a_sentence(seed):
    sentence = error_of(mutated(random.Random(seed)))
    assert not sentence or (sentence[0].isupper() and sentence.endswith("."))


def test_mutated_files_are_both_rejected_and_read():
    refused = [bool(error_of(mutated(random.Random(seed)))) for seed in range(60)]
    assert 10 < sum(refused) < 60
