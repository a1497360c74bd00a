"""Unusual input in the boxes of a page and of components: lone surrogates, fast clicks."""

import re

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from tests.browser.test_app import go

PUT = r"""(box) => {
  const {set} = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(box), "value");
  set.call(box, "low \ud83d lower");
  box.dispatchEvent(new InputEvent("input", {bubbles: true, composed: true}));
}"""
"""Puts a lone surrogate into a box, as a script or a broken clipboard does."""


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    expect(page.locator(".pp-heading")).to_be_visible()
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    return page


def test_a_lone_surrogate_is_replaced_with_a_message(serve, laptop: Page):
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


BOX = ".stMain .st-key-text_box textarea, .st-key-say textarea"


def types(page: Page, text: str) -> None:
    """Type into the box of the page, and end with the last key."""
    page.locator(BOX).focus()
    page.keyboard.press("Control+A")
    page.keyboard.type(text)


def test_a_link_clicked_right_after_the_last_key_is_followed_with_the_text(serve, laptop: Page):
    page = opened(laptop, serve("app.py"))
    walk = ("The whole story", "Start", "Real tokenizers", "Pipeline", "Start")
    for number, name in enumerate(walk):
        link = page.get_by_role("link", name=name, exact=True).first
        types(page, f"tide number {number}")
        # As fast as a click can be: the box is left, and the link is asked for, in one moment.
        link.evaluate("link => { document.activeElement.blur(); link.click(); }")
        expect(page).to_have_title(re.compile(f"^{name} "))
        expect(page.locator(BOX)).to_have_value(f"tide number {number}")


@pytest.mark.parametrize("names", [("Start",), ("Compare", "Side by side")], ids=" ".join)
def test_back_right_after_the_last_key_keeps_the_text(serve, laptop: Page, names):
    page = opened(laptop, f"{serve('app.py')}/about")
    go(page, *names)
    expect(page).to_have_title(re.compile(f"^{names[-1]} |· {names[-1]} "))
    page.locator(BOX).focus()
    page.keyboard.press("Control+A")
    # In one moment: later, the text may be applied, and Back leads to before it.
    page.evaluate("addEventListener('input', () => history.back(), {once: true, capture: true})")
    page.keyboard.insert_text("a tide that nobody waited for")
    expect(page.locator(".pp-heading h1")).to_have_text("How it works")
    expect(page).to_have_url(re.compile("/about$"))
    page.get_by_role("link", name="Start", exact=True).first.click()
    expect(page.locator(BOX)).to_have_value("a tide that nobody waited for")
