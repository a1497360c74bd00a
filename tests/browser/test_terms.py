"""Terms of the glossary in a real browser: hover, keyboard and finger each show the sentence."""

import re

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from lessons.glossary import GLOSSARY
from pages.bpe.training_frames import record_bpe_training
from pages.shared.export.document.blocks import Document, PlayerBlock
from pages.shared.export.document.document_html import build_document_html
from tests.browser.conftest import until
from tests.browser.test_accessibility import darkened, violations
from tests.browser.test_app import WIDTHS
from tests.browser.test_player import is_explained
from tokenizers import bpe
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus

SAYS = {form.lower(): term.bubble for term in GLOSSARY.values() for form in term.forms}
STOP = "lessons?lesson=unigram-em&stop=3"
INSIDE = """(says) => {
  const box = says.getBoundingClientRect();
  return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
}"""
ON_TOP = """(says) => {
  const box = says.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return says.contains(says.getRootNode().elementFromPoint(x, y));
}"""


@pytest.fixture(scope="module")
def url(browser, serve):
    """The app, with a browser at hand."""
    return serve("app.py")


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    expect(page.locator(".pp-heading")).to_be_visible()
    expect(page.locator(".player .sentence")).not_to_be_empty(timeout=60_000)
    expect(page.locator(".stMain .pp-term").first).to_be_visible()
    return page


def shown(page: Page) -> list[str]:
    return page.locator(".pp-definition:popover-open").all_text_contents()


def test_hover_and_the_keyboard_show_the_sentence_and_escape_hides_it(laptop, url):
    page = opened(laptop, f"{url}/{STOP}")
    term = page.locator(".pp-lesson .pp-term").first
    term.hover()
    says = page.locator(".pp-definition:popover-open")
    expect(says).to_have_text(SAYS[term.inner_text().lower()])
    until(says, INSIDE)
    until(says, ON_TOP)
    says.hover()
    page.wait_for_timeout(400)
    assert len(shown(page)) == 1  # one may move onto the sentence
    page.keyboard.press("Escape")
    expect(says).to_have_count(0)
    term.hover()
    expect(says).to_have_count(1)
    page.mouse.move(5, 5)
    expect(says).to_have_count(0)

    terms = page.locator(".pp-lesson .pp-term")
    terms.first.focus()
    for n in range(min(3, terms.count())):
        term = terms.nth(n)
        expect(term).to_be_focused()
        sentence = SAYS[term.inner_text().lower()]
        expect(says).to_have_text([sentence])
        expect(term).to_have_accessible_description(sentence)
        page.keyboard.press("Tab")
    terms.first.focus()
    page.keyboard.press("Escape")
    expect(says).to_have_count(0)
    page.keyboard.press("Space")  # it opens the sentence, and does not play the picture
    expect(says).to_have_count(1)
    expect(page.locator(".player .at").first).to_have_text("1")
    page.keyboard.press("Escape")
    nothing_serious_while_a_sentence_is_shown(page)


def test_a_finger_shows_it_in_a_lesson_and_in_the_player(browser, url):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = opened(context.new_page(), f"{url}/{STOP}")
    says = page.locator(".pp-definition:popover-open")
    for term in page.locator(".pp-lesson .pp-term").all():
        term.tap()
        expect(says).to_have_text([SAYS[term.inner_text().lower()]])
        until(says, INSIDE)
        page.locator(".pp-stop").tap()  # a tap elsewhere hides it
        expect(says).to_have_count(0)
    until(page, WIDTHS, lambda it: max(it) <= 390)

    stepped(page, f"{url}/{PAIR_STEP}", 4)
    page.locator(".sentence .pp-term").last.tap()
    expect(says).to_have_text(SAYS["pair"])
    until(says, INSIDE)
    page.locator(".sentence").tap(position={"x": 5, "y": 5})
    context.close()


def nothing_serious_while_a_sentence_is_shown(page: Page) -> None:
    """Light, and then in the dark."""
    page.emulate_media(color_scheme="light")
    says = page.locator(".pp-definition:popover-open")
    page.mouse.move(5, 5)
    expect(says).to_have_count(0)
    page.locator(".stMain .pp-term").first.hover()
    expect(says).to_have_count(1)
    assert violations(page) == []
    darkened(page)
    expect(says).to_have_count(1)
    assert violations(page) == []


# ---- in the sentences of the player ----

PAIR_STEP = "bpe_train?step=4"


def stepped(page: Page, address: str, step: int) -> Page:
    page.goto(address)
    expect(page.locator(".player")).to_have_attribute("data-step", str(step), timeout=60_000)
    return page


def test_a_sentence_of_the_player_explains_its_terms_and_they_keep_the_focus(laptop, url):
    """To the mouse, then to the keyboard, which a rerun of the page at rest does not disturb."""
    page = stepped(laptop, f"{url}/{PAIR_STEP}", 4)
    terms = page.locator(".sentence .pp-term")
    expect(terms).to_have_text(["Merge", "pair"], use_inner_text=True)
    height = page.locator(".player").bounding_box()
    terms.last.hover()
    says = page.locator(".pp-definition:popover-open")
    expect(says).to_have_text(SAYS["pair"])
    until(says, INSIDE)
    assert page.locator(".player").bounding_box() == height  # nothing jumps
    said = page.locator(".sentence").inner_text()
    assert SAYS["pair"] not in said
    expect(page.locator(".announcement")).to_have_text(f"Step 4. {said}", use_inner_text=True)
    page.mouse.move(5, 5)
    expect(says).to_have_count(0)

    term = terms.last
    term.focus()
    expect(says).to_have_text(SAYS["pair"])
    expect(term).to_have_accessible_description(SAYS["pair"])
    page.wait_for_timeout(1_000)
    expect(term).to_be_focused()
    page.keyboard.press("Escape")
    expect(says).to_have_count(0)
    page.keyboard.press("Space")  # it opens the sentence, and does not play the picture
    expect(says).to_have_count(1)
    page.wait_for_timeout(300)
    expect(page.locator(".player")).to_have_attribute("data-step", "4")
    assert violations(page) == []
    page.keyboard.press("ArrowRight")
    expect(page.locator(".player")).to_have_attribute("data-step", "5")
    expect(says).to_have_count(0)  # its term is gone
    page.keyboard.press("Home")
    expect(page.locator(".player")).to_have_attribute("data-step", "0")
    nothing_serious_while_a_sentence_is_shown(page)


def test_a_file_that_is_taken_along_explains_its_terms(browser, tmp_path):
    film = record_bpe_training(
        Trace.record(Corpus.from_text("low lower lowest"), bpe.Settings(num_merges=3))
    )
    file = tmp_path / "run.html"
    file.write_text(
        build_document_html(Document("BPE · Train", blocks=(PlayerBlock(film, 1),))),
        encoding="utf-8",
    )
    context = browser.new_context(viewport={"width": 1366, "height": 768}, offline=True)
    page = stepped(context.new_page(), file.as_uri(), 1)
    page.locator(".sentence .pp-term").first.hover()
    expect(page.locator(".pp-definition:popover-open")).to_have_text(SAYS["merge"])
    page.locator("tbody tr").nth(1).click()
    is_explained(page, re.compile("^As frequent as the chosen pair"))
    page.locator(".why .pp-term").click()
    expect(page.locator(".pp-definition:popover-open")).to_have_text(SAYS["pair"])
    until(page.locator(".pp-definition:popover-open"), ON_TOP)
    context.close()
