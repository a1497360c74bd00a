"""Helpers of the benchmarks. Importing this puts the project's packages on the path."""

import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

ORACLE_PYTHON = os.environ.get("ORACLE_PYTHON") or sys.executable
LibraryCall = Callable[..., dict]
T = TypeVar("T")


def options(doc: str | None) -> ArgumentParser:
    """Return an option parser, described by the first line of the script's docstring."""
    return ArgumentParser(description=(doc or "").split("\n", 1)[0])


@contextmanager
def library(script: str, *arguments: str) -> Iterator[LibraryCall]:
    """Run a library's script in a separate process; yield a function that sends it a request."""
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


def processor_seconds_of(act: Callable[..., object], *given: object) -> float:
    """Return how much processor time a call in one thread takes, in seconds."""
    begin = process_time()
    act(*given)
    return process_time() - begin


def interleave(runs: Mapping[str, Callable[[], T]], repeats: int) -> dict[str, list[T]]:
    """Return the results of all runs, interleaved so that a busy machine slows all alike."""
    found: dict[str, list[T]] = {run: [] for run in runs}
    for _ in range(repeats):
        for run, act in runs.items():
            found[run].append(act())
    return found


def p95(times: Sequence[float]) -> float:
    """Return the 95th percentile of sorted times: the nearest rank, so of up to 20 the greatest."""
    return times[-(-95 * len(times) // 100) - 1]


def child_processes(process: int) -> list[int]:
    """Return the child processes of a process, of all its threads."""
    lists = Path(f"/proc/{process}/task").glob("*/children")
    return sorted(int(one) for each in lists for one in each.read_text().split())


def cpu_seconds(process: int) -> float:
    """Return the processor time used by a process."""
    after_name = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def print_load() -> None:
    """Print the load of the machine."""
    print(f"load of the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
