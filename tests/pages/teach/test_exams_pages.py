"""The page of exams and exit tickets: `teach?sheet=exam` and `teach?sheet=exit`."""

import pytest

from pages.teach import exams
from tests.pages.opening import HOSTILE, checked, opened, texts_of


def downloads(app) -> list[str]:
    return [button.proto.label for button in app.get("download_button")]


def html_of(app) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


@pytest.mark.parametrize("sheet", exams.SHEETS)
def test_an_exam_is_ready_at_once(sheet):
    app = opened("teach", sheet=sheet)
    assert downloads(app)[:2] == [
        "30 sheets and the answers, to print",
        "30 sheets for the screen",
    ]
    questions = "6 questions" if sheet == "exam" else "3 questions"
    assert questions in html_of(app)


def test_the_page_of_all_links_to_both_and_they_lead_back():
    app = opened("teach")
    links = [link.proto.label for link in app.get("page_link")]
    assert {"An exam with its answers\u00a0→", "An exit ticket: three questions\u00a0→"} <= set(
        links
    )
    app = opened("teach", sheet="exam")
    app = checked(app.button(key="back_to_teaching").click().run())
    assert "sheet" not in app.query_params
    assert not app.get("download_button")


def test_the_address_keeps_the_choices():
    app = opened(
        "teach", sheet="exam", **{"from": "own"}, lessons="bpe-by-hand wordpiece-score~1-4",
        questions="4", students="7", exam_seed="12", title="Until Friday",
    )  # fmt: skip
    assert downloads(app)[0] == "7 sheets and the answers, to print"
    assert app.query_params["lessons"] == "bpe-by-hand wordpiece-score~1-4"
    app = checked(app.multiselect(key="exam.lessons").set_value(["unigram-many-ways"]).run())
    assert app.query_params["lessons"] == "unigram-many-ways"
    assert "Unigram: many ways" in html_of(app)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"questions": "99"}, "A sheet has at most 12 questions"),
        ({"students": "500"}, "At most 40 different sheets"),
        ({"from": "own", "lessons": "why-not-words"}, "Choose another lesson"),
        ({"from": "own", "lessons": "bpe-by-hand", "questions": "12"}, "Ask for"),
        ({"from": "own", "lessons": "bpe-by-hand no-such"}, "There is no lesson “no-such”"),
        ({"from": "own", "lessons": "bpe-by-hand~99"}, "there is no stop 99"),
        ({"from": "own"}, "Choose at least one lesson."),
    ],
)
def test_bad_choices_get_a_sentence(query, sentence):
    app = opened("teach", sheet="exam", **query)
    said = texts_of([*app.error, *app.info, *app.warning])
    assert any(sentence in text for text in said), said


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_addresses_are_shown_as_text(text):
    for query in ({"sheet": text}, {"sheet": "exam", "from": "own", "lessons": text}):
        opened("teach", **query)
    app = opened("teach", sheet="exit", **{"from": "own"}, lessons="bpe-by-hand", title=text)
    assert "<script>alert" not in html_of(app)
