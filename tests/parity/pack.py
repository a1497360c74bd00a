"""The tokenizers of the pack, written as the `tokenizer.json` that Hugging Face's library reads.

Their authors published other files. These are written as the library's converters would write them,
to compare results and times. Merge pairs are reconstructed as the converters do it.
"""

import base64
import json
from functools import cache

from lessons.models import MODELS, open_model, read_files
from tokenizers.formats.schemes import SCHEMES
from tokenizers.runtime.models.byte_bpe import ByteBPE
from tokenizers.runtime.sentencepiece import model_file

from .families import BPE, BYTE_LEVEL, FAMILIES, METASPACE, file_of, sequence, split_by, template

SCHEME_OF = {"cl100k": "cl100k_base", "o200k": "o200k_base", "gpt-oss": "o200k_harmony"}


@cache
def as_tokenizer_json(name):
    """Return the file of a tokenizer of the pack, as an object."""
    if "tokenizer.json" in MODELS[name].files:
        return json.loads(read_files(name)["tokenizer.json"])
    if name == "mistral-tekken":
        file = _of_ranks(name, json.loads(*read_files(name).values())["config"]["pattern"])
    elif name in SCHEME_OF:
        file = _of_ranks(name, SCHEMES[SCHEME_OF[name]].pattern)
    elif name == "mistral-v1":
        file = _of_scores(name)
    elif name.startswith("unigram"):
        file = _of_log_probs(name)
    elif name == "gpt2":
        model = open_model(name).model
        merges = list(map(list, model.ranks))  # pyright: ignore[reportAttributeAccessIssue]
        parts = FAMILIES["gpt2"][1]
        file = file_of({**BPE, "vocab": dict(model.vocab), "merges": merges}, parts)
    else:
        file = _of_pieces(name)
    return {**file, "added_tokens": _special(name)}


def _special(name):
    flags = {
        **dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False),
        "special": True,
    }
    content_of = {id_: content for content, id_ in open_model(name).specials.items()}  # one an id
    return [{"id": id_, "content": content, **flags} for id_, content in content_of.items()]


def _of_ranks(name, pattern):
    """Return the file of a list of ranks: the pair of a merge is what lower ranks leave of it."""
    model = open_model(name).model
    assert isinstance(model, ByteBPE)
    merges = [list(pair) for pair in model.merges]
    cut = split_by(pattern)
    parts = {
        "pre_tokenizer": sequence("pretokenizers", cut, {**BYTE_LEVEL, "use_regex": False}),
        "decoder": BYTE_LEVEL,
    }
    vocab = dict(model.vocab)
    return file_of({**BPE, "ignore_merges": True, "vocab": vocab, "merges": merges}, parts)


def _of_scores(name):
    """Return the file of a SentencePiece BPE: any two pieces that spell a third are a merge."""
    (data,) = read_files(name).values()
    file = model_file.read(data)
    ids, score = {piece: id_ for id_, piece in enumerate(file.pieces)}, file.scores
    pairs = [
        (piece[:at], piece[at:])
        for piece in file.pieces
        for at in range(1, len(piece))
        if piece[:at] in ids and piece[at:] in ids
    ]
    pairs.sort(key=lambda pair: (ids[pair[0]], ids[pair[1]]))
    pairs.sort(key=lambda p: (score[ids["".join(p)]], len(p[0]), len(p[1])), reverse=True)
    model, parts = FAMILIES["llama2"]
    return file_of({**model, "vocab": ids, "merges": list(map(list, pairs))}, parts)


def _of_log_probs(name):
    """Return the file of a SentencePiece Unigram model, with the map of its normalizer."""
    (data,) = read_files(name).values()
    file = model_file.read(data)
    assert file.normalizer.charsmap
    charsmap = base64.b64encode(file.normalizer.charsmap.data).decode()
    vocab = [[piece, score] for piece, score in zip(file.pieces, file.scores, strict=True)]
    (unk_id,) = file.of_kind(model_file.UNKNOWN).values()
    spaces = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"}
    parts = {
        "normalizer": sequence(
            "normalizers", {"type": "Precompiled", "precompiled_charsmap": charsmap}, spaces
        ),
        "pre_tokenizer": METASPACE,
        "decoder": METASPACE,
    }
    model = {"type": "Unigram", "unk_id": unk_id, "vocab": vocab, "byte_fallback": False}
    return file_of(model, parts)


def _of_pieces(name):
    """Return the file of a `vocab.txt`."""
    vocab = dict(open_model(name).model.vocab)
    model, parts = FAMILIES["bert"]
    around = template(
        "[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1",
        **{token: vocab[token] for token in ("[CLS]", "[SEP]")},
    )  # fmt: skip
    model = {**model, "unk_token": "[UNK]", "vocab": vocab}
    return file_of(model, {**parts, "post_processor": around})
