"""A lesson in a learning platform: scorm-again is the platform, a page in Chromium its window."""

import io
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from xml.etree import ElementTree

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from lessons import LESSONS
from pages.lesson.export.lesson_html import build_lesson_html
from pages.lesson.export.scorm import EDITIONS, package
from tests.browser.conftest import missing

ROOT = Path(__file__).parents[2]
PLATFORM = ROOT / "node_modules/scorm-again/dist"
APIS = {"1.2": ("scorm12.min.js", "Scorm12API", "API")}
APIS |= {"2004": ("scorm2004.min.js", "Scorm2004API", "API_1484_11")}
WINDOW = """<!doctype html><title>Platform</title><script src="{script}"></script><script>
const kept = sessionStorage.getItem("cmi");
window.{api} = new {maker}({{ autocommit: false, logLevel: 5 }});
if (kept) {api}.loadFromJSON(JSON.parse(kept).cmi, "");
window.keep = () => sessionStorage.setItem("cmi", JSON.stringify({api}.renderCMIToJSONObject()));
</script><iframe src="index.html" style="width:100%;height:90vh"></iframe>"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and says nothing."""

    def log_message(self, format, *args) -> None:
        pass


@pytest.fixture(scope="module", params=EDITIONS)
def platform(request, tmp_path_factory) -> Iterator[tuple[str, str]]:
    """Serve an unpacked package beside the window of a platform; its address, and the edition."""
    edition = request.param
    script, maker, api = APIS[edition]
    if not (PLATFORM / script).exists():
        missing("scorm-again is not installed: npm install")
    slug = "bpe-by-hand"
    file = build_lesson_html(lambda done, total: False, LESSONS[slug].read_text("utf-8"), slug)
    folder = tmp_path_factory.mktemp("scorm")
    with zipfile.ZipFile(io.BytesIO(package(file, "A < B & C", slug, edition))) as archive:
        archive.extractall(folder)
    (folder / script).write_bytes((PLATFORM / script).read_bytes())
    window = WINDOW.format(script=script, maker=maker, api=api)
    (folder / "window.html").write_text(window, "utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/window.html", edition
    server.shutdown()


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_manifest_names_the_lesson_and_its_file(edition):
    with zipfile.ZipFile(io.BytesIO(package("<p>", "A < B & C", "a-b", edition))) as archive:
        assert archive.namelist() == ["imsmanifest.xml", "index.html"]
        manifest = ElementTree.fromstring(archive.read("imsmanifest.xml"))
    assert [one.text for one in manifest.iter() if one.tag.endswith("title")] == ["A < B & C"] * 2
    (resource,) = [one for one in manifest.iter() if one.tag.endswith("}resource")]
    assert resource.get("href") == "index.html"
    assert "sco" in resource.attrib.values()
    (version,) = [one.text for one in manifest.iter() if one.tag.endswith("schemaversion")]
    assert (version or "").startswith(edition)


def test_the_platform_hears_the_score_and_brings_the_learner_back(laptop: Page, platform):
    url, edition = platform
    api = APIS[edition][2]
    laptop.goto(url)
    lesson = laptop.frame_locator("iframe")
    get = "LMSGetValue" if edition == "1.2" else "GetValue"
    core = "cmi.core." if edition == "1.2" else "cmi."

    def told(name: str) -> str:
        return laptop.evaluate(f"{api}.{get}('{name}')")

    expect(lesson.locator(".stop:visible h2")).to_be_visible()
    status = "lesson_status" if edition == "1.2" else "completion_status"
    assert told(f"{core}{status}") == "incomplete"
    assert told(f"{core}score.raw") == "0"
    last = lesson.locator(".stop").count()
    for stop in range(2, last + 1):
        laptop.frames[1].evaluate(f"location.hash = '#stop={stop}'")
        expect(lesson.locator(f'.stop[data-stop="{stop - 1}"]')).to_be_visible()
    assert told(f"{core}{status}") == "incomplete"  # skipped through, nothing answered
    laptop.frames[1].evaluate("location.hash = '#stop=3'")
    expect(lesson.locator('.stop[data-stop="2"]')).to_be_visible()
    heading = lesson.locator(".stop:visible h2").inner_text()
    lesson.locator(".question input").fill("15")
    lesson.locator(".question .submit").click()
    expect(lesson.locator("p.reply")).to_contain_text("✓ Right.")
    assert 0 < int(told(f"{core}score.raw")) < 100
    laptop.evaluate("keep()")
    laptop.reload()
    expect(lesson.locator(".stop:visible h2")).to_have_text(heading)
    expect(lesson.locator("nav li").nth(2)).to_contain_text("✓")
    assert laptop.frames[1].evaluate("localStorage.length") == 0
