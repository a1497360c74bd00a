"""The player in a real browser: on a phone, on paper, in forced colours, from right to left."""

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import expect

from tests.browser.conftest import PATIENCE
from tests.browser.test_player import APP, at, press, show

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


@pytest.fixture
def page_in(browser):
    """A page of a browser that is set up in another way: `page_in(width, height, **settings)`."""
    contexts = []

    def page(width: int, height: int, **settings):
        contexts.append(
            browser.new_context(viewport={"width": width, "height": height}, **settings)
        )
        made = contexts[-1].new_page()
        made.set_default_timeout(PATIENCE)
        return made

    yield page
    for context in contexts:
        context.close()


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_on_a_phone_the_stepper_stays_within_the_thumbs_reach(page_in, url, size):
    page = show(page_in(*size, has_touch=True, is_mobile=True), url, "rich", 3)
    forward = page.get_by_role("button", name="Forward")
    for text in ("Pairs before this merge", "Words after it"):
        page.get_by_text(text).scroll_into_view_if_needed()
        box = forward.bounding_box()
        assert box
        assert size[1] * 0.6 < box["y"] + box["height"] <= size[1]
        assert min(box["width"], box["height"]) >= 24
    forward.tap()
    at(page, 4)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    heights = page.locator(".strip .tile").evaluate_all(
        "(all) => all.map((one) => one.offsetHeight)"
    )
    assert min(heights) >= 24
    expect(page.locator(".player kbd").first).to_be_hidden()


def test_a_swipe_is_a_step(page_in, url):
    page = show(page_in(390, 844, has_touch=True), url, step=3)
    said = page.locator(".say")
    said.evaluate(SWIPE, [200, 100])
    at(page, 4)
    said.evaluate(SWIPE, [100, 130])  # too short
    said.evaluate(SWIPE, [100, 200])
    at(page, 3)


def test_forced_colours_keep_what_a_colour_said(page_in, url):
    page = show(page_in(1366, 768, forced_colors="active"), url, step=3)
    for one in (".strip .tile", "tr.now", ".tile.new"):
        assert page.locator(one).first.evaluate(STYLE, "outlineStyle") == "solid", one
    bar, ground = (page.locator(one).first for one in (".measure", ".stage"))
    assert bar.evaluate(STYLE, "backgroundColor") != ground.evaluate(STYLE, "backgroundColor")
    predict = page.get_by_role("button", name="Predict")
    before = predict.evaluate(STYLE, "backgroundColor")
    predict.click()
    assert predict.evaluate(STYLE, "backgroundColor") != before


def test_on_paper_there_is_nothing_to_press_and_rows_stay_whole(laptop, url):
    page = show(laptop, url, step=3)
    page.emulate_media(media="print")
    expect(page.locator(".bar")).to_be_hidden()
    expect(page.locator(".why").first).to_be_hidden()
    expect(page.locator("tr.now")).to_be_visible()
    for one in ("tbody tr", ".strip", ".say"):
        assert page.locator(one).first.evaluate(STYLE, "breakInside") == "avoid", one


def test_tokens_run_as_their_letters_do_and_end_marks_stand_apart(laptop, url):
    page = show(laptop, url, "rich", 1)
    word = page.locator(".strip .tokens[dir=rtl]").first
    expect(word).to_be_visible()
    expect(word.locator("bdi bdi").first).to_have_text("</w>")
    expect(page.locator("td .tokens[dir=ltr]").first).to_be_visible()


def test_a_jump_that_finds_nothing_says_so(laptop, url):
    page = show(laptop, url, step=3)
    page.get_by_label("Next step where").select_option("a token appears")
    wanted = page.get_by_label("Token", exact=True)
    wanted.fill("zebra")
    press(page, "Enter")
    expect(page.locator(".none")).to_have_text("No step makes a token with “zebra” in it.")
    wanted.fill("low")
    press(page, "Enter")
    expect(page.locator(".none")).to_be_empty()


def test_a_row_that_can_be_asked_is_a_button_with_a_state(laptop, url):
    page = show(laptop, url, step=3)
    row = page.locator("tbody tr .reason").nth(1)
    expect(row).to_have_attribute("aria-pressed", "false")
    row.focus()
    press(page, "Enter")
    expect(row).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".table .why")).to_have_text("It was seen 7 times, 2 fewer.")
    press(page, "ArrowRight")
    at(page, 4)
    assert row.evaluate("(button) => button.getRootNode().activeElement === button")
