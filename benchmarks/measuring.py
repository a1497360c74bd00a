"""What the benchmarks have in common. Whoever imports it finds the project's own packages, too."""

import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

ORACLE_PYTHON = os.environ.get("ORACLE_PYTHON") or sys.executable
Ask = Callable[..., dict]
T = TypeVar("T")


def options(doc: str | None) -> ArgumentParser:
    """Return what reads a script's options; the first line of its docstring describes it."""
    return ArgumentParser(description=(doc or "").split("\n", 1)[0])


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


def in_turns(runs: Mapping[str, Callable[[], T]], repeats: int) -> dict[str, list[T]]:
    """Return what each run has returned, all done in turns: a busy machine slows them all."""
    found: dict[str, list[T]] = {run: [] for run in runs}
    for _ in range(repeats):
        for run, act in runs.items():
            found[run].append(act())
    return found


def p95(times: Sequence[float]) -> float:
    """Return the 95th percentile of sorted times."""
    return times[int(0.95 * (len(times) - 1))]


def children(process: int) -> list[int]:
    """Return the processes that this one has started, in any of its threads."""
    lists = Path(f"/proc/{process}/task").glob("*/children")
    return sorted(int(one) for each in lists for one in each.read_text().split())


def cpu_seconds(process: int) -> float:
    """Return the processor time that a process has used."""
    after_name = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def print_load() -> None:
    """Print how busy the machine is."""
    print(f"load of the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
