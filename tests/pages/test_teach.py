"""The page Teaching and its sheets: each link opens what it names, with the class's own words."""

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import parse_qsl

import pytest

from lessons import LESSONS, lesson
from lessons.teaching.plans import PLANS
from pages.shared.routes import NAVIGATION
from pages.teach.panels import SHEET_VIEWS
from tests.pages.opening import html_of, opened

PAGES = {page for rows in NAVIGATION.values() for page in rows}
WORDS = "laut <b>lauter</b> & Co"


def links_in(shown: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield page and parameters of each link of the app."""
    for found in re.findall(r'href="\./([^"]*)"', shown):
        page, _, query = unescape(found).partition("?")
        yield page, dict(parse_qsl(query))


def check(page: str, query: dict[str, str]) -> None:
    assert page in PAGES
    if "lesson" in query:
        assert query["lesson"] in LESSONS
        assert 1 <= int(query.get("stop", "1")) <= len(lesson(query["lesson"]).stops)
    if page == "teach":
        assert query == {"sheet": "exit"}


def page_links(app) -> list[tuple[str, str]]:
    return [(one.proto.label, one.proto.query_string) for one in app.get("page_link")]


def test_the_page_has_its_doors_in_the_order_of_a_teachers_work():
    app = opened("teach")
    assert [one.value for one in app.header] == ["Prepare", "Show", "Ask", "On paper", "Take along"]
    there = dict(page_links(app))
    assert there["**45 minutes** · Where tokens come from →"] == "plan=45"
    assert "sheet=notes" in there.values()
    assert "sheet=map" in there.values()


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_has_a_row_for_each_slot_and_its_links_open(name):
    shown = html_of(opened("teach", plan=name))
    assert shown.count('<th scope="row">') == len(PLANS[name].slots)
    links = list(links_in(shown))
    assert len(links) > len(PLANS[name].slots)
    for page, query in links:
        check(page, query)


def test_each_link_of_a_plan_opens_without_a_message():
    shown = html_of(opened("teach", plan="90"))
    for page, query in links_in(shown):
        app = opened(page, **query)
        assert not app.error
        if "stop" in query:
            assert app.query_params["stop"] == query["stop"]


def test_the_words_of_the_class_come_to_what_takes_them_and_stay_text():
    app = opened("teach", plan="90", words=WORDS)
    shown = html_of(app)
    queries = {page: query for page, query in links_in(shown) if page != "lessons"}
    assert queries["start"]["text"] == WORDS
    assert queries["bpe_train"]["text"] == WORDS
    assert queries["unigram_lattice"]["say"] == WORDS
    assert "<b>lauter</b>" not in shown
    front = dict(page_links(opened("teach", words="laut lauter")))
    assert front["**45 minutes** · Where tokens come from →"] == "plan=45&words=laut+lauter"


@pytest.mark.parametrize("name", SHEET_VIEWS)
def test_every_link_of_a_sheet_leads_to_a_stop(name):
    links = list(links_in(html_of(opened("teach", sheet=name))))
    for page, query in links:
        check(page, query)
    assert {query["lesson"] for _, query in links} == set(LESSONS)


@pytest.mark.parametrize("query", [{"plan": "60"}, {"plan": "<b>"}, {"sheet": "none"}])
def test_an_unknown_sheet_is_the_page_itself(query):
    assert opened("teach", **query).header[0].value == "Prepare"
