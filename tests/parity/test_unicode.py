"""Over all code points, and in strings of the newest ones, Unicode is what it is in the libraries.

Their tables are of several versions of Unicode; see tokenizers/text/unicode_versions.py. This
holds for every version of Python and of `regex`, whose own tables are others.
"""

import json
import random

import pytest
import regex

from tests.call_counts import sample
from tokenizers.formats.tokenizer_json import read_tokenizer_json
from tokenizers.runtime.components import PreTokenizedText
from tokenizers.runtime.normalizers import Replace
from tokenizers.runtime.patterns import Pattern
from tokenizers.text.alignment import AlignedText
from tokenizers.text.normalizers import normalize
from tokenizers.text.unicode_versions import find_newer

from . import ask, ask_sentencepiece, needs_library, needs_sentencepiece, needs_tiktoken
from .families import file_of, split_by
from .test_tokenizer_json import SPELLING, WORDS, charsmap, name

pytestmark = needs_library

ALL = [*map(chr, range(0xD800)), *map(chr, range(0xE000, 0x110000))]
NEW = [c for c in ALL if find_newer(c, 8) and not find_newer(c, 17)]
"""The characters that came with Unicode 9 to 17."""
LATER = [*map(chr, range(0x1DF2B, 0x1E000)), *"\U0001fac8\U00012550\U00018cd6\u1ae0"]
"""Some that came still later, or not at all."""
MARKS = regex.findall(r"\p{M}", "".join(ALL))
FORMS = [{"type": form} for form in ("NFC", "NFD", "NFKC", "NFKD")]
BERT = {"type": "BertNormalizer", "clean_text": False, "handle_chinese_chars": False}
NORMALIZERS = [
    *FORMS,
    *({"type": kind} for kind in ("Lowercase", "StripAccents", "Nmt")),
    {**BERT, "clean_text": True, "strip_accents": False, "lowercase": False},
    {**BERT, "handle_chinese_chars": True, "strip_accents": False, "lowercase": False},
    {**BERT, "strip_accents": True, "lowercase": False},
    {**BERT, "clean_text": True, "strip_accents": None, "lowercase": True},
]
KINDS = (
    "BertPreTokenizer", "Whitespace", "WhitespaceSplit", "Punctuation", "Digits", "UnicodeScripts",
)  # fmt: skip
OPTIONS = {"Digits": {"individual_digits": True}, "Punctuation": {"behavior": "Isolated"}}
PRE_TOKENIZERS = [{"type": kind, **OPTIONS.get(kind, {})} for kind in KINDS]
CATEGORIES = (
    "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cn Co"
)
CLASSES = [r"\p{L}", r"\p{M}", r"\p{N}", r"\p{P}", r"\p{S}", r"\p{Han}", r"\s", r"\d"]


def joined(characters, separator, size=512):
    """Return all characters in strings of up to `size` of them."""
    starts = range(0, len(characters), size)
    return [separator.join(characters[start : start + size]) for start in starts]


def mixed(count, seed):
    """Return strings of new characters, of letters and marks, and of what they are next to."""
    rng = random.Random(seed)
    old = "aÅeé\u0301\u0323\u0345\u0307ςΣΟİ가\u1100\u1161\u11a8\u09c7\u09be1²ﬁ 日か—,\u200d\u1734"
    pools = (NEW, NEW, LATER, old, old, old, MARKS)
    return ["".join(rng.choice(rng.choice(pools)) for _ in range(12)) for _ in range(count)]


def differing(texts, ours, theirs):
    return [row for row in zip(texts, ours, theirs, strict=True) if row[1] != row[2]]


def read(**parts):
    file = {"version": "1.0", "added_tokens": [], "model": SPELLING, **parts}
    return read_tokenizer_json(json.dumps(file))


@pytest.mark.parametrize("part", NORMALIZERS, ids=name)
def test_normalizer(part):
    texts = [*joined(ALL, "\n"), *mixed(sample(50_000), seed=1)]
    theirs = ask("normalize_by_json", normalizer=part, texts=texts)
    normalizer = read(normalizer=part).normalizer
    assert normalizer
    ours = [normalizer(AlignedText.raw(text)).text for text in texts]
    assert differing(texts, ours, theirs) == []


@pytest.mark.parametrize("part", PRE_TOKENIZERS, ids=name)
def test_pre_tokenizer(part):
    texts = [*joined(ALL, "a"), *joined(ALL, ""), *mixed(sample(50_000), seed=2)]
    theirs = ask("split_by_json", pre_tokenizer=part, texts=texts)
    assert differing(texts, split_by_ours(part, texts), theirs) == []


def split_by_ours(part, texts):
    pre_tokenizer = read(pre_tokenizer=part).pre_tokenizer
    assert pre_tokenizer
    whole = [PreTokenizedText(AlignedText.raw(text), [(0, len(text))]) for text in texts]
    return [list(words.spans) for words in map(pre_tokenizer, whole)]


def test_every_general_category_of_a_pattern():
    by_category = "|".join(rf"\p{{{category}}}+" for category in CATEGORIES.split())
    part, texts = split_by(by_category), joined(ALL, "")
    theirs = ask("split_by_json", pre_tokenizer=part, texts=texts)
    assert differing(texts, split_by_ours(part, texts), theirs) == []


@pytest.mark.parametrize("class_", [*CLASSES, r"\w"])
def test_class_of_a_pattern(class_):
    texts = joined(ALL, "")
    content = {"type": "Replace", "pattern": {"Regex": class_}, "content": ""}
    theirs = ask("normalize_by_json", normalizer=content, texts=texts)
    replace = Replace(Pattern(class_), "")
    ours = [replace(AlignedText.raw(text)).text for text in texts]
    assert differing(texts, ours, theirs) == []


@needs_tiktoken
@pytest.mark.parametrize("class_", [*CLASSES, r"\p{Lu}", r"\p{Ll}", r"\p{Lt}", r"\p{Lm}"])
def test_class_of_a_pattern_in_tiktoken(class_):
    texts = joined(ALL, "")
    theirs = ask("match_with_tiktoken", pattern=class_, texts=texts)
    ours = ["".join(text[a:b] for a, b in Pattern(class_).spans(text)) for text in texts]
    assert differing(texts, ours, theirs) == []


@needs_sentencepiece["0.2.3"]
def test_clusters_of_a_character_map():
    """Which characters are replaced together; `nfkc_cf` has a rule for `A`."""
    part = {"type": "Precompiled", "precompiled_charsmap": charsmap("nfkc_cf")}
    texts = [
        *joined(ALL, " A"),
        *joined([f"{c}\u0301A" for c in NEW], " "),
        *mixed(sample(50_000), 3),
    ]
    theirs = ask("normalize_by_json", normalizer=part, texts=texts)
    normalizer = read(normalizer=part).normalizer
    assert normalizer
    ours = [normalizer(AlignedText.raw(text)).text for text in texts]
    assert differing(texts, ours, theirs) == []


@needs_sentencepiece["0.2.3"]
def test_the_rule_that_sentencepiece_has_by_default():
    texts = joined(ALL, "a")
    theirs = ask_sentencepiece("0.2.3", "normalize_by_rule", rule="nmt_nfkc", texts=texts)
    ours = [normalize(text, ["nmt_nfkc"]).text for text in texts]
    assert differing(texts, ours, theirs) == []


def test_word_characters_beside_an_added_token():
    token = {"id": 1, "content": "tok", "single_word": True, "lstrip": False, "rstrip": False}
    file = json.dumps(
        file_of(WORDS, {"added_tokens": [{**token, "normalized": False, "special": False}]})
    )
    texts = ["".join(f"tok{c} !" for c in part) for part in joined(ALL, "", size=128)]
    theirs = ask("encode_by_files", files=[file], texts=texts, pairs=[None] * len(texts))[0]
    tokenizer = read_tokenizer_json(file)
    ours = [list(tokenizer.encode(text).ids) for text in texts]
    assert differing(texts, ours, [answer[0] for answer in theirs]) == []
