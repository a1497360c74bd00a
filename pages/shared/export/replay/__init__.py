"""The script that replays a trace, assembled from the modules of this package and the plain code.

Each module recomputes one kind of trace (trace_json.py) in the plainest way that is fast enough,
and shares no code with the trainer that made the trace. What it takes from `tokenizers/plain.py` is
copied into the script.
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from pages.shared.training.script import excerpt

_CHAPTERS = (
    "basics",
    "superwords",
    "merging",
    "encoding",
    "lattices",
    "unigram",
    "top_down",
    "races",
    "running",
)
_HEAD = '''"""Replay a recorded run and check every step of it: `python replay.py trace.json`.

It needs Python 3.10 or newer and nothing else, and shares no code with the trainer that made the
file: everything is counted again, in the plainest way that is quick enough. It says which step is
not what the rules give, or how many are. The file's format is described in docs/trace.md.
"""
'''


_PLAIN_TITLE = "Merging and matching in the plainest form: from tokenizers/plain.py"
_PLAIN = "from tokenizers.plain import "


@cache
def script() -> str:
    """Return the whole script: first all imports, then the plain code, then that of each module."""
    imports, plain, chapters = set[str](), set[str](), list[str]()
    for name in _CHAPTERS:
        lines = Path(__file__).with_name(f"{name}.py").read_text("utf-8").splitlines()
        needed = list(filter(_is_import, lines))  # one line each
        chapters.append(_chapter(lines[0].strip('".'), lines[lines.index(needed[-1]) + 1 :]))
        for line in needed:
            if line.startswith(_PLAIN):
                plain |= set(line.removeprefix(_PLAIN).split(", "))
            elif __name__ not in line:  # not from this package
                imports.add(line)
    lines = excerpt(*sorted(plain)).splitlines()
    imports |= set(filter(_is_import, lines))
    chapters.insert(0, _chapter(_PLAIN_TITLE, [line for line in lines if not _is_import(line)]))
    return "\n".join([_HEAD, *_joined(imports)]) + "\n" + "".join(chapters)


def _joined(imports: Iterable[str]) -> list[str]:
    """Return import lines in order, with one line for each module."""
    whole = sorted(line for line in imports if line.startswith("import "))
    names: dict[str, set[str]] = {}
    for line in imports:
        if line not in whole:
            module, _, some = line.partition(" import ")
            names.setdefault(module, set()).update(some.split(", "))
    return [*whole, *(f"{one} import {', '.join(sorted(names[one]))}" for one in sorted(names))]


def _is_import(line: str) -> bool:
    return line.startswith(("import ", "from "))


def _chapter(title: str, lines: Iterable[str]) -> str:
    code = "\n".join(lines).strip("\n")
    return f"\n\n{f'# --- {title} '.ljust(100, '-')}\n\n\n{code}\n"
