"""HTML files of documents: opened from disk without a network, they work as in the app."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from lessons.texts import TEXTS
from pages.compare import blocks as of_compare
from pages.languages import blocks as of_languages
from pages.languages.findings import describe_share as mix_said
from pages.languages.findings import tiles as language_tiles
from pages.languages.study import SHARES, MixRequest, Study, measure_mixes
from pages.pipeline import blocks as of_pipeline
from pages.pipeline.pipeline_view import PipelineView, build_view
from pages.shared.aligned.aligned_view_message import AlignedView
from pages.shared.aligned.side_by_side import Comparison, NamedTokenizer, compare
from pages.shared.export.document.blocks import Document, PlayerBlock
from pages.shared.export.document.document_html import build_document_html
from pages.shared.training.source import CorpusSource
from pages.shared.training.tokenizer_kinds import train_kind
from pages.sizes import blocks as of_sizes
from pages.sizes.size_message import SizeComparison, compare_sizes, pack_by_size
from tests.browser.conftest import until
from tests.browser.test_run_html import NASTY, at, offline, serious_dark_and_light, trained

__all__ = ["offline"]  # the fixture: a page without a network
HERE = "http://127.0.0.1:8501/a/compare?text=x"
KINDS = ("bpe", "wordpiece", "unigram")
TEXT = "The lower the tide, the wider the shore."
MODEL = (768, "float32")
# Nothing of it is a lone surrogate: no tokenizer takes one.
HOSTILE = " ".join(one for one in NASTY if "\ud800" not in one)
TILES = "els => els.map((el) => el.textContent)"


def never(done: int, total: int) -> bool:
    return False


@cache
def compared(text: str = TEXT) -> tuple[Comparison, AlignedView]:
    prose = CorpusSource(text=TEXTS["prose"].text or "")
    selected = [
        NamedTokenizer(f"<b>{k}", k, train_kind(never, prose, k, 300).model(300)) for k in KINDS
    ]
    found = compare(never, text, selected, 0)
    return found, AlignedView([(one.name, "") for one in selected], found.chunks, has_ids=True)


def of_comparison(text: str = TEXT) -> Document:
    found, drawn = compared(text)
    below = *of_compare.became(found), *of_compare.costs(found, *MODEL)
    return of_compare.document(text, found, drawn, below)


@cache
def scrubbed(text: str = TEXT) -> SizeComparison:
    return compare_sizes(
        [pack_by_size(never, CorpusSource(text=text * 3), kind, text) for kind in KINDS], text
    )


@cache
def study() -> Study:
    return measure_mixes(never, MixRequest("bpe", 40))


@cache
def journey(text: str = TEXT) -> PipelineView:
    prose = CorpusSource(text=TEXTS["prose"].text or "")
    model = train_kind(never, prose, "wordpiece", 300).model(300)
    return build_view(never, text, model, (), 0, {})


def of_scrubber(text: str = TEXT) -> Document:
    shown = scrubbed(text)
    newest = of_sizes.newest_pieces(shown, shown.sizes[9], lambda _, pieces: list(pieces))
    below = *newest, *of_sizes.sizes(shown, MODEL[0], shown.sizes[9])
    return of_sizes.document(shown, text, shown.sizes[9], MODEL, below)


DOCUMENTS: dict[str, Callable[[str], Document]] = {
    "compare": of_comparison,
    "sizes": of_scrubber,
    "languages": lambda _: of_languages.document(study(), "tokens", 1, "hi"),
    "pipeline": lambda text: of_pipeline.document(journey(text), text, "WordPiece", 0),
}


PICTURES = {
    "compare": ".aligned-view button",
    "sizes": ".sizes .tile",
    "languages": ".stage .tiles span",
    "pipeline": ".stage-table .tiles button",
}


def opened(page: Page, folder: Path, name: str, more: str = "", text: str = TEXT) -> Page:
    path = folder / f"{name}.html"
    document = replace(DOCUMENTS[name](text), title=name, link=HERE)
    path.write_text(build_document_html(document), encoding="utf-8")
    page.goto(path.as_uri() + more)
    expect(page.locator(PICTURES[name]).first).to_be_visible()
    return page


def of_row(page: Page, name: str) -> list[str]:
    row = page.locator(".row").filter(has=page.get_by_role("heading", name=name, exact=True))
    row.scroll_into_view_if_needed()
    expect(row.locator(".tile").first).to_be_visible()
    return row.locator(".word .tile").evaluate_all(TILES)


def the_strip_has_every_token_of_the_record(
    page: Page, requests: list[str], tmp_path: Path
) -> None:
    opened(page, tmp_path, "compare")
    chunks = compared()[1].chunks
    for n in range(len(KINDS)):
        cells = [tile for one in chunks for cell in one.rows[n] for tile in cell.tiles]
        button = f"button[data-row='{n}']"
        texts = page.locator(f"{button} > bdi").evaluate_all(TILES)
        assert texts == [tile.text for tile in cells]
        ids = page.locator(f"{button} > small").evaluate_all(TILES)
        assert ids == [f"{tile.id:,}" for tile in cells]
    page.locator("button[data-row='0']").first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".sentence")).to_contain_text("<b>wordpiece has it")
    expect(page.get_by_role("region", name="What the text became")).to_be_visible()
    assert [url for url in requests if not url.startswith("file:")] == []
    assert len(requests) == 1


def the_scrubber_moves_and_the_address_keeps_the_size(
    page: Page, requests: list[str], tmp_path: Path
) -> None:
    shown = scrubbed()
    opened(page, tmp_path, "sizes")
    sizes = page.locator(".sizes")
    expect(sizes).to_have_attribute("data-size", str(shown.sizes[9]))
    page.keyboard.press("End")
    expect(sizes).to_have_attribute("data-size", str(shown.sizes[-1]))
    until(page, f"location.hash === '#at={shown.sizes[-1]}'")
    last = [one.tokens[-1] for one in shown.tokenizers]
    assert len(of_row(page, "BPE on characters")) == last[0]
    assert len(of_row(page, "Unigram")) == last[2]
    page.goto(page.url.split("#")[0] + f"#at={shown.sizes[4]}")
    expect(sizes).to_have_attribute("data-size", str(shown.sizes[4]))
    expect(page.locator(".sizes .sentence")).to_contain_text(
        f"BPE on characters splits the text into {shown.tokenizers[0].tokens[4]} tokens"
    )
    page.goto(page.url.split("#")[0] + "#at=999999999")
    expect(sizes).to_have_attribute("data-size", str(shown.sizes[-1]))
    page.goto(page.url.split("#")[0] + "#at=%3Cimg%20src=x%3E&x=1")
    expect(sizes).to_have_attribute("data-size", str(shown.sizes[9]))
    assert {url.split("#")[0] for url in requests} == {page.url.split("#")[0]}


def every_language_is_there_at_every_mix(page: Page, requests: list[str], tmp_path: Path) -> None:
    opened(page, tmp_path, "languages", "#mix=50&cut=ta")
    found = study()
    at = SHARES.index(50)

    def tiles(code: str, at: int) -> list[str]:
        return [tile[0] for tile in language_tiles(found.mixes[at].cuts[code], "bpe")]

    shown = page.locator(".stage .tiles span > bdi")
    expect(shown).to_have_count(len(tiles("ta", at)))
    assert shown.evaluate_all(TILES) == tiles("ta", at)
    page.locator("tr[data-code='ru'] button").click()
    expect(page.locator(".title")).to_contain_text("The unseen sentences in Russian")
    until(page, "location.hash === '#mix=50&cut=ru'")
    page.get_by_label("share of Hindi in the training text").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".stage .sentence")).to_have_text(mix_said(found, at + 1))
    assert shown.evaluate_all(TILES) == tiles("ru", at + 1)
    until(page, "location.hash === '#mix=60&cut=ru'")
    assert all(url.startswith("file:") for url in requests)


def a_token_is_followed_through_all_stages(page: Page, requests: list[str], tmp_path: Path) -> None:
    opened(page, tmp_path, "pipeline", "#at=3")
    descriptions = [tile.description for tile in journey().table.tiles]
    expect(page.locator(".stage-table .sentence")).to_have_text(descriptions[2])
    page.locator(".stage-table .tiles button").nth(2).focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".stage-table .sentence")).to_have_text(descriptions[3])
    until(page, "location.hash === '#at=4'")
    page.goto(page.url.split("#")[0] + "#at=99999")
    expect(page.locator(".stage-table .sentence")).to_have_text(descriptions[-1])
    assert all(url.startswith("file:") for url in requests)


def it_presents_and_switches_the_theme(page: Page) -> None:
    large = page.locator(".presenting")
    page.keyboard.press("p")
    expect(large).to_be_visible()
    dark = large.evaluate("(node) => getComputedStyle(node).backgroundColor")
    page.keyboard.press("t")
    expect(large).not_to_have_css("background-color", dark)
    page.keyboard.press("Escape")
    expect(large).to_have_count(0)
    page.get_by_role("button", name="Presenter view").click()
    expect(large).to_be_visible()
    page.get_by_role("button", name="P leave").click()
    expect(large).to_have_count(0)
    # That the whole screen is left may be told only when it is asked for anew.
    never = "() => { document.documentElement.requestFullscreen = () => new Promise(() => {}) }"
    page.evaluate(never)
    page.keyboard.press("p")
    expect(large).to_be_visible()
    page.evaluate("document.dispatchEvent(new Event('fullscreenchange'))")
    page.wait_for_timeout(100)
    expect(large).to_be_visible()


def a_phone_holds_it_axe_finds_nothing_serious_and_its_link_leads_to_the_app(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 390, "height": 844})
    until(page, "document.documentElement.scrollWidth <= 390")
    expect(page.get_by_role("link", name="The same screen there")).to_have_attribute("href", HERE)
    expect(page.locator("footer")).to_contain_text(re.compile("MIT licence"))

    page.set_viewport_size({"width": 1280, "height": 720})
    for details in page.locator("summary").all():
        details.click()
    assert serious_dark_and_light(page) == []


DOES = {
    "compare": the_strip_has_every_token_of_the_record,
    "sizes": the_scrubber_moves_and_the_address_keeps_the_size,
    "languages": every_language_is_there_at_every_mix,
    "pipeline": a_token_is_followed_through_all_stages,
}


@pytest.mark.parametrize("name", PICTURES)
def test_it_does_all_without_a_network_is_accessible_and_presents(offline, tmp_path, name):
    page, requests = offline
    page.emulate_media(color_scheme="dark")
    DOES[name](page, requests, tmp_path)
    a_phone_holds_it_axe_finds_nothing_serious_and_its_link_leads_to_the_app(page)
    page.emulate_media(reduced_motion="no-preference")
    it_presents_and_switches_the_theme(page)


@pytest.mark.parametrize("name", ["compare", "sizes", "pipeline"])
def test_any_text_is_shown_as_text(offline, tmp_path, name):
    page, _ = offline
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    opened(page, tmp_path, name, text=HOSTILE)
    page.keyboard.press("p")
    page.keyboard.press("p")
    assert page.evaluate("window.ran") is None
    expect(page.locator("img, b:text('bold')")).to_have_count(0)
    expect(page.locator("header p")).to_contain_text("“</script><script>window.ran=1</script>")
    assert errors == []


def test_a_document_can_have_a_player_and_components_and_its_address_has_the_state_of_all(
    offline, tmp_path
):
    page, requests = offline
    _, recording = trained({"low": 5, "lower": 2})
    stages, sizes = (DOCUMENTS[name](TEXT).blocks[0] for name in ("pipeline", "sizes"))
    document = Document("Both", blocks=(PlayerBlock(recording, 1), stages, sizes))
    path = tmp_path / "both.html"
    path.write_text(build_document_html(document), encoding="utf-8")
    page.goto(path.as_uri() + "#step=2&at=3")
    at(page, 2)
    descriptions = [tile.description for tile in journey().table.tiles]
    sentence = page.locator(".stage-table .sentence")
    expect(sentence).to_have_text(descriptions[2])
    page.locator(".player").press("ArrowRight")
    at(page, 3)
    expect(sentence).to_have_text(descriptions[2])
    size = scrubbed().sizes[9]
    until(page, f"location.hash === '#step=3&at=3&at2={size}'")
    page.locator(".stage-table .tiles button").nth(3).click()
    expect(sentence).to_have_text(descriptions[3])
    until(page, f"location.hash === '#step=3&at=4&at2={size}'")
    other = scrubbed().sizes[4]
    page.goto(page.url.split("#")[0] + f"#step=1&at=2&at2={other}")
    at(page, 1)
    expect(sentence).to_have_text(descriptions[1])
    expect(page.locator(".sizes")).to_have_attribute("data-size", str(other))
    assert all(url.startswith("file:") for url in requests)
