"""BPE · Train as compression in a real browser: a text, the button, a step, and the table."""

import re

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import expect

from tests.browser.conftest import look_below

PANEL = "As+compression+(1994)"
TEXT = "singing ringing"


@pytest.fixture(scope="module")
def url(browser, serve):
    """The page, with a browser at hand."""
    return f"{serve('app.py')}/bpe_train"


def test_a_text_of_ones_own_is_compressed_by_a_click(laptop, url):
    laptop.goto(f"{url}?corpus=own&text={TEXT}&panel={PANEL}")
    expect(laptop.locator(".player .bar")).to_be_visible(timeout=30_000)
    look_below(laptop)
    laptop.get_by_role("button", name="Compress this text as Gage did").click()
    expect(laptop.get_by_text("shortest after 2 replacements: 11 bytes")).to_be_visible(
        timeout=30_000
    )
    for parameter in ("base=bytes", "split=none", "least=3"):
        expect(laptop).to_have_url(re.compile(parameter))
    laptop.get_by_role("button", name="Last", exact=True).click()
    look_below(laptop)
    row = laptop.get_by_role("row").filter(has_text="FE")
    expect(row).to_contain_text("ing", timeout=30_000)


def test_the_example_is_a_chip_away(phone, url):
    phone.goto(f"{url}?panel={PANEL}")
    expect(phone.locator(".player .bar")).to_be_visible(timeout=30_000)
    phone.get_by_text("ABABCABCD (Gage, 1994)").first.click()
    expect(phone).to_have_url(re.compile("corpus=gage"))
    look_below(phone)
    expect(phone.get_by_text("shortest after 1 replacement: 8 bytes")).to_be_visible(timeout=30_000)
