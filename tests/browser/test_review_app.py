"""Questions of earlier lessons come back before a new one, from the progress in the browser."""

import re

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def url(browser, serve):
    """The page of lessons, with a browser at hand."""
    return f"{serve('app.py')}/lessons"


def test_two_questions_come_back_before_a_new_lesson(laptop, url):
    page = laptop
    page.goto(f"{url}?lesson=wordpiece-longest-match&stop=1")
    expect(page.locator(".question .submit")).to_be_visible()
    door = page.get_by_role("button", name="Two questions from before")
    expect(door).to_have_count(0)  # nothing has been answered yet
    page.goto(f"{url}?lesson=bpe-by-hand&stop=12&marks=o1x1111111o")
    expect(page.get_by_role("button", name="Begin it again")).to_be_visible()
    page.goto(f"{url}?lesson=unigram-many-ways&stop=9&marks=1x111o1o")
    expect(page.get_by_role("button", name="Begin it again")).to_be_visible()
    page.goto(f"{url}?lesson=wordpiece-longest-match&stop=1")  # a new session: the browser knows
    door.click()
    expect(page.get_by_role("heading", name="Questions from before")).to_be_visible()
    expect(page).to_have_url(re.compile("lesson=review.*ask=.*then=wordpiece-longest-match"))
    expect(page.locator("nav li")).to_have_count(2)
    expect(page.locator(".question .submit")).to_be_visible()
    for name in ("Next →", "Finish →"):  # skipped
        page.get_by_role("button", name=name).click()
    page.get_by_role("button", name="Next lesson: The longest match").click()
    expect(page.get_by_role("heading", name="The longest match", exact=True)).to_be_visible()
    expect(page.locator("nav li")).to_have_count(10)
