"""The budget of a screen: what matters at a step lies whole within the window, and fills it."""

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page

TOP = 190  # px: the stage begins at most here
WIDE = 0.8  # of the window's width, on a projector

PLAYER = (
    "bpe_train",
    "bpe_encode",
    "wordpiece_train",
    "wordpiece_encode",
    "unigram_train",
)
"""The pages whose whole picture lies in the window; its stage is the player."""

MEASURE = """player => {
  const root = player.closest('.player') ?? player;
  const parts = [...root.querySelectorAll('.sentence, .part')];
  const seen = parts.filter((part) => part.checkVisibility());
  const boxes = seen.map((part) => part.getBoundingClientRect());
  return {
    bottom: Math.max(...boxes.map((box) => box.bottom)),
    width: Math.max(...boxes.map((box) => box.right)) - Math.min(...boxes.map((box) => box.left)),
  };
}"""


@pytest.fixture(scope="module")
def url(serve):
    return serve("app.py")


def opened(page: Page, url: str, name: str, width: int, height: int) -> Page:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{url}/{name}")
    page.locator(".player:not([hidden])").wait_for()
    page.evaluate("document.fonts.ready.then(() => true)")
    return page


def bottoms(page: Page) -> list[int]:
    """Return the lower end of the picture at every step of the run."""
    last = int(page.locator(".player .scrubber").get_attribute("max") or 0)
    ends = []
    for step in range(last + 1):
        page.locator(f".player[data-step='{step}']").wait_for()
        ends.append(round(page.locator(".player").evaluate(MEASURE)["bottom"]))
        if step < last:
            page.keyboard.press("ArrowRight")
    return ends


@pytest.mark.parametrize("name", PLAYER)
def test_every_step_lies_within_a_laptops_window(laptop: Page, url: str, name: str):
    page = opened(laptop, url, name, 1366, 768)
    stage = page.locator(".player .bar").bounding_box()
    assert stage
    assert stage["y"] <= TOP
    too_low = {step: end for step, end in enumerate(bottoms(page)) if end > 768}
    assert not too_low


@pytest.mark.parametrize("name", PLAYER)
def test_the_picture_fills_a_projectors_width(laptop: Page, url: str, name: str):
    page = opened(laptop, url, name, 1920, 1080)
    assert page.locator(".player").evaluate(MEASURE)["width"] >= WIDE * 1920


@pytest.mark.parametrize("step", [0, 3, 10])
def test_the_whole_lattice_lies_within_a_laptops_window(laptop: Page, url: str, step: int):
    page = opened(
        laptop, url, f"unigram_lattice?pieces_from=python&say=simplest&step={step}", 1366, 768
    )
    page.locator(f".player[data-step='{step}']").wait_for()
    stage = page.locator(".player .bar").bounding_box()
    assert stage
    assert stage["y"] <= TOP
    values = page.locator(".player .lattice .node").all()
    assert max(box["y"] + box["height"] for node in values if (box := node.bounding_box())) <= 768
