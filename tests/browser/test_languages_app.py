"""Languages in a real browser: the slider moves bars and tiles at once, any address is shown."""

import re

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE_FOR_WORK, until
from tests.browser.test_app import WIDTHS, in_address, opens_first, press


@pytest.fixture(scope="module")
def url(browser, serve):
    """The page, with a browser at hand."""
    return f"{serve('app.py')}/languages"


def show(page: Page, url: str) -> Page:
    """Open the page, and wait for its bars."""
    page.goto(url)
    expect(page.locator(".stage .tiles span").first).to_be_visible(timeout=PATIENCE_FOR_WORK)
    return page


def value(page: Page, code: str):
    return page.locator(f"tr[data-code={code}] .value span")


def width(page: Page, code: str) -> float:
    """How long a bar is to be, in percent, whether it is on its way or there."""
    bar = page.locator(f"tr[data-code={code}] .bar")
    return float(bar.evaluate("bar => bar.style.width").rstrip("%"))


def test_a_language_is_chosen_and_the_slider_moves_bars_tiles_and_sentence_at_once(
    laptop, new_server
):
    with new_server("app.py") as url:
        page = opens_first(laptop, f"{url}/languages", "Compare · Languages")
        tile = page.locator(".stage .tiles span").first
        expect(tile).to_be_visible(timeout=PATIENCE_FOR_WORK)
        chosen_and_mixed(page)


def chosen_and_mixed(page: Page) -> None:
    page.get_by_role("button", name="Tamil").focus()
    press(page, "Enter")
    title = "The unseen sentences in Tamil: 1,133 tokens"
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    expect(page.locator(".tiles span")).to_have_count(1_133)
    expect(page.get_by_role("button", name="Tamil")).to_have_attribute("aria-pressed", "true")
    in_address(page, "cut=ta")
    page.locator("tr[data-code=hi] button").click()

    before = width(page, "hi"), width(page, "en")
    expect(value(page, "hi")).to_have_text("452")
    expect(page.locator(".tiles span")).to_have_count(452)
    page.locator("input[type=range]").focus()
    press(page, *["ArrowRight"] * 4)
    assert page.locator(".tiles span").count() == 357  # in the same moment: nothing is asked for
    assert value(page, "hi").inner_text() == "357"
    assert value(page, "en").inner_text() == "254"
    assert width(page, "hi") < before[0]
    assert width(page, "en") > before[1]
    expect(page.locator(".sentence")).to_contain_text("50% English, 50% Hindi: Hindi needs 1.41")
    expect(page.locator(".users .counts li")).to_have_text(
        ["English 24", re.compile(r"^both \d+$"), "Hindi 32", re.compile(r"^neither \d+$")]
    )
    expect(page.locator(".users .summary")).to_contain_text("256 single bytes and 60 learned.")
    in_address(page, "mix=50")
    press(page, "End")
    expect(value(page, "en")).to_have_text("319")
    in_address(page, "mix=100")
    page.reload()
    expect(value(page, "en")).to_have_text("319")


def test_a_cold_deep_link_on_a_phone(phone, url):
    page = show(phone, f"{url}?kind=wordpiece&first=de&second=he&mix=20&cut=ar&pays=words")
    expect(page.locator(".sentence")).to_contain_text("80% German, 20% Hebrew")
    expect(page.locator(".tiles .unknown").first).to_be_visible()
    expect(page.locator(".stage .tiles")).to_have_attribute("dir", "rtl")
    expect(value(page, "th")).to_have_text("no spaces")
    expect(page.locator("tr[data-code=ar] .value small")).to_have_text(re.compile(r"\d+% unknown"))
    until(page, WIDTHS, lambda it: max(it) <= 390)


def test_the_language_worst_off_chooses_and_each_merge_says_why(laptop, url):
    page = show(laptop, url)
    expect(value(page, "hi")).to_have_text("452")
    page.get_by_role("combobox", name="Who chooses the pair").click()
    page.get_by_role("option", name="The language worst off").click()
    expect(value(page, "hi")).to_have_text("318")
    expect(page.locator("tr[data-code=hi] .usual")).to_have_text("452")
    expect(page.locator(".burden tbody tr").last).to_have_text("Gini coefficient0.0360.157")
    in_address(page, "rule=parity")

    why = page.locator(".why")
    expect(why).to_contain_text("Merge 1 of 60: Hindi is worst off and chooses.")
    pair = "“⟨E0⟩”\u00a0+\u00a0“⟨A4⟩”"
    expect(why).to_contain_text(f"Hindi 786, English 286. Its most frequent pair, {pair}")
    strips = page.locator(".strip svg")
    expect(strips).to_have_count(2)
    expect(strips.last).to_have_attribute("aria-label", "50 of 60 merges")
    page.get_by_role("button", name="next merge").click()
    expect(why).to_contain_text("Merge 2 of 60")
    page.get_by_role("slider", name="merge", exact=True).focus()
    press(page, "End")
    expect(why).to_contain_text("Merge 60 of 60: English is worst off and chooses.")
    expect(page.locator("tr.chooses")).to_have_attribute("data-code", "en")
    in_address(page, "turn=60")
    page.get_by_role("button", name="Tamil").focus()
    press(page, ",", ",")
    expect(why).to_contain_text("Merge 58 of 60")


def test_back_undoes_one_choice_at_a_time(laptop, url):
    page = show(laptop, f"{url}?rule=parity")
    page.locator("tr[data-code=ta] button").click()
    in_address(page, "cut=ta")
    page.get_by_role("button", name="next merge").click()
    in_address(page, "turn=2")
    page.get_by_role("slider", name="share of Hindi").focus()
    press(page, "ArrowRight")
    in_address(page, "mix=20")
    page.go_back()
    expect(page.locator(".sentence")).to_contain_text("90% English")
    page.go_back()
    expect(page.locator(".why")).to_contain_text("Merge 1 of 60")
    page.go_back()
    expect(page.locator("tr.on")).to_have_attribute("data-code", "hi")


def test_both_rules_lie_in_the_first_window(laptop, url):
    page = show(laptop, f"{url}?rule=parity&second=rest&mix=50")
    for part in (".sentence", ".burden", ".why", "tr[data-code=ta] .value", "tr[data-code=ta] svg"):
        box = page.locator(part).bounding_box()
        assert box
        assert box["y"] + box["height"] <= 768, part


def test_both_rules_fit_a_phone(phone, url):
    page = show(phone, f"{url}?rule=parity&second=rest")
    until(page, WIDTHS, lambda it: max(it) <= 390)
    usual = page.locator("tr[data-code=ta] .usual").bounding_box()
    assert usual
    assert usual["x"] + usual["width"] <= 390


# ---- presenter view ----

FITS = """(root) => {
  const box = root.querySelector('.columns').getBoundingClientRect();
  const inside = [...root.querySelectorAll('tr, .summary, .tiles span, .legend')]
    .filter((node) => node.checkVisibility())
    .map((node) => node.getBoundingClientRect())
    .every(({ bottom, right }) => bottom <= box.bottom + 1 && right <= innerWidth);
  return inside && root.scrollHeight <= root.clientHeight && root.clientHeight === innerHeight
    && root.clientWidth === innerWidth;
}"""
TOPS = """(root) => [...root.querySelectorAll('tr, .users, h2, .tiles')]
  .map((node) => Math.round(node.getBoundingClientRect().top / 2))"""
DARK = "rgb(21, 22, 26)"
GROUND = "(root) => getComputedStyle(root).backgroundColor"


def hall(page: Page):
    return page.locator(".component.presenting")


@pytest.mark.parametrize(
    "query",
    ["kind=wordpiece&first=de&second=zh-Hans&pays=words&mix=0", "rule=parity&second=rest&mix=0"],
)
def test_presenter_view_fits_every_window_and_nothing_moves_in_it(laptop, url, query):
    # As on a telephone that gives no page the whole screen: a window that fills it keeps its size.
    laptop.add_init_script("Element.prototype.requestFullscreen = undefined")
    page = show(laptop, f"{url}?{query}")
    for width, height in ((1366, 768), (1920, 1080), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        press(page, "Home", "p")
        expect(hall(page)).to_be_visible()
        until(page, f"innerWidth === {width}")
        tops = hall(page).evaluate(TOPS)
        for key in ("ArrowRight", "ArrowRight", "PageDown", "End"):
            press(page, key)
            page.wait_for_timeout(100)
            until(hall(page), FITS, of=(width, key))
            until(hall(page), TOPS, lambda it, tops=tops: it == tops, of=(width, key))
        press(page, "Escape")
        expect(hall(page)).to_have_count(0)


def test_it_is_read_from_the_back_row_and_keys_step_turn_and_leave_it(projector, url):
    page = show(projector, f"{url}?present=1")
    expect(hall(page)).to_be_visible()
    rem = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
    size = "(node) => parseFloat(getComputedStyle(node).fontSize)"
    until(hall(page).locator(".sentence"), size, lambda it: it >= 1.9 * rem)
    until(hall(page).locator("tr[data-code=en] .value"), size, lambda it: it >= 1.4 * rem)
    count = hall(page).locator(".tiles span:visible").count()
    expect(hall(page).locator("h2")).to_have_text(re.compile(f", the first {count} shown$"))

    assert hall(page).evaluate(GROUND) != DARK
    press(page, "ArrowRight", "ArrowRight", "PageUp", "ArrowDown", "t")
    expect(hall(page)).to_have_css("background-color", DARK)
    expect(page.locator(".podium .counter")).to_have_text("80% English, 20% Hindi")
    expect(page.locator(".right h2")).to_contain_text("Chinese (simplified)")
    for name, shown in (("Q QR code", "This screen’s address"), ("? keys", "Keys")):
        hall(page).get_by_role("button", name=name).click()
        expect(page.get_by_role("dialog", name=shown)).to_be_visible()
        press(page, "Escape")
    for _ in range(8):
        press(page, "Tab")
        assert page.evaluate("document.activeElement.shadowRoot?.activeElement != null")
    in_address(page, "mix=20")
    in_address(page, "present=1")
    page.reload()
    expect(hall(page)).to_be_visible()
    press(page, "Escape")
    expect(hall(page)).to_have_count(0)
    expect(page.get_by_role("button", name="Presenter view")).to_be_focused()
    page.wait_for_timeout(1_000)  # what Python has to say to it has been said
    assert "present" not in page.url
    press(page, "ArrowRight")
    in_address(page, "mix=30")
    press(page, "p", "p")
    expect(hall(page)).to_have_count(0)
