"""Real tokenizers in a real browser: GPT-4o's merges of a word, stepped through by keys."""

import re
from pathlib import Path
from urllib.parse import quote

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from lessons.models import open_model
from tests.browser.conftest import until
from tests.browser.test_app import in_address, press, show
from tests.browser.test_budget import MEASURE, STEP_PARTS
from tests.core.formats.test_opening import LINES, RANKS
from tests.parity.repositories import bert_json, config
from tokenizers.formats.schemes import SCHEMES
from tokenizers.formats.tiktoken import read_tiktoken
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


# --- A chat ---------------------------------------------------------------------------------------

WHOSE = {"system": "double", "user": "solid", "assistant": "dashed", "template": "none"}


def said(page: Page, speaker: str) -> list[str]:
    """The tokens of a speaker."""
    return page.locator(f".st-key-token_row .tile .speaker-{speaker}").all_inner_texts()


def write_chat(page: Page) -> None:
    """Add an answer to the example, and change what the user says."""
    page.get_by_role("radio", name="A chat").or_(
        page.get_by_role("button", name="A chat")
    ).first.click()
    user = page.get_by_role("textbox", name="Message 2")
    expect(user).to_have_value("Hello!")
    user.fill("Good morning!")  # applied while it is typed
    expect(page.locator(".st-key-token_row .tile .speaker-user").nth(2)).to_be_visible()
    page.locator(".st-key-chat_add_1").get_by_role("button").click()
    answer = page.get_by_role("textbox", name="Message 3")
    expect(answer).to_have_value("")
    answer.fill("And to you.")
    expect(page.locator(".st-key-token_row .tile .speaker-assistant").first).to_be_visible()


def test_a_chat_is_written_and_a_reload_shows_its_tokens_by_speaker(laptop, serve):
    page = show(laptop, f"{serve('app.py')}/real?model=mistral-v1")
    write_chat(page)
    legend = page.locator(".st-key-token_row .legend li")
    expect(legend).to_have_text(["the template’s marks 11", "system 6", "user 3", "assistant 4"])
    in_address(page, "input=chat")
    page.wait_for_url(lambda url: "And+to+you." in url or "And%20to%20you." in url)
    before = {speaker: said(page, speaker) for speaker in WHOSE}
    assert before["assistant"] == ["▁And", "▁to", "▁you", "."]
    page = show(page, page.url)
    expect(legend).to_have_text(["the template’s marks 11", "system 6", "user 3", "assistant 4"])
    assert {speaker: said(page, speaker) for speaker in WHOSE} == before
    expect(page.get_by_role("textbox", name="Message 3")).to_have_value("And to you.")


def test_a_rendered_chat_is_edited_by_hand(laptop, serve):
    page = show(laptop, f"{serve('app.py')}/real?input=chat&model=mistral-v1")
    page.get_by_role("button", name="Edit this text by hand").click()
    box = page.locator(".st-key-say textarea")
    expect(box).to_have_value("<s>[INST] You are a helpful assistant.\n\nHello! [/INST]")
    in_address(page, "model=mistral-v1")
    expect(page.locator(".st-key-token_row .legend")).to_have_count(0)


def test_speakers_differ_by_more_than_their_colour(laptop, serve):
    page = show(laptop, f"{serve('app.py')}/real?input=chat&prompt=false")
    expect(page.locator(".st-key-token_row .legend li")).to_have_count(4)
    for speaker, line in WHOSE.items():
        sample = page.locator(f".st-key-token_row .legend .speaker-{speaker}")
        expect(sample).to_have_css("border-bottom-style", line)


def test_a_chat_lies_within_a_laptops_window(laptop, serve):
    page = show(laptop, f"{serve('app.py')}/real?input=chat&model=mistral-v1")
    page.locator(".player:not([hidden])").wait_for()
    until(page.locator(".player"), MEASURE, lambda it: it["bottom"] <= 768, argument=STEP_PARTS)
    expect(page.locator(".st-key-token_row .legend")).to_be_in_viewport()


def test_the_doubled_token_is_beside_the_right_count(laptop, serve):
    page = show(laptop, f"{serve('app.py')}/real?input=chat&model=mistral-v1")
    expect(page.locator(".st-key-token_row .summary")).to_contain_text(
        "18 tokens · 19 with add_special_tokens=True".replace(" ", "\u00a0").replace(
            "·\u00a0", "· "
        )
    )
    trap = page.get_by_text("A well-known trap:")
    trap.scroll_into_view_if_needed()
    expect(trap).to_be_visible()
    expect(page.get_by_label("19 tokens").locator("bdi").first).to_have_text("<s>")


def test_a_chat_fits_a_phone(phone, serve):
    page = show(phone, f"{serve('app.py')}/real?input=chat")
    expect(page.locator(".st-key-token_row .legend li")).to_have_count(4)
    until(page, "() => document.documentElement.scrollWidth <= innerWidth")
    for number in (1, 2):
        expect(page.get_by_role("textbox", name=f"Message {number}")).to_be_visible()


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
