"""A teacher draws an exam on the page Teaching, prints it, and hands it out for the screen."""

import re
import zipfile

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect


@pytest.fixture(scope="module")
def url(browser, serve):
    """The app, with a browser at hand."""
    return serve("app.py")


def download(page: Page, name: str, folder) -> str:
    """The path of a file, downloaded with the button of that name."""
    with page.expect_download() as got:
        page.get_by_role("button", name=name).click()
    path = folder / got.value.suggested_filename
    got.value.save_as(path)
    return str(path)


def test_a_teacher_draws_an_exam_for_three_and_hands_it_out(laptop, url, tmp_path):
    page = laptop
    page.goto(f"{url}/teach")
    page.get_by_role("link", name="An exam with its answers").click()
    expect(page.get_by_role("heading", name="An exam", exact=True)).to_be_visible()
    students = page.get_by_label("Students")
    students.fill("3")
    students.press("Enter")
    expect(page.get_by_role("button", name="3 sheets and the answers, to print")).to_be_visible()
    expect(page).to_have_url(re.compile(r"sheet=exam.*students=3"))
    paper = download(page, "3 sheets and the answers, to print", tmp_path)
    archive = download(page, "3 sheets for the screen", tmp_path)
    page.goto(f"file://{paper}")
    expect(page.locator("article.sheet")).to_have_count(7)  # 3 sheets, all answers, 3 keys
    expect(page.locator("article.sheet").first.locator(".task")).to_have_count(6)
    with zipfile.ZipFile(archive) as files:
        assert len(files.namelist()) == 3
        files.extractall(tmp_path)
    page.goto(f"file://{tmp_path}/sheet-02.html")
    expect(page.locator(".stop:visible h2")).to_have_text("Question 1")
    expect(page.locator("nav li")).to_have_count(6)
    if page.locator(".question input[type=radio]").count():
        page.locator(".question input[type=radio]").first.check()
    else:
        page.locator(".question input").first.fill("1")
    page.locator(".question .submit").click()
    expect(page.locator("p.reply")).not_to_be_empty()
