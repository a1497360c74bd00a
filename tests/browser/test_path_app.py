"""A teacher puts a path together; a student opens its address, and Next lesson follows it."""

import re

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def url(browser, serve):
    """The app, with a browser at hand."""
    return serve("app.py")


def test_a_teacher_puts_a_path_together_and_a_student_follows_it(laptop, url, browser):
    page = laptop
    page.goto(f"{url}/teach")
    page.get_by_role("link", name="Put a path together").click()
    add = page.get_by_role("combobox", name="Add a lesson")
    for title in ("The longest match", "Why not words?"):
        add.fill(title)
        page.get_by_role("option", name=title).click()
        expect(page.get_by_text(f". {title}")).to_be_visible()
    stops = page.get_by_label("Stops, of").first
    stops.fill("1, 3")
    stops.press("Enter")
    expect(page).to_have_url(re.compile(r"lessons=wordpiece-longest-match~1\.3(\+|%20)why"))
    title = page.get_by_label("Title")
    title.fill("Until Friday")
    title.press("Enter")
    expect(page.get_by_role("heading", name="Until Friday")).to_be_visible()
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("button", name="Start here: The longest match")).to_be_visible()
    expect(page).to_have_url(re.compile(r"path=own.*title=Until"))
    address = page.url

    student = browser.new_context().new_page()
    student.goto(address)
    expect(student.get_by_role("heading", name="Until Friday")).to_be_visible()
    student.get_by_role("button", name="Start here: The longest match").click()
    expect(student.locator("nav li button")).to_have_count(2)
    student.get_by_role("button", name="Next →").click()
    student.get_by_role("button", name="Finish →").click()
    student.get_by_role("button", name="Next lesson: Why not words?").click()
    expect(student.locator("nav li button")).to_have_count(10)
    student.reload()  # the address keeps the path
    student.get_by_role("button", name="The whole path").click()
    expect(student.get_by_text("0 of 2 lessons done")).to_be_visible()
    student.context.close()
