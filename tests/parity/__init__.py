"""Parity with the PyPI libraries `tokenizers` and `tiktoken`, asked in a process of their own.

The project's package has the same name as the first, so it is never imported here: `oracle.py` runs
in isolated mode from a temporary directory. ORACLE_PYTHON names the interpreter that has it.
"""

import functools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ORACLE_PYTHON = os.environ.get("ORACLE_PYTHON") or sys.executable


def ask(call, **arguments):
    """Return the library's answer to one call of oracle.py; CalledProcessError if it fails."""
    assert "site-packages" in Path(_library()["file"]).parts
    return _run(call, **arguments)


def _run(call, **arguments):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [ORACLE_PYTHON, "-I", str(Path(__file__).with_name("oracle.py").resolve())],
            input=json.dumps({"call": call, **arguments}),
            stdout=subprocess.PIPE,
            cwd=folder,
            check=True,
            encoding="utf-8",
        )
    return json.loads(done.stdout)


@functools.cache
def _library():
    return _run("library")


@functools.cache
def _is_installed():
    command = [ORACLE_PYTHON, "-I", "-c", "import tokenizers.trainers"]
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(command, cwd=folder, capture_output=True).returncode == 0


needs_library = pytest.mark.skipif(
    not _is_installed(),
    reason=f"the library tokenizers is not installed for {ORACLE_PYTHON} (see ORACLE_PYTHON)",
)

needs_tiktoken = pytest.mark.skipif(
    not _is_installed() or _run("tiktoken_version") is None,
    reason=f"the libraries tokenizers and tiktoken are not installed for {ORACLE_PYTHON}",
)
