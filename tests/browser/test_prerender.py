"""The prerendered start page looks like the app's, and is removed once the app is there."""

import io
import json
from typing import Literal

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from PIL import Image, ImageChops
from playwright.sync_api import Page, expect

from tests.browser.conftest import until

DIFFERS = 24  # of 255: more than letters that do not begin on a whole pixel
SPECKS = 120  # pixels: the mark by which Streamlit's box can be made larger
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
SIZES = [(1366, 768), (1920, 1080), (390, 844), (844, 390), (700, 900)]


@pytest.fixture(scope="module")
def start(browser, serve) -> str:
    """The plain address of Start."""
    return serve("app.py") + "/"


def before_streamlit(page: Page, address: str) -> Page:
    """Open Start while Streamlit's own scripts are still to come."""
    page.route("**/static/js/*", lambda route: route.abort())
    page.goto(address)
    expect(page.locator("#prerender")).to_have_attribute("data-drawn", "")
    return page


def with_streamlit(page: Page, address: str) -> Page:
    page.unroute_all()
    page.goto(address)
    expect(page.locator(".st-key-figures table")).to_be_attached()
    expect(page.locator("#prerender")).to_have_count(0)
    return page


def seen(page: Page, top: float, bottom: float) -> Image.Image:
    """What is seen between two heights, in pixels."""
    whole = Image.open(io.BytesIO(page.screenshot())).convert("L")
    return whole.crop((0, round(top), whole.width, round(bottom)))


def box(page: Page, selector: str) -> dict[str, float]:
    return page.locator(selector).first.evaluate("(one) => one.getBoundingClientRect().toJSON()")


def differs(page: Page, first: Page, height: int) -> int:
    """The number of pixels in which the prerendered page differs from the app's."""
    part = (
        box(page, ".stAppHeader")["bottom"],
        min(box(page, ".st-key-aligned_view")["bottom"], height),
    )
    look = seen(first, *part)
    assert sum(count > 0 for count in look.histogram()) > 50  # there is a picture
    return sum(ImageChops.difference(seen(page, *part), look).histogram()[DIFFERS:])


def in_window(page: Page, width: int, height: int, scheme: Scheme) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=scheme)


def it_is_what_streamlit_will_show(page: Page, first: Page) -> None:
    """Both are resized and darkened: that is left to style."""
    for width, height in SIZES:
        for scheme in SCHEMES:
            for one in (page, first):
                in_window(one, width, height, scheme)
            for _ in range(100):  # Streamlit turns light or dark in its own time
                specks = differs(page, first, height)
                if specks <= SPECKS:
                    break
                page.wait_for_timeout(100)
            assert specks <= SPECKS, (width, height, scheme)


def its_tokens_can_be_pointed_at(page: Page, first: Page) -> None:
    place = box(page, ".st-key-aligned_view .cell button")
    page.locator(".st-key-aligned_view .cell button").first.click()
    expect(page.locator(".st-key-aligned_view .sentence")).to_contain_text("with the id")

    first.mouse.move(0, 0)
    row = place["top"] - 8, place["bottom"] + 8
    before = seen(first, *row)
    first.mouse.move(place["x"] + 5, place["y"] + 5)
    assert seen(first, *row).tobytes() != before.tobytes()


def is_dark(page: Page) -> bool:
    return sum(seen(page, 740, 741).histogram()[:128]) > 0


def it_is_light_or_dark_as_was_chosen_in_the_menu(page: Page, later: Page, start: str) -> None:
    for chosen in ("Dark", "Light"):
        for one in (page, later):
            one.emulate_media(color_scheme="light" if chosen == "Dark" else "dark")
        page.get_by_role("button", name="Main menu").click()
        page.get_by_test_id(f"stMainMenuItem-theme-{chosen}").click()
        until(page, f"Object.values(localStorage).some((kept) => kept.includes('{chosen}'))")
        page.keyboard.press("Escape")
        assert is_dark(before_streamlit(later, start)) == (chosen == "Dark"), chosen


def test_it_is_what_streamlit_will_show_makes_way_and_is_coloured_as_was_chosen(laptop, start):
    page, first = with_streamlit(laptop, start), before_streamlit(laptop.context.new_page(), start)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    it_is_what_streamlit_will_show(page, first)
    for one in (page, first):
        in_window(one, 1366, 768, "light")
    its_tokens_can_be_pointed_at(page, first)
    it_is_light_or_dark_as_was_chosen_in_the_menu(page, first, start)


@pytest.mark.parametrize("kept", ['"System"', "nonsense {"])
def test_it_is_as_the_system_is_where_nothing_was_chosen(laptop, start, kept):
    laptop.emulate_media(color_scheme="dark")
    laptop.add_init_script(f"localStorage.setItem('stActiveTheme-/-v2', {json.dumps(kept)})")
    assert is_dark(before_streamlit(laptop, start))


@pytest.mark.parametrize("address", ["?text=low+lower", "bpe_train", "lessons"])
def test_who_asks_for_something_sees_nothing_else_before(laptop, start, address):
    laptop.route("**/static/js/*", lambda route: route.abort())
    laptop.goto(start + address)
    expect(laptop.locator("#root")).to_be_attached()
    expect(laptop.locator("#prerender")).to_have_count(0)


def test_it_stays_under_a_sentence_when_the_server_does_not_answer(laptop, start):
    laptop.route("**/_stcore/**", lambda route: route.abort())
    laptop.goto(start)
    expect(laptop.get_by_role("dialog")).to_be_visible()
    expect(laptop.locator("#prerender")).to_have_count(1)
