"""Questions from before: a door at the start of a lesson, and a daily five in the list."""

from lessons import lesson
from pages.lesson.browser import progress_store
from tests.pages.lesson.lesson_browser import sent
from tests.pages.opening import HOSTILE, checked, html_of, opened, texts_of

DONE = {"why-not-words": "1x1o1o1o1o", "bpe-by-hand": "o1x1111111o"}


def begun(**query: str):
    """The page of somebody who has done two lessons."""
    app = opened("lessons", **query)
    app.session_state[progress_store.KEY] = {"stored": {"marks": DONE}}
    return checked(app.run())


def doors(app) -> list[str]:
    return [one.label for one in app.button if one.key in ("review_door", "review_daily")]


def test_a_newcomer_has_no_door():
    assert doors(opened("lessons", lesson="wordpiece-longest-match")) == []
    assert doors(opened("lessons")) == []


def test_two_questions_come_back_before_a_lesson_which_then_follows():
    app = begun(lesson="wordpiece-longest-match", stop="1")
    assert doors(app) == ["Two questions from before"]
    app = checked(app.button(key="review_door").click().run())
    assert app.query_params["lesson"] == "review"
    asked = app.query_params["ask"].split()
    assert len(asked) == 2
    assert {part.partition("~")[0] for part in asked} == set(DONE)
    assert len(sent(app)["nav"]["headings"]) == 2
    assert sent(app)["question"]["question"]["prompt"]
    app = opened(
        "lessons", lesson="review", ask=" ".join(asked), then="wordpiece-longest-match", stop="3"
    )
    title = lesson("wordpiece-longest-match").title
    assert app.button(key="next_lesson").label == f"Next lesson: {title}"
    app = checked(app.button(key="next_lesson").click().run())
    assert app.query_params["lesson"] == "wordpiece-longest-match"
    assert "ask" not in app.query_params


def test_the_question_is_another_one_than_that_of_the_stop():
    app = opened("lessons", lesson="review", ask="bpe-by-hand~4", stop="1")
    there = opened("lessons", lesson="bpe-by-hand", stop="4")
    given = [sent(one)["question"]["question"] for one in (app, there)]
    assert given[0]["prompt"] == given[1]["prompt"]  # which pair is merged next?
    assert given[0]["options"] != given[1]["options"]
    assert "From" in html_of(app)


def test_within_a_lesson_there_is_no_door():
    assert doors(begun(lesson="wordpiece-longest-match", stop="2")) == []
    assert doors(begun(lesson="bpe-by-hand", stop="1")) == []


def test_the_list_has_a_daily_five():
    app = begun()
    assert len(doors(app)) == 1
    app = checked(app.button(key="review_daily").click().run())
    assert len(app.query_params["ask"].split()) == 5
    assert len(sent(app)["nav"]["headings"]) == 5


def test_nothing_to_ask_is_a_sentence():
    assert "no question to come back" in texts_of(opened("lessons", lesson="review").info)[0]
    for text in HOSTILE:
        opened("lessons", lesson="review", ask=text, then=text)
