"""Format, lint and types of all that is written here, by the tools themselves.

The tools for JavaScript come with `npm install` (package.json). Where they are not installed, or
there is no Node.js, their tests are skipped; REQUIRE_BROWSER=1 makes them fail instead.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.node import find_node

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests/js").glob("*.test.mjs"))
PROJECTS = (".", "pages", "pages/sizes", "pages/shared/player")  # that have a tsconfig.json


def run(*command: str) -> str:
    """Run a tool over the whole repository; what it complains about is the reason of a failure."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    return done.stdout


def tool(name: str) -> str:
    """The path of a tool for JavaScript, or a skipped test."""
    path = shutil.which(name, path=f"{ROOT / 'node_modules/.bin'}{os.pathsep}{os.environ['PATH']}")
    if path:
        return path
    said = f"{name} is not installed: install Node.js, then run npm install"
    if os.environ.get("REQUIRE_BROWSER"):
        pytest.fail(said)
    pytest.skip(said)


def test_python_is_formatted():
    run(sys.executable, "-m", "ruff", "format", "--check")


def test_python_has_no_lint():
    run(sys.executable, "-m", "ruff", "check")


def test_python_has_sound_types():
    """In one thread: two read most files twice, and other tests have the second core."""
    run(sys.executable, "-m", "pyright", "--pythonpath", sys.executable)


def test_javascript_has_no_lint():
    run(tool("biome"), "lint", "--error-on-warnings")


@pytest.mark.parametrize("where", PROJECTS)
def test_javascript_has_sound_types(where: str):
    run(tool("tsc"), "--project", where)


def test_no_javascript_is_left_out_of_the_check_of_types():
    listed = "".join(run(tool("tsc"), "--project", where, "--listFilesOnly") for where in PROJECTS)
    checked = {Path(line) for line in listed.splitlines()}
    assert [path for path in (ROOT / "pages").rglob("*.js") if path not in checked] == []


def test_javascript_passes_its_own_tests():
    assert SCRIPTS
    run(find_node(), "--test", *SCRIPTS)
