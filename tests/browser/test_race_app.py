"""The race and What if in a real browser: stepped by keys, opened cold by a link."""

import re
from urllib.parse import quote

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import ViewportSize, expect

from pages.race.race import NAMES
from tests.browser.conftest import fits_the_window, look_below, until
from tests.browser.test_app import HOSTILE, WIDTHS, at, in_address, press, show

PHONE: ViewportSize = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def url(browser, serve):
    """The app, with a browser at hand."""
    return serve("app.py")


def test_a_race_is_stepped_by_keys_to_the_meeting_and_fits_a_phone(laptop, url):
    page = show(laptop, f"{url}/race?size=120")
    said = page.locator(".sentence")
    expect(said).to_contain_text("before any pruning, Unigram")
    said.click()
    press(page, "ArrowRight", "ArrowRight")
    at(page, 2)
    expect(said).to_contain_text("BPE makes")
    press(page, "End")
    expect(said).to_contain_text("This is where they meet.")
    fits_the_window(page)
    expect(page.locator(".runner-key")).to_have_text(
        [re.compile(rf"^{name} 120 pieces, text: ") for name in NAMES]
    )
    expect(page.locator(".target")).to_have_text("target: 120 pieces")
    look_below(page)
    expect(page.get_by_text("are in all three vocabularies;")).to_be_visible()
    in_address(page, "size=120")
    expect(page.locator(".pp-sets tbody tr").first.locator("bdi").first).to_be_visible()
    page.locator(".scrubber").fill("30")
    at(page, 30)
    page.set_viewport_size(PHONE)
    expect(page.locator(".pp-sets").first).to_be_visible()
    until(page, f"Math.max(...{WIDTHS}) <= 390")


def test_what_if_opens_cold_by_a_link_and_the_changed_run_is_stepped(laptop, new_server):
    with new_server("app.py") as url:
        page = show(laptop, f"{url}/surgery?corpus=course&word=hug&count=3")
        expect(page.locator(".sentence")).to_have_text(
            "With hug seen 3 times instead of 10 times, merge 1 is p + u (17) instead of "
            "u + g (20)."
        )
        fits_the_window(page)
        expect(page.get_by_text("4 fewer")).to_be_visible()
        with page.context.expect_page() as opened:
            page.get_by_role("link", name="Step through the changed run").click()
        train = opened.value
        at(train, 1)
        expect(train.locator(".sentence")).to_contain_text(
            "Merge p and u into pu: it occurs 17 times"
        )


def test_hostile_text_stays_text(laptop, url):
    page, asked = laptop, []
    page.on("dialog", lambda dialog: asked.append(dialog.message))
    for path in ("race?step=3", f"surgery?word={quote(HOSTILE[:60])}"):
        show(page, f"{url}/{path}&corpus=own&text={quote(HOSTILE)}")
        expect(page.locator(".pp-sets, .part.table").first).to_be_visible()
        assert page.evaluate("window.hit") is None
        expect(page.locator("img[src='x'], img[src*='p.png'], .stMain script")).to_have_count(0)
    assert not asked


def test_a_phone_shows_what_if_without_scrolling_the_page_sideways(phone, url):
    page = show(phone, f"{url}/surgery?learns=wordpiece&word=hug&count=18")
    expect(page.locator(".pp-runs").first).to_be_visible()
    until(page, WIDTHS, lambda it: max(it) <= 390)


def test_both_runs_step_in_their_file(laptop, url, browser, tmp_path):
    page = show(laptop, f"{url}/surgery?corpus=course&word=pun&count=3")
    page.get_by_role("button", name="Take it with you").click()
    with page.expect_download() as found:
        page.get_by_role("button", name="This run as one HTML file").click()
    path = tmp_path / "surgery.html"
    found.value.save_as(path)
    context = browser.new_context(offline=True)
    file = context.new_page()
    file.goto(path.as_uri())
    expect(file.locator(".sentence")).to_contain_text("The first difference.")
    expect(file.locator("header")).to_contain_text("With pun seen 3 times instead of 12 times, ")
    file.get_by_text("What each count does").click()
    expect(file.locator("details[open] tbody tr").first).to_be_visible()
    file.locator(".sentence").click()
    press(file, "Home")
    expect(file.locator(".sentence")).to_contain_text("With pun seen 3 times")
    context.close()
