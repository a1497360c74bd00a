"""The code next to the picture, and what if, in a browser, as used in class."""

import re

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import until


@pytest.fixture(scope="module")
def url(browser, serve):
    """The app, with a browser at hand."""
    return serve("app.py")


def show(page: Page, address: str) -> Page:
    page.goto(address)
    expect(page.locator(".player")).to_have_attribute("data-step", re.compile(r"\d"))
    return page


def line_value(page: Page, begin: str) -> Locator:
    return page.locator("ol.lines li", has_text=begin).locator(".made")


def at(page: Page, step: int) -> None:
    expect(page.locator(".player")).to_have_attribute("data-step", str(step))


def test_the_code_steps_line_by_line_stands_in_the_address_and_answers_no_question(laptop, url):
    page = show(laptop, f"{url}/bpe_train?corpus=b2&step=3")
    expect(page.locator("ol.lines")).to_be_hidden()
    page.keyboard.press("d")
    expect(page.locator("ol.lines")).to_be_visible()
    expect(page).to_have_url(re.compile("lines=1"))
    expect(page.locator("ol.lines .lit code")).to_have_text("yield pair, best, tied, splits")
    expect(line_value(page, "best = max")).to_have_text("→ 9")
    expect(line_value(page, "splits = [merge")).to_have_text("→ 77 → 68 tokens")
    box = page.locator("ol.lines").bounding_box()
    assert box
    page.keyboard.press("l")
    at(page, 4)
    expect(page.locator("ol.lines .lit code")).to_have_text(re.compile("while worths"))
    expect(line_value(page, "best = max")).to_have_text("")
    page.get_by_role("button", name="next line").click()
    expect(page.locator("ol.lines .lit code")).to_have_text(re.compile("best = max"))
    expect(line_value(page, "best = max")).to_have_text("→ 7")
    after = page.locator("ol.lines").bounding_box()
    assert after
    assert (after["y"], after["height"]) == (box["y"], box["height"]), "no line jumps"

    page.keyboard.press("ArrowLeft")
    at(page, 3)
    expect(page).to_have_url(re.compile("step=3"))
    show(page, f"{page.url}&predict=1")
    expect(page.locator("ol.lines")).to_be_visible()
    at(page, 3)
    expect(page.locator(".option").first).to_be_visible()
    expect(page.locator("ol.lines .lit code")).to_have_text(re.compile("while worths"))
    assert set(page.locator("ol.lines .made").all_inner_texts()) == {""}


def test_a_lesson_shows_no_code(laptop, url):
    page = show(laptop, f"{url}/lessons?lesson=bpe-by-hand&stop=2&lines=1")
    expect(page.locator(".codes")).to_be_hidden()
    expect(page.locator("ol.lines")).to_be_hidden()
    page.keyboard.press("d")
    expect(page.locator("ol.lines")).to_be_hidden()


@pytest.mark.parametrize(
    ("path", "line"),
    [("wordpiece_train?step=1", "yield pair"), ("unigram_train?step=2", 'yield "E step"')],
)
def test_a_projector_shows_the_code_on_one_screen(projector, url, path, line):
    page = show(projector, f"{url}/{path}&lines=1&present=1")
    page.keyboard.press("ArrowRight")  # an answer, where there is a question
    expect(page.locator("ol.lines .lit code")).to_have_text(re.compile(f"{line}|while|yield"))
    expect(page.locator("ol.lines")).to_be_visible()
    box = page.locator("ol.lines").bounding_box()
    assert box
    assert box["y"] + box["height"] <= 1080
    assert box["x"] + box["width"] <= 1920
    expect(page.locator(".podium .line")).to_be_visible()


def test_both_runs_go_by_the_same_keys_and_the_link_is_all_of_it(laptop, url):
    page = show(laptop, f"{url}/bpe_train?corpus=b2&if=count&if_word=lower&if_count=20&step=1")
    expect(page.locator(".sentence .tie")).to_have_text("The first difference. ")
    captions = page.locator(".part caption")
    expect(captions).to_have_text([re.compile("^As it is"), re.compile("^With the change")])
    page.keyboard.press("ArrowRight")
    at(page, 2)
    now = page.locator("tr.now td:first-child .tokens")
    expect(now).to_have_text(["est", "lo"])
    expect(page.locator(".strip .count").filter(has_text="≠")).not_to_have_count(0)
    expect(page).to_have_url(re.compile("step=2"))
    page.keyboard.press("p")
    expect(page.locator(".player.presenting")).to_be_visible()
    page.keyboard.press("ArrowRight")
    at(page, 3)
    expect(page.locator(".part.table")).to_have_count(2)
    left, right = (table.bounding_box() for table in page.locator(".part.table").all())
    assert left
    assert right
    assert left["x"] + left["width"] <= right["x"] + 1
    assert right["x"] + right["width"] <= 1366


def test_predict_mode_a_wrong_answer_shows_the_count_of_my_pair_and_what_if(laptop, url):
    page = show(laptop, f"{url}/bpe_train?corpus=b2&merges=5&step=2")
    page.get_by_role("button", name="Predict").click()
    expect(page.locator(".sentence")).to_contain_text("Which pair is merged next?")
    expect(page.locator(".part.table")).to_be_hidden()
    page.locator(".option", has_text="l").filter(has_text="o").first.click()
    expect(page.locator(".verdict")).to_contain_text(
        "✗ Not this one. You chose lo. 7 < 9: its count is 2 below the chosen pair's."
    )
    page.get_by_role("button", name="Predict").click()

    page.get_by_role("link", name="What if …").click()
    page.get_by_role("combobox", name="What changes").click()
    page.get_by_role("option", name="one tie").click()
    expect(page.locator(".sentence")).to_contain_text("taken at the tie of step 1, merge 1 is")
    expect(page).to_have_url(re.compile("if=branch"))
    expect(page).to_have_url(re.compile("merges=5"))
    page.keyboard.press("Escape")
    page.locator(".leap").click()
    at(page, 1)
    expect(page.locator(".sentence")).to_contain_text("The first difference.")


def test_a_phone_shows_one_run_under_the_other(phone, url):
    page = show(phone, f"{url}/wordpiece_train?if=ties&step=2")
    until(page, "document.documentElement.scrollWidth <= 390")
    expect(page.locator(".part.table")).to_have_count(2)
    left, right = (table.bounding_box() for table in page.locator(".part.table").all())
    assert left
    assert right
    assert right["y"] > left["y"] + left["height"]
