"""Takes the picture at the top of the README from the app: `python docs/take_pictures.py`."""

import os
import socket
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
PICTURES = {"train.png": "/bpe_train?corpus=b2&step=3"}


def main() -> None:
    """Start the app, open each address and save what is seen."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    app = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        with sync_playwright() as playwright:
            options = ["--no-sandbox", "--disable-gpu"]
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=options)
            page = browser.new_page(viewport={"width": 1366, "height": 780})
            for name, path in PICTURES.items():
                for _ in range(50):  # until the server answers
                    try:
                        page.goto(f"http://127.0.0.1:{port}{path}")
                        break
                    except Exception:
                        page.wait_for_timeout(200)
                page.locator(".say").wait_for()
                page.wait_for_timeout(1500)
                page.screenshot(path=ROOT / "docs" / name)
    finally:
        app.kill()


if __name__ == "__main__":
    main()
