"""The app without working storage in the browser: blocked, full, with invalid data, in a frame."""

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import expect

from tests.browser.conftest import PATIENCE
from tests.browser.test_app import go

REFUSED = """for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });
}"""
FULL = 'Storage.prototype.setItem = () => { throw new DOMException("no", "QuotaExceededError"); };'
RUBBISH = """const read = Storage.prototype.getItem;
Storage.prototype.getItem = function (name) {
  const isOurs = /^(answers|class|piece-by-piece)/.test(name);
  return isOurs ? '{"student": 7, "said": [' : read.call(this, name);
};"""
KINDS = {"refused": REFUSED, "full": FULL, "rubbish": RUBBISH, "in a frame": REFUSED}
ROUND = [("BPE", "Train"), ("Compare", "Race"), ("Unigram", "Lattice")]
LESSON = "/lessons?lesson=bpe-ends-of-words&stop=3"


@pytest.mark.parametrize("kind", KINDS)
def test_every_picture_is_there_and_lost_storage_is_reported(browser, serve, kind):
    url, problems = serve("app.py"), []
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    context.add_init_script(KINDS[kind])
    tab = context.new_page()
    tab.set_default_timeout(PATIENCE)
    tab.on("pageerror", lambda error: problems.append(str(error)))
    page = tab
    if kind == "in a frame":
        tab.set_content(
            f'<iframe name="app" src="{url}{LESSON}" width="1360" height="760"></iframe>'
        )
        page = tab.frame("app")
    else:
        tab.goto(f"{url}{LESSON}")
    picture = page.locator(".stElementContainer[data-painted]").first
    expect(picture).to_be_visible()
    note = page.get_by_text("Your browser does not store your progress.")
    expect(note).to_have_count(0 if kind == "rubbish" else 1)
    for section, name in ROUND:
        go(page, section, name)
        expect(page.get_by_role("heading", level=1)).to_contain_text(f"{section} · {name}")
        expect(picture).to_be_visible()
    context.close()
    assert problems == []
