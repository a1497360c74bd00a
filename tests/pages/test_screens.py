"""Messages of pages on input that is too long, and the layout of lessons and claims.

The pages run in Streamlit's AppTest, as in test_pages.py.
"""

import pytest

from lessons import LESSONS, lesson
from lessons.paths import PATHS, WITHOUT_PATH, minutes
from tests.pages.opening import checked, html_of, opened

LONG = "a low tower stands here " * 800


def warned(app) -> str:
    return " ".join(one.value for one in app.warning)


@pytest.mark.parametrize("page", ["bpe_encode", "wordpiece_encode", "unigram_lattice"])
def test_a_long_paste_is_cut_with_a_message(page):
    app = opened(page)
    assert not app.warning
    checked(app.text_area(key="say").set_value(LONG).run())
    assert "has 19,200 characters. The first 1,500 are shown here" in warned(app)
    assert app.text_area(key="say").value == LONG[:1_500]
    assert app.query_params["say"] == LONG[:1_500]
    checked(app.text_area(key="say").set_value("low").run())
    assert not app.warning


def test_a_long_text_in_a_link_is_cut_with_a_message():
    app = opened("bpe_encode", say=LONG)
    assert "has 19,200 characters" in warned(app)


def test_an_unknown_corpus_in_a_link_is_reported():
    app = opened("bpe_train", corpus="shakes`peare")
    assert "asks for the text `shakes'peare`, which is not here" in warned(app)
    assert not checked(app.run()).exception
    assert not opened("bpe_train", corpus="b2").warning


def test_the_list_of_lessons_has_its_paths_minutes_and_what_is_done():
    stops = len(lesson("why-not-words").stops)
    app = opened("lessons", lesson="why-not-words", marks="1" * stops)
    app.button(key="all_lessons").click().run()
    heads = [one.label for one in checked(app).expander]
    for head, path in zip(heads, PATHS.values(), strict=False):
        assert f"**{path.title}**" in head
    first = next(iter(PATHS.values()))
    assert f"1 of {len(first.slugs)} lessons done · about {first.minutes} minutes" in heads[0]
    assert f"{minutes(lesson('why-not-words'))} minutes" in html_of(app)
    shown = [str(one.key)[5:] for one in app.button if (one.key or "").startswith("open ")]
    assert sorted(shown) == sorted(LESSONS)
    assert set(shown[-len(WITHOUT_PATH) :]) == WITHOUT_PATH


def test_claims_of_others_are_folded_to_a_line():
    app = opened("lessons", lesson="bpe-by-hand")
    assert "Check the source" in html_of(app)
    folded = [one for one in app.expander if one.label.endswith("of other people, checked")]
    assert len(folded) == 1
    assert not folded[0].proto.expanded
