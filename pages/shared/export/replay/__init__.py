"""The script that replays a trace, assembled from the modules of this package.

Each module recomputes one kind of trace (trace_json.py) in the plainest way that is fast enough,
and shares no code with the trainer that made the trace.
"""

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
    """Return the whole script: first all imports, then the code of each module."""
    imports, bodies = set[str](), []
    for name in _CHAPTERS:
        lines = Path(__file__).with_name(f"{name}.py").read_text("utf-8").splitlines()
        needed = [line for line in lines if line.startswith(("import ", "from "))]  # one line each
        imports |= {line for line in needed if __name__ not in line}  # not from this package
        title = lines[0].strip('".')  # of its docstring
        code = "\n".join(lines[lines.index(needed[-1]) + 1 :]).strip("\n")
        bodies.append(f"\n\n{f'# --- {title} '.ljust(100, '-')}\n\n\n{code}\n")
    ordered = sorted(imports, key=lambda line: (line.startswith("from "), line))
    return "\n".join([_HEAD, *ordered]) + "\n" + "".join(bodies)
