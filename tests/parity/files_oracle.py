"""Open files with the library of their format, and encode; run by tests/parity/__init__.py.

`tiktoken` opens `.tiktoken` and GPT-2's files with its patterns and special tokens, offline;
Hugging Face's `tokenizers` opens `vocab.json` + `merges.txt` and `vocab.txt`.

The requests are in CALLS; `answering.py` reads them.
It must run as `python -I`, see oracle.py.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false, reportArgumentType=false
# pyright: reportPrivateImportUsage=false
# (it is not checked in the environment in which it runs)

import base64
import json
import os
import unicodedata
from pathlib import Path


def tiktoken_encoding(name, paths, pattern=None):
    """Return a published encoding of tiktoken, or with `pattern` one of your own, from files."""
    os.environ["TIKTOKEN_CACHE_DIR"] = ""  # read the files, keep no copy
    import tiktoken
    import tiktoken_ext.openai_public as public
    from tiktoken.load import data_gym_to_mergeable_bpe_ranks, load_tiktoken_bpe

    if pattern is not None:
        ranks = load_tiktoken_bpe(paths[0])
        return tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    public.load_tiktoken_bpe = lambda _, expected_hash: load_tiktoken_bpe(paths[0], expected_hash)
    public.data_gym_to_mergeable_bpe_ranks = lambda **hashes: data_gym_to_mergeable_bpe_ranks(
        **hashes | {"encoder_json_file": paths[0], "vocab_bpe_file": paths[1]}
    )
    return tiktoken.Encoding(**public.ENCODING_CONSTRUCTORS[name]())


def tiktoken_names(models):
    """Return the name of the encoding that tiktoken has for each model."""
    from tiktoken.model import encoding_name_for_model

    return list(map(encoding_name_for_model, models))


def encode_with_tiktoken(name, paths, texts, pattern=None):
    """Return ids, starts of tokens and decoded text, with special tokens as such and as text."""
    encoding = tiktoken_encoding(name, paths, pattern)
    answers = {"control": [], "text": []}
    for special, allowed in (("control", "all"), ("text", set())):
        for text in texts:
            ids = encoding.encode(text, allowed_special=allowed, disallowed_special=())
            decoded, starts = encoding.decode_with_offsets(ids)
            answers[special].append([ids, starts, decoded])
    return answers


def _tekken(path):
    """Return the pattern, ranks, special tokens and first id of a piece, as mistral-common does."""
    read = json.loads(Path(path).read_text(encoding="utf-8"))
    config, listed = read["config"], read.get("special_tokens")
    count = config["default_num_special_tokens"]
    names = [row["token_str"] for row in listed] if listed else TEKKEN_SPECIALS.split()
    names = [*names, *(f"<SPECIAL_{n}>" for n in range(len(names), count))]
    vocab = read["vocab"][: config["default_vocab_size"] - count]
    ranks = {base64.b64decode(row["token_bytes"]): row["rank"] for row in vocab}
    return config["pattern"], ranks, {name: n for n, name in enumerate(names)}, count


def _bpe_ranks(path):
    """Return the same of a file for tiktoken in JavaScript, as its constructor reads it."""
    read = json.loads(Path(path).read_text(encoding="utf-8"))
    ranks = {}
    for line in read["bpe_ranks"].split("\n"):
        _, first, *pieces = line.split(" ")
        ranks |= {base64.b64decode(piece): int(first) + n for n, piece in enumerate(pieces)}
    return read["pat_str"], ranks, read["special_tokens"], 0


def _whisper(path, languages=99):
    """Return the same of Whisper's list, as `whisper.tokenizer.get_encoding` does."""
    rows = [line.split() for line in Path(path).read_text().splitlines()]
    ranks = {base64.b64decode(token): int(rank) for token, rank in rows}
    names = ["endoftext", "startoftranscript", *WHISPER_LANGUAGES.split()[:languages]]
    names += WHISPER_TASKS.split()
    names += [f"{i * 0.02:.2f}" for i in range(1501)]
    first = max(ranks.values()) + 1  # so many as the whole list has
    return WHISPER_PATTERN, ranks, {f"<|{name}|>": first + n for n, name in enumerate(names)}, 0


WHISPER_PATTERN = r"""'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""
WHISPER_TASKS = "translate transcribe startoflm startofprev nospeech notimestamps"
WHISPER_LANGUAGES = (
    "en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th "
    "ur hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr "
    "pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt "
    "haw ln ha ba jw su yue"
)
TEKKEN_SPECIALS = (
    "<unk> <s> </s> [INST] [/INST] [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [TOOL_RESULTS] "
    "[/TOOL_RESULTS] [TOOL_CALLS] [IMG] <pad> [IMG_BREAK] [IMG_END] [PREFIX] [MIDDLE] [SUFFIX] "
    "[SYSTEM_PROMPT] [/SYSTEM_PROMPT] [TOOL_CONTENT]"
)


def encode_byte_pieces(kind, path, texts, form=None, options=()):
    """Return what `encode_with_tiktoken` does, for a file that its library reads in its own way.

    A special token may have an id below the first piece's, so it gets another one in between.
    """
    import tiktoken

    kinds = {"tekken": _tekken, "bpe_ranks": _bpe_ranks, "whisper": _whisper}
    pattern, ranks, specials, first = kinds[kind](path, *options)
    apart = max(ranks.values()) + 1
    moved = {name: apart + n for n, name in enumerate(specials)}
    back = dict(zip(moved.values(), specials.values(), strict=True))
    encoding = tiktoken.Encoding(kind, pat_str=pattern, mergeable_ranks=ranks, special_tokens=moved)
    if form:
        texts = [unicodedata.normalize(form, text) for text in texts]
    answers = {"control": [], "text": []}
    for special, allowed in (("control", "all"), ("text", set())):
        for text in texts:
            ids = encoding.encode(text, allowed_special=allowed, disallowed_special=())
            decoded, starts = encoding.decode_with_offsets(ids)
            answers[special].append([[back.get(n, n + first) for n in ids], starts, decoded])
    return answers


def _opened(kind, paths, **options):
    from tokenizers.implementations import BertWordPieceTokenizer, ByteLevelBPETokenizer

    kinds = {
        "bpe": ByteLevelBPETokenizer,
        "wordpiece": BertWordPieceTokenizer,
        "bare wordpiece": _without_control_tokens,
    }
    return kinds[kind](*paths, **options)


def _without_control_tokens(path, **options):
    """Return BERT's way to cut texts with a vocabulary that has no [CLS] and no [SEP]."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers

    tokenizer = Tokenizer(models.WordPiece.from_file(path, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(**options)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece(cleanup=False)
    return tokenizer


def encode_with_files(kind, paths, texts, options, add_special_tokens=True):
    """Return, for every text, tokens, ids, offsets and what the ids decode to.

    `kind` is "bpe" (vocab.json and merges.txt) or "wordpiece" (vocab.txt); the latter also "bare".
    """
    tokenizer = _opened(kind, paths, **options)
    found = [tokenizer.encode(text, add_special_tokens=add_special_tokens) for text in texts]
    return [[e.tokens, e.ids, e.offsets, tokenizer.decode(e.ids)] for e in found]


CALLS = {
    call.__name__: call
    for call in (tiktoken_names, encode_with_tiktoken, encode_byte_pieces, encode_with_files)
}
