"""Worksheets as a PDF by Typst, an optional package: see requirements-pdf.txt.

Typst runs in a process of its own (compiling.py) with a timeout. If no font has a character, the
user gets a message instead of a PDF with empty boxes.
"""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

from pages.shared.drawing.display_text import escape_invisible
from pages.shared.export.worksheets import compiling
from tokenizers.progress import ProgressCallback

HOW_TO_GET_IT = (
    "For a PDF, install the package typst on the server: pip install -r requirements-pdf.txt. "
    "Without it, print the HTML file from your browser."
)
_ROOT = Path(__file__).parents[4]
_ESCAPED = re.compile(r"\\u\{([0-9a-f]+)\}")  # Typst's escape of a character
_LETTERS = re.compile(r'the text `"(.*?)"` could not be displayed', re.DOTALL)


def is_installed() -> bool:
    """Return whether Typst is installed."""
    return importlib.util.find_spec("typst") is not None


def typeset(report: ProgressCallback, source: str) -> bytes | str:
    """Return the PDF of a document (render_typst.py), or an error message."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", compiling.__name__],
            input=source.encode(),
            capture_output=True,
            cwd=_ROOT,
            timeout=compiling.SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return (
            f"The PDF took longer than {compiling.SECONDS} seconds. Ask for fewer sheets, or print "
            "the HTML file from your browser."
        )
    if done.returncode:
        return _failure_text(done.stderr.decode("utf-8", "replace"))
    return done.stdout


def _failure_text(problem: str) -> str:
    """Return the message for an error of Typst, usually a character that no font has."""
    found = _LETTERS.search(problem)
    if found:
        text = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), found[1])
        codes = " ".join(f"U+{ord(character):04X}" for character in text)
        return (
            f"No font on the server has “{escape_invisible(text)}” ({codes}), so a PDF would have "
            "an empty box there. Print the HTML file from your browser instead: it has its own "
            "fonts."
        )
    return "Typst could not set these sheets. Print the HTML file from your browser instead."
