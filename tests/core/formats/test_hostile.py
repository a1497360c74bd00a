"""Damaged and hostile files of each format raise a sentence, within two seconds and 300 MB each.

Separate processes open them to measure memory: see `hostile.py`. Its 2,000 mutated
files are a fifth of that in a quick run.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.call_counts import share
from tests.core.formats import hostile
from tests.core.formats.hostile import LEFT_BEHIND, MOST_MEGABYTES, MOST_SECONDS, MUTATE

ROOT = Path(__file__).resolve().parents[3]


needs_linux = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="only Linux tells the memory so"
)


@needs_linux
@pytest.mark.parametrize("kind", MUTATE)
def test_hostile_files(kind: str):
    mutated = share(2_000)
    command = [sys.executable, "-m", "tests.core.formats.hostile", kind, str(mutated), "1"]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    found = json.loads(done.stdout)
    assert found["faults"] == []
    assert found["refused"] > mutated // 10
    assert found["slowest"] <= MOST_SECONDS
    assert found["megabytes"] <= MOST_MEGABYTES


@needs_linux
def test_a_file_that_ends_its_process_or_leaves_much_behind_has_an_outcome(monkeypatch):
    kept: list[bytes] = []

    def message_of(files: dict[str, bytes]) -> str:
        if "dies" in files:
            os._exit(1)
        kept.extend(bytes(one) * (2 * LEFT_BEHIND << 20) for one in files.values())
        return f"Process {os.getpid()}."

    monkeypatch.setattr(hostile, "message_of", message_of)
    batch = [{}, {"dies": b""}, {}, {"large": b"\1"}, {}, {}]
    found = hostile.opened(batch)
    first, died, after, large, new, same = [one.message for one in found]
    assert died == "The process died"
    assert first != after == large != new == same
    more = [one.megabytes - hostile.BARE > LEFT_BEHIND for one in found]
    assert more == [False, False, False, True, False, False]
