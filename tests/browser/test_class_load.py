"""What there is room for is shown: tables side by side, long pieces, small bars, every row."""

import re

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from pages.shared.recording.merging import MAX_ROWS
from tests.browser.conftest import PATIENCE, until
from tests.browser.test_thumb import (
    predict_moves_nothing,
    the_options_of_a_lattice_are_in_view_with_their_question_and_then_the_answer,
)

BOX = "(node) => node.getBoundingClientRect().toJSON()"
LONG = "lessons?lesson=unigram-three-losses&stop=6"
SMALL = "unigram_train?step=36"
RACE = "race?size=100&step=20&present=1"


@pytest.fixture(scope="module")
def url(browser, serve):
    """The app, with a browser at hand."""
    return serve("app.py")


def drawn(page: Page, address: str) -> Page:
    """Open a page; wait until its player has drawn its step."""
    page.goto(address)
    expect(page.locator(".player[data-step]").first).to_be_visible(timeout=2 * PATIENCE)
    return page


def the_two_tables_of_a_lattice_share_a_row_and_the_last_step_leaves_none_empty(
    page: Page,
) -> None:
    expect(page.locator(".part.table")).to_have_count(2)
    left, right = [one.evaluate(BOX) for one in page.locator(".part.table").all()]
    assert abs(left["top"] - right["top"]) < 2
    assert left["right"] < right["left"]
    assert right["right"] <= 1366
    scrolls = "(node) => node.scrollWidth - node.clientWidth"
    assert [one.evaluate(scrolls) for one in page.locator(".part.table").all()] == [0, 0]

    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".player")).to_have_attribute("data-step", "6")
    table = page.locator(".part.table").first
    expect(table.locator("tbody tr")).to_have_count(2)
    expect(table.locator("tbody tr").first).to_contain_text("hell", use_inner_text=True)
    page.get_by_role("button", name="All paths (sum)").click()
    expect(table.locator("caption")).to_contain_text("share of all segmentations")
    expect(table.locator("tbody tr")).to_have_count(8)


def what_is_left_out_on_a_projector_is_far_from_the_step(page: Page) -> None:
    page.keyboard.press("p")
    expect(page.locator(".player")).to_have_class(re.compile("presenting"))
    shown = page.locator(".part.table").nth(1).locator("tbody tr").locator("visible=true")
    positions = [int(one.split()[0]) for one in shown.all_inner_texts()]
    assert 9 in positions
    assert positions == list(range(positions[0], positions[0] + len(positions)))


def test_a_lattice_has_room_for_its_tables_the_steps_around_and_the_options_of_a_question(
    laptop, url
):
    page = drawn(laptop, f"{url}/unigram_lattice?say=hello&step=4")
    the_two_tables_of_a_lattice_share_a_row_and_the_last_step_leaves_none_empty(page)
    page.get_by_role("button", name="Best path (max)").click()
    split(page, "internationalize", 9)
    what_is_left_out_on_a_projector_is_far_from_the_step(page)
    page.keyboard.press("p")
    expect(page.locator(".player.presenting")).to_have_count(0)
    split(page, "hello", 2)
    the_options_of_a_lattice_are_in_view_with_their_question_and_then_the_answer(page)


def split(page: Page, text: str, step: int) -> None:
    """Have the lattice of another text drawn, and go to a step of it."""
    box = page.get_by_label("Text to split")
    box.fill(text)
    box.press("Enter")
    expect(page.locator(".lattice .letter")).to_have_count(len(text))
    page.locator(".player .sentence").click()
    page.keyboard.press("Home")
    for _ in range(step):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".player")).to_have_attribute("data-step", str(step))


def test_a_table_without_rows_has_no_head(laptop, url):
    page = drawn(laptop, f"{url}/bpe_encode?say=xyz&step=1")
    expect(page.locator(".part.table thead")).to_be_hidden()
    box = page.get_by_label("Text to encode")
    box.fill("lowest")
    box.press("Enter")
    expect(page).to_have_url(re.compile("say=lowest"))
    expect(page.locator(".player .last")).not_to_have_text("0")  # the steps of this text are there
    page.get_by_role("button", name="Forward").click()
    expect(page.locator(".player")).to_have_attribute("data-step", "1")
    expect(page.locator(".part.table thead")).to_be_visible()


def test_a_long_piece_is_whole_where_its_table_has_room(laptop, url):
    page = drawn(laptop, f"{url}/{LONG}")
    tile = page.locator(".part.table tbody .tile", has_text="international").first
    until(tile, "(node) => node.scrollWidth <= node.clientWidth")


def test_the_race_is_whole_on_a_projector(projector, url):
    page = drawn(projector, f"{url}/{RACE}")
    expect(page.locator(".player")).to_have_class(re.compile("presenting"))
    expect(page.locator(".cut")).to_have_count(0)
    strips = page.locator(".strip").locator("visible=true")
    expect(strips).to_have_count(9)
    floor = page.locator(".stage").evaluate(BOX)["bottom"]
    for strip in strips.all():
        until(strip, BOX, lambda it: it["bottom"] <= floor + 1)


def test_a_small_bar_can_be_seen_and_is_small_and_predict_moves_nothing(laptop, url):
    laptop.set_viewport_size({"width": 900, "height": 768})  # the table stands below the picture
    page = drawn(laptop, f"{url}/{SMALL}")
    rows = page.locator(".part.table tbody tr", has_text="≈ 0")
    expect(rows.nth(2)).to_be_attached()
    widths = rows.locator(".measure").evaluate_all("(bars) => bars.map((bar) => bar.clientWidth)")
    assert all(2 <= width <= 6 for width in widths)
    heights = page.locator(".part.table tbody tr").evaluate_all(
        "(rows) => rows.map((row) => row.offsetHeight)"
    )
    assert max(heights) - min(heights) <= 1

    page.locator(".player .scrubber").fill("5")
    expect(page.locator(".player")).to_have_attribute("data-step", "5")
    predict_moves_nothing(page)


COUNTS = """(all) => all.map((one) => Number(one.textContent.replaceAll(",", "")))"""


def pairs_and_rest(page: Page) -> tuple[list[int], int, int]:
    """The counts of the pairs shown; of the others, how many there are and the largest count."""
    expect(page.locator(".part.table tbody tr").first).to_be_visible()
    cells = page.locator(".part.table tbody tr").locator("visible=true").locator("td:nth-child(2)")
    told = page.locator(".part.table .more").inner_text() or page.locator(
        ".part.table"
    ).first.get_attribute("data-cut")
    found = re.fullmatch(r"([\d,]+) more pairs?, count ([\d,]+)(?: or less)?", told or "")
    assert found, told
    rest, most = (int(one.replace(",", "")) for one in found.groups())
    return cells.evaluate_all(COUNTS), rest, most


def test_a_tall_screen_shows_more_pairs_and_a_hall_too_is_told_of_the_rest(laptop, url):
    page = drawn(laptop, f"{url}/bpe_train?corpus=prose&step=5")
    few, few_left, few_most = pairs_and_rest(page)
    page.set_viewport_size({"width": 1920, "height": 1080})
    drawn(page, page.url)
    many, many_left, many_most = pairs_and_rest(page)
    assert 8 <= len(few) < len(many) <= MAX_ROWS
    assert len(few) + few_left == len(many) + many_left
    assert many[: len(few)] == few
    assert few_most == many[len(few)]  # the first that is left out
    assert many_most <= many[-1]
    table = page.locator(".part.table").first
    until(table, BOX, lambda it: it["bottom"] <= 1080)
    height = "(node) => node.offsetHeight"
    before = table.evaluate(height)
    for _ in range(5):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(60)
    assert table.evaluate(height) == before

    for _ in range(6):
        page.keyboard.press("ArrowLeft")
    expect(page.locator(".player")).to_have_attribute("data-step", "4")
    page.keyboard.press("p")
    expect(page.locator(".player")).to_have_class(re.compile("presenting"))
    page.keyboard.press("ArrowRight")  # an answer: it asks first
    expect(page.locator(".part.table[data-cut]")).to_be_visible()
    shown = table.locator("tbody tr:not(.cut) td:nth-child(2)").evaluate_all(COUNTS)
    cut = table.locator("tbody tr.cut td:nth-child(2)").evaluate_all(COUNTS)
    assert f"count {max(cut):,} or less" in (table.get_attribute("data-cut") or "")
    assert max(cut) <= min(shown)
