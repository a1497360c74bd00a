"""Start's first look is Start as Streamlit will show it, and makes way for it."""

import io
import json

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from PIL import Image, ImageChops
from playwright.sync_api import Page, expect

from tests.browser.conftest import until

DIFFERS = 24  # of 255: more than letters that do not begin on a whole pixel
SPECKS = 120  # pixels: the mark by which Streamlit's box can be made larger


@pytest.fixture(scope="module")
def start(browser, serve) -> str:
    """The plain address of Start."""
    return serve("app.py") + "/"


@pytest.fixture(params=[(1366, 768), (1920, 1080), (390, 844), (844, 390), (700, 900)])
def size(request) -> tuple[int, int]:
    return request.param


def before_streamlit(page: Page, address: str) -> Page:
    """Open Start while Streamlit's own scripts are still to come."""
    page.route("**/static/js/*", lambda route: route.abort())
    page.goto(address)
    expect(page.locator("#first-look")).to_have_attribute("data-drawn", "")
    return page


def with_streamlit(page: Page, address: str) -> Page:
    page.unroute_all()
    page.goto(address)
    expect(page.locator(".st-key-figures table")).to_be_attached()
    expect(page.locator("#first-look")).to_have_count(0)
    return page


def seen(page: Page, top: float, bottom: float) -> Image.Image:
    """What is seen between two heights, in pixels."""
    whole = Image.open(io.BytesIO(page.screenshot())).convert("L")
    return whole.crop((0, round(top), whole.width, round(bottom)))


def box(page: Page, selector: str) -> dict[str, float]:
    return page.locator(selector).first.evaluate("(one) => one.getBoundingClientRect().toJSON()")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_what_streamlit_will_show(laptop, start, size, scheme):
    laptop.set_viewport_size({"width": size[0], "height": size[1]})
    laptop.emulate_media(color_scheme=scheme)
    page = with_streamlit(laptop, start)
    part = (box(page, ".stAppHeader")["bottom"], min(box(page, ".st-key-strip")["bottom"], size[1]))
    shown, first = seen(page, *part), seen(before_streamlit(page, start), *part)
    assert sum(count > 0 for count in first.histogram()) > 50  # there is a picture
    assert sum(ImageChops.difference(shown, first).histogram()[DIFFERS:]) <= SPECKS


def test_it_makes_way_and_leaves_nothing(laptop, start):
    page = with_streamlit(laptop, start)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    page.locator(".st-key-strip .cell button").first.click()
    expect(page.locator(".st-key-strip .sentence")).to_contain_text("with the id")


def test_its_tokens_can_be_pointed_at(laptop, start):
    place = box(with_streamlit(laptop, start), ".st-key-strip .cell button")
    page = before_streamlit(laptop, start)
    page.mouse.move(0, 0)
    before = seen(page, 300, 360)
    page.mouse.move(place["x"] + 5, place["y"] + 5)
    assert seen(page, 300, 360).tobytes() != before.tobytes()


def is_dark(page: Page) -> bool:
    return sum(seen(page, 740, 741).histogram()[:128]) > 0


@pytest.mark.parametrize(("chosen", "system"), [("Dark", "light"), ("Light", "dark")])
def test_it_is_light_or_dark_as_was_chosen_in_the_menu(laptop, start, chosen, system):
    laptop.emulate_media(color_scheme=system)
    page = with_streamlit(laptop, start)
    page.get_by_role("button", name="Main menu").click()
    page.get_by_test_id(f"stMainMenuItem-theme-{chosen}").click()
    until(page, "localStorage.length > 0")
    assert is_dark(before_streamlit(page, start)) == (chosen == "Dark")


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
    expect(laptop.locator("#first-look")).to_have_count(0)


def test_it_stays_under_a_sentence_when_the_server_does_not_answer(laptop, start):
    laptop.route("**/_stcore/**", lambda route: route.abort())
    laptop.goto(start)
    expect(laptop.get_by_role("dialog")).to_be_visible()
    expect(laptop.locator("#first-look")).to_have_count(1)
