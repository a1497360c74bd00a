"""Worksheets on paper: every sheet on pages of its own, nothing cut, nothing lost without color."""

import re
from collections.abc import Mapping
from functools import partial

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from lessons import LESSONS
from pages.bpe.encoding_worksheet import worksheet as bpe_encoding
from pages.bpe.worksheet import worksheet
from pages.lattice.worksheet import worksheet as lattice
from pages.lesson.export.worksheet import lesson_worksheets
from pages.lesson.pictures.build_pictures import PreparedLesson, prepare_lesson
from pages.shared.export.worksheets.render_html import worksheet_html
from pages.unigram.worksheet import worksheet as unigram
from pages.wordpiece.worksheet import worksheet as wordpiece_encoding
from tokenizers import bpe, wordpiece
from tokenizers.lattice import Lattice
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus
from tokenizers.unigram.settings import convention_settings

PAPER = {"A4": (210, 297), "Letter": (215.9, 279.4)}  # mm
MARGIN = 28, 26  # mm, both sides: as in worksheet.css
WIDE = {"abcdefghijklmnop": 3, "السلام": 2, "</script>": 1}
"""What takes the most room: a word as long as a sheet takes, and others beside it."""
OUTSIDE = """() => [...document.querySelectorAll('.sheet *')].filter((one) =>
  one.getBoundingClientRect().right > document.documentElement.clientWidth + 1
  || one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline'
  && !one.closest('svg')).length"""
HIGHEST = """() => Math.max(...[...document.querySelectorAll('.task')]
  .map((one) => one.getBoundingClientRect().height))"""
STARTS = """() => [...document.querySelectorAll('.sheet')]
  .map((one) => getComputedStyle(one).breakBefore)"""
COLORS = """() => [...new Set([...document.querySelectorAll('body, .sheet, .sheet *')]
  .flatMap((one) => [getComputedStyle(one).color, getComputedStyle(one).backgroundColor]))]"""


SMALL = Corpus({"low": 5, "lower": 2, "newest": 6, "widest": 3})


def of_run(corpus: Corpus, settings: bpe.Settings | wordpiece.Settings) -> str:
    return worksheet_html(worksheet(Trace.record(corpus, settings), 2, 1))


def of_lesson(slug: str) -> str:
    text = LESSONS[slug].read_text("utf-8")
    opened = prepare_lesson(lambda done, total: False, text, slug)
    assert isinstance(opened, PreparedLesson)
    return worksheet_html(lesson_worksheets(opened, 2, 1))


def of_merging(words: Mapping[str, int], said: list[str]) -> str:
    model = Trace.record(Corpus(words), bpe.Settings(base="end_of_word", num_merges=9)).model()
    return worksheet_html(bpe_encoding(said, model, 2, 1))


def of_matching(words: Mapping[str, int], said: list[str]) -> str:
    model = Trace.record(Corpus(words), wordpiece.Settings(num_merges=9)).model()
    return worksheet_html(wordpiece_encoding(said, model, 2, 1))


def of_unigram() -> str:
    corpus = Corpus({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5})
    run = UnigramTrace.record(corpus, convention_settings("textbook", 12))
    return worksheet_html(unigram(run, 2, 1))


def of_lattice(text: str, longest: int) -> str:
    spans = {text[i:j] for i in range(len(text)) for j in range(i + 1, i + 1 + longest)}
    logs = {span: -2.0 - len(span) / 3 for span in spans}
    return worksheet_html(lattice(Lattice.build(text, logs), 2, 1))


FILES = {
    "bpe": partial(of_run, SMALL, bpe.Settings(base="end_of_word", num_merges=9)),
    "wordpiece": partial(of_run, SMALL, wordpiece.Settings(num_merges=9)),
    "wide": partial(of_run, Corpus(WIDE), wordpiece.Settings(num_merges=9)),
    "bpe, split": partial(of_merging, SMALL.word_counts, ["lowest", "newer"]),
    "bpe, split wide": partial(of_merging, WIDE, ["abcdefghijklm", "السلام", "</script>"]),
    "wordpiece, split": partial(of_matching, SMALL.word_counts, ["lowest", "newer", "xyz"]),
    "wordpiece, split wide": partial(of_matching, WIDE, ["abcdefghijkl", "السلام"]),
    "unigram": of_unigram,
    "lattice": partial(of_lattice, "unable", 3),
    "lattice, wide": partial(of_lattice, "abcdefghijkl", 2),
    "lattice, full": partial(of_lattice, "abcdefg", 7),
    "lesson": partial(of_lesson, "write-your-own"),
    "lesson of texts": partial(of_lesson, "several-encoders"),
}


MOST_PAGES = 24  # two sheets, with their answers, of the lesson that has each kind of picture


@pytest.fixture(params=FILES)
def sheets(request, laptop, tmp_path) -> Page:
    """Two sheets and their answers, opened from a disk."""
    file = tmp_path / "worksheet.html"
    file.write_text(FILES[request.param](), encoding="utf-8")
    laptop.goto(file.as_uri())
    return laptop


def test_nothing_is_cut_on_paper(sheets):
    sheets.emulate_media(media="print")
    for paper in PAPER:
        wide, high = (
            round((size - margin) / 25.4 * 96)
            for size, margin in zip(PAPER[paper], MARGIN, strict=True)
        )
        sheets.set_viewport_size({"width": wide, "height": high})
        assert sheets.evaluate(OUTSIDE) == 0, paper
        assert sheets.evaluate(HIGHEST) <= high, f"what is kept together fits on a page of {paper}"
        assert sheets.evaluate(STARTS) == ["auto", "page", "page", "page"], paper
        assert sheets.locator(".task").evaluate_all(
            "(all) => all.every((one) => getComputedStyle(one).breakInside === 'avoid')"
        ), paper
        pages = len(re.findall(rb"/Type /Page\b", sheets.pdf(format=paper)))
        assert 4 <= pages <= MOST_PAGES, paper


def test_it_is_black_on_white_and_needs_no_script(browser, tmp_path):
    file = tmp_path / "worksheet.html"
    file.write_text(FILES["lesson"](), encoding="utf-8")
    context = browser.new_context(java_script_enabled=False, color_scheme="dark")
    page = context.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    page.emulate_media(media="print", color_scheme="dark")
    colors = set(page.evaluate(COLORS))
    assert colors <= {"rgb(0, 0, 0)", "rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"}
    assert page.get_by_role("button").locator("visible=true").count() == 0
    assert asked == [file.as_uri()]
    context.close()


def test_the_menu_gives_as_many_sheets_as_are_asked_for(laptop, serve):
    laptop.goto(f"{serve('app.py')}/wordpiece_train")
    laptop.locator(".player:not([hidden])").wait_for()
    laptop.get_by_role("button", name="Take it with you").click()
    laptop.get_by_role("tab", name="Worksheet").click()
    number = laptop.get_by_role("spinbutton", name="Different sheets")
    number.fill("3")
    number.press("Enter")
    expect(laptop).to_have_url(re.compile("sheets=3"))
    with laptop.expect_download() as found:
        laptop.get_by_role("button", name="3 sheets and their answers").click()
    assert found.value.suggested_filename == "worksheet.html"
    html = found.value.path().read_text("utf-8")
    assert (
        html.count('<article class="sheet">') == html.count('<article class="sheet answers">') == 3
    )
