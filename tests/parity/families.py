"""`tokenizer.json` files like those of model families, with vocabularies trained by the tests.

Each family is a `tokenizer.json` without a vocabulary, filled by the library's trainer: GPT-2,
RoBERTa, BERT, T5, Llama 2 (two variants), Llama 3, Qwen 2 and others. The texts include random
Unicode; the newest characters are in test_unicode.py.
"""

import json
import random
from functools import cache

from lessons.texts import LANGUAGES

from . import ask
from .corpora import many_scripts, random_strings

LLAMA_3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN_2 = LLAMA_3.replace(r"\p{N}{1,3}", r"\p{N}")
BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
METASPACE = {**{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}}
LLAMA_DECODER = {
    "type": "Sequence",
    "decoders": [
        {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
        {"type": "ByteFallback"},
        {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0},
    ],
}
ADDED = [
    ("<mask>", {"lstrip": True, "special": True, "normalized": False}),
    ("<|end|>", {"special": True, "normalized": False}),
    ("New York", {}),
    ("ing", {"single_word": True}),
    ("<TAB>", {"rstrip": True, "normalized": False}),
    ("ÉT", {"lstrip": True, "rstrip": True}),
]
"""Added tokens with every flag, set and not."""


def split_by(pattern, behavior="Isolated", invert=False, kind="Regex"):
    """Return the pre-tokenizer `Split`."""
    return {
        **{"type": "Split", "pattern": {kind: pattern}},
        **{"behavior": behavior, "invert": invert},
    }


def template(single, pair, **ids):
    """Return a template, written as the library's own language for it is."""
    return {
        "type": "TemplateProcessing",
        "single": list(map(_slot, single.split())),
        "pair": list(map(_slot, pair.split())),
        "special_tokens": {
            name: {"id": name, "ids": [id_], "tokens": [name]} for name, id_ in ids.items()
        },
    }


def _slot(written):
    name, _, type_ = written.partition(":")
    kind, name = ("Sequence", name[1:]) if name.startswith("$") else ("SpecialToken", name)
    return {kind: {"id": name, "type_id": int(type_ or 0)}}


def sequence(key, *parts):
    """Return parts in sequence, under the key that their kind has for it."""
    return {"type": "Sequence", key: list(parts)}


BPE = {"type": "BPE", "vocab": {}, "merges": []}
FAMILIES = {
    "gpt2": (
        BPE,
        {
            "pre_tokenizer": BYTE_LEVEL,
            "post_processor": {**BYTE_LEVEL, "trim_offsets": False},
            "decoder": BYTE_LEVEL,
        },
    ),
    "roberta": (
        BPE,
        {
            "pre_tokenizer": {**BYTE_LEVEL, "add_prefix_space": True},
            "post_processor": {
                **{"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 1]},
                **{"trim_offsets": True, "add_prefix_space": True},
            },
            "decoder": BYTE_LEVEL,
        },
    ),
    "llama3": (
        {**BPE, "ignore_merges": True},
        {
            "pre_tokenizer": sequence(
                "pretokenizers", split_by(LLAMA_3), {**BYTE_LEVEL, "use_regex": False}
            ),
            "post_processor": sequence(
                "processors", BYTE_LEVEL, template("<s> $A", "<s> $A <s>:1 $B:1", **{"<s>": 1})
            ),
            "decoder": BYTE_LEVEL,
        },
    ),
    "qwen2": (
        BPE,
        {
            "normalizer": {"type": "NFC"},
            "pre_tokenizer": sequence(
                "pretokenizers", split_by(QWEN_2), {**BYTE_LEVEL, "use_regex": False}
            ),
            "post_processor": {**BYTE_LEVEL, "trim_offsets": False},
            "decoder": BYTE_LEVEL,
        },
    ),
    "llama2": (
        {**BPE, "unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True},
        {
            "normalizer": sequence(
                "normalizers",
                {"type": "Prepend", "prepend": "▁"},
                {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
            ),
            "post_processor": template("<s> $A", "<s> $A <s>:1 $B:1", **{"<s>": 1}),
            "decoder": LLAMA_DECODER,
        },
    ),
    "llama2_metaspace": (
        {**BPE, "unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True},
        {
            "pre_tokenizer": {
                **{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first"},
                "split": False,
            },
            "post_processor": template("<s> $A", "<s> $A <s>:1 $B:1", **{"<s>": 1}),
            "decoder": LLAMA_DECODER,
        },
    ),
    "gpt": (
        {**BPE, "unk_token": "<unk>", "end_of_word_suffix": "</w>"},
        {
            "normalizer": {
                **{"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True},
                **{"strip_accents": None, "lowercase": True},
            },
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "decoder": {"type": "BPEDecoder", "suffix": "</w>"},
        },
    ),
    "bert": (
        {
            **{"type": "WordPiece", "unk_token": "<unk>", "continuing_subword_prefix": "##"},
            **{"max_input_chars_per_word": 100, "vocab": {"<unk>": 0}},
        },
        {
            "normalizer": {
                **{"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True},
                **{"strip_accents": None, "lowercase": True},
            },
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "post_processor": template(
                "<s> $A </s>", "<s> $A </s> $B:1 </s>:1", **{"<s>": 1, "</s>": 2}
            ),
            "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        },
    ),
    "bert_cased": (
        {
            **{"type": "WordPiece", "unk_token": "<unk>", "continuing_subword_prefix": "##"},
            **{"max_input_chars_per_word": 20, "vocab": {"<unk>": 0}},
        },
        {
            "normalizer": {
                **{"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True},
                **{"strip_accents": None, "lowercase": False},
            },
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "post_processor": {"type": "BertProcessing", "sep": ["</s>", 2], "cls": ["<s>", 1]},
            "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": False},
        },
    ),
    "t5": (
        {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0]], "byte_fallback": False},
        {
            "normalizer": sequence(
                "normalizers",
                {"type": "NFKC"},
                {"type": "Strip", "strip_left": False, "strip_right": True},
                {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"},
            ),
            "pre_tokenizer": METASPACE,
            "post_processor": template("$A </s>", "$A </s> $B </s>", **{"</s>": 2}),
            "decoder": METASPACE,
        },
    ),
    "words": (
        {"type": "WordLevel", "vocab": {"<unk>": 0}, "unk_token": "<unk>"},
        {
            "normalizer": sequence(
                "normalizers", {"type": "NFD"}, {"type": "StripAccents"}, {"type": "Lowercase"}
            ),
            "pre_tokenizer": {"type": "Whitespace"},
        },
    ),
}
"""The model and the other parts of each family."""

TRAINERS = {
    "BPE": "BpeTrainer",
    "WordPiece": "WordPieceTrainer",
    "Unigram": "UnigramTrainer",
    "WordLevel": "WordLevelTrainer",
}


@cache
def trained(family, size=2_000):
    """Return the file of a family with a vocabulary and the added tokens, as an object."""
    model, parts = FAMILIES[family]
    options = {"vocab_size": size, "special_tokens": ["<unk>", "<s>", "</s>"]}
    if family == "gpt":
        options["end_of_word_suffix"] = "</w>"
    if model["type"] == "Unigram":
        options["unk_token"] = "<unk>"
    if parts.get("decoder") == BYTE_LEVEL:
        options["initial_alphabet"] = [chr(n) for n in range(33, 324)]
    texts = [passage.text for passage in LANGUAGES] + [many_scripts(20_000)]
    trainer = TRAINERS[model["type"]]
    answer = ask("train_file", file=file_of(model, parts), trainer=trainer, texts=texts, **options)
    file = json.loads(answer)
    if model.get("byte_fallback"):
        add_bytes(file["model"])
    file["model"].update({key: model[key] for key in ("ignore_merges",) if key in model})
    add_tokens(file)
    return file


def file_of(model, parts):
    """Return a file with a model and some other parts."""
    nothing = dict.fromkeys(("normalizer", "pre_tokenizer", "post_processor", "decoder"))
    return {
        **{"version": "1.0", "truncation": None, "padding": None, "added_tokens": []},
        **nothing,
        **parts,
        "model": model,
    }


def add_bytes(model):
    """Put a piece for every byte into the vocabulary of a model."""
    for byte in range(256):
        model["vocab"][f"<0x{byte:02X}>"] = len(model["vocab"])


def add_tokens(file):
    """Put the added tokens at the end of the vocabulary."""
    vocab = file["model"]["vocab"]
    pieces = [row[0] for row in vocab] if isinstance(vocab, list) else list(vocab)
    new = [content for content, _ in ADDED if content not in pieces]
    ids = {piece: n for n, piece in enumerate([*pieces, *new])}
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "special"), False)
    for content, more in ADDED:
        file["added_tokens"].append(
            {"id": ids[content], "content": content, "normalized": True, **flags, **more}
        )


NAMES = (*[content for content, _ in ADDED], "<s>", "</s>", "<unk>", "<0xC3>", " <mask> ", "▁")


@cache
def texts(count, seed=1, names=NAMES):
    """Return random strings, with tokens of all kinds strewn into every third."""
    rng = random.Random(seed)
    found = []
    for n, text in enumerate(random_strings(count, seed)):
        if n % 3 == 0:
            for _ in range(rng.randint(1, 4)):
                place = rng.randint(0, len(text))
                space = rng.choice(["", "", " ", "  ", "\t"])
                text = text[:place] + space + rng.choice(names) + space + text[place:]
        found.append(text)
    return found
