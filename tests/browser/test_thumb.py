"""What a hand and a key can reach on every page: targets, the stepper, no stop out of sight."""

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Browser, Page, expect

from pages.shared.places import NAVIGATION, START
from tests.browser.conftest import until
from tests.browser.test_accessibility import opened
from tests.browser.test_app import WIDTHS, show

PATHS = [path if path != START else "" for rows in NAVIGATION.values() for path in rows]
SIZES = [(390, 844), (844, 390)]
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
def test_on_a_phone_all_can_be_hit_and_nothing_scrolls_sideways(hand: Page, url, path):
    hand.set_viewport_size({"width": 390, "height": 844})
    opened(hand, f"{url}/{path}")
    for width, height in SIZES:
        hand.set_viewport_size({"width": width, "height": height})
        hand.wait_for_timeout(300)
        assert max(hand.evaluate(WIDTHS)) <= width
        assert hand.evaluate(SMALL) == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("path", "slider"), [("sizes", ".bar"), ("languages", ".top")])
def test_the_slider_of_a_long_page_stays_within_the_thumbs_reach(hand, url, path, slider, size):
    hand.set_viewport_size({"width": size[0], "height": size[1]})
    opened(hand, f"{url}/{path}")
    bar = hand.locator(slider).filter(has=hand.locator("input[type=range]"))
    for down in (500, 900):  # where the picture is in sight
        hand.evaluate("(down) => document.querySelector('.stMain').scrollTo(0, down)", down)
        hand.wait_for_timeout(100)
        box = bar.bounding_box()
        assert box
        assert size[1] * 0.6 < box["y"] + box["height"] <= size[1] + 1, down


PLAYERS = ["bpe_train", "bpe_encode", "wordpiece_train", "wordpiece_encode", "unigram_train"]


@pytest.mark.parametrize("path", [*PLAYERS, "unigram_lattice", "race"])
def test_on_a_phone_on_its_side_the_picture_begins_in_the_upper_half(hand: Page, url, path):
    hand.set_viewport_size({"width": 844, "height": 390})
    opened(hand, f"{url}/{path}")
    player = hand.locator(".player")
    expect(player.locator(".say")).not_to_be_empty()
    until(hand, f"{FIRST_PART}?.getBoundingClientRect().y <= 200")  # what is above may yet come
    heading = hand.locator("h1").bounding_box()
    assert heading
    assert heading["y"] >= 37  # below the navigation
    for name in ("Forward", "Presenter view"):
        button = player.get_by_role("button", name=name).bounding_box()
        assert button
        assert 300 < button["y"] < 390 - button["height"]


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
