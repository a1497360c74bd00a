"""What a keyboard seldom types, put into the boxes of a page and into our own."""

import re

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

PUT = r"""(box) => {
  const {set} = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(box), "value");
  set.call(box, "low \ud83d lower");
  box.dispatchEvent(new InputEvent("input", {bubbles: true, composed: true}));
}"""
"""Puts half a character into a box, as a script or a broken clipboard does."""


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    expect(page.locator(".pp-heading")).to_be_visible()
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    return page


def test_half_a_character_is_replaced_and_told(serve, laptop: Page):
    opened(laptop, f"{serve('app.py')}/compare?corpus=own")
    box = laptop.locator("textarea:visible").first
    box.evaluate(PUT)
    expect(laptop.get_by_role("alert").filter(has_text="half a character")).to_be_visible()
    expect(box).to_have_value("low \ufffd lower")
    box.blur()
    expect(laptop.get_by_test_id("stApp")).to_have_attribute(
        "data-test-connection-state", "CONNECTED"
    )
    expect(laptop.locator(".stMain")).to_contain_text("\ufffd")


def test_half_a_character_in_a_box_of_the_player(serve, laptop: Page):
    opened(laptop, f"{serve('app.py')}/bpe_train?corpus=b2")
    box = laptop.locator("input.wanted")
    box.evaluate(PUT)
    expect(laptop.get_by_role("alert").filter(has_text="half a character")).to_be_visible()
    expect(box).to_have_value(re.compile("\ufffd"))
