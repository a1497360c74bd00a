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
        assert query["sheet"] == "exit"
        assert set(query["lessons"].split()) <= set(LESSONS)


def page_links(app) -> list[tuple[str, str]]:
    return [(one.proto.label, one.proto.query_string) for one in app.get("page_link")]


def test_the_page_has_its_doors_in_the_order_of_a_teachers_work():
    app = opened("teach")
    assert [one.value for one in app.header] == [
        *("Prepare", "Your own path", "Show", "Ask"),
        *("In code", "On paper", "At the end", "Take along"),
    ]
    there = dict(page_links(app))
    assert there["**45 minutes** · Where tokens come from\u00a0→"] == "plan=45"
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


@pytest.mark.parametrize("name", PLANS)
def test_the_exit_ticket_of_a_plan_asks_about_its_lessons(name):
    plan, shown = PLANS[name], html_of(opened("teach", plan=name))
    (query,) = [query for page, query in links_in(shown) if page == "teach"]
    assert query["lessons"] == plan.path.written
    app = opened("teach", **query)
    assert not app.error
    lessons = set(re.findall("“([^”]+)” · [12] point", html_of(app)))
    assert lessons <= {lesson(slug).title for slug in plan.path.slugs}
    assert len(app.get("download_button")) >= 2


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_leads_to_a_vote_in_a_room(name):
    shown = html_of(opened("teach", plan=name))
    vote = re.search(r'href="\./([^"]*)"[^>]*>vote on phones: press Room', shown)
    assert vote
    (query,) = [query for _, query in links_in(vote[0])]
    stop = lesson(query["lesson"]).stops[int(query["stop"]) - 1]
    assert stop.ask is not None


@pytest.mark.parametrize("query", [{"plan": "45"}, *({"sheet": name} for name in SHEET_VIEWS)])
def test_a_sheet_leads_back_and_stays_in_the_address_until_then(query):
    app = opened("teach", **query)
    assert not app.header
    assert all(app.query_params[name] in (value, [value]) for name, value in query.items())
    app = app.button(key="back_to_teaching").click().run()
    assert app.header[0].value == "Prepare"
    assert not app.query_params


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
    assert front["**45 minutes** · Where tokens come from\u00a0→"] == "plan=45&words=laut+lauter"


@pytest.mark.parametrize("name", SHEET_VIEWS)
def test_every_link_of_a_sheet_leads_to_a_stop(name):
    links = list(links_in(html_of(opened("teach", sheet=name))))
    for page, query in links:
        check(page, query)
    assert {query["lesson"] for _, query in links} == set(LESSONS)


@pytest.mark.parametrize("query", [{"plan": "60"}, {"plan": "<b>"}, {"sheet": "none"}])
def test_an_unknown_sheet_is_the_page_itself(query):
    assert opened("teach", **query).header[0].value == "Prepare"
