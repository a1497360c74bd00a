"""The player in a real browser: presenter view, what a lesson asks of it, why an arc lost."""

import re
from urllib.parse import quote

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from tests.browser.conftest import until
from tests.browser.test_player import (
    APP,
    at,
    is_explained,
    on_to,
    press,
    show,
    wait_until_idle,
)

FITS = """(root) => {
  const box = root.querySelector('.stage').getBoundingClientRect();
  const inside = [...root.querySelectorAll('.stage :is(tr, .strip, p, li)')]
    .filter((node) => node.checkVisibility() && node.getBoundingClientRect().height)
    .map((node) => node.getBoundingClientRect())
    .every(({ bottom, right }) => bottom <= box.bottom + 1 && right <= innerWidth);
  return inside && root.scrollHeight <= root.clientHeight && root.clientHeight === innerHeight
    && root.clientWidth === innerWidth;
}"""


@pytest.fixture(scope="module")
def url(browser, serve):
    """The harness, with a browser at hand."""
    return serve(APP)


def presenting(page: Page) -> None:
    expect(page.locator(".player")).to_have_class(re.compile("presenting"))


def asks(page: Page) -> None:
    expect(page.locator(".sentence")).to_have_text(re.compile(r"\?$"))


GROUND = "(node) => getComputedStyle(node).backgroundColor"
MARK = "spot=l&spot=o&spot=lo"


# ---- presenter view ----


def it_survives_a_rerun_of_the_page(page: Page) -> None:
    page.get_by_role("button", name="Presenter view").click()
    presenting(page)
    before = page.get_by_text(re.compile(r"run \d+")).inner_text()
    page.get_by_role("button", name="Run again").evaluate("(button) => button.click()")
    expect(page.get_by_text(before)).to_have_count(0)
    presenting(page)
    asks(page)
    press(page, "ArrowRight")
    at(page, 3)


def a_pointer_at_rest_points_at_no_answer(page: Page) -> None:
    edge = "(node) => getComputedStyle(node).borderColor"
    first, last = page.locator(".option").first, page.locator(".option").last
    first.hover()
    assert first.evaluate(edge) == last.evaluate(edge)


def one_key_asks_and_the_next_one_answers(page: Page) -> None:
    press(page, "p")
    presenting(page)
    asks(page)
    expect(page.locator("table")).to_be_hidden()
    expect(page.locator(".strip .new")).to_have_count(0)
    expect(page.locator(".bar")).to_be_hidden()
    a_pointer_at_rest_points_at_no_answer(page)
    press(page, "ArrowRight")
    expect(page.locator(".sentence")).to_have_text(re.compile("^Merge est and </w>"))
    expect(page.locator(".verdict")).to_be_hidden()
    expect(page.locator("table")).to_be_visible()
    page.locator("tbody tr.now td").last.hover()
    expect(page.locator("tr.now .mark-label")).to_have_css("opacity", "1")
    press(page, "ArrowRight")
    asks(page)
    at(page, 4)
    press(page, "ArrowLeft")
    expect(page.locator(".sentence")).to_have_text(re.compile("^Merge est and </w>"))
    press(page, "p")
    expect(page.locator(".bar")).to_be_visible()
    wait_until_idle(page, 3)


def tab_stays_inside(page: Page) -> None:
    inside = "() => document.activeElement.shadowRoot?.activeElement?.closest('.player') != null"
    for _ in range(12):
        press(page, "Tab")
        until(page, inside)


def a_key_turns_it_dark_and_light_again(page: Page) -> None:
    tint = page.locator(".strip .tile").first
    before, light = page.locator(".player").evaluate(GROUND), tint.evaluate(GROUND)
    press(page, "t")
    assert page.locator(".player").evaluate(GROUND) == "rgb(21, 22, 26)" != before
    assert tint.evaluate(GROUND) != light
    press(page, "t")
    assert page.locator(".player").evaluate(GROUND) == before
    assert tint.evaluate(GROUND) == light


def it_can_be_read_from_the_back_row(page: Page) -> None:
    size = "(node) => parseFloat(getComputedStyle(node).fontSize)"
    rem = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
    until(page.locator(".sentence"), size, lambda it: it >= 2.2 * rem)
    until(page.locator(".strip .tile").first, size, lambda it: it >= 1.5 * rem)


RECORDINGS = ("classic", "rich", "long", "hello", "twelve", "sixty", "arabic")
SIZES = ((1920, 1080), (1366, 768))


def nothing_is_cut_off_and_nothing_scrolls(page: Page) -> None:
    screen = page.context.new_cdp_session(page)  # of the whole screen no window can be resized
    fixed = {"deviceScaleFactor": 1, "mobile": False}
    for recording in RECORDINGS:
        on_to(page, recording, 5)
        presenting(page)
        for n, key in enumerate(("", "ArrowRight", "ArrowRight", "ArrowRight")):
            press(page, *[key] if n else [])
            for width, height in SIZES if n % 2 == 0 else SIZES[::-1]:
                size = {"width": width, "height": height}
                screen.send("Emulation.setDeviceMetricsOverride", {**size, **fixed})
                until(page, f"innerWidth === {width} && innerHeight === {height}")
                page.wait_for_timeout(150)
                until(page.locator(".player"), FITS, of=(recording, n, width))


def a_low_window_keeps_words_and_candidates_in_sight(page: Page) -> None:
    """As at 200 percent on a laptop."""
    on_to(page, "classic", 5)
    asks(page)
    screen = page.context.new_cdp_session(page)
    size = {"width": 683, "height": 384, "deviceScaleFactor": 1, "mobile": False}
    screen.send("Emulation.setDeviceMetricsOverride", size)
    until(page, "innerHeight === 384")
    for shown in (".option", ".strip"):
        expect(page.locator(shown).last).to_be_in_viewport(ratio=1)
    until(page.locator(".player"), FITS)
    press(page, "ArrowRight")
    table = page.locator(".part.table")
    expect(table).to_have_attribute("data-cut", re.compile(r"^\d+ more pairs, count \d+ or less$"))
    assert table.locator("tbody tr:not(.cut)").count() >= 4
    until(page.locator(".player"), FITS)
    screen.send("Emulation.clearDeviceMetricsOverride")
    until(page, "innerHeight > 384")


def test_a_link_opens_it_and_escape_leaves_it_and_in_between_it_fills_the_window(projector, url):
    then = [*((recording, 5) for recording in RECORDINGS), ("classic", 4)]
    page = show(projector, url, step=3, more="&present=1", then=then)
    presenting(page)
    asks(page)
    a_key_turns_it_dark_and_light_again(page)
    press(page, "ArrowRight")
    expect(page.locator(".sentence")).to_have_text(re.compile("^Merge est and </w>"))
    it_can_be_read_from_the_back_row(page)
    press(page, "PageDown")  # a clicker's
    at(page, 4)
    wait_until_idle(page, 4)
    assert "present=1" in page.url
    page.reload()
    presenting(page)
    asks(page)
    at(page, 4)
    tab_stays_inside(page)
    a_key_in_the_bar_switches_the_questions_off_and_on(page)
    nothing_is_cut_off_and_nothing_scrolls(page)
    a_low_window_keeps_words_and_candidates_in_sight(page)
    on_to(page, "classic", 4)
    asks(page)
    press(page, "Escape")
    expect(page.locator(".player")).not_to_have_class(re.compile("presenting"))
    expect(page.locator(".sentence")).to_have_text(re.compile("^Merge l and o"))
    assert "present" not in page.url


# ---- what a lesson asks of the player ----


def no_way_leads_past_the_question(page: Page) -> None:
    held = page.locator(".blocked")
    expect(held).to_be_hidden()
    press(page, "ArrowRight", "ArrowRight", "ArrowRight")
    at(page, 5)
    expect(held).to_have_text("Answer the question to go on.")
    for name in ("Forward", "Last", "Play"):
        page.get_by_role("button", name=name, exact=True).click(force=True)
    press(page, "End", "ArrowRight", " ")
    page.locator(".scrubber").fill("12")
    page.wait_for_timeout(300)
    at(page, 5)
    wait_until_idle(page, 5)
    assert page.locator(".scrubber").input_value() == "5"
    press(page, "ArrowLeft")
    at(page, 4)
    expect(held).to_be_hidden()


def test_no_link_and_no_other_way_leads_past_the_question_of_a_lesson(laptop, url):
    page = laptop
    page.goto(f"{url}/?recording=classic&step=9&until=5")
    at(page, 5)
    wait_until_idle(page, 5)
    press(page, "ArrowLeft", "ArrowLeft")
    at(page, 3)
    wait_until_idle(page, 3)
    no_way_leads_past_the_question(page)


def a_link_with_predictions_asks_first(page: Page) -> None:
    asks(page)
    at(page, 2)
    expect(page.locator("table")).to_be_hidden()
    page.get_by_role("button", name="Predict").click()
    expect(page.locator("table")).to_be_visible()
    assert "predict" not in page.url


def highlights_of_a_lesson_take_no_space(page: Page) -> None:
    expect(page.locator(".marked")).to_have_count(0)
    before = page.locator(".player").evaluate("(root) => root.offsetHeight")
    page.get_by_role("button", name=f"Then {MARK}").click()
    marked = page.locator("tr.marked")
    expect(marked).to_have_count(1)
    expect(marked).to_contain_text("lo")
    expect(marked).to_have_attribute("aria-description", re.compile("^marked"))
    expect(page.locator(".strip .tile.marked").first).to_be_visible()
    assert page.locator(".player").evaluate("(root) => root.offsetHeight") == before


def a_key_in_the_bar_switches_the_questions_off_and_on(page: Page) -> None:
    switch = page.get_by_role("button", name="ask first")
    expect(switch).to_have_text("F ask first: on")
    expect(switch).to_have_attribute("aria-pressed", "true")
    asks(page)
    press(page, "f")  # tells the step that was asked about
    expect(page.locator(".sentence")).to_have_text(re.compile("^Merge"))
    expect(switch).to_have_text("F ask first: off")
    expect(page).to_have_url(re.compile("tell=1"))
    press(page, "ArrowRight", "ArrowRight")  # one press a step
    at(page, 6)
    expect(page.locator(".sentence")).to_have_text(re.compile("^Merge"))
    wait_until_idle(page, 6)
    page.reload()
    presenting(page)
    expect(switch).to_have_text("F ask first: off")
    at(page, 6)
    expect(page.locator(".sentence")).to_have_text(re.compile("^Merge"))
    switch.click()
    expect(switch).to_have_text("F ask first: on")
    expect(page.locator(".sentence")).to_have_text(re.compile("^Merge"))
    expect(page).not_to_have_url(re.compile("tell"))
    press(page, "ArrowRight")
    asks(page)


def test_a_link_asks_highlights_are_marked_and_presented_one_key_asks_and_one_answers(laptop, url):
    page = show(laptop, url, step=2, more=f"&predict=1&then={quote(MARK)}")
    a_link_with_predictions_asks_first(page)
    press(page, "ArrowRight")
    at(page, 3)
    wait_until_idle(page, 3)
    highlights_of_a_lesson_take_no_space(page)
    one_key_asks_and_the_next_one_answers(page)
    it_survives_a_rerun_of_the_page(page)


# ---- of a lattice ----


def an_arc_shows_why_it_lost_by_click_and_by_keyboard(page: Page) -> None:
    why, label = page.locator(".why"), page.locator('.label[aria-label^="ll,"]')
    label.click()
    is_explained(page, re.compile("^ll .* behind at position 4"))
    press(page, "ArrowLeft")
    at(page, 3)
    expect(why).to_be_hidden()
    expect(page.locator(".announcement")).to_contain_text("Step 3.")  # announced when idle
    label.click()
    is_explained(page, "ll Not looked at yet.")
    page.locator(".view").focus()
    expect(why).to_be_hidden()
    press(page, "Tab")
    is_explained(page, re.compile("behind at position 3"))
    first = why.inner_text()
    press(page, "ArrowDown", "ArrowDown")
    expect(why).not_to_have_text(first)
    is_explained(page, why.inner_text())
    press(page, "Escape")


def keys_go_everywhere_in_presenter_view(page: Page) -> None:
    press(page, "p")
    presenting(page)
    at(page, 3)
    press(page, "End", "ArrowLeft")
    at(page, 5)
    page.locator('.label[aria-label^="ll,"]').click()
    is_explained(page, re.compile("^ll .* behind at position 4"))
    press(page, "Escape")
    expect(page.locator(".why")).to_be_hidden()
    presenting(page)
    page.locator(".player").focus()  # the key for playing would choose the arc once more
    press(page, "m")
    expect(page.locator(".player")).to_have_attribute("data-rule", "1")
    expect(page.locator(".by")).to_have_text("M All paths (sum)")
    press(page, "Home", " ")
    at(page, 1)
    asks(page)  # playing waits at a question


def test_arcs_are_marked_show_why_they_lost_and_are_shown_in_presenter_view(laptop, url):
    page = show(laptop, url, "hello", 4, "&spot=hell")
    expect(page.locator(".label.marked")).to_have_count(1)
    expect(page.locator(".label.marked")).to_contain_text("hell")
    press(page, "ArrowRight")
    at(page, 5)
    expect(page.locator(".label.marked")).to_have_count(1)
    press(page, "ArrowLeft")
    at(page, 4)
    an_arc_shows_why_it_lost_by_click_and_by_keyboard(page)
    keys_go_everywhere_in_presenter_view(page)
