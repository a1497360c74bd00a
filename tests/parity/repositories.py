"""Small repositories, each a folder of files, and the texts to encode with their tokenizers.

`make_repository_fixtures.py` has transformers open them; `test_repositories.py` opens them here.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from lessons.models import read_files
from tests.core.formats.test_opening import LINES, MERGES, ON_BYTES, VOCAB
from tokenizers.formats.tokenizer_json_writer import write_tokenizer_json

Files = Mapping[str, bytes]
TEXTS = (
    "",
    "low lower lowest",
    " LOW  Lowest café, newest!  ",
    "<|im_start|>low <|im_start|> new<s> lower</s>[MASK]",
    "<a><A> low<b>low <c> <extra_id_0> [PAD]",
    "naïve 漢字 🧑‍🚀\n\tlow",
    "it 's low , do not . n't",
)
IM = "<|im_start|>"
BYTES = json.loads(write_tokenizer_json(ON_BYTES))
SIZE = len(ON_BYTES.vocab)
BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
"""GPT-2's pre-tokenizer, which splits by its own pattern."""
TWO = {"vocab.json": VOCAB, "merges.txt": MERGES}


def written(value: Any) -> bytes:
    """Return a value as JSON."""
    return json.dumps(value, ensure_ascii=False).encode()


def token(content: str, **flags: bool) -> dict[str, Any]:
    """Return an entry of an `added_tokens_decoder`."""
    names = ("lstrip", "normalized", "rstrip", "single_word", "special")
    return {"content": content} | dict.fromkeys(names, False) | flags


def config(name: str | None = None, **keys: Any) -> dict[str, bytes]:
    """Return a `tokenizer_config.json` that names a class in transformers."""
    named = {} if name is None else {"tokenizer_class": name}
    return {"tokenizer_config.json": written(named | keys)}


def on_bytes(*added: Mapping[str, Any], **parts: Any) -> dict[str, bytes]:
    """Return a `tokenizer.json` over bytes, with added tokens or other components."""
    rows = [{"id": SIZE + n, **one} for n, one in enumerate(added)]
    return {"tokenizer.json": written(BYTES | {"added_tokens": rows} | parts)}


def bert_json(**normalizer: Any) -> dict[str, bytes]:
    """Return a `tokenizer.json` of BERT's kind."""
    vocab = {piece: n for n, piece in enumerate(LINES.decode().split())}
    names = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
    bert = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True}
    return {
        "tokenizer.json": written(
            {
                "version": "1.0",
                "added_tokens": [{"id": vocab[n], **token(n, special=True)} for n in names],
                "normalizer": {**bert, "strip_accents": None, "lowercase": True, **normalizer},
                "pre_tokenizer": {"type": "BertPreTokenizer"},
                "post_processor": {
                    "type": "BertProcessing",
                    "sep": ["[SEP]", vocab["[SEP]"]],
                    "cls": ["[CLS]", vocab["[CLS]"]],
                },
                "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
                "model": {
                    "type": "WordPiece",
                    "unk_token": "[UNK]",
                    "continuing_subword_prefix": "##",
                    "max_input_chars_per_word": 100,
                    "vocab": vocab,
                },
            }
        )
    }


def _json_over_bytes() -> Iterator[tuple[str, Files]]:
    generic, plain = "PreTrainedTokenizerFast", token(IM, normalized=True)
    yield "json", on_bytes(plain)
    flags = token(IM, rstrip=True, special=True)
    more = {str(SIZE): flags, str(SIZE + 2): token("<a>", lstrip=True), str(SIZE + 1): token("<b>")}
    for name in (generic, "GPT2Tokenizer", "LlamaTokenizer"):
        asked = {"bos_token": "<s>", "add_bos_token": True, "add_prefix_space": True}
        base = on_bytes(plain, **({} if name == generic else {"pre_tokenizer": BYTE_LEVEL}))
        decoder = config(name, added_tokens_decoder=more, **asked)
        yield f"json, decoder, {name}", base | decoder
        yield f"json, named, {name}", base | config(name, eos_token="</s>", **asked)
    legacy = {
        "added_tokens.json": written({"<a>": SIZE + 1, "<b>": SIZE + 2}),
        "special_tokens_map.json": written(
            {
                "bos_token": token("<s>", lstrip=True, normalized=True),
                "eos_token": "</s>",
                "additional_special_tokens": ["<b>", "<c>"],
            }
        ),
    }
    yield "json, legacy", on_bytes(plain) | legacy
    yield "json, legacy, config", on_bytes(plain) | legacy | config(generic, bos_token="<a>")
    yield "json, decoder, legacy", on_bytes(plain) | legacy | config(generic, **_decoder(IM, "<c>"))
    taken = {"added_tokens.json": written({"<a>": SIZE, "<b>": SIZE + 7})}
    yield "json, an id that is taken", on_bytes(plain) | taken
    image = {"image_token": "<c>", "extra_special_tokens": {"boi_token": "<b>"}}
    yield "json, of this model", on_bytes(plain) | config(generic, **image)
    roles = dict(eos_token=IM, **_decoder(IM))
    yield "json, made special", on_bytes() | config(generic, **roles)
    yield "json, clean-up", on_bytes() | config(generic, clean_up_tokenization_spaces=True)
    around = {
        "type": "TemplateProcessing",
        "single": [
            {"SpecialToken": {"id": IM, "type_id": 0}},
            {"Sequence": {"id": "A", "type_id": 0}},
        ],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {IM: {"id": IM, "ids": [SIZE], "tokens": [IM]}},
    }
    begins = config(generic, bos_token=IM, add_bos_token=False, add_eos_token=True, eos_token="<c>")
    yield "json, a template", on_bytes(token(IM, special=True), post_processor=around) | begins


def llama_json() -> dict[str, bytes]:
    """Return a `tokenizer.json` of Llama's kind, which writes spaces by its normalizer."""
    vocab = ["<unk>", "<s>", "</s>", *[f"<0x{byte:02X}>" for byte in range(256)]]
    vocab += ["▁", "l", "o", "w", "e", "r", "lo", "low", "▁low", "er", "▁▁"]
    merges = ["l o", "lo w", "▁ low", "e r", "▁ ▁"]
    space = {"pattern": {"String": "▁"}, "content": " "}
    return {
        "tokenizer.json": written(
            {
                "version": "1.0",
                "added_tokens": [{"id": n, **token(vocab[n], special=True)} for n in range(3)],
                "normalizer": {
                    "type": "Sequence",
                    "normalizers": [
                        {"type": "Prepend", "prepend": "▁"},
                        {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
                    ],
                },
                "pre_tokenizer": None,
                "post_processor": None,
                "decoder": {
                    "type": "Sequence",
                    "decoders": [
                        {"type": "Replace", **space},
                        {"type": "ByteFallback"},
                        {"type": "Fuse"},
                        {"type": "Strip", "content": " ", "start": 1, "stop": 0},
                    ],
                },
                "model": {
                    "type": "BPE",
                    "unk_token": "<unk>",
                    "fuse_unk": True,
                    "byte_fallback": True,
                    "vocab": {piece: n for n, piece in enumerate(vocab)},
                    "merges": merges,
                },
            }
        )
    }


def _llama_json() -> Iterator[tuple[str, Files]]:
    for name in ("LlamaTokenizer", "PreTrainedTokenizerFast"):
        for keys in ({}, {"legacy": True}, {"add_prefix_space": False}, {"legacy": False}):
            yield f"llama’s json, {keys}, {name}", llama_json() | config(name, **keys)
    yield "llama’s json, added", llama_json() | config("LlamaTokenizer", eos_token=IM)


def _decoder(*names: str) -> dict[str, Any]:
    return {"added_tokens_decoder": {str(SIZE + n): token(name) for n, name in enumerate(names)}}


def _two_files() -> Iterator[tuple[str, Files]]:
    added = {"added_tokens.json": written({IM: SIZE, "<s>": SIZE + 1})}
    ends = {str(SIZE): token("<|endoftext|>", special=True)}
    for name in ("GPT2Tokenizer", "GPT2TokenizerFast", "RobertaTokenizer", "Qwen2Tokenizer"):
        yield f"two files, {name}", TWO | config(name)
        yield f"two files, added, {name}", TWO | added | config(name)
        asked = {"add_prefix_space": True, "add_bos_token": True, "bos_token": "<s>"}
        yield f"two files, options, {name}", TWO | config(name, **asked)
        yield f"two files, decoder, {name}", TWO | config(name, added_tokens_decoder=ends)
        null = config(name, unk_token=None, pad_token=None, eos_token=None)
        yield f"two files, nulls, {name}", TWO | null
    yield "two files, by the network", TWO | {"config.json": written({"model_type": "gpt2"})}
    ends_asked = {"add_eos_token": True, "eos_token": "</s>"}
    yield "two files, an end", TWO | config("GPT2Tokenizer", **ends_asked)


def _lines() -> Iterator[tuple[str, Files]]:
    lines = {"vocab.txt": LINES + b"Low\ncaf\xc3\xa9\ncafe\n\xe6\xbc\xa2\n"}
    yield "lines", lines | config("BertTokenizer")
    for lower in (False, True):
        yield f"lines, lower {lower}", lines | config("BertTokenizer", do_lower_case=lower)
        strips = {"strip_accents": not lower, "tokenize_chinese_chars": False}
        accents = config("BertTokenizer", do_lower_case=lower, **strips)
        yield f"lines, accents {lower}", lines | accents
        for name in ("BertTokenizer", "BertTokenizerFast", "PreTrainedTokenizerFast"):
            yield (
                f"BERT’s json, lower {lower}, {name}",
                bert_json() | config(name, do_lower_case=lower),
            )
    yield "BERT’s json, cased, its class", bert_json(lowercase=False) | config("BertTokenizer")
    cased = bert_json(lowercase=False) | config("PreTrainedTokenizerFast")
    yield "BERT’s json, cased, no class", cased
    yield "lines, electra", lines | config("ElectraTokenizer", do_lower_case=False)
    yield "lines, by the network", lines | {"config.json": written({"model_type": "bert"})}
    added = {"added_tokens.json": written({"<A>": 13, "<b>": 14})}
    yield "lines, added", lines | added | config("BertTokenizer")
    names = {"additional_special_tokens": ["<a>", "<c>"], "clean_up_tokenization_spaces": True}
    yield "lines, named", lines | config("BertTokenizer", **names)


def _models() -> Iterator[tuple[str, Files]]:
    bpe = dict(read_files("mistral-v1"))
    size = 32000
    yield "llama", bpe | config("LlamaTokenizer")
    for bos, eos in ((True, False), (False, True), (True, True), (False, False)):
        asked = config("LlamaTokenizer", add_bos_token=bos, add_eos_token=eos)
        yield f"llama, around {bos} {eos}", bpe | asked
    yield "llama, no space", bpe | config("LlamaTokenizer", add_prefix_space=False)
    chat = {"added_tokens.json": written({IM: size, "<a>": size + 1})}
    yield "llama, added", bpe | chat | config("LlamaTokenizer", add_bos_token=True)
    (data,) = read_files("unigram-english").values()
    for keys in ({}, {"extra_ids": 3}):
        yield f"t5 {keys}", {"spiece.model": data, **config("T5Tokenizer", **keys)}


def repositories() -> dict[str, Files]:
    """Return the folders by name."""
    parts = (_json_over_bytes(), _two_files(), _lines(), _models(), _llama_json())
    return {name: files for part in parts for name, files in part}
