"""Merges across spaces in a real browser: found in a panel, stepped, and kept by the address."""

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import expect

from tests.browser.conftest import fits_the_window, look_below, until
from tests.browser.test_app import at, in_address, press, show

BOTTOMS = (
    "[...document.querySelectorAll('.player .part')]"
    ".map((one) => one.getBoundingClientRect().bottom)"
)


@pytest.fixture(scope="module")
def url(browser, serve):
    """The app, with a browser at hand."""
    return serve("app.py")


def test_the_panel_leads_to_a_run_that_joins_whole_words(laptop, url):
    page = show(laptop, f"{url}/bpe_train?corpus=prose&merges=200&panel=Across+spaces")
    look_below(page)
    table = page.get_by_role("table", name="The same text by three rules")
    expect(table.locator("tbody tr")).to_have_count(3)
    page.get_by_role("button", name="Step through BoundlessBPE").click()
    in_address(page, "crossing=whole_words")
    said = page.locator(".sentence")
    expect(page.get_by_text("Lines at the start")).to_be_visible()
    where = page.get_by_label("Next step where")
    options = where.locator("option").all_inner_texts()
    (wanted,) = [option for option in options if option.startswith("words are joined")]
    where.select_option(label=wanted)
    page.get_by_role("button", name="Go", exact=True).click()
    expect(said).to_contain_text("Merge the whole words")
    until(page, f"Math.max(...{BOTTOMS}) <= innerHeight")
    fits_the_window(page)


def test_a_link_opens_superbpe_at_its_step_and_keys_go_on(laptop, url):
    page = show(laptop, f"{url}/bpe_train?corpus=prose&merges=200&crossing=after&inside=60&step=60")
    at(page, 60)
    expect(page.get_by_text("from the next step on, merges may cross spaces")).to_be_visible()
    press(page, "ArrowRight")
    at(page, 61)
    expect(page.get_by_text("· across words")).to_be_visible()
    until(page, f"Math.max(...{BOTTOMS}) <= innerHeight")


def test_what_a_piece_is_worth_changes_the_numbers_and_the_address(laptop, url):
    page = show(laptop, f"{url}/bpe_train?corpus=prose&merges=200&panel=Longer+pieces")
    look_below(page)
    table = page.get_by_role("table", name="As many pieces, and what they leave")
    last = table.locator("tbody tr").last
    before = last.inner_text()
    page.get_by_role("radio", name="count × tokens saved").click()
    in_address(page, "worth=saved")
    expect(last).not_to_have_text(before)
