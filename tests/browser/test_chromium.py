"""Tests, benchmarks and pictures start the same Chromium."""

import shutil
from unittest.mock import Mock

import pytest

from tests.browser.conftest import LAUNCH, ROOT, launch_chromium


def launched(monkeypatch: pytest.MonkeyPatch, *installed: str) -> str:
    """Return the path of what is started where these are installed."""
    monkeypatch.setattr(
        shutil, "which", lambda name: f"/usr/bin/{name}" if name in installed else None
    )
    playwright = Mock()
    launch_chromium(playwright)
    assert playwright.chromium.launch.call_args.kwargs["args"] == LAUNCH
    return playwright.chromium.launch.call_args.kwargs["executable_path"]


def test_the_chromium_that_is_asked_for_comes_first_then_the_headless_shell(monkeypatch):
    monkeypatch.delenv("CHROMIUM", raising=False)
    assert launched(monkeypatch, "chromium") == "/usr/bin/chromium"
    both = ("chromium", "chromium-headless-shell")
    assert launched(monkeypatch, *both) == "/usr/bin/chromium-headless-shell"
    monkeypatch.setenv("CHROMIUM", "mine")
    assert launched(monkeypatch, "mine", *both) == "/usr/bin/mine"
    with pytest.raises(FileNotFoundError, match="apt-get install chromium"):
        launched(monkeypatch)


def test_nothing_looks_for_a_chromium_of_its_own():
    files = [
        path for name in ("benchmarks", "docs", "tests") for path in (ROOT / name).rglob("*.py")
    ]
    alone = [path.name for path in files if "chromium" + ".launch(" in path.read_text("utf-8")]
    assert alone == ["conftest.py"]
