"""Back leads to the previous page, whatever a page changes in its URL, and whenever."""

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from tests.browser.conftest import until
from tests.browser.test_app import go, settled, show

COUNTED = """window.entries = 0;
const push = history.pushState.bind(history);
history.pushState = (...entry) => { window.entries += 1; push(...entry); };"""
WALK = {
    "/real": ("Real tokenizers",),
    "/lessons": ("Lessons",),
    "/bpe_train": ("BPE", "Train"),
    "/compare": ("Compare", "Side by side"),
}


def shown(path: str) -> str:
    return f"location.pathname === '{path}'"


@pytest.mark.parametrize("is_slow", [True, False])
def test_each_page_is_one_entry_and_back_leads_to_the_one_before(laptop: Page, serve, is_slow):
    page, url = laptop, serve("app.py")
    page.add_init_script(COUNTED)
    show(page, url)
    for path, names in WALK.items():
        go(page, *names)
        until(page, shown(path))
        if is_slow:
            settled(page)
    assert page.evaluate("entries") == len(WALK), "the pages alone are entries"
    for path in [*reversed([*WALK][:-1]), "/"]:
        page.evaluate("history.back()")
        until(page, shown(path))
        if is_slow:
            settled(page)
            expect(page).to_have_url(f"{url}{path}")
    settled(page)
    expect(page.get_by_label("Your text")).to_be_visible()
    expect(page).to_have_url(f"{url}/")
    assert page.evaluate("entries") == len(WALK)


def test_another_page_begins_at_its_top_however_far_down_the_last_one_was(laptop: Page, serve):
    page = show(laptop, serve("app.py"))
    main = page.locator(".stMain")
    for name in ("Pipeline", "Start") * 4:
        main.evaluate("(main) => main.scrollTo(0, main.scrollHeight)")
        go(page, name)
        expect(page).to_have_title(f"{name} · Piece by Piece")
        settled(page)
        until(main, "(main) => main.scrollTop", lambda it: it == 0, of=name)
