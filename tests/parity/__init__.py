"""Parity with PyPI libraries, which run in separate processes in isolated mode.

* `ask`: Hugging Face's `tokenizers`, and `tiktoken`. The project's package has the same name as the
  first, so it is never imported here. ORACLE_PYTHON is the interpreter with the libraries.
* `ask_with_files`: the same two, for tokenizers that they open from files.
* `ask_sentencepiece`: two versions of SentencePiece, which train and encode differently. One is in
  that interpreter, the other in the folder SENTENCEPIECE_0_2_1.

Processes are reused, since starting one takes longer than most answers.
"""

import atexit
import functools
import json
import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ORACLE_PYTHON = os.environ.get("ORACLE_PYTHON") or sys.executable
ROOT = Path(__file__).resolve().parents[2]
SENTENCEPIECE_0_2_1 = os.environ.get("SENTENCEPIECE_0_2_1") or str(
    ROOT / ".oracles/sentencepiece-0.2.1"
)
FOLDERS = {"0.2.1": (SENTENCEPIECE_0_2_1,), "0.2.3": ()}
"""Where each version of SentencePiece is, if not where the interpreter looks for libraries."""


def ask(call, **arguments):
    """Return the library's answer to one call of oracle.py; CalledProcessError if it fails."""
    assert "site-packages" in Path(_library()["file"]).parts
    return _run("oracle.py", call, **arguments)


def ask_sentencepiece(version, call, **arguments):
    """Return SentencePiece's answer to one call of sentencepiece_oracle.py.

    `version` is "0.2.1" or "0.2.3". Raises CalledProcessError if the call fails.
    """
    return _run("sentencepiece_oracle.py", call, *FOLDERS[version], **arguments)


def ask_with_files(call, **arguments):
    """Return a library's answer to one call of files_oracle.py; CalledProcessError if it fails."""
    return _run("files_oracle.py", call, **arguments)


def ask_about_repository(call, **arguments):
    """Return transformers' answer to one call of repositories_oracle.py."""
    return _run("repositories_oracle.py", call, **arguments)


def _run(script, call, *folders, **arguments):
    process = _process(script, *folders)
    assert process.stdin
    assert process.stdout
    try:
        process.stdin.write(json.dumps({"call": call, **arguments}).encode() + b"\n")
        process.stdin.flush()
        return pickle.load(process.stdout)
    except (BrokenPipeError, EOFError):
        _process.cache_clear()  # the next question needs one that has not failed
        raise subprocess.CalledProcessError(process.wait(), process.args) from None


@functools.cache
def _process(script, *folders):
    """Return a process that answers questions until this one ends."""
    folder = tempfile.TemporaryDirectory()
    here = Path(__file__).resolve()
    scripts = [str(here.with_name(name)) for name in ("answering.py", script)]
    process = subprocess.Popen(
        [ORACLE_PYTHON, "-I", *scripts, *folders],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=folder.name,
    )
    atexit.register(_end, process, folder)
    return process


def _end(process, folder):
    process.communicate()
    folder.cleanup()


@functools.cache
def _library():
    return _run("oracle.py", "library")


@functools.cache
def _is_installed():
    return _runs("import tokenizers.trainers")


@functools.cache
def has_sentencepiece(version):
    """Return whether this version of SentencePiece is installed."""
    folders = FOLDERS[version]
    return _runs(
        f"import sys; sys.path[:0] = {folders!r}; import sentencepiece;"
        f"sys.exit(sentencepiece.__version__ != {version!r})"
    )


def _runs(program):
    command = [ORACLE_PYTHON, "-I", "-c", program]
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(command, cwd=folder, capture_output=True).returncode == 0


needs_library = pytest.mark.skipif(
    not _is_installed(),
    reason=f"the library tokenizers is not installed for {ORACLE_PYTHON} (see ORACLE_PYTHON)",
)

needs_tiktoken = pytest.mark.skipif(
    not _is_installed() or _run("oracle.py", "tiktoken_version") is None,
    reason=f"the libraries tokenizers and tiktoken are not installed for {ORACLE_PYTHON}",
)

TRANSFORMERS = "5.24.0"
needs_transformers = pytest.mark.skipif(
    not _runs(
        "from importlib.metadata import version as of;"
        f"assert of('transformers') == {TRANSFORMERS!r}"
    ),
    reason=f"transformers {TRANSFORMERS} is not installed for {ORACLE_PYTHON}",
)

needs_sentencepiece = {
    "0.2.1": pytest.mark.skipif(
        not has_sentencepiece("0.2.1"),
        reason="SentencePiece 0.2.1 is missing; get it beside the newer one by: pip install "
        f"--no-deps --target {SENTENCEPIECE_0_2_1} sentencepiece==0.2.1",
    ),
    "0.2.3": pytest.mark.skipif(
        not has_sentencepiece("0.2.3"),
        reason="SentencePiece 0.2.3 is missing; get it by: pip install -r requirements-dev.txt",
    ),
}
"""The mark of a test that asks this version."""
