"""A repository's files together: their order, their settings, and what is said of each.

That the result is what transformers gives is tested in tests/parity/test_repositories.py.
"""

import json
import random
import re
from collections.abc import Iterator, Mapping
from itertools import islice, permutations
from typing import Any

import pytest

from lessons.models import read_files
from tests.core.formats.test_opening import LINES, MERGES, RANKS, VOCAB, open_files
from tests.parity.repositories import SIZE, bert_json, config, on_bytes, token, written
from tokenizers.errors import UserError
from tokenizers.formats.json_cursor import JsonCursor
from tokenizers.formats.opening import group_files, open_tokenizer
from tokenizers.formats.tokenizer_json import read_tokenizer_json
from tokenizers.limits import MAX_FILE_BYTES
from tokenizers.runtime.tokenizer import LoadedTokenizer

IM = "<|im_start|>"
UTF_8, UTF_16 = b"\xef\xbb\xbf", "utf-16"
TEXT = f"{IM}LOW low <s>lower"


def said(tokenizer: LoadedTokenizer) -> dict[tuple[str, str], tuple[str, str]]:
    return {(one.file, one.setting): (one.value, one.ignored) for one in tokenizer.settings}


def orders(files: Mapping[str, bytes], most: int = 200) -> Iterator[dict[str, bytes]]:
    """Yield the files in all orders, or in `most` random ones of many."""
    if len(files) < 6:
        yield from map(dict, islice(permutations(files.items()), most))
        return
    rng, items = random.Random(1), [*files.items()]
    for _ in range(most):
        yield dict(rng.sample(items, len(items)))


# --- Order, and names -----------------------------------------------------------------------------


def test_added_tokens_are_never_taken_for_a_vocabulary():
    gpt2 = dict(read_files("gpt2")) | {"added_tokens.json": written({IM: 50257})}
    for files in orders(gpt2):
        found = open_tokenizer(files).encode(f"{IM}a")
        assert (found.tokens, found.ids[0]) == ((IM, "a"), 50257)
    small = {"added_tokens.json": written({IM: 50257}), "merges.txt": MERGES, "vocab.json": VOCAB}
    for files in orders(small):
        assert open_tokenizer(files).encode(IM).ids == (50257,)


FOLDER: dict[str, bytes] = {
    **on_bytes(token(IM)),
    **config("GPT2Tokenizer", bos_token="<s>", add_prefix_space=True),
    "vocab.json": VOCAB,
    "merges.txt": MERGES,
    "vocab.txt": LINES,
    "added_tokens.json": written({"<a>": SIZE + 1}),
    "special_tokens_map.json": written({"eos_token": "</s>"}),
    "generation_config.json": written({"eos_token_id": [SIZE, SIZE + 1]}),
    "config.json": written({"model_type": "bert"}),
    "chat_template.jinja": b"{{ bos_token }}",
    "additional_chat_templates/rag.jinja": b"{{ documents }}",
    "README.md": b"# A model\n",
    "model.safetensors": b"\x10\0\0\0\0\0\0\0{}",
}


def test_the_order_of_a_folder_does_not_matter():
    first = open_tokenizer(FOLDER)
    for files in orders(FOLDER):
        tokenizer = open_tokenizer(files)
        assert tokenizer.settings == first.settings
        assert tokenizer.encode(TEXT) == first.encode(TEXT)
        assert tokenizer.chat_templates == first.chat_templates
        assert len(group_files([*files.items()])) == 1


def test_the_file_with_the_usual_name_wins_over_one_that_looks_like_it():
    other = {piece: n for n, piece in enumerate(reversed(json.loads(VOCAB)))}
    files = {"a.json": written(other), "vocab.json": VOCAB, "merges.txt": MERGES, "b": MERGES[:-9]}
    for one in orders(files):
        assert open_tokenizer(one).vocab == json.loads(VOCAB)
    backup = on_bytes(token("<old>"))["tokenizer.json"]
    named = {"a-backup.json": backup, "vocab.txt": LINES}
    for one in orders(named):
        assert open_tokenizer(one).format == "vocab.txt"
    unnamed = {"b.json": backup, "a.json": on_bytes()["tokenizer.json"]}
    assert {"<old>" in open_tokenizer(one).vocab for one in orders(unnamed)} == {False}


def test_files_in_fewer_folders_win():
    deep, top = on_bytes(token("<deep>")), on_bytes(token("<top>"))
    files = {"onnx/tokenizer.json": deep["tokenizer.json"], **top}
    assert {"<top>" in open_tokenizer(one).vocab for one in orders(files)} == {True}


@pytest.mark.parametrize("name", ["tokenizer.model.v3", "spm.model", "source.spm", "spiece.model"])
def test_sentencepiece_by_its_names(name: str):
    (data,) = read_files("unigram-english").values()
    assert open_tokenizer({name: data, "config.json": b"{}"}).format == "SentencePiece .model"


def test_ranks_in_tiktoken_model():
    assert open_files({"tiktoken.model": RANKS, "x.tiktoken": RANKS}).format == ".tiktoken"


@pytest.mark.parametrize(
    ("names", "groups"),
    [
        ("tokenizer_config.json vocab.json README.md merges.txt", [[0, 1, 2, 3]]),
        ("mine.json tokenizer_config.json", [[0, 1]]),
        ("a-tokenizer.json a-tokenizer_config.json b-tokenizer.json", [[0, 1], [2]]),
        ("tekken.json params.json consolidated.safetensors", [[0, 2], [1]]),
        ("tiktoken.model tokenizer_config.json chat_template.jinja", [[0, 1, 2]]),
        ("preprocessor_config.json tokenizer.model.v3 LICENSE", [[0, 1, 2]]),
        ("config.json", [[0]]),
    ],
)
def test_what_a_repository_has_belongs_to_its_tokenizer(names: str, groups: list[list[int]]):
    assert group_files([(name, b"") for name in names.split()]) == groups


# --- Byte order marks -----------------------------------------------------------------------------


def marked(data: bytes, with_mark: str) -> bytes:
    return UTF_8 + data if with_mark == "utf-8" else data.decode().encode(with_mark)


@pytest.mark.parametrize("mark", ["utf-8", "utf-16", "utf-32"])
@pytest.mark.parametrize(
    "files",
    [
        {"vocab.txt": LINES, **config("BertTokenizer", do_lower_case=False)},
        {"vocab.json": VOCAB, "merges.txt": MERGES, "added_tokens.json": written({IM: SIZE})},
        {"ours.tiktoken": RANKS},
        {"unnamed": LINES},
        {"a": VOCAB, "b": MERGES},
        {
            **on_bytes(token(IM)),
            **config(bos_token="<s>"),
            "special_tokens_map.json": written({"eos_token": "</s>"}),
            "chat_template.jinja": "{{ 'é' }}".encode(),
        },
    ],
    ids="+".join,
)
def test_a_byte_order_mark_changes_nothing(files: dict[str, bytes], mark: str):
    plain = open_files(files)
    for name in files:
        tokenizer = open_files(files | {name: marked(files[name], mark)})
        assert tokenizer.vocab == plain.vocab
        assert tokenizer.encode(TEXT) == plain.encode(TEXT)
        assert tokenizer.chat_templates == plain.chat_templates
        assert group_files([*files.items()]) == group_files(
            [(one, marked(data, mark)) for one, data in files.items()]
        )


def test_a_vocabulary_with_a_mark_is_still_uncased():
    tokenizer = open_tokenizer({"vocab.txt": UTF_8 + LINES})
    assert tokenizer.encode("LOW").tokens == ("[CLS]", "low", "[SEP]")
    assert "[PAD]" in tokenizer.specials


def test_broken_utf_16_is_a_sentence():
    broken = {"vocab.txt": "[UNK]".encode(UTF_16) + b"\0"}
    with pytest.raises(UserError, match=r"byte order mark of UTF-16, but byte 12 is wrong"):
        open_tokenizer(broken)


# --- Settings -------------------------------------------------------------------------------------


def test_case_as_the_settings_say():
    cased = {"vocab.txt": LINES, "tokenizer_config.json": b'{"do_lower_case": false}'}
    tokenizer = open_tokenizer(cased)
    assert tokenizer.encode("LOW low").tokens == ("[CLS]", "[UNK]", "low", "[SEP]")
    assert said(tokenizer)["tokenizer_config.json", "do_lower_case"] == ("false", "")
    assert open_tokenizer(cased, lowercase=True).encode("LOW").tokens[1] == "low"
    uncased = {"vocab.txt": LINES + b"Low\n", "tokenizer_config.json": b'{"do_lower_case": true}'}
    assert open_tokenizer(uncased).encode("LOW").tokens[1] == "low"


def test_what_was_taken_and_what_was_not_is_listed():
    assert said(open_tokenizer(FOLDER)) == {
        ("README.md", "the file"): ("", "it has nothing about cutting a text"),
        ("added_tokens.json", "added tokens"): (f"<a> {SIZE + 1}", ""),
        ("additional_chat_templates/rag.jinja", "chat template"): ("rag", ""),
        ("chat_template.jinja", "chat template"): ("default", ""),
        ("config.json", "model_type"): ("bert", "tokenizer_config.json names the class"),
        ("generation_config.json", "eos_token_id"): (
            f"{IM} {SIZE}, <a> {SIZE + 1}",
            "the network stops writing there; it does not change how a text is cut",
        ),
        ("merges.txt", "the file"): ("", "the tokenizer was read from tokenizer.json"),
        ("model.safetensors", "the file"): ("", "it has nothing about cutting a text"),
        ("special_tokens_map.json", "eos_token"): ("</s>", ""),
        ("tokenizer_config.json", "add_prefix_space"): (
            "true",
            "the tokenizer’s own file says how words begin",
        ),
        ("tokenizer_config.json", "bos_token"): ("<s>", ""),
        ("tokenizer_config.json", "tokenizer_class"): ("GPT2Tokenizer", ""),
        ("vocab.json", "the file"): ("", "the tokenizer was read from tokenizer.json"),
        ("vocab.txt", "the file"): ("", "the tokenizer was read from tokenizer.json"),
    }
    assert open_tokenizer(on_bytes()).settings == ()


def test_ids_that_do_not_count_are_named():
    later = open_tokenizer(on_bytes() | {"added_tokens.json": written({"<a>": SIZE + 9})})
    assert later.vocab["<a>"] == SIZE
    value, why = said(later)["added_tokens.json", "the id of <a>"]
    assert (value, why) == (
        str(SIZE + 9),
        f"it is {SIZE}: the next free id counts, as in the library",
    )
    taken = open_tokenizer(on_bytes(token(IM)) | {"added_tokens.json": written({"<a>": SIZE})})
    assert "<a>" not in taken.vocab
    assert said(taken)["added_tokens.json", "<a>"][1] == f"the tokenizer.json gives this id to {IM}"


def test_a_model_that_another_class_renumbers_says_so():
    (data,) = read_files("unigram-english").values()
    files = {"sentencepiece.bpe.model": data, **config("XLMRobertaTokenizerFast")}
    assert (
        "its ids differ"
        in said(open_tokenizer(files))["tokenizer_config.json", "tokenizer_class"][1]
    )


def test_an_end_of_a_text_and_its_beginning():
    (data,) = read_files("unigram-english").values()
    asked = config("LlamaTokenizer", add_bos_token=True, add_eos_token=True)
    tokenizer = open_tokenizer({"tokenizer.model": data, **asked})
    assert tokenizer.encode("a").tokens[:: len(tokenizer.encode("a").tokens) - 1] == ("<s>", "</s>")
    pair = tokenizer.encode("a", pair="b")
    assert pair.tokens.count("<s>") == pair.tokens.count("</s>") == 2
    without = tokenizer.encode("a", add_special_tokens=False)
    assert "<s>" not in without.tokens


# --- Chat templates -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (config(chat_template="a"), {"default": "a"}),
        (
            config(
                chat_template=[{"name": "default", "template": "a"}, {"name": "b", "template": "c"}]
            ),
            {"default": "a", "b": "c"},
        ),
        (config(chat_template={"default": "a", "rag": "c"}), {"default": "a", "rag": "c"}),
        ({"chat_template.json": written({"chat_template": "a"})}, {"default": "a"}),
        (
            {"chat_template.json": written({"chat_template": "b"})} | config(chat_template="a"),
            {"default": "a"},
        ),
        ({"chat_template.jinja": b"j"} | config(chat_template="a"), {"default": "j"}),
        ({"tool_use.jinja": b"t", "chat_template.jinja": b"j"}, {"default": "j", "tool_use": "t"}),
        (config(), {}),
    ],
)
def test_chat_templates(more: dict[str, bytes], expected: dict[str, str]):
    for files in orders(on_bytes() | more):
        assert open_tokenizer(files).chat_templates == expected


def test_the_tokens_that_a_template_may_name():
    files = on_bytes() | config(
        "LlamaTokenizer", bos_token={"content": "<b>"}, eos_token=None, image_token="<img>"
    )
    assert open_tokenizer(files).template_tokens == {"bos_token": "<b>", "image_token": "<img>"}
    spiece = {"spiece.model": read_files("unigram-english").popitem()[1]}
    named = open_tokenizer(spiece | config("LlamaTokenizer")).template_tokens
    assert named == {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}


# --- Errors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (config(added_tokens_decoder={"5": {}}), 'added_tokens_decoder["5"].content is missing'),
        (config(added_tokens_decoder={"x": token("a")}), '["x"] must be a token’s id'),
        (config(added_tokens_decoder=[1]), "tokenizer_config.json: added_tokens_decoder is [1]"),
        (config(do_lower_case="yes"), 'do_lower_case is "yes"; it must be true or false.'),
        (config(chat_template=3), "chat_template is 3; it must be a string."),
        ({"tokenizer_config.json": b"{"}, "tokenizer_config.json: The file is not valid JSON"),
        (
            {"added_tokens.json": b'{"a": "b"}'},
            'added_tokens.json: ["a"] is "b"; it must be a whole',
        ),
        ({"added_tokens.json": b"[]"}, "added_tokens.json: The file is []"),
        ({"chat_template.jinja": b"\xff\0"}, "chat_template.jinja: Byte 0 is not UTF-8."),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_broken_settings_are_named(files: dict[str, bytes], message: str):
    with pytest.raises(UserError, match=re.escape(message)) as caught:
        open_tokenizer(on_bytes() | files)
    assert str(caught.value).endswith(".")
    assert not str(caught.value).endswith("..")


@pytest.mark.parametrize("name", ["config.json", "generation_config.json"])
def test_what_is_not_needed_may_be_broken(name: str):
    tokenizer = open_tokenizer(on_bytes() | {name: b"<html>"})
    assert said(tokenizer)[name, "the file"][1].startswith("it cannot be read: ")


def test_settings_alone_ask_for_their_tokenizer():
    with pytest.raises(
        UserError, match=r"added_tokens\.json, tokenizer_config\.json have settings"
    ):
        open_tokenizer(config() | {"added_tokens.json": b"{}"})


def test_a_file_that_is_too_large_is_refused_with_its_size():
    large = b" " * (MAX_FILE_BYTES + 1)
    with pytest.raises(UserError, match="The file takes more than 64 MB"):
        read_tokenizer_json(large)
    for name, rest in (("vocab.json", {"merges.txt": MERGES}), ("vocab.txt", {})):
        with pytest.raises(UserError, match=f"{name} takes more than 64 MB"):
            open_tokenizer({name: large, **rest})


def test_a_place_is_named_once_and_a_sentence_ends_once():
    with pytest.raises(UserError) as caught:
        open_tokenizer({"vocab.json": VOCAB, "merges.txt": b"zz w"})
    assert str(caught.value) == (
        "merges: merge 0 joins “zz” and “w”, but the vocabulary has no 'zz'."
    )
    with pytest.raises(UserError, match=r"The file is \[\]; it must be an object with an id for"):
        open_tokenizer({"vocab.json": b"[]", "merges.txt": MERGES})
    error = JsonCursor(0, "model.a").located(UserError("model.a is too large. Make it smaller."))
    assert str(error) == "model.a is too large. Make it smaller."
    error = JsonCursor(0, "model.a").located(UserError("the pattern repeats"))
    assert str(error) == "model.a: the pattern repeats."


def test_a_missing_key_is_missing_not_null():
    def file(**changes: Any) -> bytes:
        found = json.loads(bert_json()["tokenizer.json"])
        found["model"] |= changes
        return written({**found, "added_tokens": [{"content": "a"}]})

    with pytest.raises(UserError, match=re.escape("added_tokens[0].id is missing; it must be")):
        read_tokenizer_json(file())
    with pytest.raises(UserError, match=re.escape("model.vocab is null; it must be an object")):
        read_tokenizer_json(file(vocab=None))
