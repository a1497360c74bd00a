"""Ids to text in a real browser: pasted, read, stepped through, copied, and kept by a link."""

import json

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from lessons.models import open_model
from tests.browser.conftest import until
from tests.browser.test_app import at, in_address, press, settled, show
from tests.browser.test_budget import MEASURE, STEP_PARTS
from tests.core.runtime.test_truncation import TRUNCATION, file

TEXT = "Hello 🧑‍🚀!"
IDS = open_model("o200k").encode(TEXT).ids


@pytest.fixture(scope="module")
def url(serve):
    return serve("app.py")


def ids_under_tokens(page: Page):
    return page.locator(".st-key-token_row small")


def paste(page: Page, text: str) -> None:
    page.get_by_label("Your text").evaluate("box => box.focus()")
    page.keyboard.press("Control+A")
    page.evaluate(f"document.execCommand('insertText', false, {json.dumps(text)})")


def test_pasted_ids_are_read_stepped_through_and_kept_by_a_link(laptop: Page, url: str):
    page = show(laptop, f"{url}/real")
    paste(page, f"tensor([{', '.join(map(str, IDS))}])")
    page.get_by_text("Read as ids").click()
    expect(ids_under_tokens(page)).to_have_text(list(map(str, IDS)))
    text = page.locator(".st-key-text_of_ids")
    expect(text.locator("code")).to_have_text(TEXT)
    expect(text).to_contain_text("Round trip: the text gives these ids again.")
    in_address(page, "as_ids=1")

    # A click on a token goes to its step; the arrow keys go on from there.
    sentence = page.locator(".player .sentence").first
    page.locator(".st-key-token_row button").nth(1).click()
    at(page, 2)
    expect(sentence).to_contain_text("so nothing more is shown yet")
    press(page, "ArrowRight")
    at(page, 3)
    in_address(page, "step=3")

    settled(page).reload()
    at(page, 3)
    expect(ids_under_tokens(page)).to_have_text(list(map(str, IDS)))
    expect(text.locator("code")).to_have_text(TEXT)

    page.get_by_text("Read as ids").click()
    expect(text).to_be_hidden()
    expect(page.get_by_label("Your text")).to_have_value(f"tensor([{', '.join(map(str, IDS))}])")


def test_ids_are_copied_and_read_back(laptop: Page, url: str):
    laptop.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = show(laptop, f"{url}/real?say=Hello+world&model=cl100k&panel=Ids")
    page.get_by_role("radio", name="JSON", exact=True).click()
    code = page.get_by_test_id("stCode")
    expect(code).to_have_text("[9906,1917]")
    code.hover()
    code.get_by_role("button", name="Copy to clipboard").click()
    until(page, "navigator.clipboard.readText()", lambda copied: copied == "[9906,1917]")
    page.get_by_role("button", name="Read these ids back").click()
    expect(page.locator(".st-key-text_of_ids code")).to_have_text("Hello world")
    in_address(page, "as_ids=1")
    expect(page.get_by_label("Your text")).to_have_value("[9906,1917]")


def test_the_parts_are_a_file(laptop: Page, url: str):
    page = show(laptop, f"{url}/real?model=gpt2&panel=Ids&part_tokens=8&part_overlap=2")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the parts").click()
    assert download.value.suggested_filename == "parts.jsonl"
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    assert max(json.loads(line)["tokens"] for line in lines) == 8


def test_bad_ids_get_a_sentence_and_lose_nothing(laptop: Page, url: str):
    page = show(laptop, f"{url}/real?model=gpt2&as_ids=1&say=39+50257")
    expect(page.get_by_role("alert")).to_contain_text("50,257 tokens has no id 50257")
    paste(page, "39 417 78")
    expect(page.locator(".st-key-text_of_ids code")).to_have_text("Helo")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_start_leads_from_ids_to_their_text(laptop: Page, url: str):
    page = show(laptop, f"{url}/?text=9906+1917")
    page.get_by_role("link", name="These look like ids").click()
    expect(page.locator(".st-key-text_of_ids code")).to_be_visible()
    expect(ids_under_tokens(page)).to_have_text(["9906", "1917"])


def test_every_step_lies_within_a_laptops_window(laptop: Page, url: str):
    ids = open_model("o200k").encode("Tokenizers split “unbelievably”: 🧑‍🚀").ids
    page = show(laptop, f"{url}/real?as_ids=1&say={'+'.join(map(str, ids))}")
    last = len(ids)
    expect(page.locator(".player .scrubber")).to_have_attribute("max", str(last))
    for step in range(last + 1):
        at(page, step)
        until(page.locator(".player"), MEASURE, lambda it: it["bottom"] <= 768, argument=STEP_PARTS)
        press(page, "ArrowRight")


def test_tokens_that_a_file_cuts_off_are_struck_out(laptop: Page, url: str):
    page = show(laptop, f"{url}/real?panel=Ids&say=a+b+c+d+e")
    page.get_by_role("button", name="Open another tokenizer").click()
    buffer = file(truncation=TRUNCATION).encode()
    page.locator("input[type=file]").set_input_files(
        {"name": "tokenizer.json", "mimeType": "application/json", "buffer": buffer}
    )
    expect(page.locator(".st-key-token_row")).to_contain_text("2 cut off by the file")
    expect(page.locator(".st-key-token_row .tile.off bdi")).to_have_text(["d", "e"])
    expect(page.get_by_text("Texts are cut at their end to 5 tokens").last).to_be_visible()


def test_a_phone_shows_the_text_without_scrolling_sideways(phone: Page, url: str):
    page = show(phone, f"{url}/real?as_ids=1&say={'+'.join(map(str, IDS))}&panel=Ids")
    expect(page.locator(".st-key-text_of_ids code")).to_have_text(TEXT)
    until(page, "document.scrollingElement.scrollWidth <= innerWidth")
