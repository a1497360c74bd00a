"""What a browser tells at once, of several parts of a page or of two pages, is all heard."""

import re
import shutil
from pathlib import Path

import pytest
import streamlit

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import expect

from tests.browser.conftest import look_below
from tests.browser.test_app import at, finding, press, show

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


@pytest.mark.parametrize("pause", [0, 600])
def test_a_link_leads_on_though_nobody_was_told_of_the_last_step(laptop, serve, pause):
    """Enter is pressed: of the step Python is told now, and hears of it after the link.

    The player rests by then, out of sight of what is drawn for the step, or would rest later.
    """
    page = show(laptop, f"{serve('app.py')}/bpe_train?corpus=b2&step=5")
    at(page, 5)
    page.get_by_role("link", name="Pipeline", exact=True).focus()
    press(page, "ArrowRight")
    at(page, 6)
    page.wait_for_timeout(pause)
    press(page, "Enter")
    heading = page.locator(".pp-heading")
    expect(heading).to_contain_text("Pipeline")
    page.wait_for_timeout(1_000)  # till all is heard that was told
    expect(heading).to_contain_text("Pipeline")
    expect(page).not_to_have_url(re.compile("step"))


def test_a_part_inside_a_part_that_runs_again_at_once_leaves_the_page_whole(laptop, serve):
    laptop.goto(serve("tests/browser/busy_app.py"))
    laptop.get_by_role("button", name="Go on").click()
    expect(laptop.get_by_text("Behind 6 lines")).to_be_visible()
    expect(laptop.get_by_text(re.compile("^Line"))).to_have_count(6)


PRIVATE = re.compile(
    r"\b(request_rerun|flush_browser_queue|_clear_queue|_new_widget_state|WStates|WidgetMetadata"
    r"|set_widget_from_proto|get_instance|is_active_session|clear_user_info_for_session"
    r"|get_script_run_ctx|RerunException|remove_orphaned_files)\b"
)


def rename_private_parts(folder: Path) -> None:
    """Put a Streamlit into a folder that works as the installed one, under other private names."""
    installed = Path(streamlit.__file__).parent
    copy = folder / installed.name
    shutil.copytree(installed, copy, ignore=shutil.ignore_patterns("static"))
    (copy / "static").symlink_to(installed / "static")
    for path in copy.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if PRIVATE.search(text):
            path.write_text(PRIVATE.sub(r"\1_renamed", text), encoding="utf-8")


def test_the_app_trains_steps_and_leads_on_though_all_private_names_are_gone(
    laptop, new_server, tmp_path, monkeypatch
):
    packages = tmp_path / "site-packages"  # elsewhere Streamlit takes itself for a developer's copy
    rename_private_parts(packages)
    monkeypatch.setenv("PYTHONPATH", str(packages))
    with new_server("app.py") as url:
        page = show(laptop, f"{url}/bpe_train?corpus=b2&step=2")
        at(page, 2)
        look_below(page)
        press(page, "ArrowRight")
        expect(finding(page, "After 3 of ")).to_be_visible()
        page.get_by_role("link", name="Pipeline", exact=True).click()
        expect(page.locator(".pp-heading")).to_contain_text("Pipeline")
