"""A `tokenizer.json` read here does what it does in Hugging Face's library.

For each family of models and for each part alone: ids, places, types and the way back, of random
strings, alone and in pairs. A few strings in a quick run, 10,000 for each in an exhaustive one.
"""

import base64
import json
import random

import pytest

from tests.call_counts import sample
from tokenizers.formats.tokenizer_json import read_tokenizer_json
from tokenizers.runtime.sentencepiece.model_file import read
from tokenizers.runtime.tokenizer import WordCache

from . import ask, ask_sentencepiece, needs_library, needs_sentencepiece
from .families import (
    BYTE_LEVEL,
    FAMILIES,
    METASPACE,
    file_of,
    sequence,
    split_by,
    texts,
    trained,
)

pytestmark = needs_library


def ours(tokenizer, text, pair, cache, **options):
    """Return what the oracle's `encode_by_files` gives for one text."""
    try:
        e = tokenizer.encode(text, pair, cache=cache, **options)
    except ValueError:
        return "Exception"
    decoded = [tokenizer.decode(e.ids, skip) for skip in (True, False)]
    return [list(e.ids), list(e.offsets), list(e.types), *decoded]


def differences(file, strings, **options):
    """Return the strings on which we differ, with both answers."""
    file = json.dumps(file)
    return differences_of(file, read_tokenizer_json(file), strings, **options)


def differences_of(file, tokenizer, strings, **options):
    """Return the same for the text of a file, and the tokenizer that was read from it."""
    pairs = paired(strings)
    theirs = ask("encode_by_files", files=[file], texts=strings, pairs=pairs, **options)[0]
    cache = WordCache(tokenizer.model)
    mine = [ours(tokenizer, *both, cache, **options) for both in zip(strings, pairs, strict=True)]
    rows = zip(strings, pairs, mine, theirs, strict=True)
    return [row for row in rows if row[2] != row[3]]


def paired(strings):
    """Return a second string for every fourth, None for the others."""
    return [pair if n % 4 == 0 else None for n, pair in enumerate(reversed(strings))]


@pytest.mark.parametrize("family", FAMILIES)
def test_family(family):
    assert differences(trained(family), texts(sample(10_000))) == []


@pytest.mark.parametrize("family", ["roberta", "llama2", "bert"])
@pytest.mark.parametrize("options", [{"special": "text"}, {"add_special_tokens": False}], ids=str)
def test_special_tokens_as_text_or_not_added(family, options):
    assert differences(trained(family), texts(sample(10_000), seed=2), **options) == []


# --- Each part alone ------------------------------------------------------------------------------

BYTES = {f"<0x{byte:02X}>": byte for byte in range(256)}
SPELLING = {"type": "BPE", "vocab": BYTES, "merges": [], "byte_fallback": True}
"""A model that spells a text in bytes: its ids are the text, its places those of each character."""
WORDS = {"type": "WordLevel", "vocab": {"<unk>": 0}, "unk_token": "<unk>"}
"""A model for which every word is one token: its places are those of the words."""

NORMALIZERS = [
    *({"type": kind} for kind in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents")),
    *({"type": kind} for kind in ("Nmt", "ByteLevel")),
    sequence("normalizers", {"type": "NFKD"}, {"type": "StripAccents"}, {"type": "NFC"}),
    *(
        {"type": "Strip", "strip_left": left, "strip_right": right}
        for left, right in [(True, False), (False, True), (True, True)]
    ),
    {"type": "Prepend", "prepend": "▁x"},
    {"type": "Replace", "pattern": {"String": "a"}, "content": "éé"},
    {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": ""},
    {"type": "Replace", "pattern": {"Regex": r"(?=e)"}, "content": "-"},
    *(
        {
            **{"type": "BertNormalizer", "clean_text": clean, "handle_chinese_chars": chinese},
            **{"strip_accents": strip, "lowercase": lower},
        }
        for clean, chinese, strip, lower in [
            (True, False, False, False), (False, True, False, False),
            (False, False, True, False), (False, False, None, True),
            (True, True, False, True), (True, True, True, True),
        ]
    ),
]  # fmt: skip
BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")
PRE_TOKENIZERS = [
    *({"type": kind} for kind in ("BertPreTokenizer", "Whitespace", "WhitespaceSplit")),
    *({"type": "Digits", "individual_digits": each} for each in (True, False)),
    *({"type": "Punctuation", "behavior": behavior} for behavior in BEHAVIORS),
    *(
        split_by(r"[aeiou ]|\d+", behavior, invert)
        for behavior in BEHAVIORS
        for invert in (False, True)
    ),
    {"type": "UnicodeScripts"},
    split_by("a*", "Isolated"),
    split_by("a*|$", "Removed"),
    split_by(".", "MergedWithNext", kind="String"),
    split_by(r"^\w|\h\h|(?i:don't)|\n$", "Isolated"),
    split_by(r"\W\w|[^\w\s]|\A\s|a\z|[[:digit:]]+\Z", "MergedWithPrevious"),
    split_by(" ?[^(\\s|[.,!?…。，、।۔،])]+", "Isolated"),  # BLOOM's: a class in a class
    split_by(r"\p{N}{1,3}+|(?:[aeiou]|[^a-z[\s]]){2}+|n{,2}+t", "Isolated"),  # more than one repeat
    {"type": "CharDelimiterSplit", "delimiter": "e"},
    {"type": "FixedLength", "length": 3},
    *({**BYTE_LEVEL, "add_prefix_space": prefix} for prefix in (True, False)),
    {**BYTE_LEVEL, "add_prefix_space": True, "use_regex": False},
    *(
        {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": split}
        for scheme in ("always", "first", "never")
        for split in (True, False)
    ),
    sequence("pretokenizers", {"type": "WhitespaceSplit"}, METASPACE),
    sequence("pretokenizers", {"type": "Digits", "individual_digits": True}, BYTE_LEVEL),
]


def name(part):
    """Return a name for a test: the values that a part has."""
    return "-".join(str(value) for value in part.values())[:70]


@pytest.mark.parametrize("model", [SPELLING, WORDS], ids=["spelling", "words"])
@pytest.mark.parametrize("part", NORMALIZERS, ids=name)
def test_normalizer(part, model):
    assert part_differences("normalizer", part, model) == []


_MAY_JOIN = (
    "AAﬁ²½éＡ \u094d\u0915\u0958\u0362\u0324\u200d\u200c\u093e\u0995\u09cd\u0c4d\u0c15"
    "\u0ccd\u0c95\u0bcd\u0b95\u1039\u1000\u17d2\u1780\u0d4d\u0d15"
)
"""Viramas, which join two consonants to a cluster in some scripts, and what they do not join."""


def charsmap(rules):
    """Return the map that SentencePiece puts into its models, as a `tokenizer.json` has it."""
    options = {"normalization_rule_name": rules, "vocab_size": 20, "model_type": "bpe"}
    answer = ask_sentencepiece(
        "0.2.3", "train", lines=["abc def"] * 9, hard_vocab_limit=False, **options
    )
    found = read(base64.b64decode(answer["model"])).normalizer.charsmap
    assert found
    return base64.b64encode(found.data).decode()


@needs_sentencepiece["0.2.3"]
@pytest.mark.parametrize("rules", ["nmt_nfkc", "nfkc_cf"])
def test_character_map(rules):
    """T5's normalizer, with the map that SentencePiece puts into its models."""
    part = {"type": "Precompiled", "precompiled_charsmap": charsmap(rules)}
    file = file_of(SPELLING, {"normalizer": part})
    assert differences(file, texts(sample(10_000))) == []
    rng = random.Random(3)
    joined = ["".join(rng.choices(_MAY_JOIN, k=rng.randint(1, 8))) for _ in range(sample(5_000))]
    assert differences(file, joined) == []
    whole = sequence("normalizers", part, *FAMILIES["t5"][1]["normalizer"]["normalizers"][1:])
    assert differences({**trained("t5"), "normalizer": whole}, texts(sample(10_000))) == []


@pytest.mark.parametrize("model", [SPELLING, WORDS], ids=["spelling", "words"])
@pytest.mark.parametrize("part", PRE_TOKENIZERS, ids=name)
def test_pre_tokenizer(part, model):
    assert part_differences("pre_tokenizer", part, model) == []


def part_differences(key, part, model):
    return differences(file_of(model, {key: part}), texts(sample(10_000)))


# --- Decoders -------------------------------------------------------------------------------------

TOKENS = [
    "a", "b", "##a", "##", "##.", ".", "n't", "'", "s", "do", "not", "</w>", "a</w>", "▁", "▁a",
    *(
        "a▁▁b",
        " ",
        "  ",
        "   ",
        "H",
        "HHe",
        "<pad>",
        "|",
        "a|b",
        "Ġ",
        "Ġa",
        "ÃĢ",
        "Ã",
        "é",
        "日",
        "Ġ日",
    ),
    *(
        "<0xE5>",
        "<0x8F>",
        "<0xAB>",
        "<0x61>",
        "<0xc3>",
        "<0xG1>",
        "<0x+1>",
        "<0x611>",
        "<unk>",
        "?",
    ),
]  # fmt: skip
DECODERS = [
    None,
    *({"type": "WordPiece", "prefix": "##", "cleanup": cleanup} for cleanup in (True, False)),
    *(METASPACE | {"prepend_scheme": scheme} for scheme in ("always", "first", "never")),
    {"type": "BPEDecoder", "suffix": "</w>"},
    {"type": "ByteFallback"},
    BYTE_LEVEL,
    sequence("decoders", {"type": "ByteFallback"}, {"type": "Fuse"}),
    FAMILIES["llama2"][1]["decoder"],
    {"type": "Strip", "content": "H", "start": 1, "stop": 0},
    {"type": "Replace", "pattern": {"Regex": "a+|$"}, "content": "-"},
    {"type": "Replace", "pattern": {"String": "  "}, "content": "a"},
    *(
        {"type": "CTC", "pad_token": "<pad>", "word_delimiter_token": "|", "cleanup": cleanup}
        for cleanup in (True, False)
    ),
]


def test_decoders():
    rng = random.Random(5)
    many_ids = [
        rng.choices(range(len(TOKENS)), k=rng.randint(1, 12)) for _ in range(sample(10_000))
    ]
    model = {**WORDS, "vocab": {token: n for n, token in enumerate(TOKENS)}}
    files = [json.dumps(file_of(model, {"decoder": decoder})) for decoder in DECODERS]
    answers = ask("decode_by_files", files=files, many_ids=many_ids)
    for decoder, file, theirs in zip(DECODERS, files, answers, strict=True):
        tokenizer = read_tokenizer_json(file)
        mine = [tokenizer.decode(ids) for ids in many_ids]
        rows = zip(many_ids, mine, theirs, strict=True)
        assert [([TOKENS[n] for n in row[0]], *row) for row in rows if row[1] != row[2]] == [], (
            decoder
        )
