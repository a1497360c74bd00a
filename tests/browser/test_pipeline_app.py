"""Pipeline in a real browser: a token is followed by clicks and keys, any text stays text."""

from urllib.parse import quote

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from tests.browser.conftest import until
from tests.browser.test_app import HOSTILE, WIDTHS, in_address, opens_first, press

EYES = "नमस्ते 👩🏽‍🚀 ﬁancée résumé"


@pytest.fixture(scope="module")
def url(browser, serve):
    """The page, with a browser at hand."""
    return f"{serve('app.py')}/pipeline"


def show(page: Page, url: str) -> Page:
    """Open the page, and wait for its tokens."""
    page.goto(url)
    expect(page.locator(".stage-table .tiles button").first).to_be_visible(timeout=30_000)
    return page


def sentence(page: Page):
    return page.locator(".stage-table .sentence")


def marked(page: Page) -> list[str]:
    """What is marked in every stage, and the token itself."""
    return page.locator(".stage-table .on").all_inner_texts()


def test_a_token_is_followed_chosen_in_the_raw_text_and_damaged_by_a_stage_less(laptop, new_server):
    with new_server("app.py") as url:
        followed(opens_first(laptop, f"{url}/pipeline", "UTF-8"))


def followed(page: Page) -> None:
    expect(sentence(page)).to_contain_text("Token 1 of 8 is “hmm..,”, with the id 1.")
    page.locator(".tiles button", has_text="resume").click()
    expect(sentence(page)).to_have_text(
        "Token 8 of 8 is “resume”, with the id 6. It stands for “résumé”, characters 42 to 47 of "
        "the raw text."
    )
    assert marked(page)[:1] == ["résumé"]
    assert "resume\n6" in marked(page)
    in_address(page, "at=8")

    page.locator(".row", has_text="Raw text").locator("span", has_text="Don't").last.click()
    expect(sentence(page)).to_contain_text("Token 5 of 8 is “don't”")

    page.locator(".st-key-stages_on").get_by_role("button", name="Lowercase").click()
    expect(page.locator(".tiles button.unknown")).to_have_count(4)
    in_address(page, "off=lower")


def test_hostile_text_stays_text(laptop, url):
    page, dialogs = laptop, []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    show(page, f"{url}?text={quote(HOSTILE)}&normalize=lower&learned=prose&model=bytes")
    assert page.evaluate("window.hit") is None
    expect(page.locator("img[src='x'], img[src*='p.png'], .stMain script")).to_have_count(0)
    assert not dialogs


def test_an_emoji_cut_by_tokens_is_seen_and_the_arrow_keys_walk_and_keep_their_place(phone, url):
    page = show(phone, f"{url}?example=b6&at=26")
    expect(page.locator(".pp-rulers")).to_be_visible()
    until(page, WIDTHS, lambda it: max(it) <= 390, of="a phone scrolls sideways")
    page.set_viewport_size({"width": 1366, "height": 768})
    expect(page.locator(".pp-rulers .big.cut").first).to_be_visible()
    expect(page.get_by_text("4 code points, 15 bytes, and 15 tokens hold a part")).to_be_visible()

    page.locator(".tiles button").first.click()
    press(page, *["ArrowRight"] * 11)
    expect(sentence(page)).to_contain_text("Token 12 of 50")
    in_address(page, "at=12")
    press(page, "ArrowLeft")
    expect(sentence(page)).to_contain_text("Token 11 of 50")
    press(page, "End")
    in_address(page, "at=50")
    page.reload()
    expect(sentence(page)).to_contain_text("Token 50 of 50")
