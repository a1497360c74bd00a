"""What the benchmarks have in common. Whoever imports it finds the project's own packages, too."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

ORACLE_PYTHON = os.environ.get("ORACLE_PYTHON") or sys.executable
Ask = Callable[..., dict]


@contextmanager
def library(script: str, *arguments: str) -> Iterator[Ask]:
    """Start a script with a library in a process of its own; what is yielded asks it."""
    command = [ORACLE_PYTHON, "-I", str(ROOT / "benchmarks" / script), *arguments]
    pipe = subprocess.PIPE
    with (
        TemporaryDirectory() as folder,
        subprocess.Popen(command, stdin=pipe, stdout=pipe, cwd=folder, encoding="utf-8") as process,
    ):
        requests, answers = process.stdin, process.stdout
        assert requests is not None
        assert answers is not None

        def ask(**request: object) -> dict:
            print(json.dumps(request), file=requests, flush=True)
            return json.loads(answers.readline())

        yield ask


def seconds_of(act: Callable[..., object], *given: object) -> float:
    """Return how long a call takes, in seconds."""
    begin = perf_counter()
    act(*given)
    return perf_counter() - begin


def cpu_seconds(process: int) -> float:
    """Return the processor time that a process has used."""
    after_name = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")
