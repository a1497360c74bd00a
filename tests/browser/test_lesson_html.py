"""A lesson that is taken along as a file: played from a disk without a network, and in the app."""

import json
import re
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Locator, Page, expect

from lessons import LESSONS, lesson
from lessons.variants import variants
from pages.lesson.export.lesson_html import build_lesson_html
from tests.browser.conftest import until
from tests.browser.test_run_html import serious_dark_and_light
from tests.lessons.test_lessons import facts_of, resolved_stops_of

HAND = "bpe-by-hand"


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> dict[str, Path]:
    """Three lessons: with films, with the stages of a text, with rows of tokens."""
    folder = tmp_path_factory.mktemp("taken")
    found = {}
    for slug in (HAND, "the-pipeline", "no-tokenizer"):
        written = LESSONS[slug].read_text("utf-8")
        found[slug] = folder / f"{slug}.html"
        found[slug].write_text(build_lesson_html(lambda done, total: False, written, slug), "utf-8")
    return found


@pytest.fixture
def offline(browser):
    """A page without a network, the requests that it makes all the same, and what goes wrong."""
    context = browser.new_context(offline=True, viewport={"width": 1366, "height": 768})
    page = context.new_page()
    page.set_default_timeout(30_000)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: requests.append(f"error: {error}"))
    page.on("console", lambda said: requests.append(f"said: {said.text}"))
    yield page, requests
    context.close()


def opened(page: Page, path: Path, more: str = "") -> Page:
    page.goto(path.as_uri() + more)
    expect(page.locator("nav .on")).to_be_visible()
    return page


def heading(page: Page) -> Locator:
    return page.locator(".stop:visible h2")


def player_at(page: Page, step: int) -> None:
    expect(page.locator(".player")).to_have_attribute("data-step", str(step))


def write(page: Page, answer: str) -> None:
    page.locator(".question input").fill(answer)
    page.locator(".question .submit").click()


def test_it_is_played_and_presented_without_a_request_and_keeps_the_progress(offline, files):
    page, requests = offline
    opened(page, files[HAND])
    expect(heading(page)).to_have_text("Words come apart")
    player_at(page, 0)
    page.keyboard.press("ArrowRight")
    player_at(page, 1)
    page.get_by_role("button", name="Back to this stop").click()
    player_at(page, 0)
    page.locator("nav .on").click()
    page.locator("nav .on").click()
    until(page, "location.hash === '#stop=3'")
    expect(page.locator("nav [role=status]")).to_have_text("Stop 3 of 11: Count again")

    player_at(page, 1)
    page.keyboard.press("p")
    expect(page.locator(".player")).to_have_class(re.compile("presenting"))
    expect(page.locator(".presenting .question input")).to_be_visible()
    page.keyboard.press("p")
    expect(page.locator("#question .question input")).to_be_visible()

    # The picture does not go on while the question is open.
    page.keyboard.press("End")
    player_at(page, 1)
    write(page, "x")
    expect(page.locator("p.reply")).to_contain_text("That is not a number.")
    write(page, "2")
    expect(page.locator("p.reply")).to_contain_text("That counts each word once.")
    expect(page.locator("p.reply")).to_contain_text("One more try.")
    write(page, "15")
    expect(page.locator("p.reply")).to_contain_text("✓ Right. c at occurs 15 times")
    page.keyboard.press("End")
    player_at(page, 7)
    expect(page.locator("nav li").nth(2)).to_contain_text("✓")

    page.locator(".question .go").click()
    for _ in range(2):
        page.locator(".question label", has_text="at s").first.locator("input").check()
        page.locator(".question .submit").click()
    expect(page.locator("p.reply")).to_contain_text("a g. a g: it occurs 16 times, more than any")
    expect(page.locator("nav li").nth(3)).to_contain_text("✗")
    player_at(page, 2)

    # Straight from file to file: a page in another process would get what is stored a while later.
    opened(page, files[HAND])
    expect(heading(page)).to_have_text("Asked again, about another case")
    expect(page.locator("nav li button").nth(2)).to_have_attribute(
        "aria-label", re.compile("second")
    )
    page.locator("nav li button").last.click()
    page.locator("nav .on").click()
    expect(
        page.get_by_text(re.compile(r"You have answered 1 of \d+ questions right"))
    ).to_be_visible()
    page.get_by_role("button", name=re.compile(r"^Go over \d+ open questions$")).click()
    expect(heading(page)).to_have_text("The most frequent pair is merged")
    page.locator("nav li button").nth(1).click()  # where it is already: the review goes on
    page.locator("nav .on").click()
    expect(heading(page)).to_have_text("Asked again, about another case")
    text = page.locator(".stop:visible")
    expect(text.locator("p").first).to_be_hidden()
    text.locator("summary").click()
    expect(text.locator("p").first).to_be_visible()
    resolved = resolved_stops_of(HAND)[3]
    again = variants(lesson(HAND), resolved, facts_of(lesson(HAND)))[0].question
    assert again
    right = [option.is_right for option in again.options].index(True)
    page.locator(".question label input").nth(right).check()
    page.locator(".question .submit").click()
    expect(page.locator("p.reply")).to_contain_text("✓ Right.")
    expect(page.locator("nav li button").nth(3)).to_have_attribute(
        "aria-label", re.compile("again")
    )
    assert [url for url in requests if not url.startswith(("file:", "about:"))] == []


def test_stages_of_a_text_are_hidden_until_the_answer(offline, files):
    page, requests = offline
    opened(page, files["the-pipeline"], "#stop=3")
    expect(page.locator(".before:visible")).to_contain_text("Raw text")
    expect(page.locator(".stage-table")).to_be_hidden()
    write(page, "1")
    write(page, "1")
    expect(page.locator(".stage-table")).to_be_visible()
    expect(page.locator(".before:visible")).to_have_count(0)
    page.locator(".stage-table .tiles button").nth(1).click()
    expect(page.locator(".stage-table .tiles .on")).to_have_count(1)
    assert [url for url in requests if not url.startswith("file:")] == []


def test_it_does_without_storage_and_tells_a_frame_its_height(offline, files, tmp_path):
    page, _ = offline
    frame = '<iframe sandbox="allow-scripts" srcdoc="{}" width="900"></iframe>'
    inside = files[HAND].read_text("utf-8").replace("&", "&amp;").replace('"', "&quot;")
    outer = tmp_path / "outer.html"
    listen = "<script>onmessage = ({ data }) => (window.told = data)</script>"
    outer.write_text(f"<!doctype html>{listen}{frame.format(inside)}", "utf-8")
    page.goto(outer.as_uri())
    framed = page.frame_locator("iframe")
    framed.locator("nav .on").click()
    expect(framed.locator(".stop:visible h2")).to_have_text("The most frequent pair is merged")
    until(page, "window.told?.height > 300")
    assert page.evaluate("told.type") == "piece-by-piece-height"


def test_axe_finds_nothing_serious(browser, files):
    context = browser.new_context(offline=True, color_scheme="dark", reduced_motion="reduce")
    page = context.new_page()
    for slug, stop in ((HAND, 3), ("the-pipeline", 1), ("no-tokenizer", 2)):
        opened(page, files[slug], f"#stop={stop}")
        assert serious_dark_and_light(page) == [], slug
    context.close()


def test_the_app_offers_it_in_its_menu(laptop, serve):
    url = serve("app.py")
    laptop.goto(f"{url}/lessons?lesson={HAND}&stop=3")
    laptop.locator(".player:not([hidden])").wait_for()
    laptop.get_by_role("button", name="Take it with you").click()
    with laptop.expect_download() as found:
        laptop.get_by_role("button", name="This lesson as one HTML file").click()
    file = found.value.path().read_text("utf-8")
    assert found.value.suggested_filename == f"{HAND}.html"
    assert f"{url}/lessons?lesson={HAND}" in file
    lesson = re.search(r'id="lesson">(.*?)</script>', file, re.DOTALL)
    assert lesson
    assert len(json.loads(lesson[1])["stops"]) == 11
    with laptop.expect_download() as found:
        laptop.get_by_role("button", name=f"Download {HAND}.md").click()
    assert found.value.path().read_text("utf-8") == LESSONS[HAND].read_text("utf-8")
    laptop.get_by_role("tab", name="For Moodle").click()
    with laptop.expect_download() as found:
        laptop.get_by_role("button", name="For Moodle and others (SCORM 1.2)").click()
    assert found.value.suggested_filename == f"{HAND}-scorm-1.2.zip"
    with zipfile.ZipFile(found.value.path()) as archive:
        package = archive.read("index.html").decode()
    # Students get the package: it has all of the file but the note for teachers.
    note = re.search(r'<details class="pp-note-fold">.*?</section></details>', file, re.DOTALL)
    assert note
    assert 'class="pp-note"' not in package
    assert package.split("</style>")[-1] == file.replace(note[0], "").split("</style>")[-1]
