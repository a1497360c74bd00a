"""The script that replays a recorded run: its chapters, and how they become one file.

Each chapter counts again, in the plainest way that is quick enough, what a kind of trace recorded.
They share no code with what made the trace. Left out: the traces themselves (traces.py).
"""

import ast
from functools import cache
from pathlib import Path

_CHAPTERS = (
    "basics",
    "merging",
    "encoding",
    "lattices",
    "unigram",
    "top_down",
    "races",
    "running",
)
_HEAD = '''"""Replay a recorded run and check every step of it: `python replay.py trace.json`.

It needs Python 3.10 or newer and nothing else, and shares no code with the program that made the
file: everything is counted again, in the plainest way that is quick enough. It says which step is
not what the rules give, or how many are. The file's format is described in docs/trace.md.
"""
'''


@cache
def script() -> str:
    """Return the whole script: the chapters one after the other, with their imports in front."""
    imports: set[str] = set()
    bodies = []
    for name in _CHAPTERS:
        source = Path(__file__).with_name(f"{name}.py").read_text("utf-8")
        imports |= set(_imports(source))
        bodies.append(_body(source))
    plain = sorted(line for line in imports if line.startswith("import "))
    rest = sorted(imports.difference(plain))
    return "\n".join([_HEAD, *plain, *rest]) + "\n" + "".join(bodies)


def _imports(source: str) -> list[str]:
    """Return what a chapter needs of the standard library; the other chapters are in the script."""
    found = [one for one in ast.parse(source).body if isinstance(one, ast.Import | ast.ImportFrom)]
    own = __name__ + "."
    return [
        ast.unparse(one)
        for one in found
        if isinstance(one, ast.Import) or not (one.module or "").startswith(own)
    ]


def _body(source: str) -> str:
    """Return a chapter without its imports, under a line that says what it is about."""
    tree = ast.parse(source)
    about = (ast.get_docstring(tree) or "").partition("\n")[0].removesuffix(".")
    first = next(one for one in tree.body[1:] if not isinstance(one, ast.Import | ast.ImportFrom))
    code = "\n".join(source.splitlines()[first.lineno - 1 :])
    return f"\n\n{f'# --- {about} '.ljust(100, '-')}\n\n\n{code}\n"
