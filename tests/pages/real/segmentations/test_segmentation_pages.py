"""The panel *Other ways to split it* of the page of real tokenizers, in AppTest."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from lessons.claims import CLAIMS
from lessons.models import MODELS, open_model
from pages.real.inputs import FIRST_TEXT
from pages.real.segmentations import panel
from pages.real.segmentations.finding import (
    OWN,
    WAYS,
    digit_schemes,
    filter_view,
    find_way,
    longest_word,
    priced_ways,
    sees_word,
)
from tests.pages.opening import HOSTILE, checked, html_of, markdown_of, opened, texts_of
from tokenizers.errors import UserError
from tokenizers.runtime.inspection.segmentation_graph import MAX_UNITS, graph_of

PANEL = "Other ways to split it"
PENGUIN = "The penguin ate a fish."


def show(**query: Any) -> AppTest:
    return opened("real", **{"model": "cl100k", "say": PENGUIN, "panel": PANEL, **query})


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("model", MODELS)
def test_every_way_opens_with_every_model(model: str, way: str):
    app = show(model=model, way=way)
    if app.error:
        (sentence,) = texts_of(app.error)
        assert "No tokens of this vocabulary" in sentence
        assert way == "word"
    else:
        assert "same text when decoded" in markdown_of(app)


@pytest.mark.parametrize("ways", ["one", "filter", "digits", "price"])
@pytest.mark.parametrize("text", [*HOSTILE, ""])
def test_hostile_texts_get_an_answer_or_a_sentence(text: str, ways: str):
    checked(show(say=text, ways=ways))


def test_the_first_view_counts_and_draws():
    app = opened("real", model="cl100k", panel=PANEL)
    number = graph_of(open_model("cl100k"), FIRST_TEXT).graph.number
    assert number > 10**15
    assert f"{number:,}" in app.code[0].value
    assert "about 1.16 × 10²¹" in markdown_of(app)
    assert OWN in html_of(app)
    first = html_of(app)
    app.button(key="ways_again").click()
    checked(app.run())
    assert html_of(app) != first
    assert app.query_params["ways_seed"] == str(app.number_input(key="ways_seed").value)


def test_a_link_draws_the_same_again():
    assert html_of(show(ways_seed="7")) == html_of(show(ways_seed="7"))
    assert html_of(show(ways_seed="7")) != html_of(show(ways_seed="8"))


def test_blocks_end_where_both_have_a_boundary():
    loaded = open_model("cl100k")
    for way in WAYS:
        found = find_way(loaded, PENGUIN, "text", way, 3, "penguin")
        for number, whole in enumerate((found.own, found.other)):
            tokens = [token for block in found.blocks for token in block[number].tokens]
            assert tokens == whole.tokens
        assert found.shared == len(found.blocks) - 1
        assert len(found.other.new) == len(found.other.ids) or found.shared


def test_the_file_has_both_segmentations():
    found = find_way(open_model("cl100k"), "penguin", "text", "characters", 1, "")
    rows = panel.ways_table(found, "characters").rows
    assert [row[2] for row in rows] == ["p", "enguin", *"penguin"]
    assert [row[0] for row in rows] == [OWN] * 2 + [WAYS["characters"]] * 7


def test_a_long_text_is_used_in_part():
    app = show(say="企鹅" * 400)
    assert any("characters are used here" in text for text in texts_of(app.caption))
    assert not app.error
    with pytest.raises(UserError):
        find_way(open_model("cl100k"), "a" * (MAX_UNITS + 1), "text", "random", 1, "")


def test_a_filter_for_ids_misses_other_segmentations():
    loaded = open_model("cl100k")
    view = filter_view(loaded, PENGUIN, "text", 1, "penguin")
    seen = {row.title: row.ids for row in view.rows}
    assert seen[OWN]
    assert not seen[WAYS["word"]]
    assert not seen[WAYS["characters"]]
    assert view.again
    assert all(sees_word(open_model(name), PENGUIN, "penguin") for name in ("gpt2", "o200k"))
    assert not sees_word(loaded, "Apenguinate", "fish")
    app = show(ways="filter")
    assert "misses the word in **6 of 7**" in markdown_of(app)


def test_a_word_that_has_one_way_only_is_left_out():
    view = filter_view(open_model("cl100k"), "a 7 b", "text", 1, "7")
    assert WAYS["word"] not in {row.title for row in view.rows}


def test_a_word_that_is_not_there_gets_a_sentence():
    app = show(way="word", blocked="walrus")
    assert any("does not contain “walrus”" in text for text in texts_of(app.error))
    assert app.text_input(key="blocked").value == "walrus"


def test_the_longest_word_is_asked_for_first():
    assert longest_word("The penguin ate, 12345678") == "penguin"
    assert longest_word("123") == ""
    assert any("Write a word" in text for text in texts_of(show(ways="filter", say="1 2").caption))


def test_digits_line_up_from_the_right():
    left, commas, right = digit_schemes(open_model("cl100k"), "1,234,567", "89012")
    assert [group.text for group in left.rows[0]] == ["123", "456", "7"]
    assert [group.text for group in right.rows[0]] == ["1", "234", "567"]
    assert [group.text for group in right.rows[2]] == ["1", "323", "579"]
    assert (left.lined_up, commas.lined_up, right.lined_up) == (False, True, True)


@pytest.mark.parametrize("model", [name for name in MODELS if name != "unigram-english"])
def test_every_model_that_has_digits_shows_them(model: str):
    app = show(model=model, ways="digits")
    assert not app.error
    assert html_of(app).count("pp-digits") == 3


@pytest.mark.parametrize("number", ["1e5", "-3", "9" * 13, "１２", "x" * 99])
def test_what_is_no_number_gets_a_sentence(number: str):
    app = show(ways="digits", sum_a=number)
    assert any("is not a number of 1 to 12 digits" in text for text in texts_of(app.error))
    assert app.text_input(key="sum_a").value == number


def test_a_price_is_multiplied():
    app = show(ways="price", model="o200k")
    ways = priced_ways(open_model("o200k"), PENGUIN, "text", 3)
    app.number_input(key="output_price").set_value(10.0)
    checked(app.run())
    for one in (ways.own, ways.split, ways.longest):
        assert f"${len(one.ids) * 10 / 1e6:.6f}" in html_of(app)
    assert len(ways.own.ids) < len(ways.split.ids) < len(ways.longest.ids) == len(PENGUIN)


def test_the_papers_example_of_a_split():
    ways = priced_ways(open_model("cl100k"), "Damascus", "text", 2)
    assert ways.own.tokens == ["Dam", "ascus"]
    assert "".join(ways.split.tokens) == "Damascus"
    assert len(ways.split.ids) == 4


def test_what_models_do_is_told_as_the_papers_measured_it():
    text = html_of(show())
    for name in ("R5-4", "R5-5", "R5-6"):
        assert not CLAIMS[name].compute
        assert all(str(value) in text for value in CLAIMS[name].claimed.values())


def test_a_text_that_cannot_be_spelled_gets_a_sentence():
    app = show(model="bert-uncased", say="A 🧑‍🚀 flew")
    assert any("cannot spell" in text for text in texts_of(app.info))
    assert not app.error
