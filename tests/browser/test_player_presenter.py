"""The player in a real browser: presenter view, what a lesson asks of it, and "why not?"."""

import re

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from tests.browser.test_player import APP, at, press, rests, show

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
    expect(page.locator(".say")).to_have_text(re.compile(r"\?$"))


# ---- presenter view ----


def test_one_key_asks_and_the_next_one_answers(laptop, url):
    page = show(laptop, url, step=3)
    press(page, "p")
    presenting(page)
    asks(page)
    expect(page.locator("table")).to_be_hidden()
    expect(page.locator(".strip .new")).to_have_count(0)
    expect(page.locator(".bar")).to_be_hidden()
    press(page, "ArrowRight")
    expect(page.locator(".say")).to_have_text(re.compile("^Merge est and </w>"))
    expect(page.locator(".verdict")).to_be_hidden()
    expect(page.locator("table")).to_be_visible()
    press(page, "ArrowRight")
    asks(page)
    at(page, 4)
    press(page, "ArrowLeft")
    expect(page.locator(".say")).to_have_text(re.compile("^Merge est and </w>"))
    press(page, "p")
    expect(page.locator(".bar")).to_be_visible()
    rests(page, 3)


def test_a_link_opens_it_and_escape_leaves_it(laptop, url):
    page = show(laptop, url, step=3, more="&present=1")
    presenting(page)
    asks(page)
    press(page, "ArrowRight", "PageDown")  # the second is a clicker's
    at(page, 4)
    rests(page, 4)
    assert "present=1" in page.url
    page.reload()
    presenting(page)
    asks(page)
    at(page, 4)
    press(page, "Escape")
    expect(page.locator(".player")).not_to_have_class(re.compile("presenting"))
    expect(page.locator(".say")).to_have_text(re.compile("^Merge l and o"))
    assert "present" not in page.url


def test_it_survives_a_rerun_of_the_page(laptop, url):
    page = show(laptop, url, step=3)
    page.get_by_role("button", name="Presenter view").click()
    presenting(page)
    before = page.get_by_text(re.compile(r"run \d+")).inner_text()
    page.get_by_role("button", name="Run again").evaluate("(button) => button.click()")
    expect(page.get_by_text(before)).to_have_count(0)
    presenting(page)
    asks(page)
    press(page, "ArrowRight")
    at(page, 3)


def test_keys_go_everywhere_in_it(laptop, url):
    page = show(laptop, url, "hello", 2, "&present=1")
    press(page, "End")
    at(page, 6)
    press(page, "m")
    expect(page.locator(".player")).to_have_attribute("data-rule", "1")
    expect(page.locator(".by")).to_have_text("M All paths (sum)")
    press(page, "Home", " ")
    at(page, 1)
    asks(page)  # playing waits at a question


@pytest.mark.parametrize("film", ["classic", "rich", "long", "hello", "twelve", "sixty", "arabic"])
@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080)])
def test_nothing_is_cut_off_and_nothing_scrolls(laptop, url, film, size):
    laptop.set_viewport_size({"width": size[0], "height": size[1]})
    page = show(laptop, url, film, 5, "&present=1")
    presenting(page)
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "End"):
        page.wait_for_timeout(150)
        assert page.locator(".player").evaluate(FITS), key
        press(page, key)


def test_it_can_be_read_from_the_back_row(projector, url):
    page = show(projector, url, step=3, more="&present=1")
    press(page, "ArrowRight")
    size = "(node) => parseFloat(getComputedStyle(node).fontSize)"
    rem = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
    assert page.locator(".say").evaluate(size) >= 2.2 * rem
    assert page.locator(".strip .tile").first.evaluate(size) >= 1.5 * rem


def test_a_key_turns_it_dark_and_light_again(projector, url):
    page = show(projector, url, step=3, more="&present=1")
    ground = "(node) => getComputedStyle(node).backgroundColor"
    tint = page.locator(".strip .tile").first
    before, light = page.locator(".player").evaluate(ground), tint.evaluate(ground)
    press(page, "t")
    assert page.locator(".player").evaluate(ground) == "rgb(21, 22, 26)" != before
    assert tint.evaluate(ground) != light
    press(page, "t")
    assert page.locator(".player").evaluate(ground) == before
    assert tint.evaluate(ground) == light


def test_tab_stays_inside(laptop, url):
    page = show(laptop, url, step=3, more="&present=1")
    inside = "() => document.activeElement.shadowRoot?.activeElement?.closest('.player') != null"
    for _ in range(12):
        press(page, "Tab")
        assert page.evaluate(inside)


# ---- what a lesson asks of the player ----


def test_no_way_leads_past_the_question_of_a_lesson(laptop, url):
    page = show(laptop, url, step=3, more="&until=5")
    held = page.locator(".held")
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
    rests(page, 5)
    assert page.locator(".scrubber").input_value() == "5"
    press(page, "ArrowLeft")
    at(page, 4)
    expect(held).to_be_hidden()


def test_a_link_past_the_question_ends_at_it(laptop, url):
    laptop.goto(f"{url}/?film=classic&step=9&until=5")
    at(laptop, 5)
    rests(laptop, 5)


def test_what_a_lesson_speaks_of_is_marked(laptop, url):
    page = show(laptop, url, step=3, more="&spot=l&spot=o&spot=lo")
    marked = page.locator("tr.marked")
    expect(marked).to_have_count(1)
    expect(marked).to_contain_text("lo")
    expect(marked).to_have_attribute("aria-description", re.compile("^marked"))
    before = page.locator(".player").evaluate("(root) => root.offsetHeight")
    expect(page.locator(".strip .tile.marked").first).to_be_visible()
    show(page, url, step=3)
    expect(page.locator(".marked")).to_have_count(0)
    assert page.locator(".player").evaluate("(root) => root.offsetHeight") == before


def test_arcs_are_marked_too(laptop, url):
    page = show(laptop, url, "hello", 4, "&spot=hell")
    expect(page.locator(".label.marked")).to_have_count(1)
    expect(page.locator(".label.marked")).to_contain_text("hell")
    press(page, "ArrowRight")
    at(page, 5)
    expect(page.locator(".label.marked")).to_have_count(1)


# ---- why not? ----


def test_an_arc_says_why_it_lost_by_click_and_by_keyboard(laptop, url):
    page = show(laptop, url, "hello", 4)
    why = page.locator(".lattice .why")
    page.locator('.label[aria-label^="ll,"]').click()
    expect(why).to_have_text(re.compile("^ll .* behind at position 4"))
    press(page, "ArrowLeft")
    at(page, 3)
    expect(why).to_have_text("ll Not looked at yet.")
    expect(page.locator(".heard")).to_contain_text("Step 3.")  # said when it rests
    page.locator(".view").focus()
    press(page, "Tab")
    expect(why).not_to_have_text(re.compile("^Choose"))
    first = why.inner_text()
    press(page, "ArrowDown", "ArrowDown")
    expect(why).not_to_have_text(first)
    expect(page.locator(".heard")).to_have_text(why.inner_text())


def test_a_token_in_a_word_says_why_it_and_the_next_one_are_not_merged(laptop, url):
    page = show(laptop, url, step=3)
    why = page.locator(".table .why")
    newest = page.locator(".strip").nth(2).locator(".tile")
    newest.filter(has_text="n").first.click()
    expect(why).to_have_text("ne: It was seen 6 times, 3 fewer.")
    expect(page.locator("tr.asked")).to_contain_text("ne")
    newest.filter(has_text="w").first.click()
    expect(why).to_have_text("west</w>: a pair only from the next step on.")
    expect(page.locator("tr.asked")).to_have_count(0)


def test_a_reason_is_not_given_while_it_is_asked_for(laptop, url):
    page = show(laptop, url, "hello", 3)
    page.locator('.label[aria-label^="ll,"]').click()
    page.get_by_role("button", name="Predict").click()
    expect(page.locator(".say")).to_have_text("Which piece wins at position 4?")
    page.locator('.label[aria-label^="ll,"]').click()
    expect(page.locator(".lattice .why")).not_to_have_text(re.compile("behind"))


def test_an_unknown_character_is_no_piece_to_the_eye_and_the_ear(laptop, url):
    page = show(laptop, url, "unknown", 2)
    label = page.locator(".label.unknown")
    expect(label).to_have_attribute("aria-label", re.compile("^ß, an unknown character, from 1"))
    dashes = "(line) => getComputedStyle(line).strokeDasharray"
    assert page.locator("g .arc.unknown").evaluate(dashes) != "none"
    expect(page.locator(".legend")).to_contain_text("a character that is no piece")


def test_a_link_with_a_prediction_asks_before_it_tells(laptop, url):
    page = show(laptop, url, step=2, more="&predict=1")
    asks(page)
    at(page, 2)
    expect(page.locator("table")).to_be_hidden()
    page.get_by_role("button", name="Predict").click()
    expect(page.locator("table")).to_be_visible()
    assert "predict" not in page.url
