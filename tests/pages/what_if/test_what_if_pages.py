"""What if with any corpus and change: never an exception.

The pages run in Streamlit's AppTest, as in test_pages.py.
"""

import re
from itertools import chain
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
from streamlit.util import calc_hash

from pages.shared.controls.settings import RULES, TIES
from pages.shared.recording.frame_types import Recording
from pages.what_if import counts
from tests.pages.opening import (
    HOSTILE,
    NO_WORDS,
    POOL,
    checked,
    html_of,
    markdown_of,
    opened,
    paste,
    rests,
)
from tests.pages.opening import texts_of as said_in
from tests.recordings import packed_text, unpacked

PAGE = "surgery"
SMALL = ("b1", "b2", "b3", "b4", "b5", "w1", "course", "u4")
HALVES = [" ".join(HOSTILE[n::2]) for n in range(2)]  # few pages to open, every text in one


def said_at(app, step: int) -> str:
    """The player's sentence at a step, as text."""
    shown = app.session_state["train_twice.rule"].content
    results = (job.result for job in POOL.known.values() if isinstance(job.result, tuple))
    recording = next(
        one
        for one in chain.from_iterable(results)
        if isinstance(one, Recording) and one.key == shown
    )
    head, frames = unpacked(recording)
    return packed_text(head, frames[step]["sentence"])


def finding(app) -> str:
    """What the change does, as the player says at the start."""
    return said_at(app, 0)


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
    assert "This run as one HTML file" in [one.proto.label for one in app.get("download_button")]


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
    assert "times; it isn’t in the text yet." in said_in(app.markdown)


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
    app.number_input(key="count of hug from 3").set_value(12).run()
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
    assert counts.MIN_RADIUS == 10


# ---- the kinds of change, and old links to the training pages ----

PAGES = {"bpe_train": "bpe", "wordpiece_train": "wordpiece", "unigram_train": "unigram"}
WAYS = (
    {"if": "count", "if_word": "lower", "if_count": "20"},
    {"if": "count", "if_word": "slower", "if_count": "20"},
    {"if": "count", "if_word": "low", "if_count": "0"},
    {"if": "ties"},
    {"if": "branch"},
)


def params_of(app) -> dict[str, str]:
    """Return the URL parameters, whose values AppTest keeps as given, or in lists."""
    told = dict(app.query_params).items()
    return {name: value if isinstance(value, str) else value[0] for name, value in told}


@pytest.mark.parametrize(
    ("page", "way"),
    [
        pytest.param(page, way, id="-".join((page, *way.values())))
        for page in PAGES
        for way in WAYS
        if (page, way["if"]) != ("unigram_train", "branch")  # Unigram has no single tie
    ],
)
def test_an_old_link_to_a_training_page_opens_the_change(page, way):
    app = opened(page, corpus="b2", **way)
    assert "Compare · What if" in html_of(app)
    assert not app.error
    assert not app.toast
    assert finding(app).startswith("With")
    renamed = {name.removeprefix("if_"): value for name, value in way.items()}
    assert params_of(app).items() >= ({"learns": PAGES[page]} | renamed).items() - {
        ("learns", "bpe"),
        ("if", "count"),
    }
    app._page_hash = calc_hash(PAGE)  # where the browser is now
    visit = app.session_state["train_twice.rule"]
    rests(app, "train_twice", 3)
    assert app.session_state["train_twice.rule"].content == visit.content
    assert params_of(app)["step"] == "3"


def test_an_old_link_without_a_corpus_means_that_of_its_page():
    app = opened("unigram_train", **{"if": "ties", "step": "2"})
    assert app.session_state["corpus"] == "hats"
    assert app.session_state["train_twice.step"].current == 2


def test_a_training_page_links_to_what_if_with_its_corpus_and_settings():
    app = opened("bpe_train", corpus="b3", merges="4", step="2", word="low")
    (link,) = [one.proto for one in app.get("page_link") if one.proto.label == "What if …"]
    asked = dict(parse_qsl(link.query_string))
    assert asked == {"corpus": "b3", "merges": "4", "learns": "bpe"}
    there = opened(PAGE, **asked)
    assert (there.session_state["corpus"], there.session_state["merges"]) == ("b3", 4)


def test_the_first_difference_comes_with_its_reason():
    app = opened(PAGE, corpus="b2", word="lower", count="20")
    assert finding(app) == (
        "With lower seen 20 times instead of twice, merge 1 is w + e (26) instead of e + s (9)."
    )
    assert said_at(app, 1) == (
        "The first difference. Before: 9 > 8, so e + s. Now: 26 > 9, so w + e."
    )


def test_ties_and_a_branch_are_told_from_the_start():
    app = opened(PAGE, corpus="b2", **{"if": "ties", "if_ties": "smallest_string"})
    assert finding(app).startswith("With ties going to the first pair in alphabetical order, ")
    app = opened(PAGE, corpus="b2", **{"if": "branch", "if_step": "1", "if_pair": "1"})
    assert finding(app) == (
        "With s + t taken at the tie of step 1, merge 1 is s + t (9) instead of e + s (9)."
    )


def test_unigram_tells_when_the_pieces_differ():
    app = opened(PAGE, corpus="hats", learns="unigram", word="hat", count="40")
    assert re.fullmatch(
        r"With hat seen 40 times instead of \w+( times)?, the pieces first differ after step "
        r"\d+; at the end, .*",
        finding(app),
    )
    assert "The final vocabularies" in markdown_of(app)


def test_no_tie_no_branch():
    table = {"corpus": "table", "text": "word,count\nab,1\n", "base": "characters"}
    app = opened(PAGE, **table, **{"if": "branch"})
    assert "No step of this run is a tie" in markdown_of(app)


@pytest.mark.parametrize("learns", PAGES.values())
def test_invalid_parameters(learns):
    app = opened(PAGE, learns=learns, **{"if": "pigs fly", "if_step": "x", "if_pair": "99"})
    assert not app.error
    app = opened(PAGE, learns=learns, **{"if": "branch", "if_step": "999", "if_pair": "99"})
    assert not app.error


def test_a_change_that_cannot_be_is_a_sentence():
    app = opened(PAGE, corpus="b2", word="a" * 100, count="1" + "0" * 15)
    assert "Divide them all by the same number" in " ".join(one.value for one in app.error)
