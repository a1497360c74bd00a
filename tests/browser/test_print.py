"""Pages on paper: each name beside its own row, all of it on the sheet, nothing to press.

That every page is whole on paper is looked at in `test_every_page.py`.
"""

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE, until
from tests.browser.test_app import WIDTHS, go, settled

SHEET = 794  # pixels: A4
OFF = """(lines) => [...lines.querySelectorAll('.cell')].map((cell) => {
  const row = Number(cell.querySelector('button')?.dataset.row);
  const here = cell.getBoundingClientRect();
  const names = [...lines.querySelectorAll('.names')].filter((one) => one.checkVisibility());
  const middles = names.map((one) => one.querySelectorAll('.name')[row].getBoundingClientRect())
    .map(({ top, bottom }) => (top + bottom) / 2);
  return Math.min(...middles.map((y) => Math.abs(y - (here.top + here.bottom) / 2)));
})"""
CONTROLS = ".stTextArea, .stTextInput, .stSelectbox, .stSlider, .stPopover, .player .bar"


@pytest.fixture(scope="module")
def url(browser, serve):
    """The app, with a browser at hand."""
    return serve("app.py")


def on_paper(page: Page, address: str, drawn: str) -> Page:
    """Open a page on a laptop, and lay it out for a sheet as wide as A4."""
    page.goto(address)
    expect(page.locator(drawn).first).to_be_visible(timeout=2 * PATIENCE)
    return printed(page)


def printed(page: Page) -> Page:
    page.wait_for_timeout(500)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": SHEET, "height": 1123})
    page.wait_for_timeout(500)
    return page


def on_screen(page: Page) -> Page:
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 1366, "height": 768})
    return page


def is_no_wider_than_the_sheet_and_there_is_nothing_to_press(page: Page) -> None:
    until(page, WIDTHS, lambda it: max(it) <= SHEET)
    expect(page.locator(CONTROLS).locator("visible=true")).to_have_count(0)


def each_name_stands_beside_its_own_row(page: Page) -> None:
    # Paper asks nobody to measure again: what was placed for the window must not be there.
    expect(page.locator(".lines > .names").locator("visible=true")).to_have_count(0)
    off = page.locator(".lines").first.evaluate(OFF)
    assert len(off) > 20
    assert max(off) <= 3
    until(page, WIDTHS, lambda it: max(it) <= SHEET)


def test_each_name_stands_beside_its_own_row_on_start_and_compare(laptop, url):
    page = on_paper(laptop, f"{url}/", ".cell button")
    each_name_stands_beside_its_own_row(page)
    go(on_screen(page), "Compare", "Side by side")
    expect(page.locator(".pp-heading")).to_contain_text("Side by side")
    expect(settled(page).locator(".cell button").first).to_be_visible(timeout=2 * PATIENCE)
    each_name_stands_beside_its_own_row(printed(page))


def a_long_lattice_is_shrunk_to_the_sheet(page: Page) -> None:
    word = "internationalization" * 3
    box = on_screen(page).get_by_label("Text to split")
    box.fill(word)
    box.press("Control+Enter")
    expect(page.locator(".lattice .node").nth(len(word))).to_be_attached()
    last = (
        printed(page)
        .locator(".lattice .node")
        .last.evaluate("(node) => node.getBoundingClientRect().right")
    )
    assert last <= SHEET


def the_names_of_the_lessons_are_on_paper(page: Page) -> None:
    expect(page.get_by_text("1. ", exact=False).first).to_be_visible()
    names = page.locator("[class*='st-key-open-'] button").locator("visible=true")
    expect(names.nth(39)).to_be_attached()


def test_a_picture_and_a_long_lattice_are_no_wider_than_the_sheet_and_lessons_have_their_names(
    laptop, url
):
    page = on_paper(laptop, f"{url}/bpe_train?step=3", ".player .sentence")
    is_no_wider_than_the_sheet_and_there_is_nothing_to_press(page)
    go(on_screen(page), "Unigram", "Lattice")
    expect(page.locator(".lattice .label").first).to_be_visible(timeout=2 * PATIENCE)
    is_no_wider_than_the_sheet_and_there_is_nothing_to_press(printed(settled(page)))
    a_long_lattice_is_shrunk_to_the_sheet(page)
    go(on_screen(page), "Lessons")
    expect(page.locator(".pp-heading")).to_contain_text("Lessons", timeout=2 * PATIENCE)
    the_names_of_the_lessons_are_on_paper(printed(settled(page)))
