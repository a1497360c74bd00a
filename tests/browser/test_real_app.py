"""Real tokenizers in a real browser: GPT-4o's merges of a word, stepped through by keys."""

from urllib.parse import quote

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import expect

from lessons.models import open_model
from tests.browser.test_app import in_address, press, show
from tests.core.formats.test_opening import RANKS
from tokenizers.formats.schemes import SCHEMES
from tokenizers.formats.tiktoken import read_tiktoken

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


def test_a_list_of_pieces_is_dropped_and_its_scheme_chosen(laptop, serve):
    page = show(laptop, f"{serve('app.py')}/real?say=lowest+new")
    page.get_by_role("button", name="Open another tokenizer").click()
    page.locator("input[type=file]").set_input_files(
        {"name": "mine.tiktoken", "mimeType": "", "buffer": RANKS}
    )
    expect(page.get_by_test_id("stAlert")).to_contain_text("like no published list")
    page.get_by_role("combobox", name="How it cuts a text into words").click()
    page.get_by_role("option", name="Llama 4 (llama4)").click()
    ids = page.locator(".st-key-token_row small")
    expected = read_tiktoken(RANKS, SCHEMES["llama4"]).encode("lowest new").ids
    expect(ids).to_have_text(list(map(str, expected)))
    expect(page.get_by_test_id("stAlert")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".player .sentence")).to_contain_text("lowest")
