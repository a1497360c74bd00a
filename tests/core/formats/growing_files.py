"""Random small tokenizer files that demand much: every component, with extreme parameters.

Sizes are drawn so that small ones and those beyond every limit are about as frequent. A part that
is read and not drawn here fails `test_every_part_of_a_file_is_made_to_grow`.
"""

import base64
import json
import random
import struct
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from tests.core.formats import test_sentencepiece_files
from tests.core.formats.test_sentencepiece_normalizer import charsmap_of
from tokenizers.runtime.sentencepiece import model_file
from tokenizers.runtime.sentencepiece.charsmap import CharsMap
from tokenizers.runtime.sentencepiece.model_file import (
    BPE,
    CHAR,
    CONTROL,
    NORMAL,
    UNIGRAM,
    UNUSED,
    USER_DEFINED,
    WORD,
)
from tokenizers.unigram import BYTES

Files = dict[str, bytes]
Part = dict[str, Any]
LETTERS = ("a", "aa", " ", "▁", "é", "ﷺ", "\u0301", "क्", "漢", "<s>", "<0x61>", "##", "Ġ", "x")
PATTERNS = ("a", "", ".", "a*", r"\s*", "(?=a)", "(?:a|aa)*b", r"\w+\s*\w+$", r"\X", r"(a?){9}b")
LONGEST_PIECE = 8_000  # in bytes
BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")


def size(rng: random.Random, most: int) -> int:
    """Draw a size up to `most`: as often from 10 to 100 as from 100 to 1,000."""
    return int(most ** rng.random())


def string(rng: random.Random, most: int = 1_000_000) -> str:
    """Draw a string; one in two is short."""
    return rng.choice(LETTERS) * (1 if rng.random() < 0.5 else size(rng, most))


def flag(rng: random.Random) -> bool:
    return rng.random() < 0.5


def pattern(rng: random.Random) -> Part:
    if flag(rng):
        return {"String": string(rng, 10_000)}
    return {"Regex": "|".join([rng.choice(PATTERNS)] * size(rng, 2_000))}


def charsmap(rng: random.Random) -> bytes:
    """Draw a character map: long rules, many rules, or a trie that leads in a circle."""
    kind = rng.randrange(3)
    if kind == 0:
        return charsmap_of({"a": string(rng), "x": string(rng, 1_000)})
    if kind == 1:
        runs = [chr(33 + n // 90) + chr(33 + n % 90) for n in range(size(rng, 400))]
        return charsmap_of({"a": "b"} | {run: string(rng, 300) for run in runs})
    units = [1 << 31] * 512
    units[0], units[256 ^ 97], units[256] = 256 << 10, 97 << 10 | 1 << 8 | 97, 1 << 31
    written = string(rng, 1_000).encode() + b"\0"
    return struct.pack("<513I", 2048, *units) + written


# --- Parts ----------------------------------------------------------------------------------------


def bare(_: random.Random) -> Part:
    return {}


NORMALIZERS: dict[str, Callable[[random.Random], Part]] = {
    **dict.fromkeys(("ByteLevel", "Lowercase", "NFC", "NFD", "NFKC", "NFKD", "Nmt"), bare),
    "StripAccents": bare,
    "BertNormalizer": lambda rng: {"strip_accents": flag(rng), "handle_chinese_chars": True},
    "Precompiled": lambda rng: {"precompiled_charsmap": base64.b64encode(charsmap(rng)).decode()},
    "Prepend": lambda rng: {"prepend": string(rng)},
    "Replace": lambda rng: {"pattern": pattern(rng), "content": string(rng)},
    "Strip": lambda rng: {"strip_left": flag(rng), "strip_right": flag(rng)},
}
PRE_TOKENIZERS: dict[str, Callable[[random.Random], Part]] = {
    **dict.fromkeys(("BertPreTokenizer", "UnicodeScripts", "Whitespace", "WhitespaceSplit"), bare),
    "ByteLevel": lambda rng: {"add_prefix_space": flag(rng), "use_regex": flag(rng)},
    "CharDelimiterSplit": lambda rng: {"delimiter": rng.choice("a ▁")},
    "Digits": lambda rng: {"individual_digits": flag(rng)},
    "FixedLength": lambda rng: {"length": size(rng, 1_000)},
    "Metaspace": lambda rng: {"replacement": rng.choice("▁a漢"), "split": flag(rng)},
    "Punctuation": lambda rng: {"behavior": rng.choice(BEHAVIORS)},
    "Split": lambda rng: {
        "pattern": pattern(rng), "behavior": rng.choice(BEHAVIORS), "invert": flag(rng)
    },
}  # fmt: skip


def template(rng: random.Random) -> Part:
    slots = {"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}
    times = size(rng, 150_000)
    ids = [7] * size(rng, 1_000)
    names = {f"<{n}>": {"ids": [7], "tokens": ["<s>"]} for n in range(size(rng, 20_000))}
    own = {"<s>": {"ids": ids, "tokens": [string(rng, 100)] * len(ids)}}
    return {
        "single": [rng.choice(slots)] * times + [slots[1]],
        "pair": list(slots) * size(rng, 1_000),
        "special_tokens": {**names, **own} if flag(rng) else own,
    }


def pair_of_tokens(rng: random.Random) -> Part:
    return {"sep": [string(rng), 7], "cls": [string(rng, 1_000), 7]}


POST_PROCESSORS: dict[str, Callable[[random.Random], Part]] = {
    "BertProcessing": pair_of_tokens,
    "RobertaProcessing": pair_of_tokens,
    "ByteLevel": lambda rng: {"trim_offsets": flag(rng)},
    "TemplateProcessing": template,
}
DECODERS: dict[str, Callable[[random.Random], Part]] = {
    **dict.fromkeys(("ByteFallback", "ByteLevel", "Fuse"), bare),
    "BPEDecoder": lambda rng: {"suffix": rng.choice(("", "a", string(rng)))},
    "CTC": lambda rng: {"pad_token": string(rng), "word_delimiter_token": rng.choice(("", "a"))},
    "Metaspace": lambda rng: {"replacement": rng.choice("▁a")},
    "Replace": NORMALIZERS["Replace"],
    "Strip": lambda rng: {"content": "a", "start": size(rng, 10**9), "stop": size(rng, 10**9)},
    "WordPiece": lambda rng: {"prefix": rng.choice(("", string(rng))), "cleanup": flag(rng)},
}
KINDS = {
    "normalizer": (NORMALIZERS, "normalizers"),
    "pre_tokenizer": (PRE_TOKENIZERS, "pretokenizers"),
    "post_processor": (POST_PROCESSORS, "processors"),
    "decoder": (DECODERS, "decoders"),
}


def part(rng: random.Random, place: str) -> Part | None:
    """Draw a part: none, one, or a sequence of one or two kinds, perhaps nested."""
    kinds, key = KINDS[place]
    if rng.random() < 0.4:
        return None
    drawn: list[Part] = []
    for kind in rng.choices(list(kinds), k=rng.choice((1, 1, 2))):
        drawn.append({"type": kind, **kinds[kind](rng)})
    large = any(len(str(one)) > 1_000 for one in drawn)
    times = size(rng, 20 if large else rng.choice((20, 400, 400, 400, 400, 100_000)))
    many = drawn * max(times // len(drawn), 1)
    for _ in range(size(rng, 25) if rng.random() < 0.2 else 0):
        many = [{"type": "Sequence", key: many}] * (1 if large else rng.choice((1, 1, 2)))
        if len(many) * times > 10_000:
            break
    return {"type": "Sequence", key: many}


# --- Models ---------------------------------------------------------------------------------------


def pieces(rng: random.Random) -> list[str]:
    """Draw pieces: runs of one letter, each a part of the next, or many that share nothing."""
    letter = rng.choice(("a", "a", "▁", "##a"))
    if flag(rng):
        runs = [letter * n for n in range(1, size(rng, 2_000) + 1)]
    else:
        length = size(rng, 2_000)
        many = min(size(rng, 100_000), 1_500_000 // length)
        runs = ["".join(rng.choices("abx▁", k=3)) + f"{n:x}" * (length // 4) for n in range(many)]
    bytes_ = BYTES if flag(rng) else ()
    return list(dict.fromkeys(["<unk>", "a", "x", " ", "▁", *runs, *bytes_]))


def model(rng: random.Random) -> Part:
    """Draw one of the four models."""
    kind, own = rng.choice(MODELS), pieces(rng)
    unk = rng.choice(("<unk>", "<0x61>", string(rng, 20_000)))
    own = list(dict.fromkeys([*own, unk]))
    vocab: Any = {piece: n for n, piece in enumerate(own)}
    found: Part = {"type": kind, "vocab": vocab}
    if kind == "Unigram":
        found["vocab"] = [[piece, -rng.random() * len(piece)] for piece in own]
        return {**found, "unk_id": vocab[unk], "byte_fallback": flag(rng)}
    mark = string(rng, 1_000) if flag(rng) else ""
    found |= {"unk_token": unk, "continuing_subword_prefix": mark}
    if kind == "BPE":
        halves = [(piece[: len(piece) // 2], piece[len(piece) // 2 :]) for piece in own]
        merges = [list(pair) for pair in halves if all(half in vocab for half in pair)]
        more = {"byte_fallback": flag(rng), "fuse_unk": flag(rng)}
        return {**found, **more, "merges": [] if mark else merges}
    return {**found, "max_input_chars_per_word": size(rng, 10**9)}


MODELS = ("BPE", "Unigram", "WordLevel", "WordPiece")


def added_tokens(rng: random.Random, first_id: int) -> list[Part]:
    names = ("single_word", "lstrip", "rstrip", "special", "normalized")
    flags = {name: flag(rng) for name in names}
    many = size(rng, rng.choice((10, 10, 10, 10, 30_000, 200_000))) - 1
    contents = [string(rng, 10_000), *[f"<{n}>" for n in range(many)]]
    if many < 3_000 and flag(rng):
        contents = ["a" * n for n in range(1, many + 2)]
    return [{"id": first_id + n, "content": c, **flags} for n, c in enumerate(contents)]


def growing_json(rng: random.Random) -> Files:
    """Draw a `tokenizer.json`."""
    own = model(rng)
    file = {
        "added_tokens": added_tokens(rng, len(own["vocab"])) if flag(rng) else [],
        **{place: part(rng, place) for place in KINDS},
        "model": own,
    }
    return {"tokenizer.json": json.dumps(file, ensure_ascii=False).encode()}


def growing_model(rng: random.Random) -> Files:
    """Draw a `.model` of SentencePiece."""
    small = test_sentencepiece_files.small()
    kind = rng.choice((CONTROL, NORMAL, USER_DEFINED, UNUSED))
    known = {*small.pieces, *BYTES}
    more = [one for one in pieces(rng) if one not in known and len(one.encode()) < LONGEST_PIECE]
    file = replace(
        small,
        pieces=(*small.pieces, *more),
        scores=(*small.scores, *[-rng.random() * len(piece) for piece in more]),
        kinds=small.kinds + bytes([kind]) * len(more),
        model_type=rng.choice((UNIGRAM, BPE, WORD, CHAR)),
        unk_surface=string(rng),
    )
    for key in ("normalizer", "denormalizer"):
        if flag(rng):  # the map is checked when it is read
            data, nothing = charsmap(rng), np.zeros(0, np.uint32)
            spec = replace(
                small.normalizer,
                charsmap=CharsMap(data, nothing, b""),
                remove_extra_whitespaces=flag(rng),
            )
            file = replace(file, **{key: spec})
    return {"tokenizer.model": model_file.write(file)}


def growing(rng: random.Random) -> Files:
    """Draw a file that asks for much."""
    return growing_json(rng) if rng.random() < 0.85 else growing_model(rng)
