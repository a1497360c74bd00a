"""Other ways to split a text, on the page of real tokenizers, in a browser."""

import csv

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from tests.browser.conftest import until
from tests.browser.test_app import in_address, show

PENGUIN = "real?model=cl100k&say=The+penguin+ate+a+fish."
PANEL = "panel=Other+ways+to+split+it"


@pytest.fixture(scope="module")
def url(serve):
    return serve("app.py")


def test_a_stranger_finds_the_panel_draws_another_and_saves_it(laptop: Page, url: str):
    page = show(laptop, f"{url}/{PENGUIN}")
    page.get_by_role("radio", name="Other ways to split it").click()
    expect(page.get_by_text("ways to write this text")).to_contain_text("90,240")
    in_address(page, r"panel=Other\+ways\+to\+split\+it")
    before = page.locator(".pp-blocks").inner_text()
    page.get_by_role("button", name="Draw another").click()
    in_address(page, r"ways_seed=\d+")
    until(page, "document.querySelector('.pp-blocks')?.innerText", lambda text: text != before)
    page.get_by_role("radio", name="By character").click()
    expect(page.get_by_text("23 tokens")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save both as a table").click()
    rows = list(csv.reader(download.value.path().read_text("utf-8-sig").splitlines()))
    assert len(rows) == 1 + 7 + 23
    assert rows[-1][2] == "."


def test_the_exact_number_is_there_on_demand(laptop: Page, url: str):
    page = show(laptop, f"{url}/real?model=cl100k&{PANEL}")
    expect(page.get_by_text("ways to write this text")).to_contain_text("× 10²¹")
    page.get_by_role("button", name="Exact numbers").click()
    digits = page.get_by_test_id("stCode").first
    expect(digits).to_contain_text("1,16")


def test_a_filter_for_ids_misses_what_a_filter_for_text_sees(laptop: Page, url: str):
    page = show(laptop, f"{url}/{PENGUIN}&{PANEL}&ways=filter")
    table = page.get_by_role("table", name="Does the filter see the word?")
    letters = table.get_by_role("row", name="By character")
    expect(letters.get_by_role("cell")).to_have_text(["23", "no", "yes", "yes", "yes"])
    page.get_by_label("Word", exact=True).fill("walrus")
    page.get_by_label("Word", exact=True).press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("does not contain “walrus”")
    in_address(page, "blocked=walrus")


@pytest.mark.parametrize("ways", ["one", "filter", "digits", "price"])
def test_nothing_is_wider_than_a_phone(phone: Page, url: str, ways: str):
    page = show(phone, f"{url}/{PENGUIN}&{PANEL}&ways={ways}")
    expect(page.get_by_role("radio", name="One of them")).to_be_visible()
    until(
        page,
        "[...document.querySelectorAll('.pp-blocks, .pp-digits')]"
        ".map((it) => it.getBoundingClientRect().right)",
        lambda rights: all(right <= 390 for right in rights),
    )
