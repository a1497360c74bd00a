"""The export menu in the app, and the app embedded in another page."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from pages.shared.export.menu.links import ONLY_THIS_COMPUTER
from pages.shared.routes import NAVIGATION, page_says
from tests.browser.conftest import until


@pytest.fixture(scope="module")
def url(browser, serve):
    """The app, with a browser at hand."""
    return serve("app.py")


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    page.locator(".player:not([hidden])").wait_for()
    page.get_by_role("button", name="Take it with you").click()
    expect(page.get_by_role("button", name="This run as one HTML file")).to_be_visible()
    return page


def downloaded(page: Page, button: str) -> tuple[str, str]:
    with page.expect_download() as found:
        page.get_by_role("button", name=button).click()
    return found.value.suggested_filename, found.value.path().read_text("utf-8")


def the_files_are_made_on_a_click(page: Page, url: str) -> None:
    expect(page.get_by_role("link", name="Pipeline")).to_have_count(1)  # in no frame
    name, html = downloaded(page, "This run as one HTML file")
    assert name == "bpe_train.html"
    assert html.startswith("<!doctype html>")
    assert "low, lower, newest, widest · characters and an end-of-word mark" in html
    assert f"{url}/bpe_train?step=3" in html
    name, trace = downloaded(page, "Download trace.json")
    assert (name, json.loads(trace)["steps"][2]["token"]) == ("trace.json", "est</w>")
    page.get_by_role("combobox", name="Another file").click()
    page.get_by_role("option", name="The tokenizer as .tiktoken").click()
    expect(page.get_by_text("Train on UTF-8 bytes, or write a tokenizer.json.")).to_be_visible()


def the_link_can_be_copied_scanned_and_framed(page: Page, url: str) -> None:
    page.get_by_role("tab", name="Link").click()
    expect(page.get_by_text(f"{url}/bpe_train?step=3", exact=True).first).to_be_visible()
    expect(page.get_by_role("img", name="QR code of the address of this screen")).to_be_visible()
    expect(page.get_by_text("<iframe src=").first).to_contain_text("embed=true")


def scanned(page: Page) -> str:
    """Return the overlay for the key Q: the URL under the code."""
    window = page.get_by_role("dialog", name="This screen’s address")
    for _ in range(50):  # the key works once the scripts are loaded
        page.keyboard.press("q")
        if window.count():
            break
        page.wait_for_timeout(100)
    expect(window.get_by_role("img", name="QR code of the address of this screen")).to_be_visible()
    address, *note = window.locator("p").all_inner_texts()
    assert note == [ONLY_THIS_COMPUTER]
    return address


def in_presenter_view_the_qr_code_is_over_the_picture(page: Page, url: str) -> None:
    page.keyboard.press("p")
    expect(page.locator(".player")).to_have_class(re.compile("presenting"))
    assert scanned(page) == f"{url}/bpe_train?step=2&predict=1"  # the question, not its answer
    svg = page.get_by_role("dialog").locator("svg")
    expect(svg).to_be_visible()
    until(svg, "(one) => one.getBoundingClientRect().height", lambda it: it > 500)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".player")).to_have_class(re.compile("presenting"))
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="QR code").click()
    expect(page.get_by_role("dialog").get_by_text(f"{url}/bpe_train?step=3")).to_be_visible()
    page.goto(f"{url}/bpe_train?step=2&predict=1")
    expect(page.locator(".sentence")).to_have_text(re.compile("^Which pair is merged next"))
    expect(page.locator(".options")).to_be_visible()


def picture_as_png(page: Page, name: str, file: str, tmp_path: Path) -> None:
    """Check that the PNG is the SVG three times as large, or an error message."""
    paths = {}
    for kind in ("SVG", "PNG"):
        page.get_by_role("combobox", name="file").click()
        page.get_by_role("option", name=f"{name} as {kind}").click()
        button = page.get_by_role("button", name=f"Download {file}.{kind.lower()}")
        with page.expect_download() as found:
            button.click()
        paths[kind] = tmp_path / found.value.suggested_filename
        found.value.save_as(paths[kind])
    svg = ElementTree.parse(paths["SVG"]).getroot()
    with Image.open(paths["PNG"]) as picture:
        assert picture.format == "PNG"
        size = (3 * int(svg.get("width") or 0), 3 * int(svg.get("height") or 0))
        assert picture.size == size
        pixels = picture.convert("RGB")
        dark = sum(pixels.convert("L").histogram()[:100])
        assert dark > 1000  # letters and lines
        assert len(pixels.getcolors(1 << 24) or ()) > 20
        assert pixels.getpixel((2, 2)) == (255, 255, 255)
        assert pixels.getbbox() is not None

    page.evaluate("void (HTMLImageElement.prototype.decode = () => Promise.reject(new Error()))")
    button.click()
    expect(page.get_by_text("This browser could not draw the picture.")).to_be_visible()


def test_a_run_is_exported_as_files_as_a_picture_and_as_a_qr_code(laptop, url, tmp_path):
    page = opened(laptop, f"{url}/bpe_train?step=3")
    the_files_are_made_on_a_click(page, url)
    picture_as_png(page, "The tree of step 3", "tree-of-step-3", tmp_path)
    the_link_can_be_copied_scanned_and_framed(page, url)
    page.keyboard.press("Escape")
    expect(page.get_by_role("tab", name="Link")).to_have_count(0)
    in_presenter_view_the_qr_code_is_over_the_picture(page, url)


def test_a_teachers_own_words_come_to_a_worksheet_which_is_in_view_each_time(laptop, url):
    page, words = laptop, "laut lauter lauter Kaisers"
    page.goto(f"{url}/teach")
    page.get_by_role("textbox", name="Your own words").fill(words)
    for label in ("BPE: count pairs", "WordPiece: compute scores", "BPE: count pairs"):
        page.get_by_role("link", name=label).click()
        expect(page.get_by_role("button", name="1 sheet and its answers")).to_be_in_viewport()
        expect(page.locator(".stTextArea textarea").first).to_have_value(
            "laut lauter lauter Kaisers"
        )
        page.get_by_role("link", name="Teaching", exact=True).first.click()


PICTURES = {
    "complexity?operation=bpe_encode": ("The chart", "chart"),
    "unigram_lattice?say=hugs": ("The lattice", "lattice"),
}


@pytest.mark.parametrize("address", PICTURES)
def test_a_png_is_the_svg_three_times_as_large_or_an_error_message(laptop, url, tmp_path, address):
    laptop.goto(f"{url}/{address}")
    laptop.locator(".player:not([hidden]), .growth svg").first.wait_for()
    laptop.get_by_role("button", name="Take it with you").click()
    picture_as_png(laptop, *PICTURES[address], tmp_path)


PRESSED_AT_ONCE = """(keys) => {
  for (const key of keys) {
    const event = new KeyboardEvent("keydown", { key, bubbles: true, composed: true });
    document.activeElement.dispatchEvent(event);
  }
}"""


def test_one_key_shows_the_url_large_on_any_page(laptop, url):
    laptop.goto(f"{url}/about")
    expect(laptop.get_by_role("button", name="Take it with you")).to_be_visible()
    assert scanned(laptop) == f"{url}/about"
    laptop.evaluate(PRESSED_AT_ONCE, ["q", "?"])  # no key is lost while the window goes
    expect(laptop.get_by_role("dialog", name="Keys")).to_be_visible()
    laptop.keyboard.press("?")
    expect(laptop.get_by_role("dialog")).to_have_count(0)
    the_keys_are_in_a_table(laptop)
    each_entry_of_a_menu_says_what_is_there(laptop)


def the_keys_are_in_a_table(page: Page) -> None:
    table = page.get_by_role("dialog", name="Keys")
    page.keyboard.press("?")
    for row in ("→ one step forward", "P present", "Q the address", "? this table"):
        expect(table.get_by_role("row", name=row)).to_be_visible()
    until(table, "(one) => one.scrollHeight <= one.clientHeight")  # all of it is in sight
    page.keyboard.press("Escape")
    expect(table).to_have_count(0)
    page.get_by_role("button", name="Keys").click()
    expect(table).to_be_visible()
    table.get_by_role("button", name="Close").click()
    expect(table).to_have_count(0)


def each_entry_of_a_menu_says_what_is_there(page: Page) -> None:
    page.get_by_test_id("stTopNav").get_by_role("button", name="About", exact=True).click()
    for route in NAVIGATION["About"].values():
        line = page.get_by_test_id("stTopNavPopover").get_by_text(route.says).bounding_box()
        assert line
        assert line["height"] < 30, "in one line"
    line = page.get_by_text(page_says("glossary")).bounding_box()
    assert line
    page.mouse.click(line["x"] + 5, line["y"] + line["height"] / 2)
    expect(page.get_by_role("heading", name="Glossary", level=1)).to_be_visible()


def test_in_a_frame_the_page_is_there_without_the_navigation(laptop, url):
    laptop.goto(f"{url}/bpe_train?step=3&embed=true")
    expect(laptop.locator(".player")).to_have_attribute("data-step", "3")
    expect(laptop.get_by_role("link", name="Pipeline")).to_have_count(0)


DRAWN = {
    "compare?text=low%20lower%20tide%20unbelievable&with=real.gpt2,bpe.prose.300": (
        ".aligned-view button > bdi"
    ),
    "sizes?learned=prose&at_size=400": ".sizes .word .tile",
    "languages?mix=50&cut=ru": ".stage .tiles bdi",
    "pipeline?at=2": ".stage-table :is(.text span, .tiles bdi, .sentence)",
}
OF_ALL = "els => els.map((el) => el.textContent)"


def in_a_box_the_key_is_a_letter(page: Page) -> None:
    box = page.get_by_role("textbox").first
    box.click()
    page.keyboard.press("q")
    expect(box).to_have_value(re.compile("q"))
    expect(page.get_by_role("dialog")).to_have_count(0)


def a_word_of_the_file_can_be_stepped_through_in_the_app(file: Page, url: str) -> None:
    file.locator(".aligned-view button").first.hover()
    link = file.get_by_role("link", name="Step through it in")
    expect(link).to_be_visible()
    assert (link.get_attribute("href") or "").startswith(f"{url}/real?model=gpt2&")


@pytest.mark.parametrize("address", DRAWN)
def test_the_file_of_a_picture_draws_what_the_app_draws(laptop, url, tmp_path, address):
    laptop.set_viewport_size({"width": 1366, "height": 1800})  # the sizes draw what is in sight
    laptop.goto(f"{url}/{address}")
    name = address.partition("?")[0]
    if name == "compare":
        laptop.locator(".st-key-aligned_view[data-painted]").wait_for()  # till then the menu moves
    tiles = laptop.locator(DRAWN[address])
    expect(tiles.first).to_be_visible()
    laptop.get_by_role("button", name="Take it with you").click()
    button = laptop.get_by_role("button", name="as one HTML file")
    with laptop.expect_download() as found:
        button.click()
    path = tmp_path / found.value.suggested_filename
    found.value.save_as(path)
    assert path.name == f"{name}.html"
    shown = tiles.evaluate_all(OF_ALL)
    assert len(shown) > 5

    file = laptop.context.new_page()
    file.set_viewport_size({"width": 1366, "height": 1800})
    file.route(re.compile("^http"), lambda route: route.abort())  # as without a network
    file.goto(path.as_uri())
    expect(file.locator(DRAWN[address])).to_have_count(len(shown))
    assert file.locator(DRAWN[address]).evaluate_all(OF_ALL) == shown
    link = file.get_by_role("link", name="The same screen there")
    assert (link.get_attribute("href") or "").startswith(f"{url}/{name}?")
    if name == "compare":
        a_word_of_the_file_can_be_stepped_through_in_the_app(file, url)
    if name == "pipeline":
        laptop.keyboard.press("Escape")
        in_a_box_the_key_is_a_letter(laptop)
