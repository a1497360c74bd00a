"""The HTML file of a run: opened from disk, offline, it does what the app's player does."""

import math
import re
from pathlib import Path

import plotly.graph_objects as go
import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from lessons.texts import TEXTS
from lessons.trained import LEARNED_FROM
from pages.bpe import exports as of_bpe
from pages.bpe.training_frames import record_bpe_training
from pages.lattice.filling import record_filling
from pages.shared.drawing.charts import Chart
from pages.shared.export.catalog import run_document
from pages.shared.export.document.blocks import Document, Heading, Note, PlayerBlock
from pages.shared.export.document.document_html import build_document_html
from pages.shared.export.tables import ExportTable
from pages.shared.recording.frame_types import Recording
from tests.browser.conftest import until
from tokenizers import bpe
from tokenizers.lattice import Lattice
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus

NASTY = (
    "</script><script>window.ran=1</script>",
    "<img/src=x/onerror=window.ran=1>",
    "a\u202eb\u2066c",
    "half\ud800",
    "{{recording}}",
    "</template><b>bold</b>",
)


BARS = Chart(
    NASTY[0],
    go.Figure({"data": [{"type": "bar", "x": ["a", "b"], "y": [1, 3], "name": "".join(NASTY)}]}),
    NASTY[2] + NASTY[3],
)


def trained(words: dict[str, int], merges: int = 15) -> tuple[Trace, Recording]:
    settings = bpe.Settings(base="end_of_word", num_merges=merges)
    trace = Trace.record(Corpus.from_counts(words), settings)
    return trace, record_bpe_training(trace)


@pytest.fixture
def offline(laptop) -> tuple[Page, list[str]]:
    """A page without a network, and the requests that it attempts."""
    network = laptop.context.new_cdp_session(laptop)  # of this page: others share its context
    network.send("Network.enable")
    cut_off = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", cut_off)
    requests: list[str] = []
    laptop.on("request", lambda request: requests.append(request.url))
    return laptop, requests


def opened(page: Page, folder: Path, text: str, more: str = "") -> Page:
    path = folder / "run.html"
    path.write_text(text, encoding="utf-8")
    page.goto(path.as_uri() + more)
    expect(page.locator(".player")).to_have_attribute("data-step", re.compile(r"\d"))
    return page


def at(page: Page, step: int) -> None:
    expect(page.locator(".player")).to_have_attribute("data-step", str(step))


@pytest.fixture(scope="module")
def classic() -> str:
    trace, recording = trained({"low": 5, "lower": 2, "newest": 6, "widest": 3})
    rows = [(k, trace.tokens[k - 1]) for k in range(1, len(trace) + 1)]
    tables = (ExportTable("Steps", ("step", "token"), rows, by_step=True),)
    charts = (*of_bpe.merging_exports(trace, 0).charts, BARS)
    blocks = (PlayerBlock(recording, 2), *charts, *tables)
    return build_document_html(Document("BPE · Train", "four words", blocks))


def test_it_does_all_without_a_request_can_be_read_on_a_phone_and_axe_finds_nothing_serious(
    offline, tmp_path, classic
):
    page, requests = offline
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, tmp_path, classic)
    a_phone_can_read_its_charts(page)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.get_by_text("Steps (15)").click()
    assert serious_dark_and_light(page) == []
    page.get_by_text("Steps (15)").click()
    page.set_viewport_size({"width": 1366, "height": 768})
    page.emulate_media(reduced_motion="no-preference")
    it_steps_and_jumps(page)
    it_asks_before_it_shows_the_result(page)
    it_presents_and_switches_the_theme(page)
    page.keyboard.press("q")
    expect(page.get_by_role("dialog")).to_contain_text("This file has no address")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    its_charts_have_the_step_and_their_numbers(page)
    its_charts_have_the_ink_of_the_page(page)
    assert [url for url in requests if not url.startswith("file:")] == []
    assert len({url.split("#")[0] for url in requests}) == 1


def a_phone_can_read_its_charts(page: Page) -> None:
    text = page.locator("figure.chart text").first.bounding_box()
    assert text
    assert text["height"] > 11
    until(page, "document.documentElement.scrollWidth <= 390")


def it_steps_and_jumps(page: Page) -> None:
    at(page, 2)
    page.keyboard.press("ArrowRight")
    at(page, 3)
    expect(page.locator(".sentence")).to_contain_text("Merge est and </w> into est</w>")
    expect(page.locator(".announcement")).to_contain_text("Step 3. Merge")
    until(page, "location.hash === '#step=3'")
    page.get_by_text("Steps (15)").click()
    expect(page.locator("tr[aria-current=step]")).to_contain_text("est</w>")
    page.keyboard.press("Home")
    page.get_by_label("Next step where").select_option(index=0)
    page.get_by_role("button", name="Go").click()
    expect(page.locator(".sentence")).to_contain_text("tied with it")
    page.keyboard.press("End")
    at(page, 15)
    page.goto(page.url.split("#")[0] + "#step=7")
    at(page, 7)


def it_asks_before_it_shows_the_result(page: Page) -> None:
    page.get_by_role("button", name="Predict").click()
    page.locator(".option").first.click()
    expect(page.locator(".verdict")).to_be_visible()
    expect(page.locator(".score")).to_contain_text("of 1 right")


def it_presents_and_switches_the_theme(page: Page) -> None:
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Light or dark").click()
    expect(page.locator("body")).not_to_have_css("background-color", light)
    page.keyboard.press("p")
    expect(page.locator(".player")).to_have_class(re.compile("presenting"))
    before = page.locator(".player").evaluate("(node) => getComputedStyle(node).backgroundColor")
    page.keyboard.press("t")
    expect(page.locator(".player")).not_to_have_css("background-color", before)
    page.keyboard.press("p")
    expect(page.locator(".player")).not_to_have_class(re.compile("presenting"))


def its_charts_have_the_step_and_their_numbers(page: Page) -> None:
    growth = page.locator("figure.chart").first
    expect(growth.locator("figcaption")).to_have_text("After 15 of 15 merges: 83.2% fewer tokens")
    expect(growth.get_by_role("img", name="83.2% fewer tokens")).to_be_visible()
    plot = growth.locator("path[clip-path]").first.bounding_box()
    rule = growth.locator(".step")
    page.keyboard.press("End")
    until(page, "location.hash === '#step=15'")
    end = rule.bounding_box()
    page.keyboard.press("Home")
    until(page, "location.hash === '#step=0'")
    start = rule.bounding_box()
    assert plot
    assert start
    assert end
    assert end["x"] == pytest.approx(plot["x"] + plot["width"], abs=6)  # strokes are wide
    assert start["x"] < plot["x"]  # the first merge is step 1
    bars = page.locator("figure.chart").nth(1)
    expect(bars.locator("figcaption")).to_have_text("a⟨U+202E⟩b⟨U+2066⟩chalf⟨U+D800⟩")
    one, two = (bars.locator(".bar").nth(n).bounding_box() for n in range(2))
    assert one
    assert two
    assert two["height"] == pytest.approx(3 * one["height"], abs=1)
    bars.locator("summary").click()
    expect(bars.locator("tbody tr")).to_have_count(2)
    assert page.evaluate("window.ran") is None


def its_charts_have_the_ink_of_the_page(page: Page) -> None:
    inks = "() => [document.body, document.querySelector('figure.chart text')].map((one, n) => "
    inks += "getComputedStyle(one)[n ? 'fill' : 'color'])"
    ink, on_chart = page.evaluate(inks)
    page.get_by_role("button", name="Light or dark").click()
    turned, then = page.evaluate(inks)
    assert (ink, turned) == (on_chart, then)
    assert ink != turned


def test_any_text_is_shown_as_text(offline, tmp_path):
    page, _ = offline
    _, recording = trained({text: 3 for text in NASTY if "\ud800" not in text}, 60)
    table = ExportTable("</summary><script>window.ran=1</script>", NASTY, [NASTY])
    blocks = PlayerBlock(recording), table, Heading("".join(NASTY)), Note("".join(NASTY))
    link = f"javascript:{NASTY[0]}"
    document = Document(NASTY[0], "".join(NASTY), blocks, NASTY, link)
    opened(page, tmp_path, build_document_html(document))
    page.keyboard.press("End")
    at(page, recording.last)
    assert page.evaluate("window.ran") is None
    expect(page.locator("img, b:text('bold')")).to_have_count(0)
    expect(page.locator("h1")).to_have_text(NASTY[0])
    expect(page.locator("header p")).to_contain_text("a⟨U+202E⟩b⟨U+2066⟩chalf⟨U+D800⟩{{recording}}")


def test_a_run_of_two_thousand_steps_is_a_small_file(offline, tmp_path):
    page, _ = offline
    text = " ".join(sample.text or "" for id_, sample in TEXTS.items() if id_ != LEARNED_FROM)
    settings = bpe.Settings(base="end_of_word", num_merges=2000)
    trace = Trace.record(Corpus.from_text(text), settings)
    offered = of_bpe.merging_exports(trace, 0)
    file = build_document_html(run_document(PlayerBlock(record_bpe_training(trace)), offered))
    assert len(file.encode()) <= 1_500_000
    opened(page, tmp_path, file, "#step=1999")
    page.keyboard.press("ArrowRight")
    at(page, 2000)


def test_a_lattice_of_sixty_characters_is_a_small_file_with_the_url_of_the_app(offline, tmp_path):
    page, _ = offline
    text = ("the lowest tides are the slowest and the newest shells lie where it was " * 2)[:60]
    spans = [(i, j) for i in range(60) for j in range(i + 1, min(i + 8, 60) + 1)]
    pieces = {text[i:j]: math.log(0.02) * (1 + (j - i) / 8) for i, j in spans}
    player = PlayerBlock(record_filling(Lattice.build(text, pieces)), rule=1)
    link = "https://a.org/unigram_lattice?say=low"
    file = build_document_html(Document("Unigram · Lattice", blocks=(player,), link=link))
    assert len(file.encode()) <= 400_000
    opened(page, tmp_path, file)
    expect(page.locator(".player")).to_have_attribute("data-rule", "1")
    page.keyboard.press("m")
    expect(page.locator(".player")).to_have_attribute("data-rule", "0")
    page.keyboard.press("ArrowRight")
    at(page, 1)
    page.keyboard.press("q")
    expect(page.get_by_role("dialog")).to_contain_text("https://a.org/unigram_lattice?say=low")
    expect(page.get_by_role("dialog").get_by_role("img")).to_be_visible()


def serious_dark_and_light(page: Page) -> list[tuple[str, str, str]]:
    """Return axe's serious findings (where, what) in a file in the dark and the light theme."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    found = []
    for scheme in ("dark", "light"):
        expect(page.locator("html")).to_have_css("color-scheme", scheme)
        page.wait_for_timeout(300)
        found += [
            (scheme, one["id"], node["target"])
            for one in axe.Axe().run(page).response["violations"]
            if one["impact"] in ("serious", "critical")
            for node in one["nodes"]
        ]
        page.get_by_role("button", name="Light or dark").click()
        page.mouse.move(0, 0)
    return found
