"""The Unigram pages in a real browser: stepping, max and sum, the user's path, any text."""

import re
from urllib.parse import quote

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from tests.browser.conftest import look_below, until
from tests.browser.test_app import (
    HOSTILE,
    WIDTHS,
    at,
    go,
    in_address,
    opens_first,
    press,
    settled,
    show,
)


@pytest.fixture(scope="module")
def url(browser, serve):
    """The page, with a browser at hand."""
    return f"{serve('app.py')}/unigram_lattice"


def arc(page: Page, piece: str):
    """The label of a piece in the picture, the first from the left."""
    return page.locator(".part.lattice .label", has_text=re.compile(f"^{re.escape(piece)}")).first


def caption_below(page: Page, beginning: str):
    """The text below the player that begins so."""
    return page.get_by_text(re.compile(f"^{re.escape(beginning)}")).first


def test_a_path_is_clicked_together_a_learner_fills_in_the_lattice_and_a_row_of_the_list_is_drawn(
    laptop, url
):
    page = show(laptop, f"{url}?pieces_from=u1")
    own = page.get_by_label("Your own split")
    arc(page, "he").click()
    expect(own).to_have_value("he|llo")
    arc(page, "ll").click()
    expect(own).to_have_value("he|ll|o")
    expect(caption_below(page, "log p = −6.24")).to_contain_text("rank 3 of 9")
    in_address(page, f"cut={quote('he|ll|o')}")
    settled(page)
    page.reload()
    expect(caption_below(page, "log p = −6.24")).to_contain_text("rank 3 of 9")
    expect(page.locator(".part.lattice .label.user-path")).to_have_count(3)
    own.fill("")
    own.press("Enter")
    expect(page.locator(".part.lattice .label.user-path")).to_have_count(0)

    expect(page.locator(".sentence")).to_contain_text("hello can be split in 9 ways")
    page.locator(".sentence").click()
    press(page, "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight")
    at(page, 4)
    in_address(page, "step=4")
    expect(page.locator(".sentence")).to_have_text(
        "Three pieces end at position 4: hell gives −3.22 and beats ll (−4.20) and l (−5.12)."
    )
    look_below(page)
    expect(page.locator(".katex-html").last).to_contain_text("3.219")
    press(page, "End")
    expect(page.locator(".sentence")).to_contain_text(
        "Follow the winners back from the end: hell + o"
    )

    table = page.get_by_test_id("stDataFrame").first
    table.click(position={"x": 15, "y": 90})  # the box before the second row
    expect(own).to_have_value("he|l|lo")
    expect(page.locator(".part.lattice .label.user-path")).to_have_count(3)


def test_one_key_shows_a_step_as_a_sum_the_address_keeps_it_and_a_class_predicts_which_piece_wins(
    laptop, new_server
):
    with new_server("app.py") as url:
        said = "hell gives −3.22 and beats ll (−4.20)"
        page = opens_first(laptop, f"{url}/unigram_lattice?step=4", said)
        page.locator(".sentence").click()
        press(page, "m")
        expect(page.locator(".sentence")).to_have_text(
            "Three pieces end at position 4. Together they give −2.77. The largest share, 63.6%, "
            "comes from hell."
        )
        at(page, 4)
        in_address(page, "sum=1")
        settled(page)
        page.reload()
        expect(page.locator(".sentence")).to_contain_text("Together they give −2.77")
        at(page, 4)

        page.locator(".sentence").click()
        press(page, "m", "ArrowLeft")
        at(page, 3)
        page.get_by_role("button", name="Predict").click()
        asked = "Which piece ends the best path to position 4?"
        expect(page.locator(".sentence")).to_contain_text(asked)
        expect(page.locator(".option").first).to_be_visible()
        options = page.locator(".option").all_inner_texts()
        answer = next(n for n, text in enumerate(options, start=1) if text.endswith("hell"))
        press(page, str(answer))
        expect(page.locator(".verdict")).to_contain_text("✓ Right. hell gives −3.22.")


SIZES = """(root) => [...root.querySelectorAll(
    ".sentence, .caption, caption, .label :is(.tile, small), .letter bdi, .node :is(b, .value)," +
    "th, td, .note, .option")]
  .filter((node) => node.checkVisibility() && node.textContent)
  .map((node) => parseFloat(getComputedStyle(node).fontSize))"""
OVERLAPS = """(root) => [...root.querySelectorAll("tr")].flatMap((row) => {
  const boxes = [...row.children].filter((cell) => cell.checkVisibility() && cell.textContent)
    .map((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell.firstElementChild ?? cell);
      return range.getBoundingClientRect();
    });
  return boxes.slice(1).some((box, i) => box.left < boxes[i].right) ? [row.textContent] : [];
})"""


def all_steps(page: Page):
    """The player at every step of its run, and at every question."""
    player = page.locator(".player.presenting")
    while True:
        expect(player.locator(".sentence")).not_to_be_empty()
        page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        yield player
        if (
            player.get_by_role("button", name="next step")
            .or_(player.get_by_role("button", name="show the answer"))
            .count()
            == 0
        ):
            return
        press(page, "ArrowRight")


def test_presented_all_of_a_lattice_is_large_at_every_step_and_no_column_overlaps(projector, url):
    page = show(projector, url)
    at(page, 0)
    press(page, "p")
    for player in all_steps(page):
        until(player, SIZES, lambda it: min(it) >= 24)
        until(player, OVERLAPS, lambda it: it == [])
    press(page, "p", "Home")
    page.set_viewport_size({"width": 1366, "height": 768})
    at(page, 0)
    on_the_page = min(page.locator(".player").evaluate(SIZES))
    press(page, "p")
    for player in all_steps(page):
        until(player, SIZES, lambda it: min(it) >= on_the_page)
        until(player, OVERLAPS, lambda it: it == [])


def test_hostile_text_stays_text(laptop, url):
    page, asked = laptop, []
    page.on("dialog", lambda dialog: asked.append(dialog.message))
    page.on("request", lambda request: asked.append(request.url))
    odds = quote("<script>window.hit=1</script> 0.5 <b> 0.1 $x^2$ 0.1")
    show(page, f"{url}?say={quote(HOSTILE)}&odds={odds}&cut={quote(HOSTILE)}")
    expect(arc(page, "<script>window.hit=1</script>")).to_be_visible()
    press(page, "End")
    expect(page.locator(".sentence")).to_contain_text("Follow the winners")
    for panel in ("Number of pieces", "The pieces"):
        page.get_by_text(panel, exact=True).click()
        settled(page)
        assert page.evaluate("window.hit") is None
        expect(page.locator("img[src='x'], img[src*='p.png'], .stMain script")).to_have_count(0)
    host = url.removesuffix("/unigram_lattice")
    assert not [it for it in asked if not it.startswith((host, "blob:", "data:"))]


def test_a_phone_shows_each_mode_without_scrolling_sideways_and_draws_follow_alpha(phone, url):
    page = show(phone, f"{url}?show=filling&step=3&say={quote('hello hellhole')}&alpha=0.5")
    at(page, 3)
    until(page, WIDTHS, lambda it: max(it) <= 390, of="filling")

    for name, sign in (
        ("List the best", "The agenda"),
        ("Draw at random", "Draw a segmentation of hello"),
    ):
        choose_mode(page, name, sign)
        press(page, *["ArrowRight"] * 3)
        at(page, 3)
        until(page, WIDTHS, lambda it: max(it) <= 390, of=name)

    page.set_viewport_size({"width": 1366, "height": 768})
    box = page.get_by_label("Text to split")
    box.fill("hello")
    box.press("Enter")
    expect(page).not_to_have_url(re.compile("say="))  # what it would be without
    expect(caption_below(page, "SentencePiece draws")).to_contain_text("α = 0.5 the two are 0.")
    expect(page.locator(".st-key-draws .barlayer").first).to_be_visible()
    expect(page.locator(".sentence")).to_contain_text("Draw a segmentation of hello.")
    page.locator(".sentence").click()
    press(page, "ArrowRight")
    expect(page.locator(".sentence")).to_contain_text("At position 5 the number 0.")


def choose_mode(page: Page, name: str, sign: str) -> None:
    """Choose what to step through, and begin once the player shows it: then it says `sign`."""
    page.get_by_role("radio", name=name).click()
    expect(page.locator(".player")).to_contain_text(sign)
    settled(page)
    page.locator(".sentence").click()
    press(page, "Home")
    at(page, 0)


# ---- training ----


def test_a_training_is_stepped_and_a_word_of_it_opened_in_its_lattice(laptop, url):
    address = url.replace("unigram_lattice", "unigram_train")
    page = show(laptop, f"{address}?corpus=u4&panel=The+lattice+of+a+word")
    expect(page.locator(".sentence")).not_to_be_empty()
    press(page, "ArrowRight", "ArrowRight")
    at(page, 2)
    expect(page.locator(".sentence")).to_contain_text("E step")
    in_address(page, "step=2")
    look_below(page)
    page.get_by_label("The word").fill("sun")
    page.get_by_label("The word").press("Enter")
    link = page.get_by_role("link", name="See all of them")
    expect(link).to_have_attribute("href", re.compile("say=sun"))
    link.click()
    expect(page).to_have_url(re.compile("/unigram_lattice"))
    settled(page)
    expect(page.get_by_label("Text to split")).to_have_value("sun")
    page.locator(".st-key-page_actions button", has_text="info").first.click()
    expect(page.get_by_text("Trained on a text")).to_be_visible()
    press(page, "Escape")
    expect(arc(page, "su")).to_be_visible()


def test_a_class_bids_in_the_prune_auction(laptop, url):
    address = url.replace("unigram_lattice", "unigram_train")
    page = show(laptop, f"{address}?corpus=prose&convention=sentencepiece")
    expect(page.locator(".sentence")).not_to_be_empty()
    page.get_by_role("button", name="Predict").click()
    # Nothing is asked about the E and M steps before: it goes to the step before the first pruning.
    expect(page.locator(".option").first).to_be_visible()
    assert int(page.locator(".player").get_attribute("data-step") or 0) > 1
    press(page, "1")
    expect(page.locator(".verdict")).to_contain_text(re.compile("Right|Not this one"))


def test_another_page_of_the_app_keeps_the_corpus_that_a_link_has_chosen(laptop, url):
    for _ in range(2):  # the second time the run is cached, and the page complete at once
        page = show(laptop, f"{url}?pieces_from=learned&corpus=u4")
        expect(page.get_by_test_id("stDataFrame").first).to_be_visible()
    page.wait_for_timeout(1_500)  # late reports of the browser must have arrived
    go(page, "Unigram", "Train")
    expect(page).to_have_url(re.compile(r"/unigram_train\?corpus=u4$"))
    expect(page.get_by_text("run, bug, fun, sun")).to_be_visible()
    settled(page)
    expect(page).to_have_url(re.compile(r"/unigram_train\?corpus=u4$"))
