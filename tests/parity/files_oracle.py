"""Open files with the library of their format, and encode; run by tests/parity/__init__.py.

`tiktoken` opens `.tiktoken` and GPT-2's files with its patterns and special tokens, offline;
Hugging Face's `tokenizers` opens `vocab.json` + `merges.txt` and `vocab.txt`.

The requests are in CALLS; `answering.py` reads them.
It must run as `python -I`, see oracle.py.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false, reportArgumentType=false
# pyright: reportPrivateImportUsage=false
# (it is not checked in the environment in which it runs)

import os


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


CALLS = {call.__name__: call for call in (tiktoken_names, encode_with_tiktoken, encode_with_files)}
