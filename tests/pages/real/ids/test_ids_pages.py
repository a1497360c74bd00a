"""Ids in the text box of the page of real tokenizers, and the panel *Ids*, in AppTest."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from lessons.models import MODELS, open_model
from pages.real.inputs import FIRST_TEXT
from tests.core.runtime.test_truncation import TRUNCATION, file
from tests.pages.opening import HOSTILE, checked, html_of, opened, texts_of
from tests.pages.real.test_real_pages import drop, ids_shown, row_of

PAGE = "real"
IDS = "[9906, 1917]"


def switches(app: AppTest) -> list[Any]:
    return [one for one in app.toggle if one.key == "read_as_ids"]


def test_ids_in_the_box_can_be_read_as_ids():
    app = opened(PAGE, model="cl100k", say=IDS)
    (switch,) = switches(app)
    assert ids_shown(app) != ["9906", "1917"]
    switch.set_value(True)
    checked(app.run())
    assert ids_shown(app) == ["9906", "1917"]
    assert [code.value for code in app.code] == ["Hello world"]
    assert "Round trip: the text gives these ids again." in texts_of(app.caption)
    assert app.query_params["as_ids"] == "1"
    (switch,) = switches(app)
    switch.set_value(False)
    checked(app.run())
    assert "as_ids" not in app.query_params
    assert ids_shown(app) != ["9906", "1917"]


@pytest.mark.parametrize("say", ["Hello", "12345", "", "def f(): return [1, 2]"])
def test_a_text_is_not_offered_to_be_read_as_ids(say: str):
    assert switches(opened(PAGE, say=say)) == []
    assert switches(opened(PAGE)) == []


@pytest.mark.parametrize("model", MODELS)
def test_a_link_to_ids_opens_with_every_model(model: str):
    ids = open_model(model).encode(FIRST_TEXT).ids
    app = opened(PAGE, model=model, as_ids="1", say=json.dumps(list(ids)), panel="Ids")
    assert ids_shown(app) == list(map(str, ids))
    assert not app.error
    assert not app.toast
    assert app.code[0].value.split() == open_model(model).decode(ids).split()


def test_a_click_on_a_token_goes_to_its_step():
    app = opened(PAGE, model="cl100k", as_ids="1", say="9906 1917 0")
    assert "step" not in app.query_params
    app.session_state["token_row"] = {"word": [3, row_of(app)["state"][0]]}
    checked(app.run())
    assert app.query_params["step"] == "3"


@pytest.mark.parametrize(
    ("say", "sentence"),
    [
        ("[9906, 100277]", "The vocabulary of 100,261 tokens has no id 100277"),
        ("[9999999999999999999]", "has no id 9999999999999999999"),
        ("[9906, x]", "“x” is not an id"),
        ("[None, 5]", "“None” is not an id"),
        ("[[1, 2], [3]]", "These are 2 lists of ids"),
    ],
)
def test_bad_ids_get_a_sentence_and_stay_in_the_box(say: str, sentence: str):
    app = opened(PAGE, model="cl100k", as_ids="1", say=say)
    assert any(sentence in text for text in texts_of(app.error))
    assert app.text_area(key="say").value == say
    assert any("switch off" in text for text in texts_of(app.caption))
    (switch,) = switches(app)
    switch.set_value(False)
    assert ids_shown(checked(app.run())) == list(map(str, open_model("cl100k").encode(say).ids))


def test_a_text_without_digits_is_read_as_text_again():
    app = opened(PAGE, model="cl100k", as_ids="1", say=IDS)
    app.text_area(key="say").set_value("Hello")
    checked(app.run())
    assert ids_shown(app) == ["9906"]
    assert not app.error
    assert switches(app) == []
    assert "as_ids" not in app.query_params


@pytest.mark.parametrize("text", [*HOSTILE, "1" * 1_500, "[" * 1_500, "1 " * 750])
def test_hostile_texts_read_as_ids(text: str):
    app = opened(PAGE, model="gpt2", as_ids="1", say=text, panel="Ids")
    assert "<script" not in html_of(app)
    assert row_of(app) if not app.error else len(app.error) == 1


def test_more_ids_are_read_than_an_address_holds():
    app = opened(PAGE, model="gpt2", as_ids="1", say=IDS)
    app.text_area(key="say").set_value("64, " * 1_000)
    checked(app.run())
    assert any("Tokens 1 to 400 of 1,000" in text for text in texts_of(app.caption))
    assert any("paste them again after a reload" in text for text in texts_of(app.caption))
    cut = opened(PAGE, model="gpt2", as_ids="1", say="64, " * 374 + "6512")
    assert any("may be cut off" in text for text in texts_of(cut.caption))
    assert len(ids_shown(cut)) == 374


def test_a_list_that_is_too_long_is_read_in_part():
    app = opened(PAGE, model="gpt2", as_ids="1", say=IDS)
    app.text_area(key="say").set_value("123, " * 5_999 + "12345678")
    checked(app.run())
    assert any("has 30,003 characters. The first 30,000" in text for text in texts_of(app.warning))
    assert any("may be cut off" in text for text in texts_of(app.caption))
    assert any("of 5,999" in text for text in texts_of(app.caption))


def test_a_difference_is_shown_in_the_panel():
    app = opened(PAGE, model="gpt2", as_ids="1", say="39 417 78 995", panel="Ids")
    assert any("The text gives other ids: 3 tokens" in text for text in texts_of(app.caption))
    assert 'aria-label="Your ids"' in html_of(app)
    assert 'aria-label="What the text gives"' in html_of(app)


# --- The panel ------------------------------------------------------------------------------------


def copied(app: AppTest) -> str:
    return app.code[-1].value


@pytest.mark.parametrize(
    ("form", "written"),
    [("python", "ids = [9906, 1917]"), ("json", "[9906,1917]"), ("plain", "9906 1917")],
)
def test_ids_are_copied_in_three_forms(form: str, written: str):
    app = opened(PAGE, model="cl100k", say="Hello world", panel="Ids", ids_form=form)
    assert copied(app) == written


def test_ids_are_read_back():
    app = opened(PAGE, model="cl100k", say="Hello world", panel="Ids")
    app.button(key="read_ids_back").click()
    checked(app.run())
    assert app.text_area(key="say").value == "[9906,1917]"
    assert app.code[0].value == "Hello world"
    assert app.query_params["as_ids"] == "1"


def test_a_text_is_cut_into_parts():
    app = opened(PAGE, model="gpt2", panel="Ids", part_tokens="8", part_overlap="2")
    assert any("the longest has 8 tokens" in text for text in texts_of(app.caption))
    assert "<caption><span>The parts" in html_of(app)
    app.number_input(key="part_overlap").set_value(8)
    checked(app.run())
    assert any("An overlap of 8 tokens is too much" in text for text in texts_of(app.error))


def test_a_long_text_is_cut_as_a_whole():
    app = opened(PAGE, model="gpt2", panel="Ids", part_tokens="100")
    app.text_area(key="say").set_value("low lower lowest " * 2_000)
    checked(app.run())
    assert any("The parts (the first 50 of" in text for text in [html_of(app)])
    assert any("parts; the longest has 100 tokens" in text for text in texts_of(app.caption))


def test_what_a_file_cuts_off_is_marked():
    app = drop(opened(PAGE, panel="Ids"), ("tokenizer.json", file(truncation=TRUNCATION).encode()))
    app.text_area(key="say").set_value("a b c d e")
    checked(app.run())
    assert row_of(app)["cut"] == [4, 6]
    assert "2 cut off by the file" in row_of(app)["summary"]
    assert 'aria-label="What the model gets"' in html_of(app)
    assert 'aria-label="What is cut off, piece 1"' in html_of(app)


def test_start_leads_to_it():
    app = opened("", text=IDS)
    links = [one.proto for one in app.get("page_link") if "look like ids" in one.proto.label]
    assert [dict(x.split("=") for x in one.query_string.split("&"))["as_ids"] for one in links] == [
        "1"
    ]
    assert not [
        one for one in opened("", text="Hello").get("page_link") if "ids" in one.proto.label
    ]
