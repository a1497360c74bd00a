"""Real tokenizers in a real browser: GPT-4o's merges of a word, stepped through by keys."""

from urllib.parse import quote

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import expect

from lessons.models import open_model
from tests.browser.test_app import in_address, press, show

WORD = "pneumonoultramicroscopicsilicovolcanocon"  # 40 letters


def test_a_word_of_40_letters_is_stepped_through_by_keys(laptop, serve):
    page = show(laptop, f"{serve('app.py')}/real?say={quote(WORD)}")
    encoding = open_model("o200k").encode(WORD)
    ids = page.locator('[aria-label="tokens"] small')
    expect(ids).to_have_text(list(map(str, encoding.ids)))
    sentence = page.locator(".sentence").first
    expect(sentence).to_contain_text("40 symbols")
    page.locator(".scrubber").focus()
    press(page, "ArrowRight")
    expect(sentence).to_contain_text("merge o and n into on: rank 263, the lowest of")
    in_address(page, "step=1")
    press(page, "End")
    expect(sentence).to_contain_text(f"{len(encoding.ids)} tokens")
