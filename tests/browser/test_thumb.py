"""What a hand and a key can reach on every page: targets, the stepper, no stop out of sight."""

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Browser, Page, expect

from pages.shared.places import NAVIGATION, START
from tests.browser.conftest import until
from tests.browser.test_accessibility import opened
from tests.browser.test_app import WIDTHS, show

PATHS = [path if path != START else "" for rows in NAVIGATION.values() for path in rows]
STEPPED = ["bpe_train", "bpe_encode", "wordpiece_train", "wordpiece_encode"]
WITH_A_STEPPER = [*STEPPED, "unigram_train", "unigram_lattice", "race"]
WITH_A_SLIDER = {"sizes": ".bar", "languages": ".top"}
SIZES = [(844, 390), (390, 844)]
SMALL = """() => {
  const found = [];
  const seen = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const inText = (one) => getComputedStyle(one).display.startsWith("inline")
    && one.parentElement.textContent.trim().length > one.textContent.trim().length;
  const look = (root) => {
    for (const one of root.querySelectorAll("*")) {
      if (one.shadowRoot) look(one.shadowRoot);
      if (!one.matches("button, a[href], input, select, textarea, [role=button], summary"))
        continue;
      if (!seen(one) || inText(one) || one.getAttribute("href") === "#main-content") continue;
      const target = one.closest("label, .stSlider [data-orientation]") ?? one;
      const { width, height } = target.getBoundingClientRect();
      if (width > 1 && Math.min(width, height) < 23.5)
        found.push(`${one.tagName} ${one.ariaLabel ?? one.textContent} ${width} × ${height}`);
    }
  };
  look(document);
  return found;
}"""
FOCUSED = """() => {
  let one = document.activeElement;
  while (one.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
  const { right, bottom } = one.getBoundingClientRect();
  return [one.ariaLabel ?? one.textContent.trim(), right > 0 && bottom > 0];
}"""

FIRST_PART = """[...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")]
  .flatMap((one) => [...(one.shadowRoot?.querySelectorAll(".player .part") ?? [])])
  .find((part) => part.checkVisibility())"""


@pytest.fixture(scope="module")
def url(browser, serve):
    """The app, with a browser at hand."""
    return serve("app.py")


@pytest.fixture(scope="module")
def hand(browser: Browser):
    """A phone that is held in a hand, upright at first."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("path", PATHS)
def test_on_a_phone_all_is_in_reach_and_nothing_scrolls_sideways(hand: Page, url, path):
    """Opened once for both ways to hold it, as most of the work is in the opening."""
    hand.set_viewport_size({"width": 844, "height": 390})
    opened(hand, f"{url}/{path}{'?step=3' if path in STEPPED else ''}")
    for width, height in SIZES:
        hand.set_viewport_size({"width": width, "height": height})
        hand.wait_for_timeout(300)
        if path in WITH_A_STEPPER and width > height:
            begins_in_the_upper_half(hand)
        assert max(hand.evaluate(WIDTHS)) <= width, (width, height)
        assert hand.evaluate(SMALL) == [], (width, height)
        if path in WITH_A_SLIDER:
            slider_stays_in_reach(hand, WITH_A_SLIDER[path], height)


def begins_in_the_upper_half(page: Page) -> None:
    """On its side, the picture can be seen, and its stepper be reached, without scrolling."""
    player = page.locator(".player")
    expect(player.locator(".say")).not_to_be_empty()
    until(page, f"{FIRST_PART}?.getBoundingClientRect().y <= 200")  # what is above may yet come
    heading = page.locator("h1").bounding_box()
    assert heading
    assert heading["y"] >= 37  # below the navigation
    for name in ("Forward", "Presenter view"):
        button = player.get_by_role("button", name=name).bounding_box()
        assert button
        assert 300 < button["y"] < 390 - button["height"], name


def slider_stays_in_reach(page: Page, slider: str, height: int) -> None:
    """Of a page longer than the screen, where its picture is in sight."""
    bar = page.locator(slider).filter(has=page.locator("input[type=range]"))
    for down in (500, 900):
        page.evaluate("(down) => document.querySelector('.stMain').scrollTo(0, down)", down)
        page.wait_for_timeout(100)
        box = bar.bounding_box()
        assert box
        assert height * 0.6 < box["y"] + box["height"] <= height + 1, down
    page.evaluate("document.querySelector('.stMain').scrollTo(0, 0)")


def test_the_picture_of_the_race_comes_before_its_caveats(laptop, url):
    page = opened(laptop, f"{url}/race")
    caveats = page.get_by_text("Special tokens are not counted").bounding_box()
    stage = page.locator(".player .stage").bounding_box()
    assert caveats
    assert stage
    assert caveats["y"] > stage["y"] + stage["height"]


def test_what_a_table_says_in_words_is_whole_on_a_phone(hand, url):
    hand.set_viewport_size({"width": 390, "height": 844})
    opened(hand, f"{url}/race?step=40")
    cut = """(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1)
        .map((one) => one.textContent)"""
    assert hand.locator("td.kind-text > *").evaluate_all(cut) == []


def test_no_stop_of_the_keyboard_is_out_of_sight(laptop, url):
    page = opened(laptop, f"{url}/bpe_train")
    stops = []
    for _ in range(24):
        page.keyboard.press("Tab")
        stops.append(page.evaluate(FOCUSED))
    assert [name for name, is_in_sight in stops if not is_in_sight] == []
    assert [name for name, _ in stops[1:3]] == ["Expand sidebar", "Start"]
    page.get_by_test_id("stExpandSidebarButton").click()  # open, it can be reached
    expect(page.get_by_label("Maximum number of merges", exact=True)).to_be_visible()


def test_a_click_and_a_key_draw_no_frame_around_the_page(laptop, url):
    page = show(laptop, f"{url}/bpe_train")
    expect(page.locator(".say")).not_to_be_empty()
    page.mouse.click(700, 500)
    page.keyboard.press("ArrowRight")
    frame = "getComputedStyle(document.querySelector('.stMain'), '::before').boxShadow"
    assert page.evaluate("document.querySelector('.stMain').matches(':focus-visible')")
    assert page.evaluate(frame) == "rgb(179, 69, 15) 0px 3.4px 0px 0px inset"  # a line at the top


@pytest.mark.parametrize(
    "path", ["bpe_train?step=2", "unigram_train?step=5", "unigram_lattice?say=hello&step=2"]
)
def test_predict_moves_nothing(laptop, url, path):
    page = opened(laptop, f"{url}/{path}")
    bar = page.locator(".player .bar")
    height = "(bar) => bar.offsetHeight"
    before = bar.evaluate(height)
    page.get_by_role("button", name="Predict").click()
    option = page.locator(".player .option").first
    expect(option).to_be_visible()  # the next step has a question
    assert bar.evaluate(height) == before
    option.click()
    expect(page.locator(".player .score")).to_contain_text("of 1 right")
    assert bar.evaluate(height) == before


def test_the_options_of_a_lattice_are_in_view_with_their_question(laptop, hand, url):
    hand.set_viewport_size({"width": 390, "height": 844})
    for page, lowest in ((laptop, 768), (hand, 735)):  # on the phone, above the stepper
        opened(page, f"{url}/unigram_lattice?say=hello&step=2")
        page.get_by_role("button", name="Predict").click()
        option = page.locator(".player .option").last
        expect(option).to_be_visible()
        page.wait_for_timeout(300)
        above, below = page.locator(".player .say").bounding_box(), option.bounding_box()
        assert above
        assert below
        assert above["y"] + above["height"] / 2 > 64  # at most its first line is cut
        assert below["y"] + below["height"] <= lowest


def test_on_a_phone_an_answer_is_told_with_its_score(hand, url):
    hand.set_viewport_size({"width": 390, "height": 844})
    opened(hand, f"{url}/unigram_lattice?say=hello&step=2")
    hand.get_by_role("button", name="Predict").click()
    hand.locator(".player .option").first.click()
    verdict = hand.locator(".player .verdict")
    expect(verdict).to_be_in_viewport(ratio=1)
    verdict, stepper = verdict.bounding_box(), hand.locator(".player .stepper").bounding_box()
    assert verdict
    assert stepper
    assert verdict["y"] + verdict["height"] <= stepper["y"]
    score = hand.locator(".player .score").bounding_box()
    quiz = hand.locator(".player .quiz").bounding_box()
    assert score
    assert quiz
    assert quiz["y"] <= score["y"] < quiz["y"] + quiz["height"]
