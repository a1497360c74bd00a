"""A teacher prepares a class: the plan, a stop of it in another tab, the note on the lesson."""

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE, until

FITS = """() => {
  const last = document.querySelector('.pp-plan tbody tr:last-child').getBoundingClientRect();
  const wide = document.querySelector('.pp-plan table').getBoundingClientRect();
  return [last.bottom, innerHeight, wide.right, innerWidth];
}"""
SIZES = """() => [...document.querySelectorAll('.pp-plan td')]
  .map((cell) => parseFloat(getComputedStyle(cell).fontSize))"""

BOTTOM = """() =>
  [document.querySelector('.st-key-teach_groups').getBoundingClientRect().bottom, innerHeight]"""


@pytest.fixture(scope="module")
def url(browser, serve):
    """The app, with a browser at hand."""
    return serve("app.py")


def a_plan_is_whole_in_the_window(page: Page, url: str, minutes: str) -> None:
    page.goto(f"{url}/teach?plan={minutes}")
    expect(page.locator(".pp-plan")).to_be_visible(timeout=2 * PATIENCE)
    until(page, FITS, lambda it: it[0] <= it[1] and it[2] <= it[3])


@pytest.mark.parametrize("minutes", ["45", "90"])
def test_a_plan_is_whole_on_a_laptop(laptop, url, minutes):
    a_plan_is_whole_in_the_window(laptop, url, minutes)


@pytest.mark.parametrize("minutes", ["45", "90"])
def test_a_plan_is_whole_on_a_projector_in_larger_type(projector, url, minutes):
    a_plan_is_whole_in_the_window(projector, url, minutes)
    assert min(projector.evaluate(SIZES)) >= 19


def test_a_teacher_opens_the_plan_a_stop_of_it_and_the_note(laptop, url):
    page: Page = laptop
    page.goto(f"{url}/teach")
    page.get_by_role("textbox", name="Your own words").fill("laut lauter")
    page.get_by_role("textbox", name="Your own words").press("Enter")
    page.get_by_role("link", name="45 minutes").click()
    expect(page.get_by_role("heading", name="45 minutes")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("link", name="Start, with your words")).to_have_attribute(
        "href", "./start?text=laut+lauter"
    )
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Stop 3: Count again").click()
    lesson = opened.value
    expect(lesson.get_by_role("heading", name="Count again")).to_be_visible(timeout=2 * PATIENCE)
    lesson.locator(".st-key-for_teachers label").click()
    note = lesson.get_by_role("region", name="For teachers")
    expect(note).to_contain_text("That counts each word once.", timeout=2 * PATIENCE)
    until(lesson, "() => location.search", lambda it: "teacher=1" in it)
    lesson.keyboard.press("q")
    shared = lesson.get_by_text("lesson=bpe-by-hand&stop=3")
    expect(shared.first).to_be_visible()
    assert "teacher" not in (shared.first.text_content() or "")
    lesson.keyboard.press("Escape")
    note.get_by_text("Expected wrong answers at").click()
    expect(note.get_by_role("heading", name="4. What is merged next?")).to_be_visible()
    lesson.locator(".st-key-for_teachers label").click()
    expect(note).to_have_count(0)
    lesson.close()
    page.reload()  # the address has the plan, though a link within the page led to it
    expect(page.get_by_role("heading", name="45 minutes")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="← Teaching").click()
    expect(page.get_by_role("heading", name="Prepare")).to_be_visible(timeout=PATIENCE)


LINKS = {
    "90 minutes": "90 minutes",
    "A note on every lesson": "Notes on every lesson",
    "Aims of a course": "Aims and lessons",
    "An exit ticket": "An exit ticket",
}


@pytest.mark.parametrize(("link", "title"), LINKS.items(), ids=LINKS)
def test_a_sheet_opens_survives_a_reload_and_is_left_by_the_browsers_back(laptop, url, link, title):
    page: Page = laptop
    page.goto(f"{url}/teach")
    page.get_by_role("link", name=link).click()
    there = page.get_by_role("heading", name=title)
    expect(there).to_be_visible(timeout=PATIENCE)
    until(page, "() => location.search", lambda it: "plan=" in it or "sheet=" in it)
    page.reload()
    expect(there).to_be_visible(timeout=PATIENCE)
    page.go_back()
    expect(page.get_by_role("heading", name="Prepare")).to_be_visible(timeout=PATIENCE)
    until(page, "() => location.search", lambda it: "plan=" not in it and "sheet=" not in it)


def test_all_that_a_class_needs_is_in_one_window_of_a_laptop(laptop, url):
    laptop.goto(f"{url}/teach")
    last = laptop.locator(".st-key-teach_groups")
    expect(last).to_be_visible(timeout=PATIENCE)
    expect(last.get_by_role("heading")).to_have_count(8)
    until(laptop, BOTTOM, lambda it: it[0] <= it[1])


@pytest.mark.parametrize("width", [1366, 1024])
def test_the_stops_of_a_lesson_are_in_one_row_beside_or_above_its_actions(laptop, url, width):
    laptop.set_viewport_size({"width": width, "height": 768})
    laptop.goto(f"{url}/lessons?lesson=bpe-by-hand&stop=4")
    expect(laptop.get_by_role("button", name="All lessons")).to_be_visible(timeout=2 * PATIENCE)
    first = laptop.get_by_role("button", name="← Back")
    last = laptop.get_by_role("button", name="Next →")
    expect(last).to_be_visible(timeout=PATIENCE)
    middles = [box["y"] + box["height"] / 2 for one in (first, last) if (box := one.bounding_box())]
    assert max(middles) - min(middles) < 4
