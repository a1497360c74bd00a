"""The picture of the house in docs/ is that of the source."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[1]


def test_the_picture_is_drawn_from_the_source_as_it_is():
    command = [sys.executable, str(ROOT / "docs/draw_architecture.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_picture_shows_every_page_and_chapter():
    texts = {element.text for element in ElementTree.parse(ROOT / "docs/architecture.svg").iter()}
    folders = {
        path.parent for name in ("pages", "tokenizers") for path in ROOT.glob(f"{name}/*/*.py")
    }
    assert {folder.name for folder in folders} - {"shared"} <= texts
