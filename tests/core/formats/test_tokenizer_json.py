"""Invalid files raise a sentence that names the path, and nothing is skipped.

What a good file does is held to the library's in tests/parity/test_tokenizer_json.py.
"""

import copy
import json
import random
import re
from itertools import accumulate, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers import limits, plain
from tokenizers.bpe import MergeStep, split_after
from tokenizers.formats.json_cursor import MAX_LISTS
from tokenizers.formats.tokenizer_json import read_tokenizer_json
from tokenizers.runtime import patterns
from tokenizers.runtime.models import bpe
from tokenizers.runtime.tokenizer import WordCache

FILE = {
    "version": "1.0",
    "truncation": None,
    "padding": None,
    "added_tokens": [{"id": 7, "content": "<s>", "special": True, "normalized": False}],
    "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}]},
    "pre_tokenizer": {
        "type": "Sequence",
        "pretokenizers": [
            {"type": "WhitespaceSplit"},
            {"type": "Split", "pattern": {"Regex": "-"}, "behavior": "Isolated", "invert": False},
        ],
    },
    "post_processor": {
        "type": "TemplateProcessing",
        "single": [
            {"SpecialToken": {"id": "<s>", "type_id": 0}},
            {"Sequence": {"id": "A", "type_id": 0}},
        ],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [7], "tokens": ["<s>"]}},
    },
    "decoder": {"type": "Fuse"},
    "model": {
        **{"type": "BPE", "unk_token": "?", "dropout": None},
        "vocab": {"?": 0, "l": 1, "o": 2, "w": 3, "lo": 4, "low": 5, "-": 6},
        "merges": [["l", "o"], "lo w"],
    },
}


def changed(*path, to):
    """Return the file with another value at a path; the last key may be new."""
    file = copy.deepcopy(FILE)
    inner = file
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to
    return json.dumps(file)


def test_a_good_file():
    tokenizer = read_tokenizer_json(json.dumps(FILE))
    encoding = tokenizer.encode("low lox <s>", "l-o")
    assert encoding.tokens == ("low", "lo", "?", "<s>", "l", "-", "o")
    assert encoding.pieces == ("low", "lo", "x", "<s>", "l", "-", "o")
    assert encoding.offsets == ((0, 3), (4, 6), (6, 7), (8, 11), (0, 1), (1, 2), (2, 3))
    assert encoding.types == encoding.sources == (0, 0, 0, 0, 1, 1, 1)
    assert tokenizer.encode("low").sources == (-1, 0)
    assert tokenizer.encode("<s>", special="text").tokens == ("<s>", "?", "?", "?")
    assert (tokenizer.name, tokenizer.format) == ("tokenizer.json", "tokenizer.json")
    assert tokenizer.specials == {"<s>": 7}
    assert tokenizer.vocab["<s>"] == 7
    assert "how often" in tokenizer.caveats[0]


def test_stages_include_every_component():
    stages = read_tokenizer_json(json.dumps(FILE)).stages("lo-w <s>x")
    assert [stage.name for stage in stages] == [
        "In the raw text", "Unicode", "In the normalized text", "WhitespaceSplit", "Split",
    ]  # fmt: skip
    words = [segment.words.texts for segment in stages[-1].segments]
    assert words == [["lo", "-", "w"], ["<s>"], ["x"]]
    assert [segment.added and segment.added.content for segment in stages[0].segments] == [
        None, "<s>", None,
    ]  # fmt: skip
    assert all(stage.description.endswith(".") for stage in stages)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("model", "type"), "Magic", "model.type is “Magic”, which is not supported"),
        (
            ("pre_tokenizer", "pretokenizers", 1, "type"),
            "Magic",
            "pre_tokenizer.pretokenizers[1].type is “Magic”",
        ),
        (("normalizer", "normalizers", 0, "type"), 3, "normalizer.normalizers[0].type is 3"),
        (("decoder", "type"), "Magic", "decoder.type is “Magic”"),
        (("post_processor", "type"), None, "post_processor.type is null; it must be a string"),
        (("magic",), 1, "magic is not a part"),
        (("model",), None, "The file has no model"),
        (("model", "vocab"), [], "model.vocab is []; it must be an object"),
        (("model", "vocab", "l"), 2, "model.vocab gives the id 2 to “l” and to “o”"),
        (("model", "vocab", "l"), -1, 'model.vocab["l"] is -1'),
        (("model", "vocab", "l"), 1.5, 'model.vocab["l"] is 1.5'),
        (("model", "vocab", "l"), True, 'model.vocab["l"] is true'),
        (("model", "vocab", "l"), 10**30, 'model.vocab["l"] is 1000'),
        (("model", "vocab", "\ud800"), 7, "half a surrogate pair"),
        (("model", "merges", 1), "low", 'model.merges[1] is "low"; it must be two pieces'),
        (("model", "merges", 0), ["l", 2], "model.merges[0] is"),
        (("model", "merges", 0), ["l", "x"], "model.merges: merge 0 joins “l” and “x”"),
        (("model", "merges", 0), ["o", "l"], "the vocabulary has no 'ol'"),
        (("model", "dropout"), 2, "model.dropout is 2; it must be a probability"),
        (("model", "fuse_unk"), "yes", 'model.fuse_unk is "yes"; it must be true or false'),
        (("added_tokens", 0, "id"), "9", 'added_tokens[0].id is "9"; it must be a whole number'),
        (("added_tokens", 0, "content"), None, "added_tokens[0].content is null"),
        (
            ("added_tokens",),
            [{"id": 9, "content": "a"}, {"id": 9, "content": "b"}],
            "which “a” has",
        ),
        (
            ("pre_tokenizer", "pretokenizers", 1, "pattern"),
            {"Regex": "(a"},
            "pre_tokenizer.pretokenizers[1].pattern.Regex: the pattern “(a” cannot be compiled",
        ),
        (("pre_tokenizer", "pretokenizers", 1, "behavior"), "Odd", "behavior is"),
        (("post_processor", "special_tokens"), {}, "names “<s>”, which is not in special_tokens"),
    ],
)
def test_errors_name_the_path(path, value, message):
    with pytest.raises(ValueError, match=r"\S") as error:
        read_tokenizer_json(changed(*path, to=value))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not valid JSON"),
        (b"\xff\xfe{", "not UTF-8"),
        (b"[1]", "must be an object"),
        (b'{"model": NaN}', "NaN is not a number"),
        (b'{"model":' + b"[" * 100_000, "nested too deeply"),
        (
            b'{"model": {"vocab": {"a": 1' + b"0" * 5_000 + b"}}}",
            r"thousands of digits, which is no id\.$",
        ),
        (b"[" * (MAX_LISTS + 1), "lists and objects"),
    ],
    ids=lambda value: None if isinstance(value, str) else value[:12],
)
def test_files_of_another_kind(data, message):
    with pytest.raises(ValueError, match=message):
        read_tokenizer_json(data)


@pytest.mark.parametrize(
    ("vocab", "message"),
    [
        ({}, "model.vocab is {}; it must be a list"),
        ([["a", -1, 2]], "model.vocab[0] is"),
        ([["a", "b"]], 'model.vocab[0][1] is "b"; it must be a number'),
        ([["a", 10**400]], "model.vocab[0][1] is 1000"),
        ([["a", -1], [3, -1]], "model.vocab[1][0] is 3; it must be a string"),
        ([["a", -1], ["a", -2]], "model.vocab[0] is “a”, which comes once more"),
        ([["a", -1], ["\udfff", -2]], "half a surrogate pair"),
        ([["a", -1]], "model.unk_id is 7; it must be the id of one of the 1 pieces"),
    ],
)
def test_errors_in_a_unigram_model(vocab, message):
    model = {"type": "Unigram", "unk_id": 7, "vocab": vocab}
    with pytest.raises(ValueError, match=r"\S") as error:
        read_tokenizer_json(changed("model", to=model))
    assert message in str(error.value)


def test_an_unknown_character_without_a_token_for_it():
    model = {"type": "Unigram", "unk_id": None, "vocab": [["a", -1], ["", -2]]}
    tokenizer = read_tokenizer_json(changed("model", to=model))
    assert tokenizer.encode("aa", add_special_tokens=False).ids == (0, 0)
    with pytest.raises(ValueError, match="“b” is not in the vocabulary"):
        tokenizer.encode("ab")


def test_the_last_bit_of_a_score_decides():
    """The library reads the second score one unit too low: two pieces are better than one."""
    vocab = [["<unk>", 0], ["x", -1.7262469560618485], ["xx", -3.452493912123697]]
    model = {"type": "Unigram", "unk_id": 0, "vocab": vocab}
    assert -1.7262469560618485 * 2 == -3.452493912123697
    tokenizer = read_tokenizer_json(changed("model", to=model))
    assert tokenizer.encode("xx", add_special_tokens=False).ids == (1, 1)


def test_an_unknown_character_within_a_longer_piece_without_a_token_for_it():
    """It is an error only if the best path up to some place ends with the character."""
    vocab = [["a", -1], ["b", -1], ["axb", -2], ["ay", -1]]
    model = {"type": "Unigram", "unk_id": None, "vocab": vocab}
    tokenizer = read_tokenizer_json(changed("model", to=model))
    assert tokenizer.encode("aya", add_special_tokens=False).ids == (3, 0)
    with pytest.raises(ValueError, match="“x” is not in the vocabulary"):
        tokenizer.encode("axb")


def test_an_empty_piece_decides_what_an_unknown_character_costs():
    vocab = [["<unk>", 0], ["", -50], ["a", 20], ["axb", -1], ["b", -2]]
    model = {"type": "Unigram", "unk_id": 0, "vocab": vocab}
    tokenizer = read_tokenizer_json(changed("model", to=model))
    assert tokenizer.encode("axb", add_special_tokens=False).ids == (3,)


def test_components_nested_too_deeply():
    part = {"type": "NFC"}
    for _ in range(30):
        part = {"type": "Sequence", "normalizers": [part]}
    with pytest.raises(ValueError, match="nested too deeply"):
        read_tokenizer_json(changed("normalizer", to=part))


def test_a_pattern_that_never_ends(monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 0.05)
    parts = [{"type": "Split", "pattern": {"Regex": "(?:x|xx)+[yz]"}, "behavior": "Isolated"}]
    tokenizer = read_tokenizer_json(changed("pre_tokenizer", "pretokenizers", to=parts))
    with pytest.raises(ValueError, match="takes too long on this text"):
        tokenizer.encode("x" * 60 + " " + "x" * 60)


class Busy:
    """A compiled pattern on a busy machine: it times out at every second match."""

    def __init__(self, compiled):
        self.compiled, self.num_calls, self.num_searches = compiled, 0, 0

    def finditer(self, text: str, timeout: float):
        self.num_calls += 1
        for n, match in enumerate(self.compiled.finditer(text), 1):
            if n > 2 * self.num_calls:
                raise TimeoutError
            yield match

    def search(self, text: str, start: int, timeout: float):
        self.num_calls += start == 0
        self.num_searches = self.num_searches + 1 if start else 1
        if self.num_searches > 2 * self.num_calls:
            raise TimeoutError
        return self.compiled.search(text, start)


@pytest.mark.parametrize("source", [r"\w+", r"\w*"])
def test_only_processor_time_counts(source):
    pattern = patterns.Pattern(source)
    text = "ab cd  ef gh ij"
    spans = list(pattern.spans(text))
    busy = Busy(pattern.compiled)
    object.__setattr__(pattern, "compiled", busy)
    with limits.time_limit(text):
        assert list(pattern.spans(text)) == spans
    assert busy.num_calls > 2


def test_split_words_are_cached(monkeypatch):
    tokenizer = read_tokenizer_json(json.dumps(FILE))
    cache, calls = WordCache(tokenizer.model), []
    cut = tokenizer.model.cut
    monkeypatch.setattr(cache, "_function", lambda word: calls.append(word) or cut(word))
    texts = ["low lox <s>", "lox low", "o" * 30, "low"]
    for text in texts:
        assert tokenizer.encode(text, cache=cache) == tokenizer.encode(text)
    assert len(calls) == len(set(calls))
    monkeypatch.setattr("tokenizers.runtime.bounded_cache.MAX_CACHED", 40)
    for text in ["x" * 39, "low", *texts]:
        assert tokenizer.encode(text, cache=cache) == tokenizer.encode(text)
        assert sum(map(len, cache)) <= 40


def test_a_pattern_with_nested_repeats():
    with pytest.raises(ValueError, match="repeats too much"):
        patterns.Pattern("((a{1000}){1000}){1000}")
    assert list(patterns.Pattern(r"a{1,3}b{2,}").spans("aabb")) == [(0, 4)]


def test_a_pattern_that_calls_itself():
    for source, message in ((r"(?R)", "“(?R” is no group"), (r"(a\g<1>)", "a call of a group")):
        with pytest.raises(ValueError, match=re.escape(message)):
            patterns.Pattern(source)


def test_merges_in_a_circle_end():
    model = {"type": "BPE", "vocab": {"": 0, "a": 1}, "merges": [["", "a"], ["a", ""]]}
    tokenizer = read_tokenizer_json(changed("model", to=model))
    assert tokenizer.encode("aaa", add_special_tokens=False).ids == (1, 1, 1)


@given(seed=st.integers(0, 2**32))
@examples(100)
def test_a_mutated_file_is_read_or_raises_a_sentence(seed):
    rng = random.Random(seed)
    data = bytearray(json.dumps(FILE, ensure_ascii=False).encode())
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(data))
        data[place : place + rng.randint(0, 9)] = rng.choice(
            [b"", b"0", b'"', b"null", b"[]", b"{}", b"-1", b"1e9", bytes([rng.randrange(256)])]
        )
    if rng.random() < 0.2:
        del data[rng.randrange(len(data)) :]
    message = None
    try:
        tokenizer = read_tokenizer_json(bytes(data))
        tokenizer.decode(tokenizer.encode("low lo-w <s>", "x").ids)
    except ValueError as error:
        message = str(error)
    assert message is None or len(message) > 10


# --- The steps of BPE are equivalent to `cut` -----------------------------------------------------

LETTERS = "abc"


@st.composite
def models(draw):
    """Draw a BPE model over three letters, with a prefix or suffix mark or without."""
    prefix, suffix = draw(st.sampled_from([("", ""), ("##", ""), ("", "</w>")]))
    symbols = [p + c + s for c in LETTERS for p in {"", prefix} for s in {"", suffix}]
    vocab, pairs = [*symbols, "?"], []
    for _ in range(draw(st.integers(0, 8))):
        first, second = (draw(st.sampled_from(vocab[:-1])) for _ in "ab")
        pairs.append((first, second))
        vocab.insert(0, first + second[len(prefix) :])
    ids = {piece: n for n, piece in enumerate(dict.fromkeys(vocab))}
    return bpe.BPE(ids, bpe.Ranks(ids, pairs, prefix), "?", prefix, suffix, draw(st.booleans()))


@given(model=models(), word=st.text("abcx", min_size=1, max_size=14))
@examples(200)
def test_steps_lead_to_the_pieces(model, word):
    symbols = list(model.symbols(word))
    for step in model.steps(word):
        assert isinstance(step, MergeStep)
        assert model.ranks[step.pair] == step.rank
    if not model.prefix:
        split = split_after(symbols, list(model.steps(word)))
        assert split == tuple([piece.text for piece in model.cut(word)])


MERGES = (
    [("a", "a")],
    [("a", "a"), ("aa", "a")],
    [("a", "b"), ("b", "a"), ("ab", "a")],
    [("aa", "aa"), ("a", "a"), ("aa", "b")],
    [("b", "a"), ("a", "b"), ("ba", "ba"), ("a", "ba")],
)


@pytest.mark.parametrize("pairs", MERGES)
def test_every_short_word_is_merged_as_in_the_plain_code(pairs):
    pieces = dict.fromkeys(["a", "b", *(part for pair in pairs for part in (*pair, "".join(pair)))])
    vocab = {piece: id_ for id_, piece in enumerate(pieces)}
    ranks = bpe.Ranks(vocab, pairs)
    for word in (word for length in range(8) for word in product("ab", repeat=length)):
        expected = plain.encode_bpe(word, {pair: rank for rank, pair in enumerate(pairs)})
        for merge in (ranks._merge_short, ranks._merge_long):
            starts, ids = merge([vocab[letter] for letter in word])
            assert tuple([list(pieces)[id_] for id_ in ids]) == expected
            assert starts == list(accumulate(map(len, expected), initial=0))[:-1]


@given(model=models(), word=st.text("abc", min_size=2, max_size=40))
@examples(200)
def test_both_ways_to_merge_agree(model, word):
    ids = [model.vocab[letter] for letter in word]
    short, long = model.ranks._merge_short(ids), model.ranks._merge_long(ids)
    assert (list(short[0]), list(short[1])) == (long[0], long[1])
