"""A class trains what it saw: from a run to the lines of a library, and to the notebook."""

import json

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE


@pytest.fixture(scope="module")
def url(browser, serve):
    """The app, with a browser at hand."""
    return serve("app.py")


def test_from_a_run_that_no_library_has_to_one_with_code(laptop, url):
    page: Page = laptop
    page.goto(f"{url}/bpe_train?corpus=own&text=low+low+lower+lowest&base=end_of_word")
    page.get_by_role("radio", name="Train one yourself").click(timeout=2 * PATIENCE)
    expect(page.get_by_text("can’t train exactly this")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Train as Hugging Face does").click()
    code = page.locator("[data-testid=stCode]", has_text="train_from_iterator")
    expect(code).to_contain_text("trainers.BpeTrainer(", timeout=PATIENCE)
    expect(code).to_contain_text("low low lower lowest")
    page.wait_for_url("**/bpe_train?*base=characters*")
    page.wait_for_url("**/bpe_train?*ties=smallest_ids*")
    # It is whole in its column, so that a class can read it.
    whole = "(box) => box.scrollWidth <= box.clientWidth + 1"
    assert code.locator("pre").evaluate(whole)


def test_the_notebook_of_the_ladder(laptop, url):
    page: Page = laptop
    page.goto(f"{url}/teach")
    page.get_by_role("link", name="A ladder of programming tasks").click(timeout=2 * PATIENCE)
    expect(page.get_by_text("Count the pairs")).to_be_visible(timeout=PATIENCE)
    with page.expect_download() as found:
        page.get_by_role("button", name="Download the notebook").click()
    assert found.value.suggested_filename == "ladder.ipynb"
    cells = json.loads(found.value.path().read_text("utf-8"))["cells"]
    assert sum("write me" in cell["source"] for cell in cells) == 12
