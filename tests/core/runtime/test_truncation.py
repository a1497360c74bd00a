"""Truncation and padding of a tokenizer.json. tests/parity/test_truncation.py has the library."""

import json
from typing import Any

import pytest

from tokenizers.errors import UserError
from tokenizers.formats.tokenizer_json import read_tokenizer_json
from tokenizers.runtime.truncation import Truncation

VOCAB = {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "[PAD]": 3} | {x: n for n, x in enumerate("abcde", 4)}
TRUNCATION = {"max_length": 5, "strategy": "LongestFirst", "stride": 1, "direction": "Right"}
PADDING = {
    **{"strategy": {"Fixed": 6}, "direction": "Right", "pad_to_multiple_of": None},
    **{"pad_id": 3, "pad_type_id": 0, "pad_token": "[PAD]"},
}


def file(**more: Any) -> str:
    return json.dumps(
        {
            "version": "1.0",
            "model": {"type": "WordLevel", "vocab": VOCAB, "unk_token": "[UNK]"},
            "pre_tokenizer": {"type": "WhitespaceSplit"},
            "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]},
            **more,
        }
    )


def test_a_text_is_cut_and_filled_up():
    loaded = read_tokenizer_json(file(truncation=TRUNCATION, padding=PADDING))
    fitted = loaded.encode_to_length("a b c d e")
    assert fitted.encoding.ids == (1, 4, 5, 6, 2, 3)
    assert fitted.attention_mask == (1, 1, 1, 1, 1, 0)
    assert fitted.kept == ((0, 3),)
    assert [one.encoding.ids for one in fitted.overflow] == [(1, 6, 7, 8, 2, 3)]
    assert loaded.encode("a b c d e").ids == (1, 4, 5, 6, 7, 8, 2)


def test_a_text_is_cut_and_filled_up_at_its_beginning():
    left = {"direction": "Left"}
    loaded = read_tokenizer_json(
        file(truncation=TRUNCATION | left, padding=PADDING | left | {"pad_to_multiple_of": 4})
    )
    fitted = loaded.encode_to_length("a b c d")
    assert fitted.encoding.ids == (3, 3, 3, 1, 5, 6, 7, 2)
    assert fitted.attention_mask == (0, 0, 0, 1, 1, 1, 1, 1)
    assert fitted.kept == ((1, 4),)


@pytest.mark.parametrize(
    ("sizes", "kept"),
    [
        ((0, 8), [0, 7]), ((2, 8), [2, 5]), ((4, 8), [3, 4]), ((8, 0), [7, 0]),
        ((8, 2), [5, 2]), ((8, 4), [4, 3]), ((8, 8), [3, 4]), ((2, 4), [2, 4]),
    ],
)  # fmt: skip
def test_of_a_pair_the_longer_text_is_cut_first(sizes: tuple[int, int], kept: list[int]):
    ranges = Truncation(7).ranges(sizes)
    assert [end - start for (start, end), *_ in ranges] == kept


def test_the_caveats_say_what_the_file_asks_for():
    loaded = read_tokenizer_json(file(truncation=TRUNCATION, padding=PADDING))
    said = " ".join(loaded.caveats)
    assert "Texts are cut at their end to 5 tokens" in said
    assert "filled up at their end with “[PAD]” (id 3) to 6 tokens" in said


def test_a_file_without_both_cuts_nothing():
    fitted = read_tokenizer_json(file(truncation=None)).encode_to_length("a b")
    assert (fitted.encoding.ids, fitted.kept, fitted.overflow) == ((1, 4, 5, 2), ((0, 2),), ())


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"truncation": TRUNCATION | {"stride": 3}}, "The overlap must be smaller"),
        ({"truncation": TRUNCATION | {"strategy": "OnlySecond"}}, "only the second text"),
        ({"padding": PADDING | {"strategy": {"Fixed": 4_000_000_000}}}, "grow beyond"),
    ],
)
def test_lengths_that_cannot_be_kept_get_a_sentence(more: dict[str, Any], sentence: str):
    loaded = read_tokenizer_json(file(**more))
    with pytest.raises(UserError, match=sentence):
        loaded.encode_to_length("a b c d e")


@pytest.mark.parametrize(
    ("key", "value", "path"),
    [
        ("truncation", TRUNCATION | {"max_length": -1}, "truncation.max_length is -1"),
        ("truncation", TRUNCATION | {"strategy": "none"}, "truncation.strategy"),
        ("truncation", [], "truncation is []"),
        ("padding", PADDING | {"strategy": "Longest"}, "padding.strategy"),
        ("padding", PADDING | {"direction": "Up"}, "padding.direction"),
        ("padding", PADDING | {"pad_token": 3}, "padding.pad_token is 3"),
    ],
)
def test_a_broken_section_is_named(key: str, value: object, path: str):
    with pytest.raises(UserError, match=path.replace("[", r"\[")):
        read_tokenizer_json(file(**{key: value}))
