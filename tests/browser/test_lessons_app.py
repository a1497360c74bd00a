"""Lessons in a real browser: a whole lesson by keyboard alone, progress that survives, a phone."""

import re

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import until
from tests.browser.test_app import WIDTHS, in_address, opens_first, settled

HAND = "lesson=bpe-by-hand"
FOCUS = """() => {
  let here = document.activeElement;
  while (here?.shadowRoot?.activeElement) here = here.shadowRoot.activeElement;
  return here?.getAttribute("aria-label") ?? here?.textContent ?? "";
}"""

IS_AT = """(selector) => {
  let here = document.activeElement;
  while (here?.shadowRoot?.activeElement) here = here.shadowRoot.activeElement;
  return here?.matches(selector) ?? false;
}"""
BROKEN = """(player) => [...player.shadowRoot.querySelectorAll(".strip .tile, td .tile")]
  .filter((tile) => tile.getBoundingClientRect().height > 40).map((tile) => tile.textContent)"""
CUT_OFF = """(player) => [...player.shadowRoot.querySelectorAll(".part.table")]
  .filter((table) => table.scrollWidth > table.clientWidth).length"""


@pytest.fixture(scope="module")
def url(browser, serve):
    """The page, with a browser at hand."""
    return f"{serve('app.py')}/lessons"


def show(page: Page, url: str) -> Page:
    """Open a lesson, and wait for its picture."""
    page.goto(url)
    expect(page.locator(".player .sentence")).not_to_be_empty(timeout=60_000)
    expect(page.locator("nav .on")).to_be_visible()
    return page


def show_question(page: Page, url: str) -> Page:
    """Open a lesson at a stop that asks, and wait for the question too: it comes after the bar."""
    show(page, url)
    expect(page.locator(".question legend")).to_be_visible()
    return page


def said(page: Page) -> Locator:
    return page.locator("p.reply")


def options(page: Page) -> list[str]:
    """What can be chosen, in the order in which it is shown."""
    return page.locator(".question .options span").all_text_contents()


def choose(page: Page, said: str) -> None:
    """Choose an option, once the stop's question is there: the bar moves before it."""
    expect(page.locator(".question .options span", has_text=said).first).to_be_visible()
    page.locator(".question .options input").nth(options(page).index(said)).check()


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def stop(page: Page, heading: str) -> None:
    """Wait until the stop of that heading is shown, and the bar knows of it."""
    expect(page.locator(".pp-stop")).to_have_text([heading], timeout=30_000)  # one, at last
    if "The end" not in heading:
        current = page.locator("nav [aria-current=step]")
        expect(current).to_have_attribute("aria-label", re.compile(re.escape(heading)))


def tab_to(page: Page, name: str) -> None:
    """Go on with Tab until something of that name has the focus."""
    for _ in range(60):
        if name in page.evaluate(FOCUS):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no way to {name!r} by keyboard")


def tab_into(page: Page, selector: str) -> None:
    """Go on with Tab until what has the focus is one of these."""
    for _ in range(60):
        if page.evaluate(IS_AT, selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no way to {selector!r} by keyboard")


def test_a_whole_lesson_by_keyboard_alone(laptop, url):
    page = show(laptop, f"{url}?{HAND}")
    tab_to(page, "Next →")
    press(page, "Enter")
    stop(page, "The most frequent pair is merged")
    until(page, f"({FOCUS})() === 'Next →'")
    tab_into(page, ".question input")
    right = "It occurs more often than any other pair."
    press(page, *["ArrowDown"] * options(page).index(right))
    press(page, "Space", "Enter")
    expect(said(page)).to_contain_text("Right.")
    press(page, "Tab", "Enter")
    stop(page, "Count again")
    expect(page.locator(".question input")).to_have_count(1)  # the question before had four
    tab_into(page, ".question input")
    page.keyboard.type("2")
    press(page, "Enter")
    expect(said(page)).to_contain_text("each of them counts as often as it occurs")
    page.keyboard.press("Control+A")
    page.keyboard.type("15")
    press(page, "Enter")
    expect(said(page)).to_contain_text("Right.")
    press(page, "Tab", "Enter")  # the focus is on what was said; behind it: go on
    stop(page, "What is merged next?")
    in_address(page, "marks=o12o-------")
    answers = {
        "What is merged next?": ["a g"],
        "The third merge": ["c at"],
        "Three merges make a tokenizer": None,
        "A new word": "b ag s",
        "What cannot be spelled": ["[UNK] at"],
        "A tie": ["cat s"],
        "Tie rules are conventions": "t ag s",
    }
    for heading, answer in answers.items():
        stop(page, heading)
        expect(page.locator(".question .submit")).to_be_visible()
        if answer is None:  # the three begin in another order
            tab_to(page, "Move tag down")
            press(page, "Enter")
        tab_into(page, ".question input" if answer is not None else ".question .submit")
        if isinstance(answer, list):
            press(page, *["ArrowDown"] * options(page).index(answer[0]))
            press(page, "Space")
        elif answer:
            page.keyboard.type(answer)
        press(page, "Enter")
        expect(said(page)).to_contain_text("Right.")
        press(page, "Tab", "Enter")
    stop(page, "Until no pair is left")
    tab_to(page, "Finish →")
    press(page, "Enter")
    stop(page, "The end of the lesson")
    expect(page.get_by_text("9 of 9 questions")).to_be_visible()
    in_address(page, "marks=o121111111o")


def test_an_open_question_keeps_the_picture_back_and_its_answer_outlives_a_reload(laptop, url):
    page = show_question(laptop, f"{url}?{HAND}&stop=4")
    player = page.locator(".player")
    expect(player).to_have_attribute("data-step", "1")
    player.locator(".sentence").click()
    press(page, "ArrowRight", "ArrowRight", "End")
    expect(player).to_have_attribute("data-step", "1")
    choose(page, "a g")
    page.locator(".question .submit").click()
    expect(said(page)).to_contain_text("Right.")
    expect(player).to_have_attribute("data-step", "2")
    player.locator(".sentence").click()
    press(page, "ArrowRight")
    expect(player).to_have_attribute("data-step", "3")
    page.get_by_role("button", name="Back to this stop").click()
    expect(player).to_have_attribute("data-step", "1")

    in_address(page, "marks=---1-------")
    page.reload()
    expect(page.locator("nav [aria-current=step]")).to_contain_text("✓", timeout=30_000)
    page.goto(url)
    expect(page.get_by_text("1 of 11 stops, 1 of 9 questions right")).to_be_visible(timeout=30_000)


QUESTION = """() => [...document.querySelectorAll("*")].map((one) => one.shadowRoot)
  .find((root) => root?.querySelector("form.question"))"""
ANSWER = f"""(said) => {{
  const root = ({QUESTION})();
  const texts = [...root.querySelectorAll(".options span")].map((one) => one.textContent);
  root.querySelectorAll(".options input")[texts.indexOf(said)].click();
  root.querySelector(".submit").click();
  return root.querySelector("form.question").textContent;
}}"""


def test_the_answer_is_not_on_the_screen_before_and_its_reply_needs_no_server(laptop, url):
    page = show_question(laptop, f"{url}?{HAND}&stop=4")
    in_address(page, "marks=---o-------")  # the server has heard of the stop
    reason = "it occurs 16 times, more than any other."
    assert reason not in page.evaluate("document.body.innerText")
    assert reason not in page.evaluate(f"({QUESTION})().textContent")
    page.evaluate("() => (WebSocket.prototype.send = () => {})")  # what is sent is lost
    choose(page, "a g")
    page.locator(".question .submit").click()
    expect(said(page)).to_contain_text(reason)
    expect(page.locator("nav [aria-current=step]")).to_contain_text("✓")
    assert "marks=---o" in page.url


def test_two_tries_and_the_way_on_at_once_are_all_kept(laptop, url):
    page = show_question(laptop, f"{url}?{HAND}&stop=4")
    page.evaluate(ANSWER, "at s")
    page.evaluate(ANSWER, "a g")
    page.evaluate(f"({QUESTION})().querySelector('.go').click()")
    stop(page, "The third merge")
    in_address(page, "marks=---2o------")
    expect(page.locator("#class .my-count").first).to_have_text("1 answer")


def test_an_answer_given_right_before_the_page_is_left_is_kept(laptop, url):
    laptop.goto(url.replace("/lessons", "/health"))
    laptop.evaluate("localStorage.clear()")  # of the lessons of other tests
    page = show_question(laptop, f"{url}?{HAND}&stop=4")
    in_address(page, "marks=---o-------")
    # What the bar reports is lost, as when the page is left meanwhile.
    page.evaluate("Object.values(lessonEngines).forEach((one) => delete one.listeners.server)")
    choose(page, "a g")
    page.locator(".question .submit").click()
    expect(said(page)).to_contain_text("Right.")
    page.get_by_role("link", name="Pipeline").click()
    expect(page.locator("h1", has_text="Pipeline")).to_be_visible()
    page.get_by_role("link", name="Lessons").click()
    stop(page, "What is merged next?")
    in_address(page, "marks=---1-------")
    expect(said(page)).to_contain_text("Right.")


def test_no_tile_breaks_no_table_is_cut_off_and_in_presenter_view_no_tile_is_too_narrow(
    laptop, url
):
    no_tile_breaks_or_is_too_narrow(show(laptop, f"{url}?lesson=unigram-all-paths&stop=4"))


def no_tile_breaks_or_is_too_narrow(page: Page) -> None:
    """At stop 4 of a lesson on a laptop, and at stop 10 on a projector, presented."""
    player = page.locator("[data-testid=stBidiComponentIsolated]")
    player = player.filter(has=page.locator(".player")).first
    expect(player.locator("td .tile").first).to_be_visible()
    until(player, BROKEN, lambda it: it == [])
    until(player, CUT_OFF, lambda it: it == 0)

    page.set_viewport_size({"width": 1920, "height": 1080})
    page.get_by_role("button", name=re.compile("^Stop 10:")).click()
    expect(page.locator("nav [aria-current=step]")).to_contain_text("10")
    settled(page)
    expect(page.locator(".question legend")).to_be_visible()
    page.locator(".player .sentence").click()
    press(page, "p")
    expect(page.locator(".player.presenting .lesson-question .question legend")).to_be_visible()
    narrow = """(player) => [...player.querySelectorAll("td .tile")]
        .filter((tile) => tile.checkVisibility() && tile.scrollWidth > tile.clientWidth + 1)
        .map((tile) => tile.textContent)"""
    until(page.locator(".player.presenting"), narrow, lambda it: it == [])


def test_a_table_that_tells_the_answer_is_hidden_until_then_presented_too_and_then_whole(
    laptop, url
):
    page = show(laptop, f"{url}?lesson=wordpiece-score&stop=3")
    player = page.locator(".player")
    expect(player.locator(".part.table").first).to_be_hidden()
    expect(player.locator(".mask-note")).to_contain_text(
        "Hidden until you have answered: the table."
    )
    player.locator(".strip .tile").first.click()  # would explain the pair
    expect(player.locator(".announcement")).not_to_contain_text("score")

    page.set_viewport_size({"width": 1920, "height": 1080})
    player.locator(".sentence").click()
    press(page, "p")
    asked = page.locator(".player.presenting .lesson-question .question legend")
    expect(asked).to_have_text("Which pair is merged next?")
    expect(page.locator(".player.presenting .part.table").first).to_be_hidden()
    press(page, "ArrowRight")
    expect(player).to_have_attribute("data-step", "0")
    press(page, "p")
    expect(page.locator(".player.presenting")).to_have_count(0)

    choose(page, "s ##u")
    page.locator(".question .submit").click()
    expect(said(page)).to_contain_text("Right.")
    expect(player.locator(".part.table").first).to_be_visible()
    expect(player.locator(".mask-note")).to_be_empty()

    page.set_viewport_size({"width": 1366, "height": 768})
    page.get_by_role("button", name=re.compile("^Stop 4:")).click()
    expect(page.locator("nav [aria-current=step]")).to_contain_text("4")
    settled(page)
    no_tile_breaks_or_is_too_narrow(page)


def test_a_sentence_that_tells_the_answer_is_hidden_until_then(laptop, url):
    page = show(laptop, f"{url}?lesson=unigram-many-ways&stop=1")
    player = page.locator(".player")
    player.locator(".sentence").click()
    press(page, "Home")
    expect(player).to_have_attribute("data-step", "0")
    expect(player.locator(".sentence")).to_contain_text("Hidden until you have answered")
    expect(player.locator(".announcement")).not_to_contain_text("ways")
    page.locator(".question input").fill("3")
    page.locator(".question .submit").click()
    expect(said(page)).to_contain_text("Right.")
    expect(player.locator(".sentence")).not_to_contain_text("Hidden")


def test_a_lesson_is_played_in_presenter_view_without_leaving_it(projector, url):
    page = show(projector, f"{url}?{HAND}&stop=1&present=1")
    presenting = page.locator(".player.presenting")
    current = presenting.locator("nav [aria-current=step]")
    expect(presenting.get_by_role("button", name="Next →")).to_be_visible()
    expect(presenting.locator(".question .submit")).to_have_count(0)  # the stop has none
    press(page, "ArrowRight")
    expect(presenting).to_have_attribute("data-step", "1")
    expect(presenting.locator(".sentence")).to_contain_text("Merge")
    for stop in "234":
        presenting.get_by_role("button", name="Next →").click()
        expect(current).to_contain_text(stop)
        expect(presenting.locator(".question .submit")).to_be_visible()

    expect(presenting.locator(".lesson-question .question .options input")).not_to_have_count(0)
    expect(presenting.locator(".options .option")).to_have_count(0)  # the player asks nothing
    choose(page, "a g")
    page.keyboard.press("PageDown")  # a clicker does not stop at what was chosen
    page.locator(".question .submit").click()
    expect(said(page)).to_contain_text("Right.")
    expect(presenting).to_have_attribute("data-step", "2")
    press(page, "ArrowRight")
    expect(presenting).to_have_attribute("data-step", "3")
    presenting.get_by_role("button", name="Go on →").click()
    expect(page.locator(".pp-stop")).to_have_text(["The third merge"], timeout=30_000)
    expect(current).to_contain_text("5")
    expect(presenting.locator(".question .submit")).to_be_visible()

    presenting.get_by_role("button", name="Stop 1", exact=False).first.click()
    expect(current).to_contain_text("1")
    expect(presenting.locator(".lesson-question")).to_be_hidden()
    presenting.get_by_role("button", name="Stop 5").click()
    expect(current).to_contain_text("5")
    expect(presenting.locator(".question .submit")).to_be_visible()
    press(page, "Escape")
    expect(presenting).to_have_count(0)
    expect(page.locator(".question .submit")).to_be_visible()
    expect(page.get_by_role("button", name="Next →")).to_be_visible()


def test_a_lesson_from_the_end_of_the_list_begins_at_its_top(laptop, url):
    page = opens_first(laptop, url, "Lessons")
    expect(page.get_by_role("button", name="Start here: Why not words?")).to_be_visible()
    paths = page.locator(".st-key-paths")
    until(paths, "(one) => one.offsetHeight", lambda it: it < 1000)  # the other paths are folded
    paths.get_by_text("Real tokenizers").click()
    last = page.get_by_role("button", name="10. Train one yourself")
    expect(last).to_be_visible()
    for title in page.locator("[class*='st-key-open-'] button p").locator("visible=true").all():
        until(title, "(one) => one.scrollWidth <= one.clientWidth + 1", of=title.inner_text())
    last.click()
    expect(page.locator(".pp-stop")).to_be_visible()
    expect(page.locator(".question legend")).to_be_visible()  # as high as it will be
    until(page, "document.querySelector('.stMain').scrollTop", lambda it: it == 0)


def test_a_lesson_of_ones_own_stays_in_the_browser(laptop, new_server):
    with new_server("app.py") as url:
        own_lesson_stays(opens_first(laptop, f"{url}/lessons", "Lessons"))


def own_lesson_stays(page: Page) -> None:
    page.get_by_role("textbox", name="or its text").fill("hello")
    page.get_by_role("button", name="Run this lesson").click()
    expect(page.get_by_text("Line 1: A lesson begins with")).to_be_visible(timeout=30_000)
    lesson = '+++\ntitle = "Mine"\npurpose = "A test."\n[picture.run]\nshows = "bpe_train"\n'
    lesson += (
        'counts = { low = 2 }\n+++\n## Only stop\n\n<img src=x onerror="window.hit=1"> {words}'
    )
    settled(page)  # for a moment the box is there twice, as it was and as it will be
    page.get_by_role("textbox", name="or its text").fill(lesson)
    page.get_by_role("button", name="Run this lesson").click()
    stop(page, "Only stop")
    in_address(page, "lesson=own")
    until(page, "localStorage.getItem('piece-by-piece:lessons')?.includes('Mine')")
    page.reload()
    stop(page, "Only stop")
    assert page.evaluate("window.hit") is None


def test_a_phone_has_the_picture_under_the_text_and_a_keyboard_puts_things_in_order(phone, url):
    page = show(phone, f"{url}?{HAND}&stop=6")
    text, picture = (page.locator(one).bounding_box() for one in (".pp-stop", ".player"))
    assert text
    assert picture
    assert text["y"] < picture["y"]
    until(page, WIDTHS, lambda it: max(it) <= 390)

    page.set_viewport_size({"width": 1366, "height": 768})
    page.get_by_role("button", name=re.compile("Move tag up")).focus()
    press(page, "Enter", "Enter")
    expect(page.locator(".order li").first).to_contain_text("tag")
    page.locator(".question .submit").focus()
    press(page, "Enter")
    expect(said(page)).to_contain_text("comes before")
