"""Back leads to the text before an edit, and at last to the example."""

from streamlit.testing.v1 import AppTest

from pages.shared.controls import url_state
from tests.pages.shared.test_url_state import opened, seen, text_page


def edited() -> AppTest:
    app = opened(text_page)
    app.text_area[0].input("my own").run()
    assert app.query_params["text"] == "my own"
    return app


def test_a_late_echo_changes_nothing():
    app = edited()
    del app.query_params["text"]
    app.run()
    assert seen(app).text == "my own"
    assert app.query_params["text"] == "my own"


def test_back_reaches_the_example(monkeypatch):
    app = edited()
    monkeypatch.setattr(url_state, "ECHO_SECONDS", 0)
    del app.query_params["text"]
    app.run()
    assert seen(app).text == "a sample"
    assert "text" not in app.query_params


def test_back_within_a_second_is_accepted():
    app = edited()
    del app.query_params["text"]
    app.session_state["replaced_params"] = {}  # what `accept_back_navigation` does
    app.run()
    assert seen(app).text == "a sample"
