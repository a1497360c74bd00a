"""Presenter view of the pages without a player: the picture fills the window, by one key."""

import re

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from tests.browser.conftest import until
from tests.browser.test_app import in_address, press

PAGES = {
    "": ".aligned-view .cell button",
    "compare": ".aligned-view .cell button",
    "pipeline": ".stage-table .tiles button",
    "sizes": ".rows .tile",
    "complexity": ".growth svg",
}
IS_CUT = """(node) =>
    node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1"""
IN_MARGIN = """(node) => {
    const end = node.clientWidth - parseFloat(getComputedStyle(node).paddingRight) + 1;
    return [...node.querySelectorAll("svg, table, p, .tile")]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > end)
        .map((one) => one.outerHTML.slice(0, 80));
}"""
OVERPRINTED = """(node) => {
    const texts = [...node.querySelectorAll("svg text")].filter((one) => one.checkVisibility());
    const boxes = texts.map((one) => one.getBoundingClientRect());
    const areas = texts.map((one) => one.closest("svg").getBoundingClientRect());
    return texts.filter((one, n) => boxes[n].top < areas[n].top - 1 ||
        boxes.some((other, m) => m < n && other.left < boxes[n].right && boxes[n].left < other.right
            && other.top < boxes[n].bottom - 2 && boxes[n].top < other.bottom - 2))
        .map((one) => one.textContent);
}"""
SMALLEST = """(node) => Math.min(...[...node.querySelectorAll("bdi, small, .tile")]
    .filter((one) => one.checkVisibility() && !one.closest(".podium"))
    .map((one) => parseFloat(getComputedStyle(one).fontSize)))"""


def leaves(page: Page, key: str) -> None:
    press(page, key)
    expect(page.locator(".presenting")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("present"))


@pytest.mark.parametrize("name", PAGES)
def test_a_picture_is_presented_by_a_key_a_button_and_a_link(projector, serve, name):
    page = projector
    page.goto(f"{serve('app.py')}/{name}?present=1")
    large = page.locator(".presenting")
    expect(large.locator(PAGES[name]).first).to_be_visible(timeout=60_000)
    until(large, IS_CUT, lambda it: not it)
    until(large, IN_MARGIN, lambda it: it == [])
    until(large, OVERPRINTED, lambda it: it == [])
    if name in ("", "pipeline", "complexity"):
        until(large, SMALLEST, lambda it: it >= 24)
    leaves(page, "Escape")
    in_page = page.get_by_test_id("stMain").locator(PAGES[name]).first
    expect(in_page).to_be_visible()
    press(page, "p")
    expect(large).to_be_visible()
    in_address(page, "present=1")
    ground = large.evaluate("(node) => getComputedStyle(node).backgroundColor")
    press(page, "t")
    expect(large).not_to_have_css("background-color", ground)
    leaves(page, "p")
    page.get_by_role("button", name="Presenter view").click()
    expect(large).to_be_visible()
    large.get_by_role("button", name="P leave").click()
    expect(large).to_have_count(0)
    expect(page.get_by_role("button", name="Presenter view")).to_be_focused()
