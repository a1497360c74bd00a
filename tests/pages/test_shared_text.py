"""The text and the training source that all pages share."""

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from pages.shared.routes import START
from tests.pages.opening import checked, opened

TEXT = "Sea and sand,\nsand and shore, and the sea again."
OTHER = "other words than before"
BOXES = dict.fromkeys(("start", "essay", "pipeline", "compare", "sizes"), "text_box")
SHORT = {"bpe_encode": "say", "wordpiece_encode": "say", "unigram_lattice": "say", "real": "say"}
LEARN = ("bpe_train", "wordpiece_train", "unigram_train", "race", "surgery", "bpe_encode")


def by_menu(app: AppTest, page: str) -> AppTest:
    """Return a page, opened from the menu: with a bare URL unless it is the one that is shown."""
    before, app._page_hash = app._page_hash, calc_hash("" if page == START else page)
    if app._page_hash != before:
        app.query_params.clear()
    return checked(app.run())


def put_in(app: AppTest, text: str, key: str = "text_box") -> AppTest:
    return checked(app.text_area(key=key).set_value(text).run())


@pytest.mark.parametrize("page", [*BOXES, *SHORT])
def test_a_text_put_in_on_start_is_there_on_every_page(page: str):
    app = by_menu(put_in(opened(START), TEXT), page)
    assert app.text_area(key=(BOXES | SHORT)[page]).value == TEXT


@pytest.mark.parametrize("page", SHORT)
def test_a_text_put_in_on_a_page_for_short_texts_is_there_on_start(page: str):
    app = put_in(opened(page), TEXT, "say")
    assert by_menu(app, START).text_area(key="text_box").value == TEXT


@pytest.mark.parametrize("page", [*BOXES, *SHORT])
def test_a_text_is_accepted_though_streamlit_interrupted_its_callback(page: str):
    app, key = opened(page), (BOXES | SHORT)[page]
    app.session_state[key] = TEXT  # the state after that: typed text, no callback
    assert checked(app.run()).text_area(key=key).value == TEXT
    other = "essay" if page == START else START
    assert by_menu(app, other).text_area(key="text_box").value == TEXT


@pytest.mark.parametrize("page", LEARN)
def test_what_was_put_in_is_learned_from(page: str):
    app = by_menu(put_in(opened(START), TEXT), page)
    assert app.selectbox(key="corpus").value == "own"
    assert app.text_area(key="text_box").value == TEXT
    assert app.query_params["text"] == TEXT


def test_complexity_counts_on_it():
    app = by_menu(put_in(opened(START), TEXT), "complexity")
    assert app.text_area(key="text_box").value == TEXT


def test_what_is_only_encoded_is_not_learned_from():
    app = by_menu(put_in(opened(START), TEXT), "bpe_encode")
    app = put_in(app, OTHER, "say")
    assert app.text_area(key="text_box").value == TEXT
    assert app.query_params["text"] == TEXT
    assert app.query_params["say"] == OTHER
    app = by_menu(app, START)
    assert app.text_area(key="text_box").value == OTHER
    assert by_menu(app, "bpe_train").text_area(key="text_box").value == TEXT


def test_a_word_to_encode_changes_no_source():
    app = put_in(opened("bpe_encode"), OTHER, "say")
    assert app.selectbox(key="corpus").value == "b2"
    assert by_menu(app, "bpe_train").selectbox(key="corpus").value == "b2"
    assert by_menu(app, "race").selectbox(key="corpus").value == "prose"


def test_a_text_to_learn_from_is_none_to_split():
    app = put_in(opened("bpe_train", corpus="own"), TEXT)
    assert by_menu(app, "bpe_encode").text_area(key="text_box").value == TEXT
    assert app.text_area(key="say").value == "lowest newcomer"
    app = put_in(by_menu(app, START), OTHER)
    assert by_menu(app, "bpe_train").text_area(key="text_box").value == TEXT


def test_a_table_is_no_text():
    app = put_in(opened("bpe_train", corpus="table"), "word,count\nlow,3\n")
    app.selectbox(key="corpus").set_value("own").run()
    for shown in (checked(app), by_menu(app, START)):
        assert "word,count" not in str(shown.text_area(key="text_box").value)


def test_a_source_that_was_chosen_stays():
    app = opened("bpe_train")
    checked(app.selectbox(key="corpus").set_value("prose").run())
    app = put_in(by_menu(app, START), TEXT)
    assert by_menu(app, "wordpiece_train").selectbox(key="corpus").value == "prose"


def test_the_source_is_one_for_all():
    app = opened("sizes")
    checked(app.selectbox(key="learned").set_value("languages").run())
    assert by_menu(app, "bpe_train").selectbox(key="corpus").value == "languages"
    assert by_menu(app, "pipeline").selectbox(key="learned").value == "languages"


def test_a_link_with_two_texts_opens_both():
    app = opened("bpe_encode", corpus="own", text=TEXT, say=OTHER)
    assert app.text_area(key="text_box").value == TEXT
    assert app.text_area(key="say").value == OTHER


def test_the_beginning_of_a_long_text_in_a_link_is_that_text():
    long = "long text " * 400
    app = put_in(opened(START), long)
    app._page_hash = calc_hash("bpe_encode")
    app.query_params.clear()
    app.query_params.update(corpus="prose", say=long[:1_500])
    checked(app.run())
    assert "4,000" in app.warning[0].value
    assert by_menu(app, START).text_area(key="text_box").value == long


def test_lines_stay_lines():
    app = put_in(opened("bpe_encode"), "low\nlower", "say")
    assert app.query_params["say"] == "low\nlower"


@pytest.mark.parametrize("page", ["bpe_train", "bpe_encode", "unigram_train"])
def test_what_is_learned_from_is_named_for_what_it_is(page: str):
    app = opened(page)
    assert any(row.value.startswith("Trained on **") for row in app.markdown)
    labels = [block.proto.popover.label for block in app.get("popover")]
    assert "Training text" in labels
    assert "Change the text" not in labels


@pytest.mark.parametrize(("page", "key"), [("bpe_train", "word"), ("surgery", "word_to_split")])
def test_a_line_that_is_too_long_stays_with_a_message(page: str, key: str):
    app = opened(page)
    app = checked(app.text_input(key=key).set_value("x" * 300).run())
    assert app.text_input(key=key).value == "x" * 300
    said = " ".join(caption.value for caption in app.caption)
    assert "That has 300 characters. The first 100 are used." in said
    assert not app.error
