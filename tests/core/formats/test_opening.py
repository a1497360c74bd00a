"""Detecting the formats of tokenizer files, and error sentences for invalid ones."""

import base64
import json
import random
import re
import time
from collections.abc import Callable

import pytest

from lessons.models import MODELS, open_model, read_files
from tests.call_counts import share
from tokenizers import bpe, wordpiece
from tokenizers.errors import UserError
from tokenizers.formats.opening import group_files, open_tokenizer
from tokenizers.formats.schemes import SCHEMES, Scheme
from tokenizers.formats.tiktoken import read_tiktoken, write_tiktoken
from tokenizers.formats.vocab_merges import write_vocab_merges
from tokenizers.formats.vocab_txt import write_vocab_txt
from tokenizers.limits import MAX_TOKEN_LENGTH
from tokenizers.record.trace import Trace
from tokenizers.runtime.models.byte_bpe import ByteBPE
from tokenizers.runtime.tokenizer import LoadedTokenizer
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.symbols import BYTE_OF_GLYPH

OURS = Scheme("ours", SCHEMES["gpt2"].pattern, {"<|end|>": 999})
CORPUS = Corpus.from_text("low lower lowest new newest café " * 3, Pipeline((), "gpt2"))
ON_BYTES = Trace.record(CORPUS, bpe.Settings(base="bytes", num_merges=20)).model()
SIZE = len(ON_BYTES.vocab)
RANKS = write_tiktoken(ON_BYTES)
VOCAB, MERGES = write_vocab_merges(ON_BYTES)
LINES = b"[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nlow\n##er\n##est\nnew\n"
GOOD: tuple[dict[str, bytes], ...] = (
    {"ours.tiktoken": RANKS},
    {"vocab.json": VOCAB, "merges.txt": MERGES},
    {"vocab.txt": LINES},
)


def open_files(files: dict[str, bytes], lowercase: bool | None = None) -> LoadedTokenizer:
    ranks = any(name.endswith("tiktoken") for name in files)
    return open_tokenizer(files, scheme=OURS if ranks else None, lowercase=lowercase)


# --- Detecting formats ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "format_"),
    [
        ({"a.tiktoken": RANKS}, ".tiktoken"),
        ({"tokenizer.model": RANKS}, ".tiktoken"),  # Llama 3 calls it so
        ({"encoder.json": VOCAB, "vocab.bpe": MERGES}, "vocab.json + merges.txt"),
        ({"my-vocab.json": VOCAB, "my-merges": MERGES}, "vocab.json + merges.txt"),
        ({"tokenizer_config.json": b"{}", "vocab.txt": LINES}, "vocab.txt"),
        ({"pieces": LINES}, "vocab.txt"),
        (read_files("unigram-english"), "SentencePiece .model"),
        ({"pieces": read_files("unigram-english").popitem()[1]}, "SentencePiece .model"),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, dict) else value,
)
def test_formats_are_detected(files: dict[str, bytes], format_: str):
    assert open_tokenizer(files, scheme=OURS).format == format_


@pytest.mark.parametrize("name", MODELS)
def test_a_model_of_the_pack_opens_once_with_all_its_pieces(name: str):
    model = open_model(name)
    assert len(model.vocab) == MODELS[name].pieces
    assert model.name == MODELS[name].title
    assert open_model(name) is model


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "There is no file to open"),
        ({"vocab.json": VOCAB}, "vocab.json is one of two files. Open it together with merges.txt"),
        ({"vocab.bpe": MERGES}, "vocab.bpe is one of two files. Open it together with vocab.json"),
        ({"m.gguf": b"GGUF\x03\0\0\0"}, "m.gguf is a GGUF file"),
        ({"a.zip": b"PK\x03\x04"}, "a.zip is a zip archive"),
        ({"tokenizer.json": b"<!DOCTYPE html>"}, "tokenizer.json is a web page"),
        ({"tokenizer.json": b"version https://git-lfs"}, "tokenizer.json is a pointer of Git LFS"),
        ({"config.json": b'{"a": 1.5}'}, "config.json is JSON, but no tokenizer"),
        ({"t.vocab": b"<unk>\t0\n<s>\t0\n"}, "t.vocab is a list of pieces. Open the .model"),
        ({"t.model": b"cut off"}, "."),
        ({"t.model": b"\x80\x04"}, "t.model is a Python pickle"),
        ({"a.txt": b"some words"}, "a.txt is no tokenizer that can be opened here"),
    ],
    ids=lambda value: "+".join(value) or "nothing" if isinstance(value, dict) else "",
)
def test_other_files_are_named_in_the_error(files: dict[str, bytes], message: str):
    with pytest.raises(ValueError, match=re.escape(message)):
        open_tokenizer(files)


BEGINNINGS = {
    "rwkv_vocab_v20230424.txt": (
        b"1 '\\x00' 1\n2 '\\x01' 1\n3 '\\x02' 1\n",
        "RWKV's list of pieces",
    ),
    "codes_enwiki": (b"t h 52708119\ni n 40129233\na n</w> 31880271\n", "as fastBPE writes it"),
    "bpe.codes": (b"n g</w> 98207813\nh i 47210944\nn h</w> 41129821\n", "as fastBPE writes it"),
    "codes.bpe": (b"#version: 0.2\ne n</w>\ne r</w>\nc h\n", "as subword-nmt writes it"),
    "ytt.model": (b"93 4907\n32 4\n101 5\n116 6\n97 7\n", "a model of YouTokenToMe"),
    "dict.txt": (b"the 1061396\n, 1001045\nto 552033\n", "a dictionary of fairseq"),
    "dict.de.txt": ("▁die 99812\n▁der 98111\n, 97001\n".encode(), "a dictionary of fairseq"),
    "roberta/dict.txt": (b"13 850314647\n262 800385005\n11 800251374\n", "a dictionary of fairseq"),
    "imdb.subwords": (b"### SubwordTextEncoder\n### Metadata: {}\n'the_'\n", "SubwordTextEncoder"),
    "keras/tokenizer.json": (
        b'{"class_name": "Tokenizer", "config": {"num_words": 10000, "filters": "!\\"#"}}',
        "a tokenizer of Keras",
    ),
    "gemma/tokenizer.json": (
        b'{\n    "module": "keras_hub.src.models.gemma.gemma_tokenizer",\n    "class_name": '
        b'"GemmaTokenizer",\n    "config": {"name": "gemma_tokenizer"}\n}',
        "a tokenizer of Keras",
    ),
    "model.gguf": (b"GGUF\x03\0\0\0\x23\1\0\0\0\0\0\0", "a GGUF file"),
    "wav2vec2/vocab.json": (
        b'{"<pad>": 0, "<s>": 1, "</s>": 2, "<unk>": 3, "|": 4, "E": 5, "T": 6, "A": 7}',
        "a vocabulary of letters",
    ),
    "bert/vocab.json": (
        b'{"[PAD]": 0, "[UNK]": 100, "the": 1996, "##s": 2015}',
        "WordPiece's pieces",
    ),
    "marian/vocab.json": (
        '{"</s>": 0, "<unk>": 1, ",": 2, "▁de": 3}'.encode(),
        "the ids of SentencePiece's pieces",
    ),
}


@pytest.mark.parametrize("name", BEGINNINGS)
def test_a_file_of_another_program_is_named_with_what_to_open_instead(name: str):
    data, what = BEGINNINGS[name]
    with pytest.raises(UserError, match=re.escape(what)) as error:
        open_tokenizer({name: data})
    assert is_sentence(error)
    assert str(error.value).startswith(f"{name} is ")
    assert "open" in str(error.value).lower()


@pytest.mark.parametrize("more", [{}, {"|": 900, "##": 901}])
def test_half_of_bpe_over_bytes_still_asks_for_the_other(more: dict[str, int]):
    with pytest.raises(UserError, match="is one of two files"):
        open_tokenizer(
            {"vocab.json": json.dumps(json.loads(VOCAB) | {"Ġlow": 999} | more).encode()}
        )


@pytest.mark.parametrize(
    ("names", "groups"),
    [
        ("tokenizer.json tokenizer_config.json vocab.txt special_tokens_map.json", [[0, 1, 2, 3]]),
        ("tokenizer.json tokenizer.json vocab.txt", [[0, 2], [1]]),
        ("mine-v1.json mine-v2.json", [[0], [1]]),
        ("a-vocab.json b-merges.txt b-vocab.json a-merges.txt", [[0, 3], [1, 2]]),
        ("encoder.json vocab.bpe b.tiktoken", [[0, 1], [2]]),
        ("a-vocab.json b.json b-merges.txt", [[0, 2], [1]]),
        ("vocab.json vocab.json", [[0], [1]]),
        ("", []),
    ],
)
def test_grouping_files_into_tokenizers(names: str, groups: list[list[int]]):
    assert group_files([(name, b"") for name in names.split()]) == groups


def test_halves_under_any_name_are_detected_by_content():
    assert group_files([("m", MERGES), ("x", b"?"), ("v", VOCAB)]) == [[0, 2], [1]]


def test_a_list_of_ranks_needs_a_scheme():
    with pytest.raises(
        ValueError, match=rf"{SIZE} pieces, like no published list.*gpt2, r50k_base"
    ):
        open_tokenizer({"a.tiktoken": RANKS})
    with pytest.raises(ValueError, match=f"{SIZE} pieces, but o200k_base has 199,998"):
        open_tokenizer({"o200k_base.tiktoken": RANKS})


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
def test_special_tokens_come_after_the_pieces_or_between_them(scheme: Scheme):
    ids = list(scheme.specials.values())
    assert len(ids) - len(set(ids)) == (scheme.name == "o200k_harmony")  # 200018 has two names
    assert all(id_ >= min(scheme.pieces, 50256) for id_ in ids)


@pytest.mark.parametrize("lowercase", [None, True, False])
def test_case_is_inferred_from_the_pieces_unless_given(lowercase: bool | None):
    uncased, cased = LINES, LINES + b"New\n"
    for data, detected in ((uncased, True), (cased, False)):
        tokenizer = open_files({"vocab.txt": data}, lowercase=lowercase)
        lower = detected if lowercase is None else lowercase
        assert tokenizer.encode("NEWÉ").tokens == ("[CLS]", "[UNK]", "[SEP]")
        assert ("new" in tokenizer.encode("NEW").tokens) == lower
        assert any("capital letter" in message for message in tokenizer.caveats) == (
            lowercase is None
        )


@pytest.mark.parametrize(
    ("capitals", "is_lowered"), [([], True), (["Ⅲ"], True), (["A", "B", "C"], False)]
)
def test_names_and_stray_numerals_do_not_make_a_long_list_cased(
    capitals: list[str], is_lowered: bool
):
    letters = [chr(ord("一") + n) for n in range(2_000)]
    pieces = ["[PAD]", "[unused1]", "[UNK]", "<S>", "<T>", "hello", *letters, *capitals]
    tokenizer = open_files({"vocab.txt": "\n".join(pieces).encode()})
    assert tokenizer.encode("Hello 一").tokens == ("hello" if is_lowered else "[UNK]", "一")
    number = f"{len(capitals)} of {len(pieces):,} have" if capitals else "none has"
    assert f"told from the pieces: {number} a capital letter" in tokenizer.caveats[0]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("low\n", ["1 line repeats"]),
        ("low\nnew\n", ["2 lines repeat"]),
        ("\u3000\n\n", []),  # white space alone is no piece
    ],
)
def test_repeated_lines_are_a_caveat(more: str, message: list[str]):
    caveats = open_files({"vocab.txt": LINES + more.encode()}).caveats
    assert [one.partition(" a piece")[0] for one in caveats if " a piece" in one] == message


# --- Merging by concatenation ---------------------------------------------------------------------


def test_a_word_that_is_a_piece_stays_whole_even_if_merges_do_not_make_it():
    bytes_ = {glyph: n for n, glyph in enumerate(sorted(BYTE_OF_GLYPH))}
    model = ByteBPE(bytes_ | {"abc": 256})
    assert [piece.text for piece in model.cut("abc")] == ["abc"]
    assert model.steps("abc") == []
    assert [piece.text for piece in model.cut("abcd")] == ["a", "b", "c", "d"]
    assert model.merges.pair_of("abc") is None


@pytest.mark.parametrize("word", ["lowest", " newest", "café", "日本", "low" * 60, "", "x"])
def test_the_steps_of_a_word_lead_to_its_pieces(word: str):
    model = read_tiktoken(RANKS, OURS).model
    assert isinstance(model, ByteBPE)
    symbols, whole = model.symbols(word), "".join(model.symbols(word))
    found = bpe.split_after(symbols, model.steps(word))
    assert [piece.text for piece in model.cut(word)] == (
        [whole] if whole in model.vocab else [*found]
    )


def test_the_reconstructed_pairs_are_the_trained_ones():
    model = read_tiktoken(RANKS, OURS).model
    assert isinstance(model, ByteBPE)
    assert list(model.merges) == list(ON_BYTES.ranks)


def test_part_of_a_character_has_the_offsets_of_the_character():
    tokenizer = read_tiktoken(RANKS, OURS)
    encoded = tokenizer.encode("a日é")
    assert encoded.offsets[:4] == ((0, 1), (1, 2), (1, 2), (1, 2))
    assert tokenizer.decode(encoded.ids) == "a日é"


def test_a_special_token_is_read_as_one_or_as_text():
    tokenizer = read_tiktoken(RANKS, OURS)
    assert tokenizer.encode("low<|end|>").ids[-1] == 999
    assert 999 not in tokenizer.encode("low<|end|>", special="text").ids


# --- Writing --------------------------------------------------------------------------------------


def test_models_that_a_format_cannot_express_are_rejected():
    on_characters = Trace.record(CORPUS, bpe.Settings(num_merges=3)).model()
    for write in (write_tiktoken, write_vocab_merges):
        with pytest.raises(ValueError, match="BPE over bytes, and this run began with characters"):
            write(on_characters)
    for settings in (wordpiece.Settings(mark="@"), wordpiece.Settings(base="end_of_word")):
        with pytest.raises(ValueError, match=r"A vocab\.txt marks the inside of a word by ##"):
            write_vocab_txt(wordpiece.Model({"[UNK]": 0}, settings))
    with pytest.raises(ValueError, match="ids that go up from 0"):
        write_vocab_txt(wordpiece.Model({"[UNK]": 1}))
    with pytest.raises(ValueError, match=r"The piece 'a\\n' ends in white space"):
        write_vocab_txt(wordpiece.Model({"[UNK]": 0, "a\n": 1}))


# --- Damaged and hostile files --------------------------------------------------------------------


def ranks(*lines: bytes) -> dict[str, bytes]:
    return {"ours.tiktoken": RANKS + b"\n".join(lines)}


def merges(vocab: bytes = VOCAB, merges: bytes = MERGES) -> dict[str, bytes]:
    return {"vocab.json": vocab, "merges.txt": merges}


def more_pieces(**pieces: object) -> bytes:
    return json.dumps(json.loads(VOCAB) | pieces).encode()


HOSTILE: dict[str, tuple[dict[str, bytes], str]] = {
    "no rank": (ranks(b"bG93"), f"Line {SIZE + 1} of the .tiktoken file is “bG93”"),
    "three fields": (
        ranks(b"bG93 300 1"),
        f"Line {SIZE + 1} of the .tiktoken file is “bG93 300 1”",
    ),
    "a negative rank": (ranks(b"bG93 -1"), f"Line {SIZE + 1} of"),
    "a huge rank": (ranks(b"bG93 " + b"9" * 5000), f"Line {SIZE + 1} of"),
    "bad base64": (
        ranks(b"bG9 300"),
        f"Piece {SIZE + 1} of the .tiktoken file, “bG9”, is not base64",
    ),
    "a rank twice": (ranks(b"eHl6 3"), "has the rank 3 2 times"),
    "a piece twice": (ranks(b"bG93 300", b"bG93 301"), "has the piece “low”"),
    "a special token's id": (
        ranks(b"eHl6 999"),
        "<|end|> and the piece “xyz” both have the id 999",
    ),
    "cut off": (
        {"ours.tiktoken": RANKS[: RANKS.index(b"\n", 900) + 1]},
        "has no piece for the single byte 0x",
    ),
    "not ranks": ({"ours.tiktoken": b"\xff\xfe" * 99}, "Line 1 of the .tiktoken file is"),
    "empty ranks": ({"ours.tiktoken": b""}, "has no piece for the single byte 0x"),
    "deep JSON": (merges(b'{"a":' * 200_000), "nested too deeply"),
    "half JSON": (merges(VOCAB[:-9]), "not valid JSON"),
    "a list": (merges(b"[1, 2]"), "must be an object"),
    "an id that is no number": (merges(more_pieces(zz="1")), "must be a whole number"),
    "an id of 5,000 digits": (merges(VOCAB[:-1] + b', "zz": ' + b"9" * 5000 + b"}"), "of digits"),
    "an infinite id": (merges(VOCAB[:-1] + b', "zz": 1e999}'), "must be a whole number"),
    "a negative id": (merges(more_pieces(zz=-1)), "must be a whole number"),
    "an id twice": (merges(more_pieces(zz=5)), "gives the id 5 to"),
    "half a surrogate pair": (merges(VOCAB[:-1] + b', "\\ud800": 999}'), "surrogate"),
    "a byte missing": (merges(VOCAB.replace(b'"!"', b'"zz"')), "has no “!”, which stands for"),
    "no bytes": (merges(b'{"a": 0}', b""), "not one over bytes"),
    "an unknown half": (merges(merges=MERGES + b"zzz a\n"), "the vocabulary has no 'zzz'"),
    "an unknown whole": (merges(merges=MERGES + b"z z\n"), "the vocabulary has no 'zz'"),
    "three pieces": (
        merges(merges=MERGES + b"a b c\n"),
        f"Line {SIZE - 256 + 2} of the merges is “a b c”",
    ),
    "merges not UTF-8": (merges(merges=MERGES + b"\xff a\n"), "The merges are not UTF-8"),
    "no [UNK]": ({"vocab.txt": b"a\nb\n"}, "has no line [UNK]"),
    "lines not UTF-8": ({"vocab.txt": LINES + b"\xff\n"}, "vocab.txt is not UTF-8"),
    "too many lines": ({"vocab.txt": b"[UNK]\n" + b"\n" * 600_000}, "more than 600,000 lines"),
    "too many ranks": (ranks(*[b"YQ== 1"] * 600_000), "more than 600,000 lines"),
    "too many merges": (merges(merges=b"a b\n" * 600_001), "more than 600,000 lines"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_damaged_file_raises_a_sentence(case: str):
    files, message = HOSTILE[case]
    began = time.process_time()
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        open_files(files)
    assert is_sentence(error)
    assert time.process_time() - began < 2


def is_sentence(error) -> bool:
    return str(error.value).endswith(".") and len(str(error.value)) < 500


def test_a_merge_that_comes_twice_or_makes_a_half_of_itself_ends():
    vocab = more_pieces(zz=900, zzz=901)
    tokenizer = open_files(merges(vocab, MERGES + b"z z\nzz z\nz zz\nz z\n"))
    assert "".join(tokenizer.encode("z" * 50).tokens) == "z" * 50


def test_a_long_piece_opens_and_one_of_a_million_bytes_does_not():
    tokenizer = open_files(ranks(base64.b64encode(b"z" * MAX_TOKEN_LENGTH) + b" 300"))
    assert tokenizer.encode("z" * 10).tokens == ("z",) * 10
    with pytest.raises(UserError, match="The file has 1,000,000 characters in a token; 8,000 are"):
        open_files(ranks(base64.b64encode(b"z" * 1_000_000) + b" 300"))


Change = Callable[[random.Random, bytes], bytes]
CHANGES: tuple[Change, ...] = (
    lambda rng, data: data[: rng.randrange(len(data))],
    lambda rng, data: data[rng.randrange(len(data)) :],
    lambda rng, data: _replaced(rng, data, bytes([rng.randrange(256)]), 1),
    lambda rng, data: _replaced(rng, data, rng.choice(_NASTY), rng.randrange(20)),
    lambda rng, data: _replaced(rng, data, _cut(rng, data), 0),
)
_NASTY = (b"\n", b" ", b'"', b"}", b"{[", b"9" * 30, b"-1", b"null", b"\0", b"\xed\xa0\x80", b"1e9")


def _cut(rng: random.Random, data: bytes) -> bytes:
    start = rng.randrange(len(data))
    return data[start : start + rng.randrange(200)]


def _replaced(rng: random.Random, data: bytes, new: bytes, length: int) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + new + data[at + length :]


def fault_of(files: dict[str, bytes]) -> str | None:
    """Return the error of files that do not open, or whose tokenizer cannot encode."""
    try:
        open_files(files).encode("lowest café <|end|> [MASK] zz")
    except ValueError as error:
        return str(error)
    return None


def test_a_mutated_file_opens_or_raises_a_sentence():
    rng = random.Random(3)
    refused = 0
    for n in range(share(2_000)):
        files = dict(GOOD[n % len(GOOD)])
        name = rng.choice(list(files))
        for _ in range(rng.randint(1, 3)):
            files[name] = rng.choice(CHANGES)(rng, files[name] or b"\0")
        message = fault_of(files)
        refused += message is not None
        assert message is None or message.endswith(".")
    assert refused > share(2_000) // 3


def test_half_of_a_real_list_is_not_accepted_as_the_whole():
    (data,) = read_files("cl100k").values()
    half = data[: data.index(b"\n", len(data) // 2) + 1]
    with pytest.raises(ValueError, match="but cl100k_base has 100,256"):
        open_tokenizer({"cl100k_base.tiktoken": half})
