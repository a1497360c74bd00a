"""Damaged and hostile files of each format raise a sentence, within two seconds and 300 MB each.

Separate processes open them to measure memory: see `hostile.py`. Its 2,000 mutated
files are a fifth of that in a quick run.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.call_counts import share
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


# In an interpreter of its own: one that ran other tests may give memory back meanwhile.
DIES_AND_GROWS = """
import json, os
from tests.core.formats import hostile

kept = []

def message_of(files):
    if "dies" in files:
        os._exit(1)
    kept.extend(bytes(one) * (2 * hostile.LEFT_BEHIND << 20) for one in files.values())
    return f"Process {os.getpid()}."

hostile.message_of = message_of
found = hostile.opened([{}, {"dies": b""}, {}, {"large": bytes([1])}, {}, {}])
print(json.dumps([[one.message, one.megabytes - hostile.BARE] for one in found]))
"""


@needs_linux
def test_a_file_that_ends_its_process_or_leaves_much_behind_has_an_outcome():
    command = [sys.executable, "-c", DIES_AND_GROWS]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    messages, megabytes = zip(*json.loads(done.stdout), strict=True)
    first, died, after, large, new, same = messages
    assert died == "The process died"
    assert first != after == large != new == same
    more = [size > LEFT_BEHIND for size in megabytes]
    assert more == [False, False, False, True, False, False]
