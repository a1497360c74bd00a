"""The player in a real browser: on a phone, in light and dark, on paper, in forced colours."""

import re

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE, until
from tests.browser.test_player import APP, at, is_explained, press, show

STYLE = "(node, name) => getComputedStyle(node)[name]"
SWIPE = """(node, [from, to]) => {
  const touch = (x) => new Touch({ identifier: 1, target: node, clientX: x, clientY: 9 });
  const [touches, changedTouches] = [[touch(from)], [touch(to)]];
  node.dispatchEvent(new TouchEvent("touchstart", { touches, bubbles: true }));
  node.dispatchEvent(new TouchEvent("touchend", { changedTouches, bubbles: true }));
}"""


@pytest.fixture(scope="module")
def url(browser, serve):
    """The harness, with a browser at hand."""
    return serve(APP)


def the_stepper_stays_within_the_thumbs_reach(page: Page, width: int, height: int) -> None:
    forward = page.get_by_role("button", name="Forward")
    for text in ("Pairs before this merge", "Words after it"):
        page.get_by_text(text).scroll_into_view_if_needed()
        box = forward.bounding_box()
        assert box
        assert height * 0.6 < box["y"] + box["height"] <= height
        assert min(box["width"], box["height"]) >= 24
    forward.tap()
    at(page, 4)
    until(page, "document.documentElement.scrollWidth", lambda it: it <= width)
    heights = page.locator(".strip .tile").evaluate_all(
        "(all) => all.map((one) => one.offsetHeight)"
    )
    assert min(heights) >= 24
    expect(page.locator(".player kbd").first).to_be_hidden()


def a_tapped_row_is_explained_beside_it(page: Page) -> None:
    row = page.locator("tbody tr").nth(1)
    caption = page.locator("caption")
    assert "tap one" in caption.evaluate("(node) => getComputedStyle(node, '::after').content")
    row.tap()
    is_explained(page, re.compile("^It was seen"))
    row.tap()
    expect(page.locator(".why")).to_be_hidden()


def a_swipe_is_a_step(page: Page) -> None:
    text = page.locator(".sentence")
    text.evaluate(SWIPE, [200, 100])
    at(page, 4)
    text.evaluate(SWIPE, [100, 130])  # too short
    text.evaluate(SWIPE, [100, 200])
    at(page, 3)


def test_on_a_phone_the_stepper_is_within_reach_upright_and_on_its_side_and_a_swipe_is_a_step(
    browser, url
):
    phone = browser.new_context(has_touch=True, is_mobile=True)
    page = phone.new_page()
    page.set_default_timeout(PATIENCE)
    page.set_viewport_size({"width": 390, "height": 844})
    show(page, url, "rich", 3)
    the_stepper_stays_within_the_thumbs_reach(page, 390, 844)
    press(page, "ArrowLeft")
    at(page, 3)
    page.set_viewport_size({"width": 844, "height": 390})
    the_stepper_stays_within_the_thumbs_reach(page, 844, 390)
    a_tapped_row_is_explained_beside_it(page)
    page.set_viewport_size({"width": 390, "height": 844})
    a_tapped_row_is_explained_beside_it(page)
    press(page, "ArrowLeft")
    at(page, 3)
    a_swipe_is_a_step(page)
    phone.close()


def tiles_can_be_read(page: Page, scheme: str) -> None:
    """The page follows a change of the scheme by itself, a little later."""
    tile, seen = page.locator(".strip .tile").first, ["", ""]
    for _ in range(100):
        seen = [tile.evaluate(STYLE, name) for name in ("color", "backgroundColor")]
        ink, ground = (sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in seen)
        if abs(ink - ground) > 300 and (ink < ground) == (scheme == "light"):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"{scheme}: {seen[0]} on {seen[1]}")


def on_paper_there_is_nothing_to_press_and_rows_stay_whole(page: Page) -> None:
    expect(page.locator(".bar")).to_be_hidden()
    expect(page.locator(".why").first).to_be_hidden()
    expect(page.locator("tr.now")).to_be_visible()
    for one in ("tbody tr", ".strip", ".sentence"):
        assert page.locator(one).first.evaluate(STYLE, "breakInside") == "avoid", one


def forced_colours_keep_the_meaning_of_colours(page: Page) -> None:
    for one in (".strip .tile", "tr.now", ".tile.new"):
        expect(page.locator(one).first).to_have_css("outline-style", "solid")
    bar, ground = (page.locator(one).first for one in (".measure", ".stage"))
    assert bar.evaluate(STYLE, "backgroundColor") != ground.evaluate(STYLE, "backgroundColor")
    predict = page.get_by_role("button", name="Predict")
    before = predict.evaluate(STYLE, "backgroundColor")
    predict.click()
    assert predict.evaluate(STYLE, "backgroundColor") != before


def test_it_can_be_read_in_light_and_dark_on_paper_and_in_forced_colours(laptop, url):
    page = show(laptop, url, step=3)
    tiles_can_be_read(page, "light")
    page.emulate_media(color_scheme="dark")
    tiles_can_be_read(page, "dark")
    page.emulate_media(color_scheme="light", media="print")
    on_paper_there_is_nothing_to_press_and_rows_stay_whole(page)
    page.emulate_media(media="screen", forced_colors="active")
    forced_colours_keep_the_meaning_of_colours(page)
