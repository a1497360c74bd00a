"""Real tokenizers in a real browser: GPT-4o's merges of a word, stepped through by keys."""

from pathlib import Path
from urllib.parse import quote

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import expect

from lessons.models import open_model
from tests.browser.test_app import in_address, press, show
from tests.core.formats.test_opening import LINES
from tests.parity.repositories import bert_json, config
from tokenizers.limits import MAX_FILE_BYTES

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


def written_folder(folder: Path) -> list[Path]:
    """Write a model's folder, with weights that are too large to be read."""
    settings = config("BertTokenizer", do_lower_case=False, padding_side="left")
    for name, data in {**bert_json(), **settings, "vocab.txt": LINES}.items():
        (folder / name).write_bytes(data)
    with (folder / "model.bin").open("wb") as weights:
        weights.truncate(MAX_FILE_BYTES + 1)
    return sorted(folder.iterdir())


@pytest.mark.parametrize("size", ["laptop", "phone"])
def test_a_whole_folder_is_dropped_and_the_page_says_what_was_taken(request, serve, tmp_path, size):
    page = show(request.getfixturevalue(size), f"{serve('app.py')}/real?say=LOW+low")
    page.get_by_role("button", name="Open another tokenizer").click()
    page.locator(".st-key-tokenizer_files input").set_input_files(written_folder(tmp_path))
    refused = page.get_by_text("File must be 64.0MB or smaller.")
    expect(refused).to_be_visible()
    box = refused.bounding_box()
    assert box
    assert box["width"] > 100
    assert box["height"] > 8
    expect(page.locator(".st-key-token_row")).to_contain_text("[UNK]")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="info").first.click()
    listed = page.locator(".pp-settings")
    expect(listed).to_be_visible()
    expect(listed).to_contain_text("do_lower_case false")
    expect(listed).to_contain_text("Not used: the tokenizer was read from tokenizer.json")
