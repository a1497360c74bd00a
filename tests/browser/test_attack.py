"""The attack: hostile strings into every setting of a page's address, every input of it, a file.

Nothing of it may run, ask another host, or end in an error, and what was typed stays. By default
one string has something of each kind; `--hypothesis-profile exhaustive` tries every kind by itself.
Left out: the files of tokenizers and tables, which tests/fuzz takes apart.
"""

import json
import unicodedata
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from hypothesis import settings
from playwright.sync_api import FilePayload, Locator, Page, Request, expect

from tests.browser.conftest import PATIENCE_FOR_WORK
from tests.call_counts import THOROUGH
from tests.pages.opening import PAGES

SAVED = json.loads((Path(__file__).parents[1] / "pages" / "saved_urls.json").read_text())
WITH_UPLOADS = ("bpe_train", "unigram_train", "real", "lessons")
PLAIN = "low lower lowest"
LONGEST = 2_000  # characters of an address that a page takes
KINDS = {
    "HTML": "</script><script>hit=1</script><img src=x onerror=hit=2><svg onload=hit=3>",
    "attributes": "\" onmouseover=\"hit=4\" x='' autofocus onfocus='hit=5' `",
    "links": "javascript:hit=6 [a](javascript:hit=7) <a href=//127.0.0.1:9/>a</a> http://x.test/",
    "Markdown": "![p](http://127.0.0.1:9/p.png) **b** # h\n```\n:smile: ::home:: :red[r] |-",
    "LaTeX": r"$\frac{1}{0}$ \input{/etc/passwd} \href{javascript:hit=8}{x} $$\def\x{\x\x}\x$$",
    "DOT": '"]; a -> b [URL="javascript:hit=9", label=<<b>x</b>>]; } digraph {',
    "Plotly": "%{x}<extra></extra><br><a href='javascript:hit=10'>p</a>&#x3c;b&#x3e;",
    "formulas": '=HYPERLINK("http://127.0.0.1:9/","x") +1+1 -1 @SUM(1) \t=cmd|x',
    "bidirectional": "\u202eabc\u202c \u2066\u2067x\u2069 \u200f\u200e שלום مرحبا",
    "unseen": "a\u200bb\u200cc\u200dd\ufeffe\u00adf\u2060g\u180eh\u3164",
    "stacked": "e" + "\u0301\u0316\u034f" * 60 + " Z̸̧͉a̷l̶g̴o̵",
    "controls": "".join(map(chr, [*range(1, 32), *range(127, 160)])),
    "noncharacters": "\ufdd0\ufffe\uffff\U0001ffff\U0010ffff\ufffd\ue000",
    "blocks": "".join(
        chr(code)
        for code in range(0xA0, 0x1F000, 0x80)
        if unicodedata.category(chr(code)) not in ("Cs", "Cn", "Co")
    ),
    "names": "__proto__ constructor toString hasOwnProperty NaN null ../../etc {{7*7}} ${7*7}",
}
ALL = " ".join(text[:60] for text in KINDS.values())
TRIED = KINDS if settings().max_examples > THOROUGH else {"something of each": ALL}
BOXES = "textarea, input[type=text]:not([role=combobox]), input:not([type]):not([role=combobox])"
FOLDED = "[data-testid=stExpander] details:not([open]) > summary"


def asked_of(page: str) -> list[str]:
    """Return the settings that addresses of a page name."""
    found = {"text", "say", "panel"}
    for address in SAVED:
        path, query = urlsplit(address)[2:4]
        found |= parse_qs(query).keys() if path == page else set()
    return sorted(found)


class Watched:
    """A page in a browser that tells what should not have happened."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.wrong, self._home = page, list[str](), urlsplit(url).netloc
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on("dialog", lambda dialog: self.wrong.append(f"dialog: {dialog.message}"))
        page.on("popup", lambda popup: self.wrong.append(f"popup: {popup.url}"))

    def see(self, request: Request) -> None:
        """Note a request to another host."""
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.netloc != self._home:
            self.wrong.append(f"request: {request.url}")

    def check(self, where: str) -> None:
        """Fail if anything ran, left the machine, or ended in an error."""
        rest(self.page)
        assert not self.wrong, f"{where}: {self.wrong}"
        assert self.page.evaluate("window.hit") is None, f"{where}: a script ran"
        assert not self.page.get_by_test_id("stException").count(), f"{where}: an exception"
        said = self.page.get_by_test_id("stAlert").all_inner_texts()
        assert not [one for one in said if "Traceback" in one or "Error:" in one], (
            f"{where}: {said}"
        )


def rest(page: Page) -> None:
    """Wait until the page has run to its end, and has not begun again."""
    app = page.get_by_test_id("stApp")
    for _ in range(2):
        # A worker trains on a hostile text.
        expect(page.get_by_test_id("stProgress")).to_have_count(0, timeout=PATIENCE_FOR_WORK)
        expect(app).to_have_attribute("data-test-script-state", "notRunning")
        page.wait_for_timeout(150)


def unfold(page: Page) -> None:
    """Open the settings and all that is folded."""
    settings_ = page.get_by_test_id("stExpandSidebarButton")
    if settings_.count() and settings_.is_visible():
        settings_.click()
    while (folded := page.locator(FOLDED)).count() and folded.first.is_visible():
        folded.first.click()
    rest(page)


def boxes(page: Page) -> list[Locator]:
    """Return the text boxes that can be written in, each found by its label."""
    names = []
    for box in page.locator(BOXES).all():
        if box.is_visible() and box.is_editable() and (name := box.get_attribute("aria-label")):
            names.append(name)
    return [page.get_by_label(name, exact=True).first for name in dict.fromkeys(names)]


@pytest.fixture
def watched(laptop, serve):
    """A watched page of the app."""
    url = serve("app.py")
    seen = Watched(laptop, url)
    laptop.context.on("request", seen.see)  # of all its tabs
    yield seen, url
    laptop.context.remove_listener("request", seen.see)


@pytest.mark.parametrize("kind", TRIED)
@pytest.mark.parametrize("path", PAGES)
def test_every_setting_and_every_input_of_every_page_takes_it_as_text(watched, path, kind):
    """The inputs of a page that was opened with all of it in its address, and then its uploads."""
    seen, url = watched
    text = TRIED[kind]
    names = asked_of(path)
    for together in [[name] for name in names] if TRIED is KINDS else [names]:
        query = urlencode(dict.fromkeys(together, text[: LONGEST // (6 * len(together)) + 40]))
        seen.page.goto(f"{url}/{'' if path == 'start' else path}?{query}")
        expect(seen.page.locator(".pp-heading")).to_be_visible()
        seen.check(f"in the address: {' '.join(together)}")
    unfold(seen.page)
    write_into_every_box(seen, text)
    if path in WITH_UPLOADS:
        upload_everywhere(seen, text)


def write_into_every_box(seen: Watched, text: str) -> None:
    page, number = seen.page, 0
    while number < len(here := boxes(page)):  # a plain text may bring another box
        box = here[number]
        if box.input_value() == text:
            write(box, PLAIN)
        write(box, text)
        seen.check(f"box {number}")
        if box.count() and box.is_visible():
            assert box.input_value(), f"box {number} lost what was typed"
        if box.count() and box.is_visible():
            write(box, PLAIN)
        number += 1


def write(box: Locator, text: str) -> None:
    box.fill(text)
    box.press("Control+Enter")
    rest(box.page)


def upload_everywhere(seen: Watched, text: str) -> None:
    page, tried = seen.page, 0
    for popover in page.get_by_test_id("stPopover").all():
        popover.locator("button").first.click()
        rest(page)
        corpus = page.get_by_role("combobox", name="Train on")
        if corpus.count():
            corpus.click()
            page.get_by_role("option", name="Your own text").click()
            rest(page)
        for field in page.locator("input[type=file]").all():
            ends = (field.get_attribute("accept") or "").split(",")[0].strip()
            ends = ends if ends.startswith(".") else ".txt"
            name = f"{KINDS['HTML'].replace('/', '')[:60]}{ends}"
            content = text.encode("utf-8", "surrogatepass")
            file: FilePayload = {"name": name, "mimeType": "text/plain", "buffer": content}
            field.set_input_files([file])
            seen.check(f"upload {tried} ({name})")
            tried += 1
        page.keyboard.press("Escape")  # one popover hides what another holds
        rest(page)
    assert tried, "no upload was found"
