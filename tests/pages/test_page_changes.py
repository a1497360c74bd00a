"""Changes of page in one session: no page takes over URL parameters of another."""

from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from pages.shared.routes import START
from tests.pages.opening import PAGES, checked, opened


def go(app: AppTest, page: str, **query: str) -> AppTest:
    """Return the same session at another page, as a browser requests it."""
    app._page_hash = calc_hash("" if page == START else page)
    app.query_params.clear()
    app.query_params.update(query)
    return checked(app._run())  # without the component values of the page before


def test_opening_pages_leaves_nothing_in_the_next_url():
    app, strays = checked(opened("real").run()), {}  # a browser sends what every control shows
    for page in (*PAGES, "real"):
        if found := dict(go(app, page).query_params):
            strays[page] = found
    assert strays == {}


def test_the_word_of_a_text_is_not_the_word_to_follow_nor_a_split_the_word_to_split():
    app = opened("real", word="2")
    assert not app.toast
    assert go(app, "bpe_train").text_input(key="word").value == ""
    checked(app.text_input(key="word").input("hug").run())
    assert go(app, "unigram_lattice", cut="hu|g").text_input(key="cut").value == "hu|g"
    assert go(app, "wordpiece_train").text_input(key="word").value == "hug"
    assert go(app, "surgery").text_input(key="word_to_split").value == ""
    assert go(app, "real").session_state["token_row.word"].current == 2
