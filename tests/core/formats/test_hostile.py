"""Damaged and hostile files of each format raise a sentence, within two seconds and 300 MB each.

A separate process opens them to measure memory: see `hostile.py`. Its 2,000 mutated
files are a fifth of that in a quick run.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.call_counts import share
from tests.core.formats.hostile import MOST_MEGABYTES, MOST_SECONDS, MUTATE

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells the memory so")
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
