"""What a browser tells at once of several parts of a page, as on a busy machine, is not lost."""

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import expect

from tests.browser.conftest import look_below
from tests.browser.test_app import at, press, show

# Streamlit sends what has changed after a pause of 0 milliseconds: here it takes as long as a busy
# machine may need for it.
BUSY = """() => {
  const wait = window.setTimeout;
  window.setTimeout = (act, pause, ...more) => wait(act, pause || 1500, ...more);
}"""


def test_a_menu_that_is_opened_as_the_player_comes_to_rest_is_filled(laptop, serve):
    page = show(laptop, f"{serve('app.py')}/bpe_train?corpus=b2&step=5")
    at(page, 5)
    look_below(page)
    page.evaluate(BUSY)
    press(page, "ArrowRight")
    at(page, 6)
    page.wait_for_timeout(600)  # it rests; that is not yet sent
    page.get_by_role("button", name="Take it with you").click()
    page.get_by_role("tab", name="Link").click()
    expect(page.get_by_test_id("stPopoverBody")).to_contain_text("step=6")
