"""Files of byte pieces besides `.tiktoken`: what they open to, and sentences for damaged ones."""

import base64
import json
import re
from typing import Any

import pytest

from tests.core.formats.test_opening import RANKS, SIZE, is_sentence
from tokenizers.errors import UserError
from tokenizers.formats.opening import detect_format, open_tokenizer
from tokenizers.formats.schemes import SCHEMES, Scheme, read_specials
from tokenizers.formats.tiktoken import read_tiktoken
from tokenizers.runtime.tokenizer import LoadedTokenizer

PIECES = [line.split()[0].decode() for line in RANKS.splitlines()]
BYTES = [base64.b64encode(bytes([byte])).decode() for byte in range(256)]
NUM_SPECIALS = 30
TEKKEN: dict[str, Any] = {
    "config": {
        "pattern": SCHEMES["o200k_base"].pattern,
        "num_vocab_tokens": SIZE,
        "default_vocab_size": NUM_SPECIALS + SIZE - 2,
        "default_num_special_tokens": NUM_SPECIALS,
        "version": "v3",
    },
    "vocab": [
        {"rank": rank, "token_bytes": piece, "token_str": None}
        for rank, piece in enumerate([*BYTES, *PIECES[256:]])
    ],
}
CLAUDE: dict[str, Any] = {
    "explicit_n_vocab": 5 + SIZE,
    "pat_str": SCHEMES["gpt2"].pattern,
    "special_tokens": {"<EOT>": 0, "<META>": 1, "<META_START>": 2, "<META_END>": 3, "<SOS>": 4},
    "bpe_ranks": f"! 5 {' '.join(PIECES[:200])}\n! 205 {' '.join(PIECES[200:])}",
}


def written(file: dict[str, Any]) -> bytes:
    return json.dumps(file).encode()


def changed(file: dict[str, Any], *path: Any, to: Any) -> bytes:
    """Return a file with another value at a path; None takes the key away."""
    copy = json.loads(json.dumps(file))
    at = copy
    for key in path[:-1]:
        at = at[key]
    if to is None:
        del at[path[-1]]
    else:
        at[path[-1]] = to
    return written(copy)


def open_one(data: bytes, name: str = "tekken.json") -> LoadedTokenizer:
    return open_tokenizer({name: data})


# --- tekken.json ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tekken.json", "mistral-tekken.json", "download"])
def test_special_tokens_have_the_first_ids_and_pieces_those_after(name: str):
    tokenizer = open_one(written(TEKKEN), name)
    assert tokenizer.format == "tekken.json"
    assert len(tokenizer.vocab) == NUM_SPECIALS + SIZE - 2  # more pieces are listed than used
    assert tokenizer.encode("a[INST]<s>").ids == (NUM_SPECIALS + ord("a"), 3, 1)
    assert tokenizer.vocab["<SPECIAL_29>"] == 29
    as_text = tokenizer.encode("[INST]", special="text").ids
    assert as_text == tuple(NUM_SPECIALS + byte for byte in b"[INST]")
    assert any("put <s> in front" in caveat for caveat in tokenizer.caveats)
    assert f"each is {NUM_SPECIALS} more than the rank in the file" in tokenizer.caveats[-1]


@pytest.mark.parametrize("version", ["v7", "v11", "v13"])
def test_a_newer_file_names_its_special_tokens(version: str):
    names = ["<unk>", "<s>", "[THINK]"]
    rows = [{"rank": n, "token_str": one, "is_control": True} for n, one in enumerate(names)]
    config = {**TEKKEN["config"], "version": version}
    tokenizer = open_one(written({**TEKKEN, "config": config, "special_tokens": rows}))
    assert tokenizer.encode("[THINK]").ids == (2,)
    assert "[INST]" not in tokenizer.specials
    assert tokenizer.specials["<SPECIAL_3>"] == 3


# --- claude.json ----------------------------------------------------------------------------------


def test_ranks_in_one_text_count_up_from_the_number_at_its_start():
    tokenizer = open_one(written(CLAUDE), "claude.json")
    assert tokenizer.encode("low<EOT>").ids == (5 + SIZE - len(PIECES) + _rank("low"), 0)
    assert tokenizer.encode("ｌｏｗ").ids == tokenizer.encode("low").ids  # NFKC
    assert tokenizer.encode("<EOT>\u0338").ids[0] != 0  # NFKC makes ≯ of the last two
    assert any("NFKC" in caveat for caveat in tokenizer.caveats)


def test_other_files_of_ranks_in_json_are_not_normalized():
    tokenizer = open_one(changed(CLAUDE, "special_tokens", to={"<|end|>": 0}), "cl100k_base.json")
    assert tokenizer.encode("ｌ").ids != tokenizer.encode("l").ids
    assert not any("NFKC" in caveat for caveat in tokenizer.caveats)


def _rank(text: str) -> int:
    return PIECES.index(base64.b64encode(text.encode()).decode())


# --- Schemes --------------------------------------------------------------------------------------


def test_whispers_last_piece_is_empty_and_its_special_tokens_come_after():
    tokenizer = read_tiktoken(RANKS + b"= 50256\n", SCHEMES["whisper"])
    assert tokenizer.vocab[""] == 50256
    assert tokenizer.decode([50256]) == ""
    assert tokenizer.encode("<|startoftranscript|><|en|><|0.00|>").ids == (50258, 50259, 50364)


@pytest.mark.parametrize(
    ("name", "text", "ids"),
    [
        (
            "o200k_harmony",
            "<|start|><|message|><|end|><|return|>",
            (200006, 200008, 200007, 200002),
        ),
        ("o200k_harmony", "<|endofprompt|><|reserved_200018|>", (200018, 200018)),
        ("llama3", "<|eot_id|><|reserved_special_token_4|>", (128009, 128008)),
        ("llama3.1", "<|eot_id|><|eom_id|><|python_tag|>", (128009, 128008, 128010)),
        ("llama4", "<|begin_of_text|><|eot|><|image|><|patch|>", (200000, 200008, 200090, 200092)),
        ("qwen3", "<|im_start|><tool_call></think>", (151644, 151657, 151668)),
        ("qwen3.5", "<|im_start|><|image_pad|><|audio_pad|>", (248045, 248056, 248076)),
        ("whisper-v3", "<|yue|><|notimestamps|>", (50358, 50364)),
    ],
)
def test_special_tokens_of_a_scheme(name: str, text: str, ids: tuple[int, ...]):
    assert read_tiktoken(RANKS, SCHEMES[name]).encode(text).ids == ids


def test_a_pattern_is_read_as_tiktoken_reads_it():
    def words(pattern: str, text: str) -> list[str]:
        stages = read_tiktoken(RANKS, Scheme("own", pattern, {})).stages(text)
        return [word for part in stages[-1].segments for word in part.words.texts]

    assert words(r"\d{1,3}+|\D", "12345x") == ["123", "45", "x"]
    assert words(r"\w+", "low, new") == ["low", "new"]  # what doesn't match is dropped
    assert words(r"a$|.", "a\na") == ["a", "a"]
    with pytest.raises(UserError, match="The pattern that cuts a text into words: the pattern “"):
        words("(", "")


def test_special_tokens_by_hand():
    assert read_specials("<s> 0\n\n <|a b|>:\t7,\n") == {"<s>": 0, "<|a b|>": 7}
    assert read_specials('"<s>": 0,\n\'"\' 1') == {"<s>": 0, '"': 1}
    for text, message in (
        ("<s>", "Line 1 of the special tokens is “<s>”. Each line must be a token and its id"),
        ("<s> 0\n<s> 1", "Line 2 of the special tokens repeats “<s>”"),
        ("\n".join(f"<{n}> {n}" for n in range(5_001)), "more than 5,000 lines"),
        ("x" * 500_001, "more than 5,000 lines or 500,000 characters"),
        (" " * 400_000 + "a" + " " * 90_000 + ".", "Line 1 of the special tokens is “a "),
        ("1234567890", "Line 1 of the special tokens is “1234567890”"),
    ):
        with pytest.raises(UserError, match=re.escape(message)):
            read_specials(text)


# --- Damaged files --------------------------------------------------------------------------------

ROWS = [{"rank": 0, "token_str": "<s>"}, {"rank": 1, "token_str": "<s>"}]
DAMAGED: dict[str, tuple[str, bytes, str]] = {
    "no config": ("tekken.json", changed(TEKKEN, "config", to=None), "config"),
    "no pattern": ("tekken.json", changed(TEKKEN, "config", "pattern", to=None), "config.pattern"),
    "a bad pattern": (
        "tekken.json",
        changed(TEKKEN, "config", "pattern", to="("),
        "The pattern that cuts a text into words: the pattern “(” cannot be compiled",
    ),
    "cut off": (
        "tekken.json",
        written({**TEKKEN, "vocab": TEKKEN["vocab"][:260]}),
        f"lists 260 pieces, but its config speaks of {SIZE - 2}",
    ),
    "a rank in another place": (
        "tekken.json",
        changed(TEKKEN, "vocab", 7, "rank", to=9),
        "vocab[7].rank is 9; it must be 7",
    ),
    "no base64": (
        "tekken.json",
        changed(TEKKEN, "vocab", 7, "token_bytes", to="é"),
        "Piece 8 of the tekken.json, “é”, is not base64",
    ),
    "a piece twice": (
        "tekken.json",
        changed(TEKKEN, "vocab", 7, "token_bytes", to="CA=="),
        "has the piece",
    ),
    "too few ids for the special tokens": (
        "tekken.json",
        changed(TEKKEN, "config", "default_num_special_tokens", to=5),
        "must have 5 special tokens",
    ),
    "a special token twice": (
        "tekken.json",
        written({**TEKKEN, "special_tokens": ROWS}),
        "each with its own name",
    ),
    "no special tokens in a new version": (
        "tekken.json",
        changed(TEKKEN, "config", "version", to="v11"),
        "is of version v11 and lists no special_tokens",
    ),
    "millions of special tokens": (
        "tekken.json",
        changed(TEKKEN, "config", "default_num_special_tokens", to=10**9),
        "1,000,000,000 special tokens",
    ),
    "no ranks": ("a.json", changed(CLAUDE, "bpe_ranks", to=""), "no piece for the single byte"),
    "no first rank": ("a.json", changed(CLAUDE, "bpe_ranks", to="! IQ=="), "Line 1 of bpe_ranks"),
    "a special token with a piece's id": (
        "a.json",
        changed(CLAUDE, "special_tokens", to={"<s>": 7}),
        "both have the id 7",
    ),
    "an id twice": (
        "a.json",
        changed(CLAUDE, "special_tokens", to={"<s>": 0, "</s>": 0}),
        "gives one id to two tokens",
    ),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_file_raises_a_sentence(case: str):
    name, data, message = DAMAGED[case]
    with pytest.raises(UserError, match=re.escape(message)) as error:
        open_one(data, name)
    assert is_sentence(error)


def test_a_vocabulary_with_such_words_in_it_is_still_one():
    data = json.dumps({"token_bytes": 0, "bpe_ranks": 1}).encode()
    assert detect_format("v.json", data) == "vocab.json"
