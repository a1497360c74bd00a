"""The essay in a real browser: its figures follow the reader's text, and lead on with it."""

import re

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from tests.browser.conftest import until
from tests.browser.test_app import WIDTHS
from tests.browser.test_start_app import show


@pytest.fixture(scope="module")
def url(browser, serve):
    """The app, with a browser at hand."""
    return serve("app.py")


def numbers(page: Page):
    return page.get_by_role("list", name="tokens and their numbers")


def test_the_figures_follow_what_is_typed_and_a_link_takes_it_along(laptop, url):
    page = show(laptop, f"{url}/essay")
    page.get_by_label("Your text").click()
    page.keyboard.press("Control+a")
    page.keyboard.type("hug pug hugs", delay=260)  # slowly: the letters are applied one by one
    expect(numbers(page).locator("bdi")).to_have_text(["hug", "·pug", "·hugs"])
    expect(page.locator(".aligned-view")).to_contain_text("hugs")
    merged = page.get_by_role("list", name="tokens after these merges")
    slider = page.get_by_role("slider", name="Merges done")
    slider.press("Home")
    expect(page.get_by_text("At the start, your text is 13 single symbols.")).to_be_visible()
    slider.press("ArrowRight")
    expect(merged.locator(".new")).to_have_text(["ug", "ug", "ug"])
    expect(page.locator(".player .sentence")).to_contain_text("The best of")
    page.get_by_role("link", name="Open BPE · Train").click()
    expect(page).to_have_url(re.compile("/bpe_train"))
    expect(page).to_have_url(re.compile(r"text=hug(\+|%20)pug(\+|%20)hugs"))
    expect(page.locator(".player .sentence")).to_contain_text(
        "Merge u and g into ug: it occurs 3 times"
    )


def test_it_fits_a_phone_and_on_a_laptop_its_keys_scroll_and_ones_own_word_is_cut(phone, url):
    page = show(phone, f"{url}/essay")
    expect(page.locator(".js-plotly-plot")).to_be_visible()
    until(page, WIDTHS, lambda it: max(it) <= 390)

    page.set_viewport_size({"width": 1366, "height": 768})
    lattice = page.locator(".player .sentence")
    expect(lattice).to_contain_text("The best of")
    page.keyboard.press("ArrowRight")  # no key of a page: it steps, wherever the lattice is
    expect(lattice).to_contain_text("Number 2 of")
    second = lattice.inner_text()
    page.get_by_role("heading", name="The whole story").click()
    page.keyboard.press("End")
    expect(page.get_by_role("link", name="Open Compare · Languages")).to_be_in_viewport()
    expect(lattice).to_have_text(second)

    word = page.get_by_label("A word to cut")
    word.fill("lowest")
    word.press("Enter")
    expect(page).to_have_url(re.compile("one_word=lowest"))
    expect(page.get_by_text("BERT cuts lowest into 1 piece after 1 look-up.")).to_be_visible()
    expect(lattice).to_contain_text("The best of 16 ways: ▁l + ow + est")
    expect(page.get_by_role("button", name="Forward")).to_be_visible()


def test_start_leads_to_it_with_the_text(laptop, url):
    page = show(laptop, f"{url}/?text=hug+pug+hugs")
    page.get_by_role("link", name="Next: The whole story").click()
    expect(page).to_have_url(re.compile("/essay"))
    expect(page.get_by_label("Your text")).to_have_value("hug pug hugs")
