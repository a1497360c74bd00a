"""Where much of one's own text is unknown, another text to learn from is offered."""

import pytest
from streamlit.testing.v1 import AppTest

from lessons.texts import TEXTS
from tests.pages.opening import checked, opened

PAGES = ("bpe_encode", "wordpiece_encode", "unigram_lattice")
CHINESE = "海水每天兩次上漲"


def offered(app: AppTest) -> list[str]:
    return [button.label for button in app.button if "instead" in button.label]


@pytest.mark.parametrize("page", PAGES)
def test_an_unknown_text_gets_a_larger_corpus(page: str):
    app = opened(page, say=CHINESE)
    (hint,) = [info.value for info in app.info if "became unknown" in info.value]
    assert hint.startswith("8 characters of 8 became unknown")
    assert offered(app) == [
        "Train on your text instead",
        f"Train on {TEXTS['languages'].title} instead",
    ]
    app = checked(app.button(key="train_on_own").click().run())
    assert app.query_params["corpus"] == "own"
    assert app.text_area(key="say").value == CHINESE
    assert not offered(app)


def test_of_an_english_text_the_english_one_knows_most():
    app = opened("bpe_encode", say="xylophone")
    app = checked(app.button(key="train_on_prose").click().run())
    assert app.query_params["corpus"] == "prose"
    assert app.text_area(key="say").value == "xylophone"


@pytest.mark.parametrize("page", PAGES)
def test_an_example_of_ours_is_left_alone(page: str):
    assert not offered(opened(page))


def test_a_few_unknown_letters_are_left_alone():
    app = opened("bpe_encode", corpus="prose", say="low tide and the shore, 25 £ of the lowest")
    assert not offered(app)
