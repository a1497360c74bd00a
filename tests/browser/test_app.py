"""The app in a real browser: the journeys of a newcomer, a teacher and somebody who pastes."""

import io
import random
import re
from urllib.parse import quote, urlsplit

import pandas as pd
import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import BrowserContext, FilePayload, Locator, Page, expect

from pages.shared.corpus.corpus_picker import OWN_WORDS
from tests.browser.conftest import PATIENCE_FOR_WORK, look_below, until

LISTS = "[role=list][aria-label^='tokens by']"
WIDTHS = "[document.documentElement.scrollWidth, document.querySelector('.stMain').scrollWidth]"
HOSTILE = (
    "<script>window.hit=1</script> <img src=x onerror=window.hit=2> **b** # h $x^2$ :smile: "
    "&amp; ![p](http://127.0.0.1:9/p.png) </w>\"'\\n"
)


@pytest.fixture(scope="module")
def url(browser, serve):
    """The app, with a browser at hand."""
    return serve("app.py")


def show(page: Page, address: str) -> Page:
    """Open a page of the app and wait until it has come to rest."""
    page.goto(address)
    return settled(page)


def settled(page: Page) -> Page:
    expect(page.locator(".pp-heading")).to_be_visible()
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    return page


def at(page: Page, step: int) -> None:
    expect(page.locator(".player")).to_have_attribute("data-step", str(step))


def in_address(page: Page, part: str) -> None:
    expect(page).to_have_url(re.compile(rf"[?&]{part}(&|$)"))


def rests(page: Page, step: int) -> None:
    """The player, the address and what stands above the chart agree on the step."""
    at(page, step)
    in_address(page, f"step={step}")
    look_below(page)
    expect(finding(page, f"After {step} of ")).to_be_visible()


def finding(page: Page, beginning: str) -> Locator:
    """The sentence above a chart that begins so."""
    return page.locator("b.finding").filter(has_text=re.compile(f"^{re.escape(beginning)}"))


def tree(page: Page) -> Locator:
    """The texts in the nodes of the token tree."""
    return page.get_by_test_id("stGraphVizChart").locator("svg .node text")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def fill(box: Locator, text: str) -> None:
    box.fill(text)
    box.press("Control+Enter")


def open_sidebar(page: Page) -> Locator:
    page.get_by_test_id("stExpandSidebarButton").click()
    return page.get_by_test_id("stSidebar")


def tokens_shown(page: Page) -> list[str]:
    return page.locator(".pp-tiles bdi").all_inner_texts()


# ---- cold links ----


COLD = {
    "/bpe_train?step=3": "BPE · Train",
    "/wordpiece_train?step=2": "Merge ##e and ##r into ##er: 3 / (4 × 3) = 0.25",
    "/wordpiece_encode?step=4": "fu is not in the vocabulary",
    "/complexity": "When N doubles, “all pairs of the text” takes",
    "/sources": "claims agree with what is computed",
    "/about": "How it is checked",
}
"""Addresses, and what the page says; others are the first of a new server in tests of their own."""


def opens_first(page: Page, address: str, sign: str) -> Page:
    """Open a page as the first request of a new server: it is whole, and says nothing of it."""
    show(page, address)
    for name in ("Start", "Pipeline", "Lessons"):
        expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()
    for name in ("BPE", "WordPiece", "Unigram", "Compare", "About"):
        menu = page.get_by_test_id("stTopNav").get_by_role("button", name=name, exact=True)
        expect(menu).to_be_visible()
    expect(page.locator("body")).to_contain_text(sign, timeout=PATIENCE_FOR_WORK)
    for notice in ("stToast", "stAlert", "stException", "stDialog"):
        expect(page.get_by_test_id(notice)).to_have_count(0)
    if "step" in address:
        at(page, int(address[-1]))
    return page


@pytest.mark.parametrize("path", COLD)
def test_the_first_request_of_a_new_server_may_be_any_page(laptop, new_server, path):
    with new_server("app.py") as url:
        opens_first(laptop, f"{url}{path}", COLD[path])


def go(page: Page, *names: str) -> None:
    """Open a page by the navigation: its name, behind that of its section if it has one."""
    for section in names[:-1]:
        page.get_by_test_id("stTopNav").get_by_role("button", name=section, exact=True).click()
    kind = "menuitem" if names[:-1] else "link"
    page.get_by_role(kind, name=names[-1], exact=True).click()


# ---- the newcomer ----


def test_a_newcomer_types_a_text_and_steps_through_it(laptop, url):
    page = show(laptop, f"{url}/?from=own")
    expect(page.locator(LISTS)).to_have_count(5)
    fill(page.get_by_label("Your text"), "the thin thing on the path")
    expect(page.locator(LISTS).first).to_have_text("thethinthingonthepath")
    page.get_by_role("link", name="Step through BPE").click()
    expect(page).to_have_url(re.compile("/bpe_train"))
    in_address(page, "corpus=own")
    expect(page.locator(".sentence")).to_contain_text("Start: ")
    page.locator(".sentence").click()
    at(page, 0)
    press(page, "ArrowRight", "ArrowRight", "ArrowRight")
    rests(page, 3)
    said = page.locator(".sentence").inner_text()
    assert said.startswith("Merge the and </w> into the</w>: it occurs twice, all in the.")
    page.reload()
    rests(page, 3)
    assert page.locator(".sentence").inner_text() == said
    expect(page.locator(".strip").first).to_contain_text("the")


# ---- moving about ----


def test_keys_move_and_the_panels_follow_and_so_does_back_of_the_browser(laptop, new_server):
    with new_server("app.py") as url:
        said = "Merge est and </w> into est</w>: it occurs 9 times"
        page = opens_first(laptop, f"{url}/bpe_train?corpus=b2&step=3", said)
        rests(page, 3)
        go(page, "About", "How it works")
        expect(page.get_by_text("How it is checked")).to_be_visible()
        settled(page)
        page.go_back()
        rests(page, 3)

        page.locator(".sentence").click()
        press(page, "End")
        rests(page, 10)
        press(page, "ArrowLeft")
        rests(page, 9)
        press(page, "Home")
        at(page, 0)
        expect(finding(page, "The text starts with 95 tokens")).to_be_visible()
        press(page, "ArrowRight", "ArrowRight", "ArrowRight")
        rests(page, 3)
        expect(tree(page)).to_contain_text(["est</w>", "step 3", "est", "step 2"])
        press(page, " ")
        at(page, 4)
        press(page, " ")
        for _ in range(20):  # held: the later ones are repeats
            page.keyboard.down("ArrowRight")
        page.keyboard.up("ArrowRight")
        rests(page, 10)


def test_steps_ask_the_server_nothing_till_what_it_draws_for_them_is_in_sight_and_then_for_no_more(
    laptop, url
):
    said: list[object] = []
    heard: list[bytes] = []
    laptop.on("websocket", lambda socket: socket.on("framesent", lambda it: said.append(it)))
    laptop.on("websocket", lambda socket: socket.on("framereceived", lambda it: heard.append(it)))
    page = show(laptop, f"{url}/bpe_train?corpus=b2")
    at(page, 0)
    settled(page)
    assert said
    said.clear()
    press(page, "ArrowRight", "ArrowRight", "ArrowRight")
    at(page, 3)
    in_address(page, "step=3")
    page.wait_for_timeout(1_000)  # nothing comes: there is nothing else to wait for
    assert not said
    expect(finding(page, "The text starts with 95 tokens")).to_be_attached()
    look_below(page)
    expect(finding(page, "After 3 of ")).to_be_visible()

    settled(page)
    assert any(b"Take it with you" in one for one in heard)
    heard.clear()
    press(page, "ArrowRight", "ArrowRight")
    expect(finding(page, "After 5 of ")).to_be_visible()
    in_address(page, "step=5")
    assert any(b"After 5 of" in one for one in heard)
    assert not any(b"Take it with you" in one for one in heard), "the player's part ran, too"

    page.locator(".sentence").click()
    press(page, "p")  # presenter view lies over what is in sight
    expect(page.locator(".player")).to_have_class(re.compile("presenting"))
    settled(page)
    said.clear()
    press(page, "End")
    at(page, 10)
    page.wait_for_timeout(1_000)
    assert not said


def test_what_is_used_elsewhere_on_the_page_what_is_printed_and_an_open_menu_know_the_step(
    laptop, url
):
    page = show(laptop, f"{url}/bpe_train?corpus=b2&step=5")
    at(page, 5)
    settled(page)
    press(page, "Home")  # of which the address says nothing
    at(page, 0)
    menu = page.get_by_role("button", name="Take it with you")
    link = page.get_by_test_id("stPopoverBody")
    menu.click()
    page.get_by_role("tab", name="Link").click()
    expect(link).to_contain_text("/bpe_train")
    expect(link).not_to_contain_text("step=5")
    at(page, 0)

    press(page, "Escape")
    expect(link).to_have_count(0)
    settled(page)
    page.locator(".sentence").click()
    press(page, "ArrowRight", "ArrowRight")
    at(page, 2)
    page.wait_for_timeout(500)
    expect(finding(page, "After 2 of ")).to_have_count(0)
    press(page, "Control")  # as in Ctrl+P
    expect(finding(page, "After 2 of ")).to_be_attached()

    press(page, "Home")
    at(page, 0)
    look_below(page)
    page.get_by_role("button", name="Play").click()
    menu.click()
    page.get_by_role("tab", name="Link").click()
    expect(link).to_contain_text("step=4")


# ---- the teacher ----


def test_a_teacher_opens_a_step_on_the_projector_and_jumps_to_where_a_word_changes(projector, url):
    page = show(projector, f"{url}/bpe_train?corpus=prose&step=50&presenter=true&tell=1&word=tide")
    at(page, 50)
    expect(page.locator(".player")).to_have_class(re.compile("presenting"))
    in_address(page, "present=1")
    assert "presenter" not in page.url
    until(page, WIDTHS, lambda it: max(it) <= 1920)
    size = "(node) => parseFloat(getComputedStyle(node).fontSize)"
    until(page.locator(".sentence"), size, lambda it: it >= 32)
    box = page.locator(".strip").last.bounding_box()
    assert box
    assert box["y"] + box["height"] <= 1080  # all words of the step stand on the first screen

    press(page, "Escape", "Home")
    at(page, 0)
    expect(page.get_by_label("Next step where")).to_be_visible()
    options = page.get_by_label("Next step where").locator("option").all_inner_texts()
    (wanted,) = [option for option in options if option.startswith("tide changes (")]
    page.get_by_label("Next step where").select_option(label=wanted)
    player, strip = (
        page.locator(".player"),
        page.locator(".strip", has_text=re.compile("^[0-9]+ ×tide")),
    )
    for _ in range(3):
        before = player.get_attribute("data-step") or ""
        page.get_by_role("button", name="Go").click()
        expect(player).not_to_have_attribute("data-step", before)
        expect(strip).to_have_count(1)
        expect(strip.locator(".new")).to_have_count(1)


def predict(page: Page, pair: str) -> Locator:
    expect(page.locator(".sentence")).to_contain_text(
        "Which pair is merged next? Count the pairs in the words."
    )
    texts = page.locator(".option").all_inner_texts()
    options = [text[1:].replace("\n", "") for text in texts]
    press(page, str(options.index(pair) + 1))
    return page.locator(".verdict")


def the_score_is_beside_the_sentence(page: Page) -> None:
    expect(page.locator(".score")).to_have_text("2 of 2 right")
    page.set_viewport_size({"width": 1000, "height": 768})  # the sentence needs two lines
    page.wait_for_function("innerWidth === 1000")
    score = page.locator(".score").bounding_box()
    assert score
    lines = page.locator(".sentence").evaluate("""(sentence) => {
      const range = document.createRange();
      range.selectNodeContents(sentence);
      return [...range.getClientRects()].map(({ top, right }) => [top, right]);
    }""")
    below, left = score["y"] + score["height"], score["x"]
    assert all(right <= left for top, right in lines if top < below)
    page.set_viewport_size({"width": 1366, "height": 768})


def test_a_class_predicts_and_asks_for_the_tree_of_a_token(laptop, url):
    page = show(laptop, f"{url}/bpe_train?corpus=b2&step=2")
    rests(page, 2)
    page.get_by_role("button", name="Predict").click()
    expect(predict(page, "est</w>")).to_have_text("✓ Right.")
    press(page, "ArrowRight")
    expect(page.locator(".sentence")).to_contain_text("If several tie, any of them counts.")
    expect(predict(page, "ow")).to_have_text("✓ Right. 2 answers tie here: any of them is right.")
    the_score_is_beside_the_sentence(page)
    press(page, "ArrowRight")
    expect(predict(page, "ne")).to_contain_text("✗ Not this one. You chose ne.")
    expect(page.locator(".score")).to_have_text("2 of 3 right")
    rests(page, 5)

    field = page.get_by_label("How was a token built?")
    field.fill("lowe")
    field.press("Enter")
    expect(page.get_by_text("No merge made that token.")).to_be_visible()
    field.fill("low</w>")
    field.press("Enter")
    expect(tree(page)).to_contain_text(["low</w>", "low", "</w>", "lo", "w", "l", "o"])
    in_address(page, re.escape("token=low%3C%2Fw%3E"))


# ---- hostile text ----


def innocent(page: Page) -> None:
    """Nothing of the text has become an element, and nothing of it has run."""
    assert page.evaluate("window.hit") is None
    assert page.locator("img[src='x'], img[src*='p.png'], .stMain script").count() == 0
    assert page.locator(".katex").count() <= 1  # the formula of the panel


def test_hostile_text_stays_text(laptop, url):
    page = laptop
    asked: list[str] = []
    page.on("dialog", lambda dialog: asked.append(dialog.message))
    page.on("request", lambda request: asked.append(request.url))
    show(page, f"{url}/?from=own")
    fill(page.get_by_label("Your text"), HOSTILE)
    expect(page.locator(".aligned-view .lines")).to_contain_text("window.hit")
    words = page.locator(LISTS).first
    expect(words).to_contain_text("<script>window.hit=1</script>")
    for part in ("**b**", "$x^2$", ":smile:", "&amp;", "![p](http://127.0.0.1:9/p.png)"):
        expect(words).to_contain_text(part)
    innocent(page)

    show(page, f"{url}/bpe_train?corpus=own&base=characters&split=spaces&merges=500")
    fill(page.get_by_label(OWN_WORDS), f"{HOSTILE} {HOSTILE}")
    expect(page.locator(".strips")).to_contain_text("s c r i p t".replace(" ", ""))
    press(page, "Escape")
    page.locator(".sentence").click()
    press(page, "End")
    expect(page.locator(".sentence")).to_contain_text("Training stops here")
    field = page.get_by_label("How was a token built?")
    for token in ("&amp;", "<script>window.hit=1</script>", "</w>\"'\\n", "**b**"):
        field.fill(token)
        field.press("Enter")
        expect(tree(page).first).to_have_text(token)
    page.get_by_text("All pairs", exact=True).click()
    expect(page.get_by_text("pairs after step")).to_be_visible()
    page.get_by_role("radio", name="Vocabulary").click()
    expect(page.get_by_text("pieces after step")).to_be_visible()
    innocent(page)
    assert not [it for it in asked if not it.startswith((url, "blob:", "data:"))]


def test_a_hostile_link_and_table_are_told_without_their_markup_and_a_hostile_pair_has_its_chart(
    laptop, url
):
    page = laptop
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    picture = "![p](http://127.0.0.1:9/p.png)"
    told = f"corpus=table&text={quote(picture)},-1&base={quote(picture)}&panel=All+pairs"
    show(page, f"{url}/bpe_train?{told}")
    shown = picture.replace("://", ":\u2060//")  # a word joiner keeps it from becoming a link
    expect(page.get_by_test_id("stToast")).to_contain_text(picture)  # first: it goes by itself
    expect(page.get_by_test_id("stAlert")).to_contain_text(f"The count of “{shown}” is -1.")
    innocent(page)

    page.get_by_label("Rows of word,count").fill("<b>&x,9\n<b>y,3\n")
    press(page, "Escape")  # what was typed stays, as it does after a click outside
    expect(page.locator(".sentence")).to_contain_text("12 words (2 distinct)")
    page.get_by_test_id("stDataFrame").click(position={"x": 12, "y": 50})  # the first row
    expect(finding(page, "< + b occurs 12 times after step 0")).to_be_visible()
    expect(page.locator(".st-key-history svg").first).to_be_visible()
    innocent(page)
    assert not [it for it in asked if not it.startswith((url, "blob:", "data:"))]


# ---- long texts and files ----


def test_a_long_text_survives_a_reload_and_a_new_server(laptop, new_server):
    page = laptop
    text = "the long tide comes back " * 8_000  # 200 kB
    with new_server("app.py") as url:
        show(page, f"{url}/bpe_train?corpus=own&merges=5")
        fill(page.get_by_label(OWN_WORDS), text)
        expect(page).to_have_url(re.compile("kept=[0-9a-f]{16}"))
        expect(page.locator(".sentence")).to_contain_text("40,000 words (5 distinct)")
        until(page, "localStorage.length > 0")
        page.reload()
        expect(page.locator(".sentence")).to_contain_text("40,000 words (5 distinct)")
    with new_server("app.py"):
        page.reload()
        expect(page.locator(".sentence")).to_contain_text("40,000 words (5 distinct)")
        expect(page.get_by_label(OWN_WORDS)).to_have_value(text)


def upload(page: Page, name: str, content: bytes) -> None:
    page.get_by_role("button", name="Training text").click()
    file: FilePayload = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    page.locator("input[type=file]").set_input_files(file)


def test_files_are_taken_and_a_broken_one_is_told(laptop, url):
    page = show(laptop, f"{url}/bpe_train?corpus=own")
    upload(page, "tide.txt", "täst täst best".encode())
    expect(page.locator(".sentence")).to_contain_text("3 words (2 distinct)")
    page.get_by_label("Train on").click()
    page.get_by_role("option", name="Your own table of words and counts").click()
    expect(page.get_by_label("Rows of word,count")).to_be_visible()
    expect(page.locator("input[type=file]")).to_have_count(1)  # the one for texts is gone
    of_tables = page.locator("input[type=file][accept*='.parquet']")
    out = io.BytesIO()
    pd.DataFrame({"word": ["low", "<b>"], "count": [5, 2]}).to_parquet(out)
    of_tables.set_input_files({"name": "counts.parquet", "mimeType": "", "buffer": out.getvalue()})
    expect(page.locator(".sentence")).to_contain_text("7 words (2 distinct)")
    of_tables.set_input_files({"name": "broken.parquet", "mimeType": "", "buffer": b"PAR1 no"})
    expect(page.get_by_test_id("stAlert")).to_contain_text(
        "“broken.parquet” is not a readable Parquet"
    )
    expect(page.locator(".sentence")).to_contain_text("7 words (2 distinct)")


# ---- encoding ----


def test_an_encoding_is_shared_by_its_address(laptop, new_server, browser):
    with new_server("app.py") as url:
        page = opens_first(laptop, f"{url}/bpe_encode?step=2", "In lowest, merge es and t into est")
        box = page.get_by_label("Text to encode")
        box.fill("slowest newest")
        box.press("Enter")
        in_address(page, re.escape("say=slowest+newest"))
        sidebar = open_sidebar(page)
        percent = sidebar.get_by_label("Merges skipped, in percent")
        percent.fill("50")
        percent.press("Enter")
        in_address(page, "drop=50")
        expect(sidebar.get_by_label("A skipped merge")).to_be_visible()
        settled(page)
        page.locator(".sentence").click()
        press(page, "End")
        expect(page).to_have_url(re.compile(r"step=(?!2&|2$)\d+"))
        mine = [page.locator(".position").inner_text(), page.locator(".sentence").inner_text()]
        other = browser.new_context(viewport={"width": 1366, "height": 768})
        copy = show(other.new_page(), page.url)
        expect(copy.locator(".position")).to_have_text(mine[0])
        expect(copy.locator(".sentence")).to_have_text(mine[1])
        assert tokens_shown(copy) == tokens_shown(page) != []
        other.close()


# ---- on every page ----


def test_no_errors_in_the_console_and_no_request_to_elsewhere(laptop, url):
    page, errors, asked = laptop, [], set()
    probes = re.compile(r"/_stcore/(health|host-config)$")  # Streamlit's own, answered by a 404

    def note(message) -> None:
        if message.type == "error" and not probes.search(message.location.get("url", "")):
            errors.append(message.text)

    page.on("console", note)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: asked.add(urlsplit(request.url).hostname))
    show(page, url)
    for name in (("BPE", "Train"), ("BPE", "Encode"), ("About", "How it works"), ("Start",)):
        go(page, *name)
        expect(page).to_have_title(f"{' · '.join(name)} · Piece by Piece")
        settled(page)
        if name == ("BPE", "Train"):
            at(page, 0)
            press(page, "ArrowRight", "ArrowRight")
            rests(page, 2)
            expect(tree(page).first).to_be_visible()
            for panel in ("All pairs", "Vocabulary", "The code"):
                page.get_by_role("radio", name=panel).click()
                settled(page)
    assert errors == []
    assert asked <= {"127.0.0.1", None}  # None: data in the page itself


def test_a_far_step_is_fetched_with_its_neighbors_alone(laptop, url):
    windows: list[tuple[int, int]] = []

    def note(answer):
        if "/frames/" in answer.url:
            windows.append((int(answer.url.rpartition("/")[2]), answer.status))

    laptop.on("response", note)
    page = show(laptop, f"{url}/bpe_train?corpus=prose&merges=300&base=end_of_word")
    at(page, 0)
    press(page, "End")
    at(page, 300)
    expect(page.locator(".sentence")).to_contain_text("all 300 merges are done")
    press(page, "ArrowLeft", "ArrowLeft")
    at(page, 298)
    expect(page.locator(".sentence")).to_contain_text("Merge")
    assert {(15, 200)} <= set(windows) <= {(1, 200), (13, 200), (14, 200), (15, 200)}
    assert len(windows) == len(set(windows))  # each once


# ---- several visitors ----


def long_text() -> str:
    """Half a megabyte of words that are nearly all different."""
    draw = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    return " ".join("".join(draw.choices(letters, k=draw.randint(4, 12))) for _ in range(56_000))


def test_one_visitor_trains_long_while_another_steps(laptop, serve, browser):
    url = serve("tests/browser/held_app.py")  # the training lasts till it is stopped
    first = show(laptop, f"{url}/bpe_train?corpus=own&merges=3000&split=none")
    fill(first.get_by_label(OWN_WORDS), long_text()[:50_000])
    expect(first.get_by_role("progressbar").first).to_be_visible()
    stop = first.get_by_role("button", name="Stop")
    expect(stop).to_be_visible()

    context: BrowserContext = browser.new_context(viewport={"width": 1366, "height": 768})
    second = show(context.new_page(), f"{url}/bpe_train?corpus=b2&step=1")
    rests(second, 1)
    for step in (2, 3, 4):
        press(second, "ArrowRight")
        expect(finding(second, f"After {step} of ")).to_be_visible()
        expect(stop).to_be_visible()  # still at it
    context.close()

    press(first, "Escape")
    stop.click()
    ended = first.get_by_text("Stopped early.")
    # A run that stops at once may never have said that it is stopping.
    stopping = first.get_by_text("Stopping and collecting the result so far")
    expect(stopping.or_(ended).first).to_be_visible()
    expect(ended).to_be_visible(timeout=20_000)
    expect(first.locator(".position")).to_be_visible()
    last = int(first.locator(".position .last").inner_text().replace(",", ""))
    assert 0 < last < 3000
