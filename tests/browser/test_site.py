"""The static site: every link resolves from a host's root and from a sub-folder; nothing else is
asked for."""

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urljoin
from urllib.request import urlopen

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import expect

from pages.site.gallery import GALLERY
from pages.site.writing import write
from tests.browser.conftest import until

ROOT = Path(__file__).parents[2]
SLUGS = ("why-not-words", "bpe-by-hand")
NAMES = ("bpe", "wordpiece-encoding", "lattice-sum")
SUB = "tokens/site"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def reports_and_url(tmp_path_factory) -> Iterator[tuple[list[str], str]]:
    """A small site, served from a folder below the root: the reports, and its address."""
    root = tmp_path_factory.mktemp("host")
    reports: list[str] = []
    write(root / SUB, reports.append, SLUGS, {name: GALLERY[name] for name in NAMES})
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=root))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield reports, f"http://127.0.0.1:{server.server_port}/{SUB}/"
    server.shutdown()


@pytest.fixture
def site(reports_and_url) -> str:
    return reports_and_url[1]


class Links(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found += [value for name, value in attrs if name in ("href", "src") and value]


def read(url: str) -> str:
    with urlopen(url, timeout=20) as answer:
        return answer.read().decode()


def test_it_reports_every_page(reports_and_url):
    reports, _ = reports_and_url
    assert len(reports) == len(SLUGS) + len(NAMES) + 2
    assert re.fullmatch(r"  1 of 7 +\d+ kB  lessons/why-not-words\.html", reports[0])
    assert reports[-1].endswith("  index.html")


def test_every_link_resolves_below_a_sub_folder(site):
    seen, waiting = set(), [f"{site}index.html"]
    while waiting:
        url = waiting.pop()
        if url in seen:
            continue
        seen.add(url)
        for link in Links(read(url)).found:
            there = urljoin(url, link)
            if there.startswith("https://"):
                continue  # a source elsewhere
            assert not link.startswith(("/", "http:")), f"{link} in {url}"
            assert there.startswith(site), f"{link} in {url}"
            waiting.append(there)
    pages = [f"lessons/{slug}" for slug in SLUGS] + [f"runs/{name}" for name in NAMES]
    assert seen == {f"{site}{page}.html" for page in (*pages, "sources", "index")}


def test_its_pages_work_and_ask_for_nothing_else(site, laptop):
    requests: list[str] = []
    laptop.on("request", lambda request: requests.append(request.url))
    laptop.goto(f"{site}index.html")
    laptop.get_by_role("link", name="Why not words?").click()
    laptop.locator("nav .on").click()
    expect(laptop.locator("nav [aria-current=step]")).to_contain_text("2")
    laptop.locator("nav li button").last.click()
    laptop.locator("nav .on").click()
    laptop.get_by_role("link", name="Next lesson: BPE by hand").click()
    expect(laptop.locator("h1")).to_have_text("BPE by hand")
    laptop.get_by_role("link", name="All lessons and runs").click()
    row = laptop.get_by_role("listitem").filter(has_text="Why not words?")
    expect(row).to_contain_text(re.compile(r"3 of \d+ stops seen"))
    laptop.get_by_role("link", name="The lattice of “hat”").click()
    expect(laptop.locator(".player")).to_have_attribute("data-rule", "1")
    pages = [url.split("#")[0].removeprefix(site) for url in requests if "favicon" not in url]
    runs = [f"runs/{name}.html" for name in NAMES]
    assert set(pages) <= {"index.html", *(f"lessons/{slug}.html" for slug in SLUGS), *runs}


def test_axe_finds_nothing_serious(site, laptop):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = laptop
    page.emulate_media(reduced_motion="reduce")
    found = []
    for name in ("index", "sources"):
        page.goto(f"{site}{name}.html")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            until(page, f"matchMedia('(prefers-color-scheme: {scheme})').matches")
            for one in axe.Axe().run(page).response["violations"]:
                if one["impact"] in ("serious", "critical"):
                    found += [(name, scheme, one["id"], node["target"]) for node in one["nodes"]]
    assert found == []


def test_it_reports_that_it_cannot_be_written(tmp_path):
    file = tmp_path / "file"
    file.touch()
    command = [sys.executable, "-m", "pages.site", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("The site could not be written: ")
