"""Conversations: edited, written by a template, and their marks read in two ways."""

from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from lessons.models import MODELS, open_model
from pages.real.chat.chat_tokens import TEMPLATE, DoubledTokens, chat_tokens
from pages.real.chat.conversation import FIRST_CHAT, Message, read_json, write_json
from pages.real.chat.marks import marks_in
from pages.real.chat.panel import describe_doubled
from pages.real.chat.rendering import render
from pages.real.chat.templates import CHAT_TEMPLATES, USUAL, options
from pages.real.files import parse_upload
from pages.shared.limits import MAX_CHAT_CHARS, MAX_CHAT_MESSAGES, MAX_IN_URL
from pages.shared.training.published import PublishedTokenizer
from tests.pages.opening import HOSTILE, checked, columns_under, html_of, markdown_of, opened
from tests.pages.real.test_real_pages import VOCAB, drop, ids_shown, row_of
from tokenizers.formats.opening import open_tokenizer

TEXTS = {
    name: render(chat.template, FIRST_CHAT, chat.tokens, add_generation_prompt=True).text
    for name, chat in CHAT_TEMPLATES.items()
}


def folds(app) -> list[str]:
    return [fold.label for fold in app.expander if fold.label.startswith("Special tokens")]


@pytest.mark.parametrize("chat", CHAT_TEMPLATES.values(), ids=list(CHAT_TEMPLATES))
def test_a_template_writes_its_marks(chat):
    assert any(mark in TEXTS[chat.name] for mark in chat.marks)
    assert "Hello!" in TEXTS[chat.name]


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("chat", CHAT_TEMPLATES)
def test_both_readings_are_those_of_encoding(name, chat):
    loaded, text = open_model(name), TEXTS[chat]
    found = marks_in(loaded, text)
    assert {one.mark for one in found} >= {
        mark for mark in CHAT_TEMPLATES[chat].marks if mark in text
    }
    for one in found:
        ids = loaded.encode(one.mark, add_special_tokens=False).ids
        assert one.id is None or ids == (one.id,)
        plain = loaded.encode(one.mark, special="text", add_special_tokens=False).ids
        assert one.num_plain == len(plain)
    app = opened("real", model=name, say=text)
    assert not app.error
    control, plain = (len(loaded.encode(text, special=way).ids) for way in ("control", "text"))
    (label,) = folds(app)
    if all(one.id is not None for one in found):
        assert label == f"Special tokens: {control:,} tokens, or {plain:,} as plain text"
    else:
        assert label.startswith(f"Special tokens: {plain:,} tokens as plain text, ")


def test_where_each_mark_is_one_token_the_text_between_is_as_it_was():
    (label,) = folds(opened("real", model="gpt2", say="a<|im_start|>b b<|im_end|>"))
    assert label == "Special tokens: 17 tokens as plain text, 5 where each mark is one"


def test_what_a_tokenizer_puts_around_a_text_is_counted_in_both_readings():
    (label,) = folds(opened("real", model="bert-uncased", say="a <|im_start|>"))
    # [CLS] a < | im _ start | > [SEP], and [CLS] a <|im_start|> [SEP]
    assert label == "Special tokens: 10 tokens as plain text, 4 where each mark is one"


def test_mistral_has_a_token_for_what_gpt_spells_out():
    text = TEXTS["mistral"]
    ids = {one.mark: one.id for one in marks_in(open_model("mistral-v1"), text)}
    assert ids == {"<s>": 1}
    (one,) = marks_in(open_model("o200k"), text)
    assert (one.id, one.num_plain) == (None, 2)
    app = opened("real", model="o200k", say=text)
    assert "not in this file" in html_of(app)
    readings = columns_under(app, "Two readings")
    assert readings["as a special token"] == ["not in this file"]
    assert readings["as plain text"] == ["2 tokens"]


def test_a_rendered_conversation_becomes_a_text_that_can_be_edited():
    app = opened("real", model="gpt2", input="chat", template="gemma")
    app = checked(app.button(key="chat_as_text").click().run())
    assert app.text_area(key="say").value == TEXTS["gemma"]
    assert ids_shown(app) == [str(n) for n in open_model("gpt2").encode(TEXTS["gemma"]).ids]
    app.text_area(key="say").set_value(TEXTS["gemma"] + "Hi")
    app = checked(app.run())
    assert str(app.text_area(key="say").value).endswith("Hi")
    app = checked(app.segmented_control(key="input").set_value("chat").run())
    assert messages_shown(app) == list(FIRST_CHAT)


@pytest.mark.parametrize("text", [*HOSTILE, "plain"])
def test_without_marks_there_is_no_panel(text):
    assert folds(opened("real", model="gpt2", say=text)) == []


# --- A conversation -------------------------------------------------------------------------------


def messages_shown(app: AppTest) -> list[Message]:
    """The messages in the boxes."""
    boxes = [box for box in app.text_area if str(box.key).startswith("chat_text_")]
    roles: list[Any] = [app.selectbox(key=f"chat_role_{n}").value for n in range(len(boxes))]
    return [Message(role, str(box.value)) for role, box in zip(roles, boxes, strict=True)]


def errors_of(app: AppTest) -> list[str]:
    return [error.value.replace("\\", "") for error in app.error]


def speakers_shown(app: AppTest) -> dict[str, int]:
    """The number of tokens by speaker in the row of tokens; the legend must agree."""
    row = row_of(app)
    found = [style for _, tiles in row["groups"] for _, style, _ in tiles]
    counts = {speaker: found.count(speaker) for speaker, *_ in row["legend"]}
    assert counts == {speaker: int(count) for speaker, _, count in row["legend"]}
    assert sum(counts.values()) == len(found)
    return counts


def in_chat(messages: list[Message] | tuple[Message, ...] = FIRST_CHAT, **query: Any) -> AppTest:
    return opened("real", input="chat", text=write_json(messages), **query)


@pytest.mark.parametrize("model", MODELS)
def test_the_tokens_are_those_of_a_chat_and_each_has_a_speaker(model):
    app = opened("real", model=model, input="chat")
    assert not app.error
    found = chat_tokens(PublishedTokenizer(model), USUAL, FIRST_CHAT, True)
    right = open_model(model).encode(found.chat.text, add_special_tokens=False)
    assert ids_shown(app) == [str(n) for n in right.ids]
    counts = speakers_shown(app)
    assert counts == dict(found.totals)
    assert counts["assistant"] == 0 < min(counts["user"], counts["system"], counts[TEMPLATE])
    for speaker, role in ((0, "system"), (1, "user")):
        alone = open_model(model).encode(FIRST_CHAT[speaker].content, add_special_tokens=False)
        assert abs(counts[role] - len(alone.ids)) <= 2  # those at its ends may be shared


def test_a_conversation_is_edited_and_the_address_holds_it():
    app = opened("real", model="mistral-v1")
    app = checked(app.segmented_control(key="input").set_value("chat").run())
    assert messages_shown(app) == list(FIRST_CHAT)
    assert app.query_params["input"] == "chat"
    app = checked(app.button(key="chat_add_1").click().run())
    assert messages_shown(app) == [*FIRST_CHAT, Message("assistant", "")]
    app = checked(app.text_area(key="chat_text_2").set_value("Good day.").run())
    assert speakers_shown(app)["assistant"] > 0
    app = checked(app.button(key="chat_remove_0").click().run())
    expected = [FIRST_CHAT[1], Message("assistant", "Good day.")]
    assert messages_shown(app) == expected
    assert speakers_shown(app)["system"] == 0
    assert read_json(app.query_params["text"]) == expected
    again = opened("real", **app.query_params)
    assert messages_shown(again) == expected
    assert ids_shown(again) == ids_shown(app)


def test_a_role_is_changed():
    app = in_chat()
    app = checked(app.selectbox(key="chat_role_0").set_value("user").run())
    assert messages_shown(app)[0] == FIRST_CHAT[0]._replace(role="user")


def test_all_messages_can_go_and_come_back():
    app = in_chat()
    for _ in FIRST_CHAT:
        app = checked(app.button(key="chat_remove_0").click().run())
    assert errors_of(app) == ["The conversation is empty. Add a message."]
    app = checked(app.button(key="chat_add").click().run())
    assert messages_shown(app) == [Message("user", "")]
    assert not app.error


def test_a_conversation_stays_while_a_text_is_shown():
    chat = [Message("user", "Keep me")]
    app = in_chat(chat)
    app = checked(app.segmented_control(key="input").set_value("text").run())
    assert read_json(app.query_params["text"]) == chat
    app = checked(app.segmented_control(key="input").set_value("chat").run())
    assert messages_shown(app) == chat


def test_the_prompt_begins_an_answer():
    with_it, without = in_chat(), in_chat(prompt="false")
    (ids, fewer) = ids_shown(with_it), ids_shown(without)
    assert ids[: len(fewer)] == fewer
    assert len(ids) > len(fewer)


@pytest.mark.parametrize(
    "text", ["", "Hello!", "[]", "{}", '[{"role":"tool","content":"x"}]', "[1]"]
)
def test_an_address_without_a_conversation_shows_the_example(text):
    app = opened("real", input="chat", text=text)
    assert messages_shown(app) == ([] if text == "[]" else list(FIRST_CHAT))
    assert bool(app.info) == (text != "[]")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_messages(text):
    app = in_chat([Message("system", text), Message("user", text)])
    assert not app.error
    assert "<script" not in html_of(app)
    assert "<img" not in html_of(app)
    assert "](http" not in markdown_of(app)
    assert messages_shown(app)[0].content == text


def test_a_long_conversation_says_what_is_used_and_loses_nothing():
    chat = [Message("user", "a " * MAX_CHAT_CHARS), Message("assistant", "b")]
    assert len(write_json(chat)) > MAX_IN_URL
    app = opened("real", input="chat")
    app = checked(app.text_area(key="chat_text_0").set_value(chat[0].content).run())
    assert "first 10,000 are used" in app.warning[0].value
    assert messages_shown(app)[0].content == chat[0].content


def test_there_is_a_most_number_of_messages():
    chat = [Message("user", "a")] * MAX_CHAT_MESSAGES
    app = in_chat(chat)
    assert messages_shown(app) == chat
    assert app.button(key="chat_add_0").disabled
    assert read_json(write_json([*chat, chat[0]])) is None


def test_a_refusal_is_a_sentence_and_the_editor_stays():
    chat = [Message("user", "a"), Message("user", "b")]
    app = in_chat(chat, template="gemma")
    (error,) = errors_of(app)
    assert "refuses this conversation: “User and assistant must take turns”" in error
    assert messages_shown(app) == chat


def test_a_forged_mark_is_named():
    app = in_chat([Message("user", "a</s>b")], model="mistral-v1")
    (warning,) = app.warning
    assert warning.value.startswith(
        "A message holds `</s>`, which the tokenizer reads as a special"
    )
    assert not in_chat([Message("user", "a</s>b")], model="gpt2").warning
    assert not in_chat([Message("user", "a 漢")], model="bert-uncased").warning  # [UNK]


def test_a_tokens_name_cannot_end_its_code():
    doubled = DoubledTokens(3, ("`![a](http://evil.test)\n\n# h",), (), is_doubled=False)
    assert describe_doubled(doubled).count("`") == 4
    assert "\n" not in describe_doubled(doubled)


# --- Templates of a file --------------------------------------------------------------------------


def test_a_files_own_templates_come_first():
    others = ["llama3", "llama2", "mistral", "gemma", "harmony", "nemo"]
    assert list(options("gpt2", [])) == [USUAL, *others]
    assert options("gpt-oss", [])[USUAL] == "Harmony (gpt-oss)"
    assert options("mistral-v1", [])[USUAL] == "Mistral 7B v0.1"
    assert options("mistral-v1", ["default", "rag"]) == {
        USUAL: "Its own template",
        "own.rag": "Its own: rag",
        **{name: chat.title for name, chat in CHAT_TEMPLATES.items()},
    }


OWN = {
    "default": "{{ bos_token }}{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}",
    "dated": "{{ strftime_now('%d %B %Y') }}{{ messages[0].content }}",
}


@pytest.fixture
def with_templates(monkeypatch) -> None:
    """Files that are dropped have these templates."""

    def opened_with_templates(files, *options):
        loaded = open_tokenizer(files, *options)
        return replace(loaded, chat_templates=OWN, template_tokens={"bos_token": "[CLS]"})

    monkeypatch.setattr(parse_upload, "open_tokenizer", opened_with_templates)


@pytest.mark.usefixtures("with_templates")
def test_a_dropped_files_own_template_writes_the_chat():
    app = drop(in_chat([Message("user", "low new")]), ("vocab.txt", VOCAB))
    assert not app.error
    titles = app.selectbox(key="template").options
    assert titles[:2] == ["Its own template", "Its own: dated"]
    assert row_of(app)["groups"][0][1][0][0] == "[CLS]"
    assert speakers_shown(app)["user"] == 2
    assert "in the tokenizer’s own files" in " ".join(one.value for one in app.caption)
    app = checked(app.selectbox(key="template").set_value("own.dated").run())
    assert "here it is always 1 January 2026" in " ".join(one.value for one in app.caption)


# --- The doubled token ----------------------------------------------------------------------------


def test_a_doubled_token_is_shown_beside_the_right_count():
    app = opened("real", model="mistral-v1", input="chat")
    row = row_of(app)
    assert row["summary"] == "18 tokens · 19 with add_special_tokens=True"
    assert "**A well-known trap: `<s>` twice.**" in markdown_of(app)
    assert "19 tokens" in html_of(app) + markdown_of(app)


def test_tokens_that_the_template_does_not_write_are_a_trap_too():
    found = chat_tokens(PublishedTokenizer("bert-uncased"), USUAL, FIRST_CHAT, True)
    assert (found.doubled.before, found.doubled.after) == (("[CLS]",), ("[SEP]",))
    assert found.doubled.count == len(found.speakers) + 2
    assert "`[CLS]` and `[SEP]` around the chat" in describe_doubled(found.doubled)


def test_where_nothing_is_added_nothing_is_doubled():
    found = chat_tokens(PublishedTokenizer("gpt2"), USUAL, FIRST_CHAT, True)
    assert found.doubled.count == len(found.speakers)
    assert "No doubled tokens here" in describe_doubled(found.doubled)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("template", CHAT_TEMPLATES)
def test_the_two_readings_agree_with_the_chat(model, template):
    app = opened("real", model=model, input="chat", template=template)
    number = len(ids_shown(app))
    for label in folds(app):
        assert f" {number:,} tokens" in label
