"""Chat templates: plain text in the box, each mark read in two ways, as encoding reads it."""

import pytest

from lessons.models import MODELS, open_model
from pages.real.chat_marks import CHAT_TEMPLATES, marks_in
from tests.pages.opening import HOSTILE, checked, columns_under, html_of, opened
from tests.pages.real.test_real_pages import ids_shown


def folds(app) -> list[str]:
    return [fold.label for fold in app.expander if fold.label.startswith("Special tokens")]


@pytest.mark.parametrize("chat", CHAT_TEMPLATES.values(), ids=list(CHAT_TEMPLATES))
def test_a_template_holds_its_marks(chat):
    assert any(mark in chat.text for mark in chat.marks)
    assert "Hello!" in chat.text


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("chat", CHAT_TEMPLATES)
def test_both_readings_are_those_of_encoding(name, chat):
    loaded, text = open_model(name), CHAT_TEMPLATES[chat].text
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
    text = CHAT_TEMPLATES["mistral"].text
    ids = {one.mark: one.id for one in marks_in(open_model("mistral-v1"), text)}
    assert ids == {"<s>": 1}
    (one,) = marks_in(open_model("o200k"), text)
    assert (one.id, one.num_plain) == (None, 2)
    app = opened("real", model="o200k", say=text)
    assert "not in this file" in html_of(app)
    readings = columns_under(app, "Two readings")
    assert readings["as a special token"] == ["not in this file"]
    assert readings["as plain text"] == ["2 tokens"]


def test_a_template_fills_the_box_and_stays_text_that_can_be_edited():
    app = opened("real", model="gpt2")
    app = checked(app.selectbox(key="chat").set_value("gemma").run())
    assert app.text_area(key="say").value == CHAT_TEMPLATES["gemma"].text
    assert ids_shown(app) == [
        str(n) for n in open_model("gpt2").encode(CHAT_TEMPLATES["gemma"].text).ids
    ]
    app.text_area(key="say").set_value(CHAT_TEMPLATES["gemma"].text + "Hi")
    app = checked(app.run())
    assert app.session_state["chat"] is None
    assert str(app.text_area(key="say").value).endswith("Hi")


@pytest.mark.parametrize("text", [*HOSTILE, "plain"])
def test_without_marks_there_is_no_panel(text):
    assert folds(opened("real", model="gpt2", say=text)) == []
