"""Answer questions with the PyPI libraries; run by tests/parity/__init__.py.

Covers Hugging Face's `tokenizers` and, where it is installed, OpenAI's `tiktoken`.

The requests are in CALLS; `answering.py` reads them.
It must run as `python -I`: otherwise the project's own package of that name is found.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
# (it is not checked in the environment in which it runs)

import base64
import contextlib
import io
import json
import os
import tempfile
from collections import Counter
from pathlib import Path

import tokenizers
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

UNK = "[UNK]"

NORMALIZERS = {
    "nfc": normalizers.NFC(),
    "nfkc": normalizers.NFKC(),
    # StripAccents drops all marks, BERT's normalizer those that do not space (Mn).
    "accents": normalizers.Sequence(
        [
            normalizers.BertNormalizer(
                clean_text=False, handle_chinese_chars=False, strip_accents=True, lowercase=False
            ),
            normalizers.NFC(),
        ]
    ),
    "lower": normalizers.Lowercase(),
    "bert": normalizers.BertNormalizer(lowercase=True),
    "bert_cased": normalizers.BertNormalizer(lowercase=False),
}

PRE_TOKENIZERS = {
    "spaces": pre_tokenizers.WhitespaceSplit(),
    "punctuation": pre_tokenizers.Whitespace(),
    "bert": pre_tokenizers.BertPreTokenizer(),
    "gpt2": pre_tokenizers.ByteLevel(add_prefix_space=False),
    "metaspace": pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always", split=True),
}


def library():
    """Return where the library was found, and its version."""
    return {"file": tokenizers.__file__, "version": tokenizers.__version__}


def normalize(name, texts):
    """Return every text normalized."""
    return [NORMALIZERS[name].normalize_str(text) for text in texts]


def pre_tokenize(name, texts):
    """Return, for every text, its words as [word, start, end]."""
    from_bytes = decoders.ByteLevel().decode if name == "gpt2" else "".join
    return [
        [
            [from_bytes([word]), start, end]
            for word, (start, end) in PRE_TOKENIZERS[name].pre_tokenize_str(text)
        ]
        for text in texts
    ]


def normalize_by_json(normalizer, texts):
    """Return every text normalized by the normalizer that a `tokenizer.json` describes."""
    return list(map(_from_json(normalizer=normalizer).normalizer.normalize_str, texts))


def split_by_json(pre_tokenizer, texts):
    """Return the places of the words into which such a pre-tokenizer splits every text."""
    split = _from_json(pre_tokenizer=pre_tokenizer).pre_tokenizer.pre_tokenize_str
    return [[place for _, place in split(text)] for text in texts]


def _from_json(**parts):
    model = {"type": "WordLevel", "vocab": {}, "unk_token": UNK}
    return Tokenizer.from_str(json.dumps({"version": "1.0", "model": model, **parts}))


def train_bpe(text, base, **options):
    """Train on a text, on characters or bytes; return the merges and the vocabulary with ids."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = PRE_TOKENIZERS["gpt2" if base == "bytes" else "spaces"]
    start = (
        {"initial_alphabet": pre_tokenizers.ByteLevel.alphabet()}
        if base == "bytes"
        else {"special_tokens": [UNK]}
    )
    trainer = trainers.BpeTrainer(show_progress=False, **start, **options)
    tokenizer.train_from_iterator([text], trainer)
    model = json.loads(tokenizer.to_str())["model"]
    return {"merges": model["merges"], "vocab": model["vocab"]}


def train_many_bpe(runs):
    """Return what `train_bpe` does for each run."""
    return [train_bpe(**run) for run in runs]


def _bpe(vocab, merges, base, **more):
    unk = {} if base == "bytes" else {"unk_token": UNK}
    pairs = [tuple(pair) for pair in merges]
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=pairs, **unk, **more))
    tokenizer.pre_tokenizer = PRE_TOKENIZERS["gpt2" if base == "bytes" else "spaces"]
    return tokenizer


def encode_bpe(vocab, merges, base, texts):
    """Return, for every text, the tokens, their ids and their places in characters."""
    tokenizer = _bpe(vocab, merges, base)
    return [[e.tokens, e.ids, e.offsets] for e in map(tokenizer.encode, texts)]


def encode_through(normalizers_named, pre_tokenizer, vocab, merges, base, texts):
    """Return what `encode_bpe` does, after normalizers one after the other and a pre-tokenizer."""
    tokenizer = _bpe(vocab, merges, base)
    named = [NORMALIZERS[name] for name in normalizers_named]
    tokenizer.normalizer = normalizers.Sequence(named)
    tokenizer.pre_tokenizer = PRE_TOKENIZERS[pre_tokenizer]
    return [[e.tokens, e.ids, e.offsets] for e in map(tokenizer.encode, texts)]


def draw_bpe(vocab, merges, word, p, count):
    """Return how often each split of a word was drawn with dropout, as [tokens, times]."""
    tokenizer = _bpe(vocab, merges, "characters", dropout=p)
    return list(Counter(" ".join(tokenizer.encode(word).tokens) for _ in range(count)).items())


def train_wordpiece(text, symbols, pre_tokenizer="bert", **options):
    """Return the vocabulary in the order of its ids.

    The trainer numbers symbols with a mark in an order that changes from run to run. Special tokens
    get their ids first and in order, so all base symbols are given as such: `symbols`.
    """
    tokenizer = Tokenizer(models.WordPiece(unk_token=UNK))
    tokenizer.pre_tokenizer = PRE_TOKENIZERS[pre_tokenizer]
    trainer = trainers.WordPieceTrainer(
        show_progress=False, special_tokens=[UNK, *symbols], **options
    )
    tokenizer.train_from_iterator([text], trainer)
    vocab = json.loads(tokenizer.to_str())["model"]["vocab"]
    return sorted(vocab, key=vocab.__getitem__)


def train_many_wordpiece(runs):
    """Return what `train_wordpiece` does for each run."""
    return [train_wordpiece(**run) for run in runs]


def encode_wordpiece(vocab, texts, normalizer=None, pre_tokenizer="bert"):
    """Return, for every text, the tokens, their ids and their places in characters."""
    tokenizer = Tokenizer(models.WordPiece(vocab=vocab, unk_token=UNK))
    tokenizer.pre_tokenizer = PRE_TOKENIZERS[pre_tokenizer]
    if normalizer:
        tokenizer.normalizer = NORMALIZERS[normalizer]
    return [[e.tokens, e.ids, e.offsets] for e in map(tokenizer.encode, texts)]


def decode_wordpiece(vocab, many_ids):
    """Return the text of every list of ids."""
    tokenizer = Tokenizer(models.WordPiece(vocab=vocab, unk_token=UNK))
    tokenizer.decoder = decoders.WordPiece(prefix="##", cleanup=False)
    return [tokenizer.decode(ids) for ids in many_ids]


def _unigram(vocab, unk, **more):
    pieces = [piece for piece, _ in vocab]
    rows = [(piece, score) for piece, score in vocab]
    tokenizer = Tokenizer(models.Unigram(vocab=rows, unk_id=pieces.index(unk), **more))
    tokenizer.pre_tokenizer = PRE_TOKENIZERS["metaspace"]
    return tokenizer


def encode_unigram(vocab, unk, texts, byte_fallback=False):
    """Return, for every text, the tokens, their ids and their places; `vocab` is [piece, score]."""
    tokenizer = _unigram(vocab, unk, byte_fallback=byte_fallback)
    return [[e.tokens, e.ids, e.offsets] for e in map(tokenizer.encode, texts)]


def draw_unigram(vocab, unk, word, alpha, count, n=None):
    """Return how often each split of a word was drawn, as [tokens, times].

    Drawn from the `n` best; without `n`, from all.
    """
    tokenizer = _unigram(vocab, unk, alpha=alpha, nbest_size=n)
    return list(Counter(" ".join(tokenizer.encode(word).tokens) for _ in range(count)).items())


def train_unigram(text, pre_tokenizer="metaspace", **options):
    """Train on a text with `<unk>`; return [piece, log prob] in the order of the ids."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = PRE_TOKENIZERS[pre_tokenizer]
    trainer = trainers.UnigramTrainer(
        show_progress=False, special_tokens=["<unk>"], unk_token="<unk>", **options
    )
    tokenizer.train_from_iterator([text], trainer)
    return json.loads(tokenizer.to_str())["model"]["vocab"]


def train_many_unigram(runs):
    """Return what `train_unigram` does for each run."""
    return [train_unigram(**run) for run in runs]


def match_with_tiktoken(pattern, texts):
    """Return what a pattern of tiktoken's matches in every text, joined."""
    import tiktoken

    bytes_ = {bytes([byte]): byte for byte in range(256)}
    encoding = tiktoken.Encoding("x", pat_str=pattern, mergeable_ranks=bytes_, special_tokens={})
    return [bytes(encoding.encode_ordinary(text)).decode() for text in texts]


def tiktoken_version():
    """Return the version of tiktoken; None if it is not there."""
    try:
        import tiktoken
    except ModuleNotFoundError:
        return None
    return tiktoken.__version__


def train_tiktoken(text, vocab_size, pattern):
    """Return the tokens that tiktoken's educational trainer makes, in order, as lists of bytes."""
    from tiktoken._educational import bpe_train

    ranks = bpe_train(text, vocab_size, pattern, visualise=None)
    return [list(token) for token, rank in sorted(ranks.items(), key=lambda row: row[1])]


def encode_tiktoken(ranks, pattern, texts):
    """Return the ids of every text; `ranks` are [bytes of a token, rank]."""
    import tiktoken

    encoding = tiktoken.Encoding(
        "ours",
        pat_str=pattern,
        mergeable_ranks={bytes(token): rank for token, rank in ranks},
        special_tokens={},
    )
    return [encoding.encode_ordinary(text) for text in texts]


def train_file(file, trainer, texts, **options):
    """Return the `tokenizer.json` that a trainer makes of one without a vocabulary."""
    tokenizer = Tokenizer.from_str(json.dumps(file))
    trainer = getattr(trainers, trainer)(show_progress=False, **options)
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer.to_str()


def run_programs(programs):
    """Return what the `tokenizer` of each program, run in a folder with its files, makes of texts.

    For a tokenizer of Hugging Face's also its file; for one of tiktoken's, its tokens as lists of
    bytes. A program that fails gives its error.
    """
    answers = []
    with tempfile.TemporaryFile() as printed:  # a progress bar does not go through sys.stdout
        before = os.dup(1)
        os.dup2(printed.fileno(), 1)
        try:
            for program in programs:
                with contextlib.redirect_stdout(io.StringIO()):
                    answers.append(_answer_of_program(**program))
        finally:
            os.dup2(before, 1)
            os.close(before)
    return answers


def _answer_of_program(code, files, texts):
    try:
        return _describe(_run_program(code, files)["tokenizer"], texts)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def _run_program(code, files):
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name, content in files.items():
            Path(name).write_bytes(base64.b64decode(content))
        names = {}
        exec(code, names)
        return names


def _describe(tokenizer, texts):
    if isinstance(tokenizer, Tokenizer):
        found = [tokenizer.encode(text) for text in texts]
        decoded = [tokenizer.decode(one.ids) for one in found]
        file = json.loads(tokenizer.to_str())
        return {
            "file": file,
            "encoded": [[one.tokens, one.ids] for one in found],
            "decoded": decoded,
        }
    if type(tokenizer).__module__.startswith("tiktoken"):
        ranks = sorted(tokenizer._mergeable_ranks.items(), key=lambda row: row[1])
        ids = list(map(tokenizer.encode_ordinary, texts))
        of_id = tokenizer.decode_single_token_bytes
        return {
            "tokens": [list(token) for token, _ in ranks],
            "encoded": [[list(of_id(id_)) for id_ in one] for one in ids],
            "ids": ids,
        }
    tokens = [tokenizer.tokenize(text, add_special_tokens=False) for text in texts]
    ids = [tokenizer.encode(text, add_special_tokens=False) for text in texts]
    return {"encoded": list(map(list, zip(tokens, ids, strict=True)))}


def encode_by_files(files, texts, pairs, special="control", add_special_tokens=True):
    """Return, for each `tokenizer.json`, what it makes of every text with its second one, if any.

    For each text: the ids, the places in characters, the type ids, and the text that the ids give
    with special tokens and without; the name of the error if there is one.
    """
    answers = []
    for file in files:
        tokenizer = Tokenizer.from_str(file)
        tokenizer.encode_special_tokens = special == "text"
        answers.append(
            [
                _encoded(tokenizer, text, pair, add_special_tokens)
                for text, pair in zip(texts, pairs, strict=True)
            ]
        )
    return answers


def _encoded(tokenizer, text, pair, add_special_tokens):
    try:
        e = tokenizer.encode(text, pair, add_special_tokens=add_special_tokens)
    except Exception as error:
        return type(error).__name__
    decoded = [tokenizer.decode(e.ids, skip_special_tokens=skip) for skip in (True, False)]
    return [e.ids, e.offsets, e.type_ids, *decoded]


def find_matches(pattern, texts):
    """Return, for each text, the matches that are not empty, and the text with # for each match.

    None if the library refuses the pattern.
    """
    try:
        cut = pre_tokenizers.Split(Regex(pattern), "removed", invert=True)
        change = normalizers.Replace(Regex(pattern), "#")
    except Exception:
        return None
    return [
        [[span for _, span in cut.pre_tokenize_str(text)], change.normalize_str(text)]
        for text in texts
    ]


def read_scores(file):
    """Return the scores of a Unigram `tokenizer.json`, or None if the library refuses it."""
    try:
        tokenizer = Tokenizer.from_str(file)
    except Exception:
        return None
    return [score for _, score in json.loads(tokenizer.to_str())["model"]["vocab"]]


def decode_by_files(files, many_ids):
    """Return, for each `tokenizer.json`, the text of every list of ids."""
    return [
        [tokenizer.decode(ids) for ids in many_ids] for tokenizer in map(Tokenizer.from_str, files)
    ]


def stream_by_files(files, many_ids, skip_special_tokens=True):
    """Return, for each `tokenizer.json`, what `DecodeStream` shows after each id.

    None stands for nothing, and the name of an error ends a list.
    """
    return [
        [_streamed(tokenizer, ids, skip_special_tokens) for ids in many_ids]
        for tokenizer in map(Tokenizer.from_str, files)
    ]


def _streamed(tokenizer, ids, skip_special_tokens):
    stream, shown = decoders.DecodeStream(skip_special_tokens=skip_special_tokens), []
    for id_ in ids:
        try:
            shown.append(stream.step(tokenizer, id_))
        except Exception as error:
            return [*shown, type(error).__name__]
    return shown


def encode_to_length(files, texts, pairs, add_special_tokens=True):
    """Return what each `tokenizer.json` makes of its text and pair, truncated and padded.

    That is the encoding and its overflow, each as ids, places, type ids and attention mask; or None
    if the library refuses, which for some lengths is a panic.
    """
    rows = zip(files, texts, pairs, strict=True)
    return [_to_length(*row, add_special_tokens) for row in rows]


def _to_length(file, text, pair, add_special_tokens):
    try:
        e = Tokenizer.from_str(file).encode(text, pair, add_special_tokens=add_special_tokens)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        return None
    return [[one.ids, one.offsets, one.type_ids, one.attention_mask] for one in (e, *e.overflowing)]


def time_by_file(file, texts, times=3):
    """Return the shortest time, in seconds, that encoding the texts took, with no word cached."""
    import time

    spent = []
    for _ in range(times):
        tokenizer = Tokenizer.from_str(file)
        start = time.perf_counter()
        for text in texts:
            e = tokenizer.encode(text)
            _ = e.ids, e.offsets
        spent.append(time.perf_counter() - start)
    return min(spent)


CALLS = {
    call.__name__: call
    for call in (
        library, normalize, pre_tokenize, normalize_by_json, split_by_json,
        train_bpe, train_many_bpe, encode_bpe, encode_through, draw_bpe,
        train_wordpiece, train_many_wordpiece, encode_wordpiece, decode_wordpiece,
        encode_unigram, draw_unigram,
        train_unigram, train_many_unigram,
         match_with_tiktoken, tiktoken_version, train_tiktoken, encode_tiktoken,
         train_file, encode_by_files, read_scores, find_matches, decode_by_files, time_by_file,
         stream_by_files, encode_to_length, run_programs,
    )
}  # fmt: skip
