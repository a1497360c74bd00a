"""Side by side in a real browser: tokens stand under their characters, a set is made and shared."""

from urllib.parse import quote

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from tests.browser.conftest import until
from tests.browser.test_app import HOSTILE, WIDTHS, fill, in_address, press, settled

# Of every token: whether it lies between the left and right ends of the stretches of text above it.
UNDER = """() => {
  const hosts = [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')];
  const root = hosts.map((host) => host.shadowRoot.querySelector('.aligned-view')).find(Boolean);
  return [...root.querySelectorAll('.chunk')].every((chunk) => {
    const raws = [...chunk.querySelectorAll('.raw')];
    return [...chunk.querySelectorAll('.cell')].every((cell) => {
      const [first, last] = cell.style.gridColumn.split(' / ').map(Number);
      const above = raws.filter((raw) => {
        const [a, b] = raw.style.gridColumn.split(' / ').map(Number);
        return a < last && first < b;
      }).map((raw) => raw.getBoundingClientRect());
      if (!above.length) return true; // it stands for no character
      const { left, right } = cell.getBoundingClientRect();
      return Math.min(...above.map((one) => one.left)) <= left + 1
        && right - 1 <= Math.max(...above.map((one) => one.right));
    });
  });
}"""

# Once what is laid out anew for another window has been painted.
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture(scope="module")
def url(browser, serve):
    """The page, with a browser at hand."""
    return f"{serve('app.py')}/compare"


def show(page: Page, url: str) -> Page:
    """Open the page, and wait for its tokens."""
    page.goto(url)
    expect(page.locator(".aligned-view button").first).to_be_visible(timeout=30_000)
    return settled(page)


def row(page: Page, number: int) -> list[str]:
    return page.locator(f".aligned-view button[data-row='{number}'] > bdi").all_inner_texts()


def names(page: Page) -> list[str]:
    """The names before the first line."""
    return page.locator(".aligned-view .names").first.locator(".name").all_inner_texts()


def test_a_link_to_a_set_opens_on_a_new_server(laptop, new_server):
    with new_server("app.py") as url:
        query = "with=bpe.own.300,bytes.prose.300&text=low%20lower%20lowest&look=letter"
        page = show(laptop, f"{url}/compare?{query}")
        expect(page.locator(".aligned-view .names").first).to_contain_text("BPE 17")
        assert row(page, 0) == ["low</w>", "lower</w>", "lowest</w>"]
        assert "".join(row(page, 1)) == "lowĠlowerĠlowest"
        expect(page.get_by_text("letters in turn, each replaced by the next")).to_be_visible()
        expect(page.get_by_test_id("stToast")).to_have_count(0)


def test_tokens_stand_under_their_characters_on_every_screen(laptop, url):
    page = show(laptop, f"{url}?ready=eyes&with=characters.prose,bytes.prose.300,unigram.prose.300")
    for width, height in ((1366, 768), (390, 844), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        until(page, f"innerWidth === {width} && Math.max(...{WIDTHS}) <= {width}")
        page.evaluate(PAINTED)
        until(page, UNDER)
        until(page, WIDTHS, lambda it, width=width: max(it) <= width)


def test_the_rows_are_named_before_every_line_and_ids_are_switched_on(phone, url):
    page = show(phone, url)
    tops = page.evaluate(
        "[...new Set([...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]"
        ".flatMap((host) => [...host.shadowRoot.querySelectorAll('.chunk')])"
        ".map((chunk) => chunk.offsetTop))].length"
    )
    assert tops > 5
    expect(page.locator(".aligned-view .names")).to_have_count(tops)

    expect(page.locator(".aligned-view button small").first).to_be_hidden()
    page.get_by_text("Show ids").click()
    expect(page.locator(".aligned-view button small").first).to_be_visible()
    in_address(page, "ids=true")


def test_a_token_is_pointed_at_and_walked_from(laptop, url):
    page = show(laptop, f"{url}?text=low%20lower%20low&with=bpe.own.300,characters.own")
    page.locator(".aligned-view button", has_text="lower</w>").hover()
    sentence = page.locator(".aligned-view .sentence")
    expect(sentence).to_contain_text("“lower</w>”: BPE 12 has it once here, with the id")
    expect(sentence).to_contain_text("In its place: Characters l + o + w + e + r.")
    page.locator(".aligned-view button").first.focus()  # as by Tab
    expect(sentence).to_contain_text("“low</w>”")
    press(page, "ArrowRight")
    expect(sentence).to_contain_text("“lower</w>”")
    press(page, "ArrowDown")
    expect(sentence).to_contain_text("“l”: Characters has it 3 times here")
    expect(page.locator(".aligned-view button.same")).to_have_count(3)
    press(page, "End")
    expect(sentence).to_contain_text("“w”")
    a_bubble_explains_a_mark(page)


def a_bubble_explains_a_mark(page: Page) -> None:
    bubble = page.locator(".aligned-view .marks")
    expect(bubble).to_be_hidden()
    token = page.locator(".aligned-view .cell button").first
    token.focus()
    expect(bubble).to_contain_text("</w>  the end of a word")
    box, covered = bubble.bounding_box() or {}, token.bounding_box() or {}
    assert box["y"] >= covered["y"] + covered["height"] or box["y"] + box["height"] <= covered["y"]
    press(page, "Escape")
    expect(bubble).to_be_hidden()
    press(page, "ArrowUp")
    expect(page.locator(".chunk .ways").first).to_be_focused()
    expect(bubble).to_have_text("These tokenizers split the word in 2 different ways.")
    press(page, "ArrowRight", "ArrowDown")
    expect(page.locator(".aligned-view .sentence")).to_contain_text("“lower</w>”")
    page.locator(".aligned-view .raw.space").first.hover()
    expect(bubble).to_contain_text("·  a space")


def test_a_tokenizer_is_added_and_the_link_has_it(laptop, url):
    page = show(laptop, f"{url}?with=bpe.prose.300,unigram.prose.300")
    page.get_by_role("button", name="Tokenizers", exact=True).click()
    page.get_by_role("button", name="Add a tokenizer").click()
    expect(page.locator(".aligned-view .names").first).to_contain_text("Words")
    in_address(page, "with=bpe.prose.300(,|%2C)unigram.prose.300(,|%2C)words.python")
    show(page, page.url)
    assert names(page) == [
        "BPE 300\nThe tide table",
        "Unigram 300\nThe tide table",
        "Words\nPython's help pages",
    ]


def test_hostile_text_stays_text(laptop, url):
    page, dialogs = laptop, []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    show(page, url)
    fill(page.get_by_label("Your text"), HOSTILE)
    expect(page.locator(".aligned-view .lines")).to_contain_text("window.hit")
    page.get_by_role("radio", name="Seen and unseen words").click()
    in_address(page, "look=seen")
    settled(page)
    show(page, f"{url}?look=letter&text={quote(HOSTILE)}")
    assert page.evaluate("window.hit") is None
    expect(page.locator("img[src='x'], img[src*='p.png'], .stMain script")).to_have_count(0)
    assert not dialogs


def test_a_text_from_right_to_left_begins_at_the_right(laptop, url):
    page = show(laptop, f"{url}?text={quote('مرحبا بالعالم')}&with=characters.own")
    expect(page.locator(".aligned-view .chunk").nth(1)).to_be_visible()
    first, second = (
        page.locator(".aligned-view .chunk").nth(n).bounding_box() or {} for n in (0, 1)
    )
    assert second["x"] < first["x"]
    page.locator(".aligned-view button").first.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".aligned-view button").nth(1)).to_be_focused()
