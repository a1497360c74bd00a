"""What a hand and a key can reach: targets, the stepper, no stop out of sight.

With `within_reach`, `test_every_page.py` looks at every page on a phone.
"""

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from tests.browser.conftest import until
from tests.browser.test_accessibility import opened
from tests.browser.test_app import WIDTHS, at

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
  const ring = one.matches("button") ? getComputedStyle(one).outlineColor : "";
  return [one.ariaLabel ?? one.textContent.trim(), right > 0 && bottom > 0, ring];
}"""

# What a click in the stepper, or beside it, would not reach: each is tried in five places.
COVERED = """() => {
  const found = [];
  const at = (x, y) => {
    let one = document.elementFromPoint(x, y);
    while (one?.shadowRoot?.elementFromPoint(x, y)) one = one.shadowRoot.elementFromPoint(x, y);
    return one;
  };
  const roots = [...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")];
  for (const root of roots.flatMap((one) => one.shadowRoot ?? [])) {
    root.querySelector(".player")?.scrollIntoView(); // a small window may end above it
    for (const one of root.querySelectorAll(".stepper, .quiz")) {
      if (getComputedStyle(one).position !== "sticky") continue;
      for (const button of one.querySelectorAll("button, input")) {
        const { x, y, width, height } = button.getBoundingClientRect();
        for (const [across, down] of [[0.5, 0.5], [0.1, 0.2], [0.9, 0.2], [0.1, 0.8], [0.9, 0.8]]) {
          if (!width || button.contains(at(x + across * width, y + down * height))) continue;
          found.push(button.ariaLabel ?? button.textContent);
          break;
        }
      }
    }
  }
  return found;
}"""
CALLED = "(button) => getComputedStyle(button, '::after').content"
LOW = [(1280, 450), (844, 390), (710, 470), (640, 450), (320, 480)]
FIRST_PART = """[...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")]
  .flatMap((one) => [...(one.shadowRoot?.querySelectorAll(".player .part") ?? [])])
  .find((part) => part.checkVisibility())"""


@pytest.fixture(scope="module")
def url(browser, serve):
    """The app, with a browser at hand."""
    return serve("app.py")


class Phone:
    """Turns a page into one on a phone in a hand, where it stands: no opening pays for that."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session = page.context.new_cdp_session(page)

    def hold(self, width: int, height: int) -> Page:
        """Hold it upright or on its side."""
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True}
        self.page.set_viewport_size({"width": width, "height": height})
        self.session.send("Emulation.setDeviceMetricsOverride", screen)
        self.session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
        until(self.page, f"innerWidth === {width} && matchMedia('(pointer: coarse)').matches")
        return self.page


def within_reach(page: Page, path: str) -> None:
    """On a phone all is in reach, whichever way it is held, and nothing scrolls sideways."""
    if path in WITH_A_STEPPER:
        nothing_lies_on_the_stepper(page)
    phone = Phone(page)
    for width, height in SIZES:
        phone.hold(width, height)
        page.wait_for_timeout(300)
        if height > width:
            until(page.get_by_test_id("stExpandSidebarButton"), CALLED, lambda it: it == '"Menu"')
            folded = page.get_by_test_id("stSidebarNavViewButton")
            expect(folded).to_have_count(0)  # all pages are in the menu, above the settings
        if path in WITH_A_STEPPER and width > height:
            begins_in_the_upper_half(page)
        until(page, WIDTHS, lambda it, width=width: max(it) <= width, of=(width, height))
        until(page, SMALL, lambda it: it == [], of=(width, height))
        if path in WITH_A_SLIDER:
            slider_stays_in_reach(page, WITH_A_SLIDER[path], height)


def nothing_lies_on_the_stepper(page: Page) -> None:
    """In a low window with a mouse: the whole page at 200 %, say."""
    for width, height in LOW:
        page.set_viewport_size({"width": width, "height": height})
        until(page, f"innerWidth === {width} && innerHeight === {height}")
        page.wait_for_timeout(100)
        until(page, COVERED, lambda it: it == [], of=(width, height))
    page.evaluate("document.querySelector('.stMain').scrollTo(0, 0)")


def begins_in_the_upper_half(page: Page) -> None:
    """On its side, the picture can be seen, and its stepper be reached, without scrolling."""
    player = page.locator(".player")
    expect(player.locator(".sentence")).not_to_be_empty()
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


def test_the_picture_of_the_race_comes_before_its_caveats_and_its_table_is_whole_on_a_phone(
    laptop, url
):
    page = opened(laptop, f"{url}/race?step=40")
    caveats = page.locator(".pp-caption", has_text="are not counted").last.bounding_box()
    stage = page.locator(".player .stage").bounding_box()
    assert caveats
    assert stage
    assert caveats["y"] > stage["y"] + stage["height"]

    Phone(page).hold(390, 844)
    page.wait_for_timeout(300)
    cut = """(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1)
        .map((one) => one.textContent)"""
    words = page.locator("td.kind-text > *")
    assert words.count()
    assert words.evaluate_all(cut) == []


def no_stop_of_the_keyboard_is_out_of_sight(page: Page) -> None:
    stops = []
    for _ in range(24):
        page.keyboard.press("Tab")
        stops.append(page.evaluate(FOCUSED))
    assert [name for name, is_in_sight, _ in stops if not is_in_sight] == []
    assert [name for name, *_ in stops[1:3]] == ["Expand sidebar", "Start"]
    assert {ring for *_, ring in stops if ring} == {"rgb(179, 69, 15)"}  # 3 to 1 and more


def no_frame_is_drawn_around_the_page(page: Page) -> None:
    page.evaluate("document.querySelector('.stMain').scrollTo(0, 0)")
    page.mouse.click(700, 500)
    page.keyboard.press("ArrowRight")
    frame = "getComputedStyle(document.querySelector('.stMain'), '::before').boxShadow"
    assert page.evaluate("document.querySelector('.stMain').matches(':focus-visible')")
    assert page.evaluate(frame) == "rgb(179, 69, 15) 0px 3.4px 0px 0px inset"  # a line at the top


def height_of_the_bar(page: Page) -> int:
    return page.locator(".player .bar").evaluate("(bar) => bar.offsetHeight")


def asks(page: Page) -> None:
    page.get_by_role("button", name="Predict").click()
    expect(page.locator(".player .option").first).to_be_visible()


def answers(page: Page) -> None:
    page.locator(".player .option").first.click()
    expect(page.locator(".player .score")).to_contain_text("of 1 right")


def predict_moves_nothing(page: Page) -> None:
    before = height_of_the_bar(page)
    asks(page)
    assert height_of_the_bar(page) == before
    answers(page)
    assert height_of_the_bar(page) == before


def test_no_stop_of_the_keyboard_is_out_of_sight_no_frame_is_drawn_and_predict_moves_nothing(
    laptop, url
):
    page = opened(laptop, f"{url}/bpe_train?step=2")
    no_stop_of_the_keyboard_is_out_of_sight(page)
    no_frame_is_drawn_around_the_page(page)
    at(page, 3)
    page.keyboard.press("ArrowLeft")
    at(page, 2)
    predict_moves_nothing(page)
    page.get_by_test_id("stExpandSidebarButton").click()  # open, it can be reached
    expect(page.get_by_label("Maximum number of merges", exact=True)).to_be_visible()


def the_options_of_a_lattice_are_in_view_with_their_question_and_then_the_answer(
    page: Page,
) -> None:
    """On a laptop, where nothing moves either, and on a phone, above the stepper."""
    before = height_of_the_bar(page)
    asks(page)
    assert height_of_the_bar(page) == before
    options_are_in_view(page, 768)

    page.get_by_role("button", name="Predict").click()
    expect(page.locator(".player .option")).to_have_count(0)
    phone = Phone(page)
    phone.hold(390, 844)
    page.evaluate("document.querySelector('.stMain').scrollTo(0, 0)")
    page.wait_for_timeout(300)
    asks(page)
    options_are_in_view(page, 735)
    answers(page)
    verdict = page.locator(".player .verdict")
    expect(verdict).to_be_in_viewport(ratio=1)
    verdict, stepper = verdict.bounding_box(), page.locator(".player .stepper").bounding_box()
    assert verdict
    assert stepper
    assert verdict["y"] + verdict["height"] <= stepper["y"]
    score = page.locator(".player .score").bounding_box()
    quiz = page.locator(".player .quiz").bounding_box()
    assert score
    assert quiz
    assert quiz["y"] <= score["y"] < quiz["y"] + quiz["height"]

    phone.hold(1366, 768)
    assert height_of_the_bar(page) == before


def options_are_in_view(page: Page, lowest: int) -> None:
    option = page.locator(".player .option").last
    expect(option).to_be_visible()
    page.wait_for_timeout(300)
    above, below = page.locator(".player .sentence").bounding_box(), option.bounding_box()
    assert above
    assert below
    assert above["y"] + above["height"] / 2 > 64  # at most its first line is cut
    assert below["y"] + below["height"] <= lowest
