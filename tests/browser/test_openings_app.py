"""Pages opened from the menu: their first picture, their address, and the way back."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_app import at, in_address, press, settled, show

LENGTH = "history.length"


@pytest.fixture(scope="module")
def url(browser, serve):
    """The app, with a browser at hand."""
    return serve("app.py")


def test_the_first_picture_is_a_word_cut_by_what_was_trained_ahead(laptop: Page, url: str, browser):
    page = show(laptop, url)
    before = page.evaluate(LENGTH)
    page.get_by_role("button", name="BPE").first.click()
    page.get_by_text("Encode", exact=True).first.click()
    at(page, 9)
    said = "In unforgettable, merge ta and ble</w> into table</w>: rank 450, before 641."
    expect(page.locator(".sentence")).to_have_text(said)
    for part in ("corpus=python", re.escape("say=unforgettable+newcomer"), "step=9"):
        in_address(page, part)
    settled(page)
    assert page.evaluate(LENGTH) == before + 1, "the page alone is a new entry"
    other = browser.new_context().new_page()
    expect(show(other, page.url).locator(".sentence")).to_have_text(said)
    other.context.close()
    press(page, "ArrowRight")
    in_address(page, "step=10")
    page.go_back()
    expect(page.get_by_label("Your text")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/$"))


def test_its_beginning_has_an_address_of_its_own(laptop: Page, url: str):
    page = show(laptop, f"{url}/wordpiece_encode")
    at(page, 4)
    press(page, "Home")
    at(page, 0)
    expect(page).not_to_have_url(re.compile("step="))
    in_address(page, "corpus=python")
    settled(page)
    page.reload()
    at(page, 0)
    expect(page.locator(".sentence")).to_contain_text("4,000 pieces")
