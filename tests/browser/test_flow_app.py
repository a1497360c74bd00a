"""The picture of the E step in a real browser: keys, a chosen bar, small and large windows."""

import re

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from tests.browser.conftest import until
from tests.browser.test_app import WIDTHS, at, opens_first, press, show
from tests.browser.test_player import RECORD_MOVES, is_explained, moves

CLEAR = "rgba(0, 0, 0, 0)"


@pytest.fixture(scope="module")
def url(browser, serve):
    """The page, with a browser at hand."""
    return f"{serve('app.py')}/unigram_train"


OVERLAPS = """(flow) => {
  const boxes = [...flow.querySelectorAll(".of-word, .arc-row .tile, .of-piece .tile, .times")]
    .map((node) => [node.textContent, node.getBoundingClientRect()])
    .filter(([, box]) => box.width > 0);
  return boxes.flatMap(([one, a], i) => boxes.slice(i + 1)
    .filter(([, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 6)
    .map(([other]) => `${one} ${other}`));
}"""


def bar(page: Page, piece: str):
    """The bar of a piece."""
    return page.locator(".of-piece", has=page.get_by_text(piece, exact=True))


def box_of(element):
    """Return where an element is drawn."""
    box = element.bounding_box()
    assert box
    return box


def test_a_laptop_shows_all_of_the_picture_and_keys_let_the_shares_flow_up_to_a_question(
    laptop, new_server
):
    with new_server("app.py") as url:
        page = opens_first(laptop, f"{url}/unigram_train?step=2", "E step")
        nothing_moves_and_a_bar_shows_its_sum(page)
        press(page, "ArrowLeft")
        at(page, 1)
        the_shares_flow_till_a_question_hides_the_pruning(page)


def nothing_moves_and_a_bar_shows_its_sum(page: Page) -> None:
    at(page, 2)
    flow = page.locator(".part.flow")
    expect(flow).to_have_attribute("data-phase", "expectation")
    page.wait_for_timeout(500)  # what is above has its height
    first = box_of(flow)
    assert first["y"] + first["height"] <= 768  # with the sum, and what is not drawn
    low = [box_of(word)["y"] for word in flow.locator(".of-word").all()]
    assert len(low) > 5
    assert max(low) < 740
    below = box_of(page.locator(".classroom"))["y"]
    page.evaluate(RECORD_MOVES)
    for phase in ("maximization", "expectation", "maximization", "prune"):
        page.wait_for_timeout(300)  # a step that follows at once would not move
        moves(page)
        press(page, "ArrowRight")
        expect(flow).to_have_attribute("data-phase", phase)
        assert abs(box_of(flow)["y"] - first["y"]) <= 1
        assert abs(box_of(page.locator(".classroom"))["y"] - below) <= 1
    assert moves(page) == {"at"}  # it was pruned, and falls
    bar_grows = "(fill) => getComputedStyle(fill).transitionDuration"
    assert flow.locator(".fill").first.evaluate(bar_grows) == "0.25s"

    press(page, "Home")
    at(page, 0)
    assert flow.locator(".fill").first.evaluate(bar_grows) == "0s"  # not in a jump
    press(page, "ArrowRight", "ArrowRight")
    at(page, 2)
    bar(page, "cat").focus()
    press(page, "Enter")
    expect(bar(page, "cat")).to_have_attribute("aria-expanded", "true")
    is_explained(page, "cat 5 × 0.5243 + 3 × 0.1315 = 3.02")
    expect(page.locator(".of-piece.focus")).to_contain_text("cat")
    press(page, "Escape")
    expect(page.locator(".why")).to_be_hidden()
    expect(page.locator(".of-piece.focus")).to_contain_text("hat")
    a_share_opens_the_ways_behind_it(page)


def a_share_opens_the_ways_behind_it(page: Page) -> None:
    share = page.locator(".arc-row", has_text="8 × 0.2163")
    share.focus()
    press(page, "Enter")
    is_explained(page, re.compile("^Ways to split that, with their probabilities"))
    expect(share).to_have_attribute("aria-expanded", "true")
    expect(page.locator(".ways tr")).to_have_count(8)  # seven, and their sum
    expect(page.locator(".ways .lit")).to_have_text(["✓ th at 0.57618", "✓ th a t 0.10311"])
    expect(page.locator(".why")).to_contain_text("Share = ✓ / all = 0.67929 / 3.13981 = 0.2163")
    press(page, "Escape")
    expect(page.locator(".why")).to_be_hidden()


def the_shares_flow_till_a_question_hides_the_pruning(page: Page) -> None:
    flow = page.locator(".part.flow")
    expect(flow).to_have_attribute("data-phase", "seed")
    press(page, "ArrowRight")
    at(page, 2)
    expect(flow).to_have_attribute("data-phase", "expectation")
    expect(bar(page, "hat").locator(".number")).to_have_text("7.7")
    expect(flow.locator(".of-focus")).to_contain_text("8 × 0.36 + 6 × 0.6621 + 4 × 0.2121 = 7.7")
    expect(flow.locator(".likelihood")).to_have_text("−93.61")
    expect(flow.locator(".ribbon:not(.dry)")).to_have_count(12)
    press(page, "ArrowRight")
    expect(flow).to_have_attribute("data-phase", "maximization")
    expect(bar(page, "hat").locator(".divided")).to_have_text("7.7 / 48.73")
    expect(bar(page, "hat").locator(".number")).to_have_text("0.158")
    press(page, "ArrowRight")
    expect(flow.locator(".likelihood")).to_have_text("−78.26")
    press(page, "ArrowRight")
    at(page, 5)
    page.get_by_role("button", name="Predict").click()  # the question appears at once
    expect(page.locator(".option")).not_to_have_count(0)
    expect(page.locator(".option .hinted").first).to_have_text("Q rises by 6.71 nats")
    expect(page.locator(".part.flow")).not_to_be_visible()
    expect(page.locator(".flow .focus")).to_have_count(0)
    expect(page.locator(".of-piece.removed")).to_have_count(0)
    expect(bar(page, "at").locator(".number")).to_have_text("")


def test_a_phone_does_not_scroll_sideways_and_forced_colours_keep_bars_and_flows(phone, url):
    page = show(phone, f"{url}?step=4")
    at(page, 4)
    until(page, WIDTHS, lambda it: max(it) <= 390)
    expect(bar(page, "hat").locator(".number")).to_have_text("12.54")
    expect(page.locator(".of-piece").first).to_be_visible()
    box = box_of(page.locator(".flow .view"))
    for one in page.locator(".of-piece").all():
        inside = box_of(one)
        assert box["x"] <= inside["x"]
        assert inside["x"] + inside["width"] <= box["x"] + box["width"] + 1
        assert inside["height"] >= 24

    page.set_viewport_size({"width": 1366, "height": 768})
    page.emulate_media(forced_colors="active")
    until(page, "matchMedia('(forced-colors: active)').matches")
    ground = "node => getComputedStyle(node).backgroundColor"
    fill = bar(page, "hat").locator(".fill")
    expect(fill).not_to_have_css("background-color", CLEAR)
    assert fill.evaluate(ground) != page.evaluate("getComputedStyle(document.body).backgroundColor")
    ribbon = page.locator(".ribbon.focus").first.evaluate("node => getComputedStyle(node).fill")
    assert ribbon not in ("none", CLEAR)


def test_a_projector_has_all_rows_with_the_code_or_a_note_and_the_picture_alone(laptop, url):
    # Like a phone without full-screen support: the window keeps its size.
    laptop.add_init_script("Element.prototype.requestFullscreen = undefined")
    page = show(laptop, f"{url}?step=2&present=1&lines=1")
    at(page, 2)
    a_small_projector_shows_once_how_many_rows_are_left_out(page)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.wait_for_timeout(500)
    the_code_has_all_rows_of_the_table_next_to_it(page)
    press(page, "d", *["ArrowLeft"] * 2)
    expect(page.locator(".player .lines")).to_be_hidden()
    the_picture_stands_alone_in_large_type(page)


def a_small_projector_shows_once_how_many_rows_are_left_out(page: Page) -> None:
    """At the table, or below the rows that fit into the window."""
    table = page.locator(".part.table")
    for height in (420, 380):
        page.set_viewport_size({"width": 1100, "height": height})
        page.wait_for_timeout(500)
        left_out = 14 - table.locator("tbody tr:visible").count()
        told = [table.get_attribute("data-cut"), *table.locator(".more:visible").all_inner_texts()]
        assert [one for one in told if one] == [f"{left_out} more pieces"]


def the_code_has_all_rows_of_the_table_next_to_it(page: Page) -> None:
    heads, table = page.locator(".player :is(.lines, .left)"), page.locator(".part.table")
    at(page, 2)
    expect(page.locator(".lines li").first).to_be_visible()
    page.wait_for_timeout(500)
    tops = [box_of(one)["y"] for one in heads.all()]
    assert len(tops) == 2
    for step in (2, 3, 4, 5, 6):
        at(page, step)
        page.wait_for_timeout(300)
        if step < 6:  # there a question comes first
            expect(table.locator("tbody tr:visible")).to_have_count(8)
            until(table, "(part) => part.scrollWidth <= part.clientWidth + 1")
            expect(page.locator("[data-cut]")).to_have_count(0)
        assert [box_of(one)["y"] for one in heads.all()] == pytest.approx(tops, abs=2)
        press(page, "ArrowRight")
    expect(table.locator("tbody tr:visible")).to_have_count(8)  # answered: the same position again
    page.wait_for_timeout(300)
    assert [box_of(one)["y"] for one in heads.all()] == pytest.approx(tops, abs=2)


def the_picture_stands_alone_in_large_type(page: Page) -> None:
    at(page, 4)
    expect(page.locator(".part.flow")).to_be_visible()
    expect(page.locator(".part.table")).not_to_be_visible()
    size = page.locator(".flow .number").first.evaluate("node => getComputedStyle(node).fontSize")
    assert float(size.removesuffix("px")) >= 24
    low = box_of(page.locator(".part.flow"))
    assert low["y"] + low["height"] <= 1080


def test_in_a_lesson_long_pieces_do_not_cover_each_other(laptop, url):
    lesson = url.replace("unigram_train", "lessons?lesson=unigram-three-losses&stop=2")
    page = show(laptop, lesson)
    flow = page.locator(".part.flow")
    expect(flow).to_have_attribute("data-phase", "maximization")
    expect(bar(page, "international")).to_be_visible()  # the lesson marks it
    until(flow, OVERLAPS, lambda it: it == [])
