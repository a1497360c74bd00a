"""Limits on what a small file can demand: text, tokens, components, and time."""

import json
import random
from time import process_time

import pytest

from tests.core.formats import growing_files
from tests.core.formats.test_tokenizer_json import FILE, changed
from tokenizers.errors import UserError
from tokenizers.formats import json_components, json_models
from tokenizers.formats.tokenizer_json import read_tokenizer_json
from tokenizers.limits import FACTOR, MAX_ADDED_TOKENS, MAX_COMPONENTS, MAX_TEMPLATE_ITEMS, SLACK
from tokenizers.runtime.added_tokens import AddedToken, AddedTokens
from tokenizers.runtime.post_processors import BertProcessing
from tokenizers.runtime.token_index import TokenIndex

GROWS = "The tokenizer's rules make this text grow beyond .* characters or tokens. Try a shorter"


def replace(content: str) -> dict[str, object]:
    return {"type": "Replace", "pattern": {"String": "a"}, "content": content}


def sequence(*parts: object) -> dict[str, object]:
    """Return a sequence that is valid for each kind of component."""
    keys = ("normalizers", "pretokenizers", "processors", "decoders")
    return {"type": "Sequence", **{key: list(parts) for key in keys}}


# --- Text -----------------------------------------------------------------------------------------


def test_twelve_replacements_of_one_letter_by_ten():
    tokenizer = read_tokenizer_json(changed("normalizer", to=sequence(*[replace("a" * 10)] * 12)))
    with pytest.raises(UserError, match=GROWS):
        tokenizer.encode("a")
    assert tokenizer.encode("low").tokens == ("<s>", "low")


def test_a_replacement_by_a_million_letters():
    with pytest.raises(UserError, match=r"1,000,000 characters in normalizer\.content; 8,000 are"):
        read_tokenizer_json(changed("normalizer", to=replace("a" * 1_000_000)))
    tokenizer = read_tokenizer_json(changed("normalizer", to=replace("l" * 8_000)))
    most = SLACK // 8_000
    assert len(tokenizer.encode("a" * most, add_special_tokens=False).ids) == most * 8_000
    with pytest.raises(UserError, match=GROWS):
        tokenizer.encode("a" * (most + 1))


@pytest.mark.parametrize(
    "part",
    [
        {"type": "Replace", "pattern": {"String": "l"}, "content": "ll"},
        # By so many letters that the limit is reached before a slow machine's limit of time.
        {"type": "Replace", "pattern": {"Regex": ""}, "content": "l" * 100},
        {"type": "BPEDecoder", "suffix": ""},
        {"type": "CTC", "pad_token": "?", "word_delimiter_token": ""},
    ],
    ids=lambda part: part["type"],
)
def test_decoders_that_lengthen_a_text(part: dict[str, object]):
    tokenizer = read_tokenizer_json(changed("decoder", to=sequence(*[part] * 40)))
    with pytest.raises(UserError, match=GROWS):
        tokenizer.decode([1, 2, 1])


def test_the_length_of_decoded_tokens_is_limited():
    model = {**FILE["model"], "vocab": {**FILE["model"]["vocab"], "x" * 8_000: 8}}
    tokenizer = read_tokenizer_json(json.dumps({**FILE, "model": model, "added_tokens": []}))
    assert tokenizer.decode([8] * 10) == "x" * 80_000
    with pytest.raises(UserError, match=GROWS):
        tokenizer.decode([8] * 1_000)


def test_an_added_token_that_strips_all_spaces():
    token = {"id": 8, "content": " ", "rstrip": True, "normalized": False}
    tokenizer = read_tokenizer_json(changed("added_tokens", to=[token]))
    assert tokenizer.encode("l" + " " * 3 + "o").pieces == ("<s>", "l", "   ", "  ", " ", "o")
    with pytest.raises(UserError, match=GROWS):
        tokenizer.encode(" " * 10_000)


# --- Parts and tokens -----------------------------------------------------------------------------


def test_four_hundred_thousand_normalizers():
    many = {"type": "Sequence", "normalizers": [{"type": "Lowercase"}] * 400_000}
    data = changed("normalizer", to=many)
    began = process_time()
    with pytest.raises(
        UserError, match="The file has 400,000 normalizers, one after the other; 200"
    ):
        read_tokenizer_json(data)
    assert process_time() - began < 2


@pytest.mark.parametrize("place", ["normalizer", "pre_tokenizer", "post_processor", "decoder"])
def test_sequences_in_sequences_are_counted(place: str):
    nested = sequence(*[sequence(*[sequence()] * 14)] * 14)
    with pytest.raises(
        UserError, match=f"The file has 211 .*, one after the other; {MAX_COMPONENTS} "
    ):
        read_tokenizer_json(changed(place, to=nested))


def test_a_template_of_many_slots_with_many_ids():
    slot = {"SpecialToken": {"id": "<s>", "type_id": 0}}
    template = {**FILE["post_processor"], "single": [slot] * 150_000}
    with pytest.raises(
        UserError, match="The file has 150,000 tokens in a template; 1,000 are read"
    ):
        read_tokenizer_json(changed("post_processor", to=template))
    ids = {"id": "<s>", "ids": [7] * 600, "tokens": ["<s>"] * 600}
    template |= {"single": [slot] * 2, "special_tokens": {"<s>": ids}}
    with pytest.raises(UserError, match="The file has 1,200 tokens in a template"):
        read_tokenizer_json(changed("post_processor", to=template))


def test_a_template_that_repeats_a_text():
    slot = {"Sequence": {"id": "A", "type_id": 0}}
    template = {**FILE["post_processor"], "single": [slot] * MAX_TEMPLATE_ITEMS}
    tokenizer = read_tokenizer_json(changed("post_processor", to=template))
    assert len(tokenizer.encode("low").ids) == MAX_TEMPLATE_ITEMS
    with pytest.raises(UserError, match=GROWS):
        tokenizer.encode("w " * 500)


def test_repeated_post_processors():
    part = {"type": "RobertaProcessing", "sep": ["<s>", 7], "cls": ["<s>", 7]}
    tokenizer = read_tokenizer_json(changed("post_processor", to=sequence(*[part] * 40)))
    with pytest.raises(UserError, match=GROWS):
        tokenizer.encode("low")
    assert isinstance(read_tokenizer_json(json.dumps(FILE | {"post_processor": part})), object)


def test_added_tokens_that_a_normalizer_makes_long():
    tokens = [{"id": 8 + n, "content": f"a{n}", "normalized": True} for n in range(1_000)]
    file = {**FILE, "added_tokens": tokens, "normalizer": replace("a" * 8_000)}
    with pytest.raises(UserError, match=GROWS):
        read_tokenizer_json(json.dumps(file)).encode("low")


def test_more_added_tokens_than_any_file_has():
    with pytest.raises(UserError, match="The file has 100,001 added tokens; 100,000 are read"):
        AddedTokens.control({f"<{n}>": n for n in range(MAX_ADDED_TOKENS + 1)})


# --- Time -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["Unigram", "WordPiece"])
def test_long_runs_of_one_letter(kind: str):
    runs = ["a" * n for n in range(1, 2_001)]
    rows = [[run, -1.0] for run in runs]
    model = {
        "Unigram": {"type": "Unigram", "vocab": rows, "unk_id": 0},
        "WordPiece": {
            **{"type": "WordPiece", "unk_token": "a", "continuing_subword_prefix": "x"},
            **{"max_input_chars_per_word": 10**9},
            "vocab": {run: n for n, run in enumerate([*runs, "xa", "x" + "b" * 3_000])},
        },
    }[kind]
    file = {**FILE, "model": model, "normalizer": replace("a" * 8_000), "added_tokens": []}
    tokenizer = read_tokenizer_json(json.dumps({**file, "post_processor": None}))
    began = process_time()
    with pytest.raises(UserError, match="The rules of this tokenizer take too long"):
        tokenizer.encode("a" * 12)
    assert process_time() - began < 2


def test_many_control_tokens_are_matched_quickly():
    names = [f"<|control_{n}|>" for n in range(26_089)]
    tokens = [{"id": n, "content": name, "special": True} for n, name in enumerate(names, start=8)]
    tokenizer = read_tokenizer_json(changed("added_tokens", to=tokens))
    text = f"low{names[-1]}low <|control_{names[2600]}"
    began = process_time()
    encoding = tokenizer.encode(text, add_special_tokens=False)
    assert process_time() - began < 1
    assert [token for token in encoding.tokens if token in names] == [names[-1], names[2600]]


@pytest.mark.parametrize("seed", range(20))
def test_the_token_index_finds_the_leftmost_longest_match(seed: int):
    rng = random.Random(seed)
    contents = ["".join(rng.choices("ab\U0001f600", k=rng.randint(0, 5))) for _ in range(12)]
    text = "".join(rng.choices("abc\U0001f600", k=200))
    found, at = [], 0
    while at < len(text):
        longest = max((one for one in contents if text.startswith(one, at)), key=len, default="")
        if longest:
            found.append((at, at + len(longest)))
        at += len(longest) or 1
    assert list(TokenIndex(contents).spans(text)) == found


def test_published_tokenizers_are_far_below_every_limit():
    """A letter becomes at most 18 by Unicode; so many of one text are not refused."""
    tokenizer = read_tokenizer_json(changed("normalizer", to={"type": "NFKC"}))
    text = "\ufdfa" * (SLACK // 18)
    assert len(tokenizer.encode(text).ids) > SLACK // 18 * FACTOR
    added = AddedTokens((AddedToken("<s>", 0),))
    assert added.split("low<s>", normalized=True, as_text=False)[-1][2] == added.tokens[0]
    assert BertProcessing(("b", 1), ("a", 0)).describe()


# --- Every part -----------------------------------------------------------------------------------


def test_every_part_of_a_file_is_made_to_grow():
    for place, readers in {
        "normalizer": json_components.NORMALIZERS,
        "pre_tokenizer": json_components.PRE_TOKENIZERS,
        "post_processor": json_components.POST_PROCESSORS,
        "decoder": json_components.DECODERS,
    }.items():
        assert {*growing_files.KINDS[place][0], "Sequence"} == readers.keys()
    assert set(growing_files.MODELS) == json_models.MODELS.keys()
