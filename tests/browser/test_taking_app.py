"""The menu “Take it with you” in the app, and the app inside another page."""

import json

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect


@pytest.fixture(scope="module")
def url(browser, serve):
    """The app, with a browser at hand."""
    return serve("app.py")


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    page.locator(".player:not([hidden])").wait_for()
    page.get_by_role("button", name="Take it with you").click()
    expect(page.get_by_role("button", name="This run as one HTML file")).to_be_visible()
    return page


def downloaded(page: Page, button: str) -> tuple[str, str]:
    with page.expect_download() as found:
        page.get_by_role("button", name=button).click()
    return found.value.suggested_filename, found.value.path().read_text("utf-8")


def test_the_files_are_made_on_a_click(laptop, url):
    page = opened(laptop, f"{url}/bpe_train?step=3")
    name, html = downloaded(page, "This run as one HTML file")
    assert name == "bpe_train.html"
    assert html.startswith("<!doctype html>")
    assert "low, lower, newest, widest · characters and an end-of-word mark" in html
    assert f"{url}/bpe_train?step=3" in html
    name, trace = downloaded(page, "Download trace.json")
    assert (name, json.loads(trace)["steps"][2]["token"]) == ("trace.json", "est</w>")
    page.get_by_role("combobox", name="Another file").click()
    page.get_by_role("option", name="The tokenizer as .tiktoken").click()
    expect(
        page.get_by_text("Train with the base bytes, or write a tokenizer.json.")
    ).to_be_visible()


def test_the_link_of_this_very_screen_can_be_copied_scanned_and_framed(laptop, url):
    page = opened(laptop, f"{url}/bpe_train?step=3")
    page.get_by_role("tab", name="Link").click()
    expect(page.get_by_text(f"{url}/bpe_train?step=3", exact=True).first).to_be_visible()
    expect(page.get_by_role("img", name="QR code of the address of this screen")).to_be_visible()
    expect(page.get_by_text("<iframe src=").first).to_contain_text("embed=true")


def test_in_a_frame_the_page_is_there_without_the_navigation(laptop, url):
    laptop.goto(f"{url}/bpe_train?step=3&embed=true")
    expect(laptop.locator(".player")).to_have_attribute("data-step", "3")
    expect(laptop.get_by_role("link", name="Pipeline")).to_have_count(0)
    laptop.goto(f"{url}/bpe_train?step=3")
    expect(laptop.get_by_role("link", name="Pipeline")).to_have_count(1)
