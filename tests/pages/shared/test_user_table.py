"""The user's table starts as the previous corpus with its settings; no typed text is lost.

The pages run in Streamlit's AppTest, as in test_pages.py.
"""

from typing import Any

import pytest

from lessons.texts import TEXTS
from pages.shared.corpus.user_words import table_of_words
from pages.shared.work import jobs
from pages.shared.work.jobs import Job
from tests.pages.opening import POOL, checked, opened
from tokenizers.text.counts import read_counts


def chosen(app, corpus: str):
    return checked(app.selectbox(key="corpus").set_value(corpus).run())


def boxed(app) -> str:
    return app.text_area(key="text_box").value


@pytest.mark.parametrize(
    ("page", "kept"),
    [
        ("bpe_train", {"base": "end_of_word", "split": "spaces", "merges": "4"}),
        ("wordpiece_train", {"split": "spaces", "merges": "4"}),
        ("unigram_train", {"cut_at": "spaces", "size": "12"}),
    ],
)
def test_the_table_is_the_corpus_with_its_settings(page, kept):
    app = opened(page, corpus="b2", **kept)
    before = {name: app.session_state[name] for name in kept}
    app = chosen(app, "table")
    assert read_counts(boxed(app)) == TEXTS["b2"].counts
    assert {name: app.session_state[name] for name in kept} == before
    again = opened(page, **app.query_params)
    assert {name: again.session_state[name] for name in kept} == before, "the link says so, too"
    assert read_counts(boxed(again)) == TEXTS["b2"].counts


def test_a_text_becomes_its_words():
    app = chosen(opened("bpe_train", corpus="own", text="low low lower", split="spaces"), "table")
    assert read_counts(boxed(app)) == {"low": 2, "lower": 1}
    app = chosen(app, "own")
    assert boxed(app) == "low low lower", "the text is still there"


def test_an_edited_table_is_never_overwritten():
    app = chosen(opened("bpe_train", corpus="course"), "table")
    app = checked(app.text_area(key="text_box").set_value("word,count\nhug,3\n").run())
    app = chosen(chosen(app, "b2"), "table")
    assert boxed(app) == "word,count\nhug,3\n"


def test_a_table_as_it_was_made_follows_the_corpus():
    app = chosen(opened("bpe_train", corpus="course"), "table")
    app = chosen(chosen(app, "b2"), "table")
    assert read_counts(boxed(app)) == TEXTS["b2"].counts


def test_a_link_to_a_table_has_its_default_settings():
    app = opened("bpe_train", corpus="table", text="word,count\nlow,5\n")
    assert app.session_state["split"] == "punctuation"
    assert boxed(app) == "word,count\nlow,5\n"


def test_a_worker_counts_the_words(monkeypatch):
    requested = []

    def run(key: str, function: Any, *args: Any, watcher: str = "") -> Job:
        if function is table_of_words:
            requested.append(args[0].text)
        return POOL.run(key, function, *args)

    monkeypatch.setattr(jobs, "run", run)
    app = chosen(opened("bpe_train", corpus="own", text="low low lower"), "table")
    assert requested == ["low low lower"]
    assert read_counts(boxed(app)) == {"low": 2, "lower": 1}


def test_a_page_does_not_wait_for_a_table_it_no_longer_shows(monkeypatch):
    app = opened("bpe_train", corpus="own", text="low low lower", split="spaces")
    with monkeypatch.context() as patched:
        waiting = Job("waiting", b"")
        usual = jobs.run
        patched.setattr(
            jobs, "run", lambda key, f, *a: waiting if f is table_of_words else usual(key, f, *a)
        )
        patched.setattr(jobs, "wait_for", lambda job, *_: job is not waiting)
        app = chosen(app, "table")
        app = chosen(app, "own")
    assert not app.error
    assert boxed(app) == "low low lower"
    app = chosen(app, "table")
    assert read_counts(boxed(app)) == {"low": 2, "lower": 1}
