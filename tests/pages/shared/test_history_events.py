"""Back leads to the text before an edit, and at last to the example."""

from streamlit.testing.v1 import AppTest

from tests.pages.shared.test_url_state import opened, seen


def text_page() -> None:
    import streamlit as st

    from pages.shared.controls import outdated_values, url_state, user_text

    with outdated_values.number_run():
        url_state.accept_back_navigation(st.session_state.get("went"))
        st.session_state["seen"] = user_text.text_box("Your text", "a sample")


def edited() -> AppTest:
    app = opened(text_page)
    app.text_area("text_box").input("my own").run()
    assert app.query_params["text"] == "my own"
    return app


def request_old_url(app: AppTest, received: str) -> AppTest:
    """Request the URL from before the edit by a browser that has received so many runs."""
    del app.query_params["text"]
    return app.text_area("received_run").set_value(received).run()


def test_a_late_echo_changes_nothing():
    app = request_old_url(edited(), received="1")
    assert seen(app).text == "my own"
    assert app.query_params["text"] == "my own"


def test_back_reaches_the_example():
    app = request_old_url(edited(), received="2")
    assert seen(app).text == "a sample"
    assert "text" not in app.query_params


def test_back_is_accepted_though_the_edit_is_not_yet_received():
    app = edited()
    app.session_state["went"] = 1
    request_old_url(app, received="1")
    assert seen(app).text == "a sample"
    app.text_area("text_box").input("another").run()
    request_old_url(app, received="3")
    assert seen(app).text == "another", "the visitor has not gone back again"


def test_a_box_sent_before_its_text_was_replaced_is_no_input():
    app = edited()
    app.session_state["went"] = 1
    request_old_url(app, received="2")
    assert app.text_area("text_box").value == "a sample"
    app.text_area("text_box").set_value("my own")
    app.text_area("received_run").set_value("2").run()
    assert seen(app).text == app.text_area("text_box").value == "a sample"
    app.text_area("text_box").input("my own").run()
    assert seen(app).text == "my own", "typed again"
