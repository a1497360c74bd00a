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


def test_the_first_lattice_is_of_pieces_trained_ahead_and_its_address_says_so(
    laptop: Page, url: str, browser
):
    page = show(laptop, url)
    before = page.evaluate(LENGTH)
    page.get_by_role("button", name="Unigram").first.click()
    page.get_by_text("Lattice", exact=True).first.click()
    at(page, 0)
    expect(page.locator(".sentence")).to_contain_text("simplest can be split in 24 ways")
    settled(page)
    assert page.evaluate(LENGTH) == before + 1, "the page alone is a new entry"
    press(page, "ArrowRight")
    for part in ("pieces_from=python", "say=simplest", "step=1"):
        in_address(page, part)
    said = page.locator(".sentence").inner_text()
    other = browser.new_context().new_page()
    expect(show(other, page.url).locator(".sentence")).to_have_text(said)
    other.context.close()
    page.go_back()
    expect(page.get_by_label("Your text")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/$"))
