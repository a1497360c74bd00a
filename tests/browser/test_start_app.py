"""Start in a real browser: rows follow what is typed or pasted, and a token says what it is."""

import re
from urllib.parse import quote

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, ViewportSize, expect

from pages.start.presets import SAMPLE_TEXTS
from tests.browser.conftest import PATIENCE, until
from tests.browser.test_app import go

ROWS = 6
LONG = (
    "On a cold morning the librarian unlocked the heavy doors and counted forty-seven returned "
    "books in the drop box. Most of them were novels, but one was a hand-written notebook about "
    "beekeeping, with pressed clover between its pages. She wondered who had misplaced it, and "
    "whether its unfamiliar owner would ever come back to reclaim something so obviously "
    "irreplaceable and so carefully kept."
)
TYPED = 40  # milliseconds between two keys


@pytest.fixture(scope="module")
def url(browser, serve):
    """The app, with a browser at hand."""
    return serve("app.py")


def show(page: Page, address: str) -> Page:
    page.goto(address)
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.locator(".aligned-view button").first).to_be_visible()
    expect(page.locator(".st-key-text_box textarea")).to_have_css("unicode-bidi", "plaintext")
    return page


def row(page: Page, number: int) -> str:
    tiles = page.locator(f".aligned-view button[data-row='{number}'] > bdi")
    return "|".join(tiles.all_inner_texts())


def test_every_tokenizer_has_its_row_and_a_token_that_is_clicked_leads_to_the_steps_of_its_word(
    laptop, url
):
    page = show(laptop, url)
    names = page.locator(".aligned-view .names:not([aria-hidden]) .name")
    expect(names).to_have_count(ROWS)
    assert row(page, 0) == "Un|bel|ievably|·|123|45|·cafés|·f|(x|)|·⟨F0 9F⟩|⟨A6⟩|⟨8A⟩"
    for n in range(ROWS):
        expect(names.nth(n)).to_be_in_viewport()

    rows = page.get_by_role("list", name="Each tokenizer with its tokens").get_by_role("listitem")
    expect(rows).to_have_count(ROWS)
    expect(rows.first).to_have_text(
        re.compile(r"^GPT-4o \(o200k\), 13 tokens.*: Un, bel, ievably, ·, 1")
    )

    page.locator(".aligned-view button[data-row='0']").nth(2).click()
    sentence = page.locator(".aligned-view .sentence")
    expect(sentence).to_contain_text("GPT-4o (o200k) has it once here, with the id 153,516.")
    expect(sentence).to_contain_text(
        "Bytes 69 65 76 61 62 6C 79. The merge of rank 153,516 makes it: “iev” + “ably”."
    )
    expect(sentence).to_contain_text("GPT-2 iev + ably")

    page.locator(".aligned-view button[data-row='0']").nth(2).click()  # lets it go
    token = page.locator(".aligned-view button[data-row='2']").filter(has_text="ably")
    token.hover()
    link = page.get_by_role("link", name="Step through it in GPT-2")
    expect(link).to_be_visible()
    token.click()
    page.locator(".aligned-view button[data-row='0']").first.hover()
    expect(link).to_be_visible()  # the click holds it on the way of the pointer to the link
    link.click()
    expect(page.get_by_role("heading", name="Real tokenizers")).to_be_visible()
    expect(page).to_have_url(re.compile("model=gpt2"))
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    chosen = page.get_by_role("button", pressed=True).filter(has_text="ably")
    expect(chosen).to_contain_text("Un")


def test_rows_and_other_pages_follow_what_is_typed_and_pasted_and_the_box_keeps_the_focus(
    laptop, url
):
    page = show(laptop, url)
    page.get_by_label("Your text").click()
    page.keyboard.press("Control+a")
    page.keyboard.type("abcd efgh", delay=TYPED)
    expect(page.locator(".aligned-view")).to_contain_text("·ef")
    page.keyboard.type("ij", delay=TYPED)
    expect(page.get_by_label("Your text")).to_have_value("abcd efghij")
    expect(page).to_have_url(re.compile(r"text=abcd(\+|%20)efghij"))

    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_label("Your text").click()
    page.keyboard.press("Control+a")
    page.evaluate("navigator.clipboard.writeText('pasted words')")
    page.keyboard.press("Control+v")
    expect(page.locator(".aligned-view")).to_contain_text("·words")

    for names in (("Compare", "Side by side"), ("Pipeline",), ("Compare", "Vocabulary size")):
        go(page, *names)
        expect(page).to_have_title(f"{' · '.join(names)} · Piece by Piece")
        expect(page.get_by_test_id("stApp")).to_have_attribute(
            "data-test-script-state", "notRunning"
        )
        it_follows_what_is_typed_and_pasted(page)


# Streamlit sends what has changed in a task of its own: here, that a long text is stored is sent
# just after the request for the page of the next link, as on a busy machine.
STORED_AFTER_THE_LINK = """() => {
  const wait = window.setTimeout;
  const held = window.held = [];
  window.setTimeout = (act, pause, ...more) =>
    pause === 0 && location.search.includes("kept=") ? held.push(act) : wait(act, pause, ...more);
  window.addEventListener("click", ({ target }) => {
    if (!target.closest("a")) return;
    window.setTimeout = wait;
    for (const act of held.splice(0)) act();
  });
}"""


def it_follows_what_is_typed_and_pasted(page: Page) -> None:
    box = page.get_by_label("Your text")
    box.click()
    page.keyboard.press("Control+a")
    page.keyboard.type("zzz", delay=TYPED)
    expect(page).to_have_url(re.compile("text=zzz(&|$)"))
    page.keyboard.type("y", delay=TYPED)
    expect(box).to_have_value("zzzy")  # the focus stayed
    page.evaluate("navigator.clipboard.writeText(`${document.title} `.repeat(400))")
    page.evaluate(STORED_AFTER_THE_LINK)
    page.keyboard.press("Control+v")
    expect(page).to_have_url(re.compile("kept="))  # more than an address holds
    until(page, "held.length > 0")


def test_the_doors_stand_beside_the_title_and_lead_to_what_one_came_for(laptop, url):
    page = show(laptop, url)
    title = page.get_by_role("heading", level=1).bounding_box()
    doors = [
        page.get_by_role("link", name="I learn"),
        page.get_by_role("link", name="I teach"),
        page.get_by_role("button", name="I have a text"),
    ]
    for door in doors:
        box = door.bounding_box()
        assert box
        assert title
        assert title["y"] <= box["y"] + box["height"] / 2 <= title["y"] + title["height"]
    picture = page.locator(".aligned-view").bounding_box()
    last = page.locator(".aligned-view .names .name").last.bounding_box()
    assert picture
    assert last
    assert last["y"] + last["height"] <= 768
    doors[2].click()
    expect(page.get_by_label("Your text")).to_be_focused()
    page.keyboard.type("mine", delay=TYPED)  # in place of what was there
    expect(page.get_by_label("Your text")).to_have_value("mine")
    doors[1].click()
    expect(page.get_by_role("heading", name="Teaching")).to_be_visible()
    go(page, "Start")
    doors[0].click()
    expect(page.locator(".pp-stop")).to_be_visible(timeout=2 * PATIENCE)  # the first lesson, open
    expect(page).to_have_url(re.compile("lesson=why-not-words"))


def test_a_phone_has_the_essentials_in_two_screens_and_a_ready_text_fills_the_box(phone, url):
    page = show(phone, url)
    expect(page.locator(".aligned-view .names .name")).to_have_count(ROWS)
    expect(page.get_by_role("link", name="I teach")).to_be_visible()
    essentials = [
        page.get_by_label("Your text"),
        *page.locator(".aligned-view .names .name").all(),
        page.get_by_text("Train your own on this text"),
        *(page.get_by_role("link", name=name) for name in ("I learn", "I teach")),
        page.get_by_role("button", name="I have a text"),
    ]
    assert len(essentials) == 5 + ROWS
    for one in essentials:
        box = one.first.bounding_box()
        assert box
        assert box["y"] + box["height"] <= 2 * 844
    last = page.locator(".aligned-view button[data-row='0']").last
    last.focus()  # what is beside the screen comes into it
    expect(last).to_be_in_viewport()

    page.get_by_text("German", exact=True).click()
    expect(page.get_by_label("Your text")).to_have_value(re.compile("^Die Donau"))
    expect(page.locator(".aligned-view")).to_contain_text("Don")
    widths = "[document.documentElement.scrollWidth, document.querySelector('.stMain').scrollWidth]"
    until(page, f"Math.max(...{widths}) <= 390")


@pytest.fixture
def touched(browser):
    """A page of a phone that is touched."""
    size: ViewportSize = {"width": 390, "height": 844}
    context = browser.new_context(has_touch=True, is_mobile=True, viewport=size)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    context.close()


def a_token_in_the_middle_of_a_long_text_is_explained_in_sight(page: Page) -> None:
    sentence = page.locator(".aligned-view .sentence")
    expect(sentence).to_have_text("Tap a token to see what the others have in its place.")
    for width, height in ((390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        token = page.locator(".aligned-view button[data-row='3']").nth(40)
        token.tap()  # scrolls there first, again if the picture is laid out anew meanwhile
        expect(sentence).to_contain_text("Mistral 7B v0.1 has it")
        expect(sentence).to_be_in_viewport(ratio=1)
        edges = token.bounding_box(), sentence.bounding_box()
        assert edges[0]
        assert edges[1]
        assert edges[0]["y"] + edges[0]["height"] <= edges[1]["y"] + 1, "it covers its token"
    page.set_viewport_size({"width": 390, "height": 844})


def the_totals_under_the_box_lead_to_the_figures(page: Page) -> None:
    page.get_by_label("Your text").scroll_into_view_if_needed()
    total = page.get_by_role("button", name=re.compile(r"^GPT-2 \d+$"))
    expect(total).to_be_in_viewport()
    heading = page.get_by_role("heading", name="In numbers")
    expect(heading).not_to_be_in_viewport()
    total.tap()
    expect(heading).to_be_in_viewport()
    sentence = page.get_by_text(re.compile("^This text has 63 words"))
    expect(sentence).to_be_in_viewport(ratio=1)  # none of it lies beyond the edge


def no_label_is_cut_off(page: Page) -> None:
    labels = page.locator(".stMain .stCheckbox label p, .st-key-foot .stPageLink p")
    widths = labels.evaluate_all("(all) => all.map((one) => one.scrollWidth - one.clientWidth)")
    assert widths == [0, 0, 0]


def the_menu_closes_with_a_choice_and_by_a_tap_beside_it(page: Page) -> None:
    # Whatever moves takes its time, as on a busy machine: a tap would miss what slides by.
    motion = page.context.new_cdp_session(page)
    motion.send("Animation.enable")
    motion.send("Animation.setPlaybackRate", {"playbackRate": 0.001})
    menu = page.get_by_test_id("stSidebar")
    for name, heading in (("Pipeline", "Pipeline"), ("Pipeline", "Pipeline"), ("Start", "Piece")):
        page.get_by_test_id("stExpandSidebarButton").tap()
        menu.get_by_role("link", name=name, exact=True).tap()
        expect(menu).to_have_attribute("data-collapsed", "true")
        expect(page.get_by_role("heading", level=1)).to_contain_text(heading)
    page.get_by_test_id("stExpandSidebarButton").tap()
    menu.get_by_role("link", name="Complexity").scroll_into_view_if_needed()
    expect(menu.get_by_role("button", name="Collapse sidebar")).to_be_in_viewport()
    box = page.get_by_label("Your text").bounding_box()
    assert box
    page.touchscreen.tap(380, box["y"] + box["height"] / 2)
    expect(menu).to_have_attribute("data-collapsed", "true")
    expect(page.get_by_label("Your text")).not_to_be_focused()


def test_who_taps_sees_the_explanation_the_totals_and_the_page_that_was_chosen(touched, url):
    page = show(touched, f"{url}/?text={quote(LONG)}")
    a_token_in_the_middle_of_a_long_text_is_explained_in_sight(page)
    the_totals_under_the_box_lead_to_the_figures(page)
    no_label_is_cut_off(page)
    the_menu_closes_with_a_choice_and_by_a_tap_beside_it(page)


# What is wider than its line, and how far a picture moves while each of its tokens is pointed at:
# on the page, which a phone scrolls till what is said of a token is in sight.
TOO_WIDE = """() => {
  const root = [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]
    .map((host) => host.shadowRoot.querySelector('.aligned-view')).find(Boolean);
  const chunks = [...root.querySelectorAll('.chunk')];
  return chunks.filter((one) => one.scrollWidth > one.clientWidth + 1).length;
}"""
MOVES = """() => {
  const root = [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]
    .map((host) => host.shadowRoot.querySelector('.aligned-view')).find(Boolean);
  const lines = root.querySelector('.lines');
  const scrolled = document.querySelector('[data-testid=stMain]');
  const tops = [...root.querySelectorAll('button')].map((one) => {
    one.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
    return lines.getBoundingClientRect().top + scrolled.scrollTop;
  });
  return Math.max(...tops) - Math.min(...tops);
}"""
WIDE = " ".join(
    [
        SAMPLE_TEXTS["Mixed"],
        SAMPLE_TEXTS["Emoji"],
        SAMPLE_TEXTS["Chinese"],
        "สวัสดีชาวโลก",
        "pneumonoultramicroscopicsilicovolcanoconiosis",
        "Z" + "\u0301\u0323" * 30,
    ]
)


def test_text_without_spaces_breaks_by_width_and_no_sentence_moves_the_picture(laptop, url):
    page = show(laptop, f"{url}/?text={quote(WIDE)}")
    for width in (1366, 390):
        page.set_viewport_size({"width": width, "height": 844})
        until(page, f"innerWidth === {width}")
        until(page, f"({TOO_WIDE})() === 0")
        until(page, f"({MOVES})() === 0")
        if width > 390:
            until(page.locator(".stMain"), "(main) => main.scrollTop", lambda it: it == 0)


def test_the_link_of_a_token_stays_under_the_base_path(laptop, new_server):
    with new_server("app.py", base="under/here") as there:
        page = show(laptop, there)
        page.locator(".aligned-view button[data-row='2']").first.click()
        page.get_by_role("link", name="Step through it").click()
        expect(page.get_by_role("heading", name="Real tokenizers")).to_be_visible()
        expect(page).to_have_url(re.compile(f"^{re.escape(there)}/real\\?"))


def test_a_chip_adds_a_row_that_the_address_keeps(laptop, url):
    page = show(laptop, url)
    names = page.locator(".aligned-view .names:not([aria-hidden]) .name")
    page.get_by_role("button", name="+ Qwen 3").click()
    expect(names).to_have_count(ROWS + 1)
    expect(names.last).to_contain_text("Qwen 3")
    expect(page).to_have_url(re.compile(r"[?&]more=qwen3(&|$)"))
    page.reload()
    expect(names).to_have_count(ROWS + 1)
    assert row(page, ROWS).startswith("Un|belie|vably|")
    page.get_by_role("button", name="+ Qwen 3").click()
    expect(names).to_have_count(ROWS)
