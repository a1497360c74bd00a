"""The budget of a screen: what matters at a step lies whole within the window, and fills it."""

import re

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import PATIENCE, until

TOP = 190  # px: the stage begins at most here
WIDE = 0.8  # of the window's width, on a projector

PLAYER = (
    "bpe_train",
    "bpe_encode",
    "wordpiece_train",
    "wordpiece_encode",
    "unigram_train",
    "race",
    "surgery",
    "real?model=bert-uncased",
)
"""The pages whose stage is a player, and whose whole picture lies in the window."""
FIRST_OF_STAGE = ".st-key-token_row .row, .player .bar"
"""What a stage begins with: a text that is split stands over its player."""
PICTURES = {
    "": (".aligned-view", ".names, .chunk"),
    "compare": (".aligned-view", ".names, .chunk"),
    "pipeline": (".stage-table", ".row"),
    "complexity": (".growth", "svg, table"),
}
"""The pages whose stage is a picture without steps, and the parts of the picture."""
FILES_IN_HEADING = ("compare", "complexity")

MEASURE = """async (root, selector) => {
  for (const _ of "ab") await new Promise(requestAnimationFrame); // what a new size moves
  const parts = [...root.querySelectorAll(selector)].filter((part) => part.checkVisibility());
  const boxes = parts.map((part) => part.getBoundingClientRect());
  return {
    top: root.getBoundingClientRect().top,
    bottom: Math.max(...boxes.map((box) => box.bottom)),
    width: Math.max(...boxes.map((box) => box.right)) - Math.min(...boxes.map((box) => box.left)),
  };
}"""
TOP_OF = "(node) => Math.round(node.getBoundingClientRect().top)"
SCRIPTS_OF_CONTROLS = re.compile(r"/(TextArea|ButtonGroup|Selectbox)[.][^/]*js")
STEP_PARTS = ".sentence, .part"


@pytest.fixture(scope="module")
def url(serve):
    return serve("app.py")


def opened(page: Page, url: str, name: str, stage: str = ".player:not([hidden])") -> Page:
    page.goto(f"{url}/{name}")
    page.locator(stage).wait_for()
    page.evaluate("document.fonts.ready.then(() => true)")
    return page


def bottoms(page: Page) -> list[int]:
    """Return the lower end of the picture at every step of the run."""
    last = int(page.locator(".player .scrubber").get_attribute("max") or 0)
    ends = []
    for step in range(last + 1):
        shown = page.locator(f".player[data-step='{step}']")
        shown.wait_for()
        ends.append(round(shown.evaluate(MEASURE, STEP_PARTS)["bottom"]))
        if step < last:
            page.keyboard.press("ArrowRight")
    return ends


@pytest.mark.parametrize("name", PLAYER)
def test_every_step_lies_within_a_laptops_window_and_fills_a_projectors(
    laptop: Page, url: str, name: str
):
    page = opened(laptop, url, name)
    stage = page.locator(FIRST_OF_STAGE).first.bounding_box()
    assert stage
    assert stage["y"] <= TOP
    too_low = {step: end for step, end in enumerate(bottoms(page)) if end > 768}
    assert not too_low
    page.set_viewport_size({"width": 1920, "height": 1080})
    until(
        page.locator(".player"), MEASURE, lambda it: it["width"] >= WIDE * 1920, argument=STEP_PARTS
    )


@pytest.mark.parametrize("name", [*PLAYER, "unigram_lattice", "languages"])
def test_the_stage_does_not_move_when_the_scripts_of_the_controls_arrive(
    browser, url: str, name: str
):
    """Streamlit fetches the script of a control only when a page needs it."""
    held: list[Route] = []
    with browser.new_context(viewport={"width": 1366, "height": 768}) as visitor:
        page = visitor.new_page()
        page.set_default_timeout(PATIENCE)
        page.route(SCRIPTS_OF_CONTROLS, lambda route: held.append(route))
        opened(page, url, name, ".player:not([hidden]), .st-key-languages table")
        stage = page.locator(FIRST_OF_STAGE).or_(page.locator(".st-key-languages")).first
        controls = page.locator(".stMain").locator(".stTextArea, .stButtonGroup, .stSelectbox")
        expect(controls).to_have_count(0)
        before = stage.evaluate(TOP_OF)
        for route in held:
            route.continue_()
        expect(controls.first).to_be_visible()
        until(stage, TOP_OF, lambda top: abs(top - before) <= 2, of=before)


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_lies_within_a_laptops_window_and_fills_a_projectors(
    laptop: Page, url: str, name: str
):
    stage, parts = PICTURES[name]
    page = opened(laptop, url, name, stage)
    picture = page.locator(stage)
    until(picture, MEASURE, lambda it: it["top"] <= TOP, argument=parts)
    until(picture, MEASURE, lambda it: it["bottom"] <= 768, argument=parts)
    if name in FILES_IN_HEADING:
        heading = page.locator(".st-key-page_actions")
        expect(heading.get_by_role("button", name="Take it with you")).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 720})
    until(picture, MEASURE, lambda it: it["bottom"] <= 720, argument=parts)
    page.set_viewport_size({"width": 1920, "height": 1080})
    until(picture, MEASURE, lambda it: it["width"] >= WIDE * 1920, argument=parts)


@pytest.mark.parametrize("step", [0, 3, 10])
def test_the_whole_lattice_lies_within_a_laptops_window(laptop: Page, url: str, step: int):
    page = opened(laptop, url, f"unigram_lattice?pieces_from=python&say=simplest&step={step}")
    page.locator(f".player[data-step='{step}']").wait_for()
    stage = page.locator(".player .bar").bounding_box()
    assert stage
    assert stage["y"] <= TOP
    values = page.locator(".player .lattice .node").all()
    assert max(box["y"] + box["height"] for node in values if (box := node.bounding_box())) <= 768
