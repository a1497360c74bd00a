"""Corpus surgery with any corpus, word and count: never an exception.

The pages run in Streamlit's AppTest, as in test_pages.py.
"""

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from pages.corpus_edit import comparison
from pages.shared.controls.settings import RULES, TIES
from tests.pages.opening import HOSTILE, NO_WORDS, checked, html_of, markdown_of, opened, paste
from tests.pages.opening import texts_of as said_in

PAGE = "surgery"
SMALL = ("b1", "b2", "b3", "b4", "b5", "w1", "course", "u4")
HALVES = [" ".join(HOSTILE[n::2]) for n in range(2)]  # few pages to open, every text in one


def finding(app) -> str:
    """The sentence in large type, as text."""
    (found,) = re.findall(r'<p class="pp-sentence">(.*?)</p>', html_of(app))
    return re.sub(r"<[^>]*>", "", found)


def linked(app) -> dict[str, list[str]]:
    """The parameters of the link to the training page."""
    (button,) = app.get("link_button")
    return parse_qs(urlsplit(button.proto.url).query)


def test_the_page_opens_with_an_example():
    app = opened(PAGE)
    assert not app.error
    assert not app.toast
    assert dict(app.query_params) == {}
    assert finding(app).startswith("With hug seen 3 times instead of 10 times, merge 1 is p + u")


def test_the_menu_records_both_runs_once_it_is_open():
    app = opened(PAGE, word="hug", count="3")
    app.session_state["export"] = True
    checked(app.run())
    assert "Both runs as one HTML file" in [one.proto.label for one in app.get("download_button")]


def test_a_link_names_word_and_count():
    app = opened(PAGE, word="pun", count="2", learns="wordpiece")
    assert not app.toast
    assert app.query_params["count"] == "2"
    assert finding(app).startswith("With pun seen twice instead of 12 times, ")


@pytest.mark.parametrize("corpus", SMALL)
def test_every_small_corpus(corpus):
    app = opened(PAGE, corpus=corpus, learns="wordpiece" if SMALL.index(corpus) % 2 else "bpe")
    assert not app.error
    assert not app.toast
    assert finding(app)


def test_prose_is_bounded_and_offers_a_file():
    app = opened(PAGE, corpus="prose", word="low", count="30", merges="50")
    assert not app.error
    assert "low seen 30 times" in finding(app)
    assert len(app.get("download_button")) == 1


@pytest.mark.parametrize("ties", TIES)
def test_every_tie_rule(ties):
    assert finding(opened(PAGE, ties=ties, corpus="b5", word="low", count="5"))


@pytest.mark.parametrize("rule", RULES)
def test_every_rule(rule):
    app = opened(PAGE, rule=rule, learns="wordpiece")
    if rule == "top_down":
        assert "makes no merges" in said_in(app.info)[0]
    else:
        assert finding(app)


def test_a_new_word_is_added():
    app = opened(PAGE, word="mug", count="40")
    assert finding(app).startswith("With mug added, seen 40 times, merge 2 is m + ug (40)")
    assert "mug is not in the corpus; it will be added. 0 removes a word." in " ".join(
        said_in(app.markdown)
    ).replace("*", "")


@pytest.mark.parametrize(
    ("word", "count"),
    [("hug", "0"), ("hug", "10"), ("zzz", "0"), ("hug", str(10**15)), ("hug", "9" * 30),
     ("hug", "-4"), ("hug", "x"), ("hug", ""), ("hug", "٣"), ("two words", "5"), ("a" * 100, "9")],
)  # fmt: skip
def test_any_word_and_count(word, count):
    app = opened(PAGE, word=word, count=count)
    assert not app.error
    assert finding(app)


def test_an_unchanged_count_has_a_note():
    app = opened(PAGE, word="hug", count="10")
    assert finding(app) == "With hug seen 10 times, as it is, all 7 merges stay the same."
    assert not app.get("latex")


def test_a_count_that_is_changed_by_hand_stands_in_the_address():
    app = opened(PAGE)
    app.number_input(key="count of hug").set_value(12).run()
    assert checked(app).query_params["count"] == "12"
    assert "seen 12 times" in finding(app)
    app.text_input(key="word").set_value("pug").run()
    assert "pug seen once instead of 5 times" in finding(checked(app))
    assert "count" not in app.query_params
    app.text_input(key="word").set_value("hug").run()
    assert "seen 12 times" in finding(checked(app)), "each word keeps its count"


def test_the_link_opens_the_changed_run_at_its_first_change():
    asked = linked(opened(PAGE, word="hug", count="12"))
    assert asked["text"] == ["word,count\nhug,12\npug,5\npun,12\nbun,4\nhugs,5\n"]
    app = opened("bpe_train", **{name: values[0] for name, values in asked.items()})
    assert not app.toast
    assert app.session_state["train.step"].current == 2
    asked = linked(opened(PAGE, word="hug", count="18", learns="wordpiece", rule="hugging_face"))
    app = opened("wordpiece_train", **{name: values[0] for name, values in asked.items()})
    assert not app.toast
    assert app.query_params["rule"] == "hugging_face"


@pytest.mark.parametrize("text", HALVES)
def test_hostile_text_stays_text(text):
    for learns in ("bpe", "wordpiece"):
        app = opened(PAGE, corpus="own", text=f"{text} {text} low", word=text[:99], learns=learns)
        assert not app.error
        inside = re.sub(r"<style>.*?</style>", "", html_of(app), flags=re.DOTALL)
        assert not re.search(r"<(?:script|img)\b", inside)
        assert "\u202e" not in inside
        for part in ("http:", "](", "![", "**b**", "$x^2$"):
            assert part not in markdown_of(app)
        assert not re.search(r"(?<!\\)<(?:script|img)\b", markdown_of(app))


@pytest.mark.parametrize("text", ["", " ", "\n\t"])
def test_no_words(text):
    app = opened(PAGE, corpus="own", text=text)
    assert said_in(app.error) == [NO_WORDS]


@pytest.mark.parametrize("text", ["x", "low", "ab", "👩🏽‍🚀", "مرحبا"])
@pytest.mark.parametrize("learns", ["bpe", "wordpiece"])
def test_a_text_of_one_word(text, learns):
    for count in ("0", "7"):
        app = opened(PAGE, corpus="own", text=text, count=count, learns=learns)
        assert not app.error
        assert finding(app)


def test_a_table_that_is_none_gets_a_sentence():
    app = opened(PAGE, corpus="table", text="word,count\nlow,x\n")
    assert "The count of “low” is 'x'" in said_in(app.error)[0]


def test_a_long_text():
    app = paste(opened(PAGE, corpus="own", merges="20"), "the tide was low and lower " * 6_000)
    assert not app.error
    assert "the first 100,000 are used" in said_in(app.info)[0]


def test_which_merge_is_reached():
    app = opened(PAGE, word="hug", reach="1")
    assert "4 fewer</strong> (seen 6 times) changes merge 1. Counts tried" in html_of(app)
    assert comparison.MIN_RADIUS == 10
