"""What a paster meets: a text that follows the menu, keys that count, Back that goes back."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_app import at, in_address, press, show

TEXT = "the sea and the sand"


@pytest.fixture(scope="module")
def url(serve):
    return serve("app.py")


def test_a_pasted_text_follows_the_menu_with_its_lines_and_back_reaches_the_text_before(
    laptop: Page, url: str
):
    page = show(laptop, f"{url}/bpe_encode")
    box = page.get_by_label("Text to encode")
    box.evaluate("box => box.focus()")
    page.keyboard.press("Control+A")
    page.evaluate("document.execCommand('insertText', false, 'low\\nlower')")
    in_address(page, re.escape("say=low%0Alower"))
    expect(box).to_have_value("low\nlower")
    box.press("End")
    page.keyboard.type(" newest")
    box.press("Enter")
    in_address(page, re.escape("say=low%0Alower+newest"))
    expect(box).to_have_value("low\nlower newest")
    page.get_by_role("link", name="Start", exact=True).first.click()
    box = page.get_by_label("Your text")
    expect(box).to_have_value("low\nlower newest")

    for text in ("one tide", "two tides"):
        box.fill(text)
        box.press("Control+Enter")
        in_address(page, f"text={text.replace(' ', '.')}")
    page.go_back()
    expect(box).to_have_value("one tide")


def test_a_key_that_comes_before_the_film_is_not_lost(laptop: Page, url: str):
    page = laptop
    # As soon as somebody listens to keys: the film is still on its way then.
    page.add_init_script(
        """const add = document.addEventListener;
        document.addEventListener = function (name, listener, ...more) {
          add.call(this, name, listener, ...more);
          if (name !== "keydown" || listener.name !== "press" || window.pressed) return;
          window.pressed = true;
          queueMicrotask(() => document.body.dispatchEvent(
            new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, composed: true })));
        };"""
    )
    page.goto(f"{url}/bpe_train")
    at(page, 1)


def test_what_helps_can_be_hit_and_covers_nothing(laptop: Page, url: str):
    page = show(laptop, f"{url}/unigram_lattice")
    page.get_by_role("button", name="Change the pieces").click()
    odds = page.get_by_label("Change probabilities", exact=True)
    expect(odds).to_be_visible()
    target = page.get_by_test_id("stTooltipHoverTarget").first.bounding_box()
    assert target
    assert min(target["width"], target["height"]) >= 24
    odds.fill("hell 0.2 lo 0 " * 9)
    counter = page.locator(".st-key-odds").get_by_test_id("InputInstructions").bounding_box()
    field = odds.bounding_box()
    assert counter
    assert field
    above, below = counter["y"] + counter["height"], counter["y"]
    assert above <= field["y"] + 1 or below >= field["y"] + field["height"] - 1
    press(page, "Escape")
