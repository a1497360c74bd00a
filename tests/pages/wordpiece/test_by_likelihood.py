"""WordPiece · Train compared with training by likelihood: the steps of both."""

import pytest

from tests.pages.opening import html_of, markdown_of, opened


def shown(**query):
    return opened("wordpiece_train", panel="By likelihood", **query)


@pytest.mark.parametrize(("rule", "step"), [("score", "0"), ("score", "5"), ("hugging_face", "3")])
def test_both_are_shown_side_by_side(rule, step):
    app = shown(corpus="w1", rule=rule, step=step)
    assert not app.error
    assert "gains in nats" in html_of(app)
    assert ("first differ" in markdown_of(app)) != ("both merge the same" in markdown_of(app))


def test_the_first_step_of_the_example():
    app = shown(corpus="w1", step="1")
    assert "first differ at **step 1**" in markdown_of(app)


def test_a_text_without_pairs():
    assert not shown(corpus="table", text="word,count\na,3").error
