"""Takes the picture at the top of the README from the app: `python docs/take_pictures.py`."""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from tests.browser.conftest import launch_chromium, running  # noqa: E402

PICTURES = {"train.png": "/bpe_train?corpus=b2&step=3"}


def main() -> None:
    """Start the app, open each address and save what is seen."""
    with running(ROOT / "app.py") as url, sync_playwright() as playwright:
        page = launch_chromium(playwright).new_page(viewport={"width": 1366, "height": 780})
        for name, path in PICTURES.items():
            page.goto(f"{url}{path}")
            page.locator(".sentence").wait_for()
            page.wait_for_timeout(1500)
            page.screenshot(path=ROOT / "docs" / name)


if __name__ == "__main__":
    main()
