"""Chat templates of published models give what `transformers` gave when the fixture was made.

No library is needed here. See make_chat_fixtures.py.
"""

from collections.abc import Mapping
from hashlib import sha256

import pytest

from lessons.models import open_model
from pages.real.chat.conversation import Message
from pages.real.chat.rendering import render
from pages.real.chat.speakers import render_chat
from pages.real.chat.templates import CHAT_TEMPLATES
from tokenizers.errors import UserError

from .make_chat_fixtures import CONVERSATIONS, TABLE, TRANSFORMERS, stored

FIXTURE = stored()
TEMPLATES = {one["name"]: one for one in FIXTURE["templates"]}
FREE = {name: one for name, one in TEMPLATES.items() if one["source"]}
OURS = {name: one for name, one in TEMPLATES.items() if one["ours"]}


def messages_of(case: str) -> list[Message]:
    return [Message(*one) for one in CONVERSATIONS[case.removesuffix(", prompt")]]


def result_of(source: str, tokens: Mapping[str, str], case: str) -> dict[str, str]:
    """The text, or the message with which a template refuses, as in the fixture."""
    try:
        return {"text": render(source, messages_of(case), tokens, "prompt" in case).text}
    except UserError as error:
        return {"refusal": str(error)}


def is_as_expected(got: dict[str, str], expected: dict[str, str]) -> bool:
    """Texts are the same to the character; a refusal is passed on in a sentence of ours."""
    if "refusal" not in expected:
        return got == expected
    return " ".join(expected["refusal"].split()).rstrip(".") in got.get("refusal", "")


def test_the_fixture_is_of_the_templates_in_the_table():
    assert FIXTURE["transformers"] == TRANSFORMERS
    assert list(TEMPLATES) == [row["name"] for row in TABLE["template"]]
    assert len(FREE) >= 12
    for one in FREE.values():
        assert one["licence"].split(",")[0] in ("MIT", "Apache-2.0")
        assert sha256(one["source"].encode()).hexdigest() == one["sha256"]


@pytest.mark.parametrize("name", FREE)
def test_every_conversation_is_rendered_as_by_transformers(name):
    one = FREE[name]
    assert set(one["rendered"]) == {
        case for name in CONVERSATIONS for case in (name, f"{name}, prompt")
    }
    for case, expected in one["rendered"].items():
        got = result_of(one["source"], one["tokens"], case)
        assert is_as_expected(got, expected), case


@pytest.mark.parametrize("name", OURS)
def test_our_own_template_writes_what_the_familys_writes(name):
    """They may refuse in other words, and ours are written for conversations that make sense."""
    ours = CHAT_TEMPLATES[OURS[name]["ours"]]
    for case, expected in OURS[name]["rendered"].items():
        got = result_of(ours.template, ours.tokens, case)
        assert got.keys() == expected.keys(), case
        assert "refusal" in got or got == expected, case


@pytest.mark.parametrize(("ours", "name"), [("harmony", "gpt-oss"), ("nemo", "mistral-nemo")])
def test_a_familys_own_template_is_the_published_one(ours, name):
    family, published = CHAT_TEMPLATES[ours], FREE[name]
    assert sha256(family.template.encode()).hexdigest() == published["sha256"]
    assert family.tokens == published["tokens"]
    assert set(family.marks) <= open_model(*family.models).specials.keys()


@pytest.mark.parametrize("name", ["qwen3", "deepseek-v3"])
def test_a_bundled_tokenizers_own_template_writes_marks_that_are_one_token_each(name):
    loaded = open_model(name)
    case = messages_of("turns")
    text = render(loaded.chat_templates["default"], case, loaded.template_tokens, True).text
    encoding = loaded.encode(text, add_special_tokens=False)
    assert sum(len(token) > 1 and token[0] + token[-1] == "<>" for token in encoding.tokens) > len(
        case
    )
    if name in FREE:
        assert loaded.chat_templates["default"] == FREE[name]["source"]


def test_the_ids_of_mistral_are_those_of_its_own_library():
    template, loaded = CHAT_TEMPLATES["mistral"], open_model("mistral-v1")
    for name, ids in FIXTURE["mistral_ids"].items():
        text = render(template.template, messages_of(name), template.tokens, True).text
        assert list(loaded.encode(text, add_special_tokens=False).ids) == ids, name


@pytest.mark.parametrize("name", FREE)
def test_each_messages_words_are_found_where_the_template_wrote_them(name):
    one = FREE[name]
    for case in one["rendered"]:
        messages = messages_of(case)
        try:
            chat = render_chat(one["source"], messages, one["tokens"], "prompt" in case)
        except UserError:
            continue
        said = {number: chat.text[start:end] for start, end, number in chat.speeches}
        for number, text in said.items():
            assert text in messages[number].content, case
        if not case.startswith("thinking"):  # of which templates leave out the thoughts
            words = {n: one.content.strip() for n, one in enumerate(messages)}
            assert said == {n: text for n, text in words.items() if text}, case
        assert chat.text == one["rendered"][case]["text"]
