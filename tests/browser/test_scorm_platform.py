"""SCORM played for real, on a strict platform of our own: launch, answer, suspend, resume, score.

scorm_platform.html is the platform; test_scorm.py plays the same packages in scorm-again.
"""

import io
import json
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Frame, Page, expect

from lessons import LESSONS
from lessons.custom_path import read_path
from pages.lesson.export.lesson_html import build_lesson_html
from pages.lesson.export.path_files import make_path
from pages.lesson.export.scorm import EDITIONS, package
from tests.browser.conftest import until
from tests.browser.test_scorm import Quiet

PLATFORM = Path(__file__).parent / "scorm_platform.html"
STATUS = {"1.2": "cmi.core.lesson_status", "2004": "cmi.completion_status"}
SCORE = {"1.2": "cmi.core.score.raw", "2004": "cmi.score.raw"}
TIME = {"1.2": "cmi.core.session_time", "2004": "cmi.session_time"}
STORED = "() => sessionStorage.getItem(KEY)"
ANSWER = """() => { // the first stop's question, answered right as the file itself knows
  const { stops } = JSON.parse(document.querySelector("#lesson").textContent);
  const at = Number(location.hash.match(/\\d+/)[0]) - 1;
  return stops[at]?.question ?? null;
}"""


@pytest.fixture(scope="module", params=EDITIONS)
def platform(request, tmp_path_factory) -> Iterator[tuple[str, str]]:
    """The address of the platform with a lesson's package, and its edition."""
    edition, slug = request.param, "unigram-best-path"
    file = build_lesson_html(lambda done, total: False, LESSONS[slug].read_text("utf-8"), slug)
    yield from served(package(file, "The best path", slug, edition), edition, tmp_path_factory)


def served(packed: bytes, edition: str, tmp_path_factory) -> Iterator[tuple[str, str]]:
    folder = tmp_path_factory.mktemp("platform")
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        archive.extractall(folder)
    (folder / "platform.html").write_text(PLATFORM.read_text("utf-8"), "utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/platform.html?edition={edition}", edition
    server.shutdown()


def launch(page: Page) -> Frame:
    """Launch the lesson in its frame, and wait until it is painted."""
    page.get_by_role("button", name="Launch").click()
    expect(page.frame_locator("iframe").locator(".stop:visible h2, #end:visible")).to_be_visible()
    return page.frames[1]


def stored(page: Page) -> dict[str, str]:
    """What the platform has on its server."""
    return json.loads(page.evaluate("sessionStorage.getItem(KEY)") or "{}")


def errors(page: Page) -> list[str]:
    return page.evaluate("errors")


def answer_right(lesson: Frame) -> None:
    """Answer the question of the current stop right, if it has one."""
    question = lesson.evaluate(ANSWER)
    if question is None:
        return
    if question["form"] in ("choice", "several"):
        for n, is_right in enumerate(question["right"]):
            if is_right:
                lesson.locator(".question .options input, .question input").nth(n).check()
                if question["form"] == "choice":
                    break
    elif question["form"] == "text":
        lesson.locator(".question input").first.fill(" ".join(question["splits"][0]))
    else:
        lesson.locator(".question input").first.fill(str(question["value"]))
    lesson.locator(".question .submit").click()
    expect(lesson.locator("p.reply")).to_contain_text("✓ Right.")


def go_on(lesson: Frame) -> None:
    lesson.locator("nav button.on").click()


def test_a_learner_launches_answers_suspends_resumes_and_passes(laptop: Page, platform):
    url, edition = platform
    laptop.goto(url)
    lesson = launch(laptop)
    assert stored(laptop)[STATUS[edition]] == "incomplete"
    assert stored(laptop)[SCORE[edition]] == "0"
    last = lesson.locator(".stop").count()
    for _ in range(4):
        answer_right(lesson)
        go_on(lesson)
    heading = lesson.locator(".stop:visible h2").inner_text()
    half = int(stored(laptop)[SCORE[edition]])
    assert 0 < half < 100

    laptop.get_by_role("button", name="Leave").click()  # suspends
    until(laptop, "() => state", lambda value: value == "terminated")
    laptop.reload()  # all that was not committed is lost
    lesson = launch(laptop)
    assert laptop.evaluate("values[READ_ONLY]") == "resume"
    expect(lesson.locator(".stop:visible h2")).to_have_text(heading)
    assert int(stored(laptop)[SCORE[edition]]) == half
    assert lesson.evaluate("localStorage.length") == 0
    for _ in range(last - 4):
        answer_right(lesson)
        go_on(lesson)
    expect(lesson.locator("#end")).to_be_visible()
    assert stored(laptop)[SCORE[edition]] == "100"
    if edition == "1.2":
        assert stored(laptop)[STATUS[edition]] == "passed"
    else:
        assert stored(laptop)[STATUS[edition]] == "completed"
        assert stored(laptop)["cmi.success_status"] == "passed"
        assert stored(laptop)["cmi.score.scaled"] == "1"
    assert stored(laptop)[TIME[edition]]
    laptop.get_by_role("button", name="Leave").click()
    until(laptop, "() => state", lambda value: value == "terminated")
    assert errors(laptop) == []


def test_a_lesson_in_a_window_of_its_own_finds_the_platform(laptop: Page, platform):
    url, _ = platform
    laptop.goto(f"{url}&popup=1")
    laptop.evaluate("sessionStorage.clear()")
    with laptop.expect_popup() as found:
        laptop.get_by_role("button", name="Launch").click()
    expect(found.value.locator(".stop:visible h2")).to_be_visible()
    until(laptop, STORED, lambda value: '"incomplete"' in (value or ""))
    laptop.get_by_role("button", name="Leave").click()
    until(laptop, "() => state", lambda value: value == "terminated")
    assert errors(laptop) == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_lesson_of_a_path_reports_for_itself(laptop: Page, edition, tmp_path_factory):
    path, _ = read_path("why-not-words unigram-best-path~1-3", "Until Friday")
    packed = make_path(lambda done, total: False, path, edition, "")
    (url, _), *_ = [next(found := served(packed, edition, tmp_path_factory)), found]
    for name, stops in (("01-why-not-words.html", 10), ("02-unigram-best-path.html", 3)):
        laptop.goto(url)
        laptop.evaluate("sessionStorage.clear()")
        laptop.evaluate("(name) => { stage.innerHTML = `<iframe src='${name}'></iframe>`; }", name)
        until(laptop, STORED, lambda value: '"incomplete"' in (value or ""))
        assert len(stored(laptop)["cmi.suspend_data"]) == stops
        assert errors(laptop) == []
    next(found, None)
