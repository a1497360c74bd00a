"""Vocabulary size in a real browser: one drag moves every row, the curves and the costs."""

import re
from urllib.parse import quote

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from tests.browser.conftest import fits_the_window, until
from tests.browser.test_app import HOSTILE, WIDTHS, in_address, press

NAMES = ["BPE on characters", "WordPiece", "Unigram"]
TILES = "els => els.map((el) => el.textContent)"
END = ["the</w>", "low</w>", "tide</w>", ".</w>"]


@pytest.fixture(scope="module")
def url(browser, serve):
    """The page, with a browser at hand."""
    return f"{serve('app.py')}/sizes"


@pytest.fixture
def tall(laptop):
    """A window in which all rows are visible; hidden ones are only drawn when scrolled to."""
    laptop.set_viewport_size({"width": 1366, "height": 1600})
    return laptop


def show(page: Page, url: str) -> Page:
    """Open the page, and wait for its rows."""
    page.goto(url)
    expect(page.locator(".sizes .tile").first).to_be_visible(timeout=30_000)
    return page


def at(page: Page, size: int) -> None:
    expect(page.locator(".sizes")).to_have_attribute("data-size", str(size))


def row(page: Page, name: str):
    return page.locator(".sizes .row").filter(has=page.get_by_role("heading", name=name))


def tokens(page: Page, name: str) -> list[str]:
    return row(page, name).locator(".word .tile").evaluate_all(TILES)


def spots(page: Page) -> list[str]:
    """The positions of the marks on the curves, and of the rule."""
    return page.locator(".curves svg > :is(.rule, .spot)").evaluate_all(
        "els => els.map((el) => el.getAttribute('transform'))"
    )


def test_a_drag_keys_and_a_click_on_the_curves_move_rows_and_curves_and_nothing_jumps(tall, url):
    page = show(tall, f"{url}?learned=prose")
    at(page, 250)
    a_drag_moves_rows_and_curves(page)
    the_ends_are_characters_and_whole_words(page)
    press(page, "Home")
    page.set_viewport_size({"width": 1366, "height": 768})
    page.wait_for_timeout(300)
    fits_the_window(page, ".sizes .bar", ".sizes .row")
    a_click_on_the_curves_moves_the_slider_tab_leaves_it_and_nothing_jumps(page)


def a_drag_moves_rows_and_curves(page: Page) -> None:
    before = {name: tokens(page, name) for name in NAMES}, spots(page)
    box = page.locator(".slider").bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.8, middle, steps=5)
    expect(page.locator(".sizes")).not_to_have_attribute("data-size", "250")
    page.mouse.up()
    size = int(page.locator(".sizes").get_attribute("data-size") or 0)
    assert 500 < size < 700
    for name in NAMES:
        assert tokens(page, name) != before[0][name]
        assert "".join(tokens(page, name)).replace("#", "") == "".join(before[0][name]).replace(
            "#", ""
        )
    assert all(now != then for now, then in zip(spots(page), before[1], strict=True))
    cost = page.locator(".costs tr").nth(1)
    expect(cost).to_contain_text(f"{size + 1} · 768 = {(size + 1) * 768:,}")
    in_address(page, f"at_size={size}")
    expect(page.get_by_text(f"The newest pieces, up to size {size}")).to_be_visible()


def the_ends_are_characters_and_whole_words(page: Page) -> None:
    page.locator(".slider").focus()
    press(page, "Home")
    at(page, 59)
    assert tokens(page, "BPE on characters")[:5] == ["O", "n", "</w>", "t", "h"]
    expect(row(page, "WordPiece").locator(".note")).to_contain_text("The smallest size on record.")
    press(page, "End")
    at(page, 1_063)
    assert tokens(page, "BPE on characters")[:3] == ["On</w>", "the</w>", "low</w>"]
    assert tokens(page, "WordPiece")[:5] == ["On", "the", "low", "shore", "of"]
    expect(page.locator(".sentence")).to_have_text(
        "1,063 pieces: BPE on characters (845 pieces) splits the text into 34 tokens, WordPiece "
        "into 34, Unigram (835 pieces) into 58."
    )
    in_address(page, "at_size=1063")


def a_click_on_the_curves_moves_the_slider_tab_leaves_it_and_nothing_jumps(page: Page) -> None:
    box = page.locator(".curves svg").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] - 20, box["y"] + 120)
    expect(page.locator(".sizes")).not_to_have_attribute("data-size", "59")
    assert int(page.locator(".sizes").get_attribute("data-size") or 0) > 900

    page.locator(".slider").focus()
    press(page, "Tab")
    expect(page.locator(".sizes .larger")).to_be_focused()

    page.locator(".slider").focus()

    def places() -> list[float]:
        return page.locator(".sizes .row").evaluate_all("els => els.map((el) => el.offsetTop)")

    before = places()
    for key in ("Home", "PageUp", "PageUp", "End"):
        press(page, key)
        page.wait_for_timeout(100)
        assert places() == before


def test_the_keys_go_size_by_size_and_back_again(tall, url):
    page = show(tall, f"{url}?at_size=100")
    before = {name: tokens(page, name) for name in NAMES}
    press(page, *["ArrowRight"] * 30)  # nothing has the focus: the keys are the slider's
    at(page, 130)
    new = row(page, "WordPiece").locator(".word .tile.new")
    expect(new.filter(has_text=re.compile("^##mb$")).first).to_be_visible()
    press(page, *["ArrowLeft"] * 30)
    at(page, 100)
    assert {name: tokens(page, name) for name in NAMES} == before
    page.locator(".slider").focus()
    press(page, "PageUp")
    expect(page.locator(".slider")).to_have_attribute("aria-valuetext", "134 pieces")
    press(page, "PageDown", "ArrowDown", "ArrowUp")
    at(page, 100)
    page.get_by_role("button", name="one size larger").click()
    at(page, 101)


def test_a_deep_link_on_a_cold_server(laptop, new_server):
    with new_server("app.py") as base:
        page = show(laptop, f"{base}/sizes?at_size=400&resized=bytes&text=low+lower&width=10")
        at(page, 400)
        expect(page.locator(".costs")).to_contain_text("400 · 10 = 4,000")
        expect(row(page, "BPE on bytes").locator(".word .tile").first).to_be_visible()
        assert "".join(tokens(page, "BPE on bytes")) == "lowĠlower"


def test_a_long_text_is_drawn_as_it_is_scrolled_to(laptop, url):
    page = show(laptop, f"{url}?resized=bpe&text={quote('the low tide. ' * 100)}")
    blocks = row(page, "BPE on characters").locator(".block")
    expect(blocks.nth(2)).to_be_attached()
    expect(blocks.last.locator(".tile")).to_have_count(0)
    row(page, "BPE on characters").locator(".text").evaluate("el => el.scrollTo(0, 1e6)")
    expect(blocks.last.locator(".tile").last).to_be_visible()
    page.locator(".slider").focus()
    press(page, "End")
    at(page, 845)
    blocks.last.scroll_into_view_if_needed()
    expect(blocks.last.get_by_text("tide</w>", exact=True).first).to_be_visible()
    expect(blocks.last.get_by_text("ti", exact=True)).to_have_count(0)  # all of it is drawn again
    drawn = blocks.last.locator(".tile").evaluate_all(TILES)
    assert drawn == END * (len(drawn) // len(END))


def test_hostile_text_stays_text(laptop, url):
    page, asked = laptop, []
    page.on("dialog", lambda dialog: asked.append(dialog.message))
    show(page, f"{url}?text={quote(HOSTILE)}&resized=bpe,bytes,wordpiece,unigram")
    page.locator(".slider").focus()
    for key in ("Home", "PageUp", "End"):
        press(page, key)
        page.wait_for_timeout(100)
    assert page.evaluate("window.hit") is None
    expect(page.locator("img[src='x'], img[src*='p.png'], .stMain script")).to_have_count(0)
    assert not asked


def test_a_phone_shows_it_without_scrolling_the_page_sideways(phone, url):
    page = show(phone, f"{url}?resized=bpe,bytes,wordpiece,unigram")
    page.locator(".costs").scroll_into_view_if_needed()
    expect(page.locator(".costs")).to_be_visible()
    until(page, WIDTHS, lambda it: max(it) <= 390)
