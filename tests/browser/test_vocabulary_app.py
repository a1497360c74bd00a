"""Changed vocabularies in a real browser: a borrowed vector, more merges, and merge residues."""

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Locator, TimeoutError, expect

from tests.browser.test_app import at, in_address, press, show


@pytest.fixture(scope="module")
def url(browser, serve):
    """The app, with a browser at hand."""
    return serve("app.py")


def test_a_vector_is_stepped_with_ones_own_numbers(laptop, url):
    page = show(laptop, f"{url}/surgery?if=vector")
    said = page.locator(".sentence")
    expect(said).to_contain_text("its vector is (5, 5)")
    said.click()
    press(page, "ArrowRight", "ArrowRight", "ArrowRight")
    at(page, 3)
    expect(said).to_contain_text("1 × (−1) + 2 × 3 = 5")
    box = page.get_by_label("The new token, then the shared tokens")
    box.fill("longest: 4 0\nlong: 2 0 | 1 7\nest: 0 1 | 1 1")
    box.press("Control+Enter")
    expect(said).to_contain_text("longest")
    said.click()
    press(page, "End")
    expect(said).to_contain_text("2 × (1, 7) = (2, 14)")
    in_address(page, r"vectors=longest%3A[^&]*")
    box.fill("longest: 4 0\nlong: 2 | 1 7")
    box.press("Control+Enter")
    expect(page.get_by_text("Line 2: long has a vector of another length")).to_be_visible()
    expect(box).to_have_value("longest: 4 0\nlong: 2 | 1 7")


def test_merging_goes_on_with_another_text(laptop, url):
    page = show(laptop, f"{url}/surgery?if=extend&corpus=b2")
    box = page.get_by_label("The other text")
    box.fill("slow slow slow")
    box.press("Enter")
    expect(page.get_by_label("new pieces").get_by_text("slow").first).to_be_visible()
    in_address(page, r"new_text=slow[^&]*")


def is_shown(one: Locator) -> bool:
    """Return whether an element comes within a few seconds."""
    try:
        one.wait_for(timeout=4_000)
    except TimeoutError:
        return False
    return True


def test_residues_of_a_published_vocabulary_are_found(laptop, url):
    page = show(laptop, f"{url}/real?model=gpt2&panel=Merge+residues")
    expect(page.get_by_text("does not change one of them")).to_be_visible(timeout=30_000)
    expect(page.locator(".stApp[data-test-script-state='notRunning']")).to_be_visible()
    box = page.get_by_role("combobox", name="A residue is")
    option = page.get_by_role("option", name="at most 10% left")
    for _ in range(5):  # on a busy machine, a list that was opened early may be closed by a rerun
        box.click()
        if is_shown(option):
            break
    option.click()
    expect(page.get_by_text("makes them")).to_be_visible(timeout=30_000)
    expect(page.get_by_role("columnheader", name="without residues")).to_be_visible()
    in_address(page, "residue_limit=0.1")
