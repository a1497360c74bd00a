"""URL state: what the URL holds, what it leaves out, and invalid parameters."""

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

LONG = "long text " * 200


def settings_page() -> None:
    import streamlit as st

    from pages.shared.controls import url_state

    params = url_state.params_on_arrival()
    options = {"a": "The first", "b": "The second", "c": "The third"}
    st.session_state["seen"] = {
        "tie": url_state.choice("Ties", options, "a", key="tie"),
        "clean": url_state.choices("Clean", options, key="clean"),
        "merges": url_state.whole_number("Merges", 0, 100, 10, key="merges"),
        "word": st.text_input("Word", "lowest", 12, key="word", **url_state.IN_URL),
        "step": url_state.step("run", last=20),
    }
    url_state.report_ignored(params)


def step_page() -> None:
    import streamlit as st

    from pages.shared.controls import url_state

    run = st.text_input("Run", "first", key="run")
    shown = url_state.step(run, last=20)
    go = st.number_input("Go to", 0, 20, shown, key="go")
    if st.button("Go"):
        url_state.set_step(run, go)
    st.session_state["seen"] = url_state.step(run, last=20)


def text_page() -> None:
    import streamlit as st

    from pages.shared.controls import url_state, user_text

    params = url_state.params_on_arrival()
    st.session_state["seen"] = user_text.text_box("Your text", "a sample")
    url_state.report_ignored(params)


def opened(page: Callable[[], None], **query: str) -> AppTest:
    """Return the page opened at that URL."""
    app = AppTest.from_function(page)
    app.query_params.update(query)
    app.run(timeout=20)
    assert not app.exception
    return app


def seen(app: AppTest) -> Any:
    assert not app.exception
    return app.session_state["seen"]


DEFAULTS = {"tie": "a", "clean": (), "merges": 10, "word": "lowest", "step": 0}


def test_defaults_are_left_out():
    app = opened(settings_page)
    assert seen(app) == DEFAULTS
    assert dict(app.query_params) == {}


def test_a_url_sets_its_settings():
    app = opened(settings_page, tie="b", clean="c,a", merges="7", word="newest", step="4")
    expected = {"tie": "b", "clean": ("c", "a"), "merges": 7, "word": "newest", "step": 4}
    assert seen(app) == expected
    assert not app.toast


def test_the_default_may_be_spelled_out():
    app = opened(settings_page, tie="a", merges="10", word="lowest")
    assert seen(app) == DEFAULTS
    assert not app.toast


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tie", "nonsense"),
        ("tie", ""),
        ("tie", "The second"),
        ("clean", "nonsense"),
        ("merges", "abc"),
        ("merges", "-5"),
        ("merges", "9999999"),
        ("merges", "1e400"),
        ("merges", "-inf"),
        ("merges", "nan"),
        ("merges", "😀"),
        ("step", "abc"),
        ("step", "-1"),
        ("step", "²"),
        ("step", "9" * 5000),
        ("step", "<b>`*x*`</b>"),
    ],
)
def test_nonsense_means_the_default_and_a_sentence(name: str, value: str):
    app = opened(settings_page, **{name: value})
    assert seen(app) == DEFAULTS
    assert name not in app.query_params
    messages = [toast.value for toast in app.toast]
    if value not in ("1e400", "-inf"):  # taken out before the page begins
        assert len(messages) == 1
        assert name in messages[0]
        assert messages[0].count("`") == 2


def test_some_nonsense_among_sense():
    app = opened(settings_page, clean="zz,c,c,a")
    assert seen(app)["clean"] == ("c", "a")


def test_a_step_past_the_end_is_the_last():
    app = opened(settings_page, step="99")
    assert seen(app)["step"] == 20
    assert app.query_params["step"] == "20"


def test_a_choice_is_in_the_url_by_the_name_of_its_option():
    app = opened(settings_page)
    app.selectbox(key="tie").select("c").run()
    assert seen(app)["tie"] == "c"
    assert app.query_params["tie"] == "c"
    app.selectbox(key="tie").select("a").run()
    assert "tie" not in app.query_params


def test_a_later_link_is_followed_but_not_a_late_echo():
    app = opened(settings_page, tie="b")
    app.selectbox(key="tie").select("c").run()
    app.query_params["tie"] = "b"  # the browser had not received "c" yet
    app.run()
    assert seen(app)["tie"] == "c"
    app.query_params["tie"] = "a"
    app.run()
    assert seen(app)["tie"] == "a"


def test_what_one_run_set_does_not_undo_what_the_next_one_set():
    app = opened(settings_page, tie="b")
    app.selectbox(key="tie").select("c").run()
    app.query_params["tie"] = "b"  # the browser had received neither run
    app.selectbox(key="tie").select("a").run()
    app.query_params["tie"] = "c"  # now it has received the first
    app.run()
    assert seen(app)["tie"] == "a"


def test_each_run_has_its_own_step():
    app = opened(step_page, step="3")
    assert seen(app) == 3
    app.number_input(key="go").set_value(5)
    app.button[0].click().run()
    assert seen(app) == 5
    app.text_input(key="run").input("second").run()
    assert seen(app) == 0
    assert "step" not in app.query_params
    app.text_input(key="run").input("first").run()
    assert seen(app) == 5
    assert app.query_params["step"] == "5"


def test_a_page_without_its_parameters_sets_them_again():
    app = opened(step_page, step="3")
    app.query_params.clear()  # as a change of page does
    app.run()
    assert seen(app) == 3
    assert app.query_params["step"] == "3"


def test_a_short_text_is_in_the_url():
    app = opened(text_page)
    assert (seen(app).state, seen(app).text) == ("here", "a sample")
    app.text_area[0].input("नमस्ते <b>&").run()
    assert app.query_params["text"] == "नमस्ते <b>&"
    assert seen(opened(text_page, text="नमस्ते <b>&")).text == "नमस्ते <b>&"


def test_a_long_text_is_not():
    app = opened(text_page)
    app.text_area[0].input(LONG).run()
    assert seen(app).text == LONG
    assert "text" not in app.query_params
    assert len(app.query_params["kept"]) == 16


def test_an_empty_text_stays_empty():
    app = opened(text_page)
    app.text_area[0].input("").run()
    assert seen(app).text == ""
    assert seen(opened(text_page, text="")).text == ""


def test_a_long_text_is_requested_from_the_browser():
    app = opened(text_page, kept="0123456789abcdef")
    assert seen(app).state == "asking"
    assert app.text_area[0].disabled


@pytest.mark.parametrize("kept", ["", "nonsense", "<script>", "0123456789ABCDEF", "0" * 5000])
def test_an_invalid_hash_is_not_requested(kept: str):
    app = opened(text_page, kept=kept)
    assert seen(app).state == "missing"
    assert "another browser" in app.info[0].value


def test_a_text_too_long_to_store_can_be_saved_as_a_file(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("pages.shared.controls.user_text.LONGEST_STORED", 1_600)
    app = opened(text_page)
    app.text_area[0].input(LONG).run()
    assert not seen(app).is_persistent
    assert "kept" not in app.query_params
    assert len(app.get("download_button")) == 1


def fragment_page() -> None:
    import streamlit as st

    from pages.shared.controls import outdated_values, url_state

    with outdated_values.number_run():
        if not st.session_state.get("is_fragment"):  # which runs a part of the page
            url_state.set_param("off", st.session_state.get("off"))
        url_state.set_param("at", st.session_state.get("at"))


@pytest.mark.parametrize(("received", "kept"), [("1", {"off": "lower"}), ("2", {})])
def test_a_fragment_undoes_nothing_that_the_browser_had_not_received(received, kept):
    app = AppTest.from_function(fragment_page)
    app.session_state["at"] = "8"
    app.run()
    app.session_state["off"], app.session_state["at"] = "lower", None
    app.run()
    assert dict(app.query_params) == {"off": "lower"}
    app.session_state["is_fragment"] = True
    app.query_params.clear()
    app.query_params["at"] = "8"  # the URL as it was before
    app.text_area("received_run").set_value(received).run()
    assert dict(app.query_params) == kept


@pytest.mark.parametrize(("received", "kept"), [("1", {}), ("2", {"off": "lower"})])
def test_a_fragment_brings_back_nothing_that_the_browser_still_had(received, kept):
    app = AppTest.from_function(fragment_page)
    app.session_state["off"] = "lower"
    app.run()
    app.session_state["off"] = None
    app.run()
    assert dict(app.query_params) == {}
    app.session_state["is_fragment"], app.session_state["at"] = True, "5"
    app.query_params["off"] = "lower"
    app.text_area("received_run").set_value(received).run()
    assert dict(app.query_params) == {"at": "5", **kept}
