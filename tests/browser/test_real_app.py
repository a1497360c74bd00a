"""Real tokenizers in a real browser: GPT-4o's merges of a word, stepped through by keys."""

import re
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
    ids = page.locator(".st-key-token_row small")
    expect(ids).to_have_text(list(map(str, encoding.ids)))
    sentence = page.locator(".sentence").first
    expect(sentence).to_contain_text("40 symbols")
    page.locator(".scrubber").focus()
    press(page, "ArrowRight")
    expect(sentence).to_contain_text("merge o and n into on: rank 263, the lowest of")
    in_address(page, "step=1")
    press(page, "End")
    expect(sentence).to_contain_text(f"{len(encoding.ids)} tokens")


def test_a_click_or_an_arrow_key_chooses_the_word(laptop, serve):
    page = show(laptop, f"{serve('app.py')}/real?say=Unbelievably+12345+naive")
    row, sentence = page.locator(".st-key-token_row"), page.locator(".player .sentence")
    expect(sentence).to_contain_text("Unbelievably starts as 12 symbols")
    row.get_by_text("45", exact=True).click()
    expect(sentence).to_contain_text("45 starts as 2 symbols")
    in_address(page, "word=4")
    press(page, "ArrowRight")  # the click leaves the keys to the player
    in_address(page, "step=1")
    row.get_by_role("button", pressed=True).focus()
    press(page, "ArrowRight")
    expect(sentence).to_contain_text("naive starts as")
    in_address(page, "word=5")
    expect(row.get_by_role("button", pressed=True)).to_be_focused()


def test_typing_a_models_name_finds_its_tokenizer(laptop, serve):
    page = show(laptop, f"{serve('app.py')}/real?model=gpt2")
    page.get_by_role("combobox", name="Tokenizer").first.click()
    page.keyboard.type("GPT-5")
    page.get_by_role("option").first.click()
    expect(page).not_to_have_url(re.compile("model="))  # o200k is the default
    page.get_by_role("button", name="Open another tokenizer").click()
    page.get_by_role("combobox", name="Which tokenizer does a model use?").click()
    page.keyboard.type("Qwen 2.5")
    page.get_by_role("option").first.click()
    expect(page).to_have_url(re.compile("model=qwen3"))
    expect(page.get_by_text("Here it is Qwen 3.")).to_be_visible()
