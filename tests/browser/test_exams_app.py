"""A teacher draws an exam on the page Teaching, prints it, and hands it out for the screen."""

import re
import zipfile

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from lessons.custom_path import path_parts
from lessons.paths import PATHS
from pages.lesson.exam.make_exam import DrawnExam, ExamRequest, make_exam
from pages.lesson.exam.paper import exam_sheets
from pages.shared.export.worksheets.render_html import worksheet_html
from tests.browser.test_worksheet_print import HIGHEST, MARGIN, OUTSIDE, PAPER, STARTS


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


@pytest.mark.parametrize("paper", PAPER)
def test_nothing_of_an_exam_is_cut_on_paper(laptop, tmp_path, paper):
    request = ExamRequest("The algorithms", path_parts(PATHS["algorithms"]), 12, 3, 4)
    drawn = make_exam(lambda done, total: False, request)
    assert isinstance(drawn, DrawnExam)
    file = tmp_path / "exam.html"
    file.write_text(worksheet_html(exam_sheets(drawn.exam)), "utf-8")
    laptop.goto(file.as_uri())
    laptop.emulate_media(media="print")
    wide, high = (
        round((size - margin) / 25.4 * 96)
        for size, margin in zip(PAPER[paper], MARGIN, strict=True)
    )
    laptop.set_viewport_size({"width": wide, "height": high})
    assert laptop.evaluate(OUTSIDE) == 0
    assert laptop.evaluate(HIGHEST) <= high
    assert laptop.evaluate(STARTS) == ["auto", *["page"] * 6]
