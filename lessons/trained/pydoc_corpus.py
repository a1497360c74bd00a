"""English prose from Python's own documentation, i.e. the text of `help()` without the code.

It includes the topics of `help()` (the language reference and the built-in types) and the
docstrings of the standard library, read from its source files. A paragraph is kept if it is long
enough and consists mostly of words; duplicates, tests, examples, tables, signatures and installed
packages are skipped.
"""

import ast
import re
import sysconfig
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from pydoc_data.topics import topics

LEAST_WORDS = 40  # of a paragraph, since shorter ones are often fragments
MOSTLY = 0.8  # minimum share of plain words, as opposed to names and code
SKIPPED = {"test", "tests", "idle_test", "site-packages", "dist-packages"}
_BREAK = re.compile(r"\n\s*\n")
_WORD = re.compile(r"[(\"“'*]*[A-Za-z][A-Za-z'’/-]*[.,;:!?)\"”'*]*")
_HAS_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def text() -> str:
    """Return this Python's paragraphs, one per line, first from topics, then from the library."""
    written = [topics[name] for name in sorted(topics)]
    sources = (*written, *_docstrings(Path(sysconfig.get_path("stdlib"))))
    found = (prose(part) for source in sources for part in _BREAK.split(source))
    return "\n".join(dict.fromkeys(filter(None, found)))


def prose(paragraph: str) -> str:
    """Return a paragraph as one line; "" if it is not prose.

    >>> prose("Return x.")
    ''
    """
    words = paragraph.split()
    line = " ".join(words)
    if len(words) < LEAST_WORDS or not line[0].isalpha() or line[-1] not in ".!?:":
        return ""
    if sum(bool(_WORD.fullmatch(word)) for word in words) < MOSTLY * len(words):
        return ""
    is_clean = unicodedata.is_normalized("NFC", line) and line.isprintable()
    return line if is_clean else ""


def _docstrings(library: Path) -> Iterator[str]:
    """Yield the docstrings of the modules in a folder, without importing them."""
    for path in sorted(library.rglob("*.py"), key=Path.as_posix):
        if SKIPPED.isdisjoint(path.relative_to(library).parts):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, _HAS_DOCSTRING) and (found := ast.get_docstring(node)):
                    yield found
