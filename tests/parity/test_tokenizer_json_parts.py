"""More parts of a `tokenizer.json`, each alone, and the pack, held to Hugging Face's library.

Normalizers, pre-tokenizers, decoders and whole families are in test_tokenizer_json.py.
"""

import json
import random
from functools import cache
from itertools import product
from math import isinf

import pytest

from tests.call_counts import sample
from tokenizers.formats.json_numbers import integer_as_float, read_number
from tokenizers.formats.tokenizer_json import read_tokenizer_json

from . import ask, needs_library
from .families import BPE, BYTE_LEVEL, METASPACE, file_of, sequence, template, texts, trained
from .pack import as_tokenizer_json
from .test_tokenizer_json import SPELLING, WORDS, differences, differences_of, name

pytestmark = needs_library


# --- Models ---------------------------------------------------------------------------------------


def named(changes):
    return "-".join(f"{key}={value}" for key, value in changes.items()) or "as it is"


@pytest.mark.parametrize(
    "changes",
    [
        *(
            {"unk_token": unk, "fuse_unk": fuse, "byte_fallback": falls_back}
            for unk, fuse, falls_back in product(("<unk>", None), (True, False), (True, False))
        ),
        {"ignore_merges": True},
        {"ignore_merges": True, "byte_fallback": False, "fuse_unk": False},
    ],
    ids=named,
)
def test_bpe(changes):
    model = {**trained("llama2")["model"], **changes}
    assert differences(file_of(model, {}), texts(sample(10_000))) == []


def test_merges_as_older_files_write_them():
    model = trained("llama2")["model"]
    older = {**model, "merges": [" ".join(pair) for pair in model["merges"]]}
    assert differences(file_of(older, {}), texts(sample(10_000))) == []


@pytest.mark.parametrize(
    "marks", [{"continuing_subword_prefix": "##"}, {"end_of_word_suffix": "</w>"}], ids=named
)
@pytest.mark.parametrize("changes", [{}, {"unk_token": None}, {"fuse_unk": True}], ids=named)
def test_bpe_with_marks(marks, changes):
    model = {**marked(*marks.items()), **changes}
    cut = {"pre_tokenizer": {"type": "WhitespaceSplit"}}
    assert differences(file_of(model, cut), texts(sample(10_000))) == []


@cache
def marked(*marks):
    """Return a model whose pieces are marked inside or at the end of a word."""
    cut = {"pre_tokenizer": {"type": "WhitespaceSplit"}}
    empty = file_of({**BPE, "unk_token": "<unk>", **dict(marks)}, cut)
    options = {"vocab_size": 1_000, "special_tokens": ["<unk>"], **dict(marks)}
    lines = texts(300, seed=3)
    answer = ask("train_file", file=empty, trainer="BpeTrainer", texts=lines, **options)
    return json.loads(answer)["model"]


@pytest.mark.parametrize("most", [1, 7, 100])
@pytest.mark.parametrize("cut", ["BertPreTokenizer", "WhitespaceSplit", None])
def test_wordpiece(cut, most):
    model = {**trained("bert_cased")["model"], "max_input_chars_per_word": most}
    parts = {"pre_tokenizer": {"type": cut}} if cut else {}
    assert differences(file_of(model, parts), texts(sample(10_000))) == []


@pytest.mark.parametrize("falls_back", [False, True])
@pytest.mark.parametrize("unk_id", [0, None])
def test_unigram(falls_back, unk_id):
    model = trained("t5")["model"]
    bytes_ = [[f"<0x{byte:02X}>", -9.0] for byte in range(256)] if falls_back else []
    vocab = [*model["vocab"], *bytes_]
    model = {**model, "vocab": vocab, "unk_id": unk_id, "byte_fallback": falls_back}
    assert differences(file_of(model, {}), texts(sample(10_000))) == []


def test_the_scores_of_numbers_of_every_form():
    rng = random.Random(1)
    literals = [drawn_number(rng) for _ in range(sample(100_000))]
    ours = [our_score(literal) for literal in literals]
    rows = list(zip(literals, ours, strict=True))
    good = [(literal, score) for literal, score in rows if score is not None]
    theirs = ask("read_scores", file=file_of_scores([literal for literal, _ in good]))
    assert [row for row, score in zip(good, theirs, strict=True) if row[1] != score] == []
    for literal in [literal for literal, score in rows if score is None][:100]:
        assert ask("read_scores", file=file_of_scores([literal])) is None


def drawn_number(rng):
    """Return a number as JSON may write it; many are long, at a limit, or out of range."""
    if rng.random() < 0.3:
        return repr(-rng.uniform(0, 20))
    limits = (2**53, 2**63, 2**64, 2**64 // 10)
    whole = rng.choice(
        [
            "0",
            str(rng.choice(limits) + rng.randint(-12, 12)),
            str(rng.randint(1, 9)) + digits(rng, (0, 1, 16, 17, 18, 19, 24, 320)),
        ]
    )
    fraction = "0" * rng.choice((0, 0, 1, 5, 310)) + digits(rng, (1, 2, 15, 17, 19, 20, 40, 330))
    powers = (rng.randint(0, 30), rng.randint(290, 330), 2**31 + rng.randint(-2, 1), 10**11)
    exponent = rng.choice("eE") + rng.choice(["", "+", "-"]) + str(rng.choice(powers))
    written = rng.choice(["", "-"]) + whole + rng.choice(["", f".{fraction}"])
    return written + rng.choice(["", exponent])


def digits(rng, lengths):
    return "".join(rng.choices("0123456789", k=rng.choice(lengths)))


def our_score(literal):
    value = json.loads(literal, parse_float=read_number)
    value = integer_as_float(value) if isinstance(value, int) else value
    return None if isinf(value) else value


def file_of_scores(literals):
    """Return a Unigram `tokenizer.json` with these scores, as they are written."""
    rows = ",".join(f'["{n}",{literal}]' for n, literal in enumerate(literals))
    model = {"type": "Unigram", "unk_id": 0, "vocab": "rows", "byte_fallback": False}
    return json.dumps(file_of(model, {})).replace('"rows"', f"[{rows}]")


# --- Added tokens ---------------------------------------------------------------------------------

FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")
CONTENTS = (
    *(
        "ab",
        "abc",
        "AB",
        "É",
        "e\u0301",
        "a b",
        " c",
        "d ",
        "▁x",
        "▁",
        "Ġ",
        "日",
        "ﬁ",
        "1",
        "-",
        "_x",
    ),
    "<1>", "<2>", "<3>", "<4>", "<5>", "<6>", "<7>", "<8>", "İ", "th", "the", "ing", "'s", "😀",
    "\n", "\t",
)  # fmt: skip
"""As many contents as there are ways to set the flags."""
PARTS = [
    {},
    {"normalizer": {"type": "Lowercase"}},
    {"normalizer": sequence("normalizers", {"type": "NFKD"}, {"type": "StripAccents"})},
    {"normalizer": {"type": "Prepend", "prepend": "▁"}, "pre_tokenizer": METASPACE},
    {"pre_tokenizer": {"type": "BertPreTokenizer"}},
    {"pre_tokenizer": BYTE_LEVEL, "post_processor": BYTE_LEVEL, "decoder": BYTE_LEVEL},
]


@pytest.mark.parametrize("special", ["control", "text"])
@pytest.mark.parametrize("parts", PARTS, ids=lambda parts: "+".join(map(str, parts)) or "none")
@pytest.mark.parametrize("turn", [0, 11])
def test_added_tokens_with_every_flag(parts, turn, special):
    file = file_of(SPELLING, parts)
    ways = list(product((False, True), repeat=len(FLAGS)))
    for n, flags in enumerate(ways):
        content = CONTENTS[(n + turn) % len(CONTENTS)]
        token = {"id": len(SPELLING["vocab"]) + n, "content": content}
        file["added_tokens"].append(token | dict(zip(FLAGS, flags, strict=True)))
    strings = texts(sample(10_000), seed=4, names=CONTENTS)
    assert differences(file, strings, special=special) == []


# --- Post-processors ------------------------------------------------------------------------------

SEP, CLS = ["</s>", 2], ["<s>", 1]
POST_PROCESSORS = [
    *(
        {"type": "ByteLevel", "add_prefix_space": space, "trim_offsets": trim, "use_regex": True}
        for space, trim in product((False, True), repeat=2)
    ),
    *(
        {
            **{"type": "RobertaProcessing", "sep": SEP, "cls": CLS},
            **{"trim_offsets": trim, "add_prefix_space": space},
        }
        for space, trim in product((False, True), repeat=2)
    ),
    {"type": "BertProcessing", "sep": SEP, "cls": CLS},
    template("$A", "$A $B:1"),
    template("<s>:3 $A:2 </s>", "$B:1 </s> <s>:2 $A", **{"<s>": 1, "</s>": 2}),
    sequence(
        "processors",
        {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        template("<s> $A", "<s> $A <s>:1 $B:1", **{"<s>": 1}),
    ),
]


@pytest.mark.parametrize("cut", [BYTE_LEVEL, {**BYTE_LEVEL, "add_prefix_space": True}], ids=name)
@pytest.mark.parametrize("part", POST_PROCESSORS, ids=name)
def test_post_processor(part, cut):
    model = trained("gpt2")["model"]
    file = file_of(model, {"pre_tokenizer": cut, "post_processor": part})
    assert differences(file, texts(sample(10_000))) == []


@pytest.mark.parametrize("part", POST_PROCESSORS, ids=name)
def test_post_processor_of_words(part):
    model = {**WORDS, "vocab": {"<unk>": 0, "<s>": 1, "</s>": 2}}
    parts = {"pre_tokenizer": METASPACE, "post_processor": part}
    assert differences(file_of(model, parts), texts(sample(10_000))) == []


# --- The pack -------------------------------------------------------------------------------------


@pytest.mark.parametrize("special", ["control", "text"])
@pytest.mark.parametrize(
    "published",
    [
        "gpt2",
        "cl100k",
        "o200k",
        "gpt-oss",
        "qwen3",
        "deepseek-v3",
        "mistral-tekken",
        "bert-uncased",
        "mistral-v1",
        "unigram-english",
        "unigram-japanese",
    ],
)
def test_the_pack(published, special):
    names, file, tokenizer = opened(published)
    strings = texts(sample(10_000), seed=6, names=(*names, "▁", "<0xC3>"))
    assert differences_of(file, tokenizer, strings, special=special) == []


@cache
def opened(published):
    """Return the names of the added tokens, the file as a text, and what is read from it."""
    file = as_tokenizer_json(published)
    names = tuple(token["content"] for token in file["added_tokens"])
    written = json.dumps(file)
    return names, written, read_tokenizer_json(written)
