"""The command line: choose the replay by the kind of trace, and report the result."""

import json
import sys
from pathlib import Path

from pages.shared.export.replay.basics import claim
from pages.shared.export.replay.encoding import replay_matching_a_text, replay_merging_a_text
from pages.shared.export.replay.lattices import replay_lattice
from pages.shared.export.replay.merging import replay_merging
from pages.shared.export.replay.races import replay_race
from pages.shared.export.replay.top_down import replay_top_down
from pages.shared.export.replay.unigram import replay_unigram

REPLAYS = {
    "merging": replay_merging,
    "merging a text": replay_merging_a_text,
    "matching a text": replay_matching_a_text,
    "lattice": replay_lattice,
    "unigram": replay_unigram,
    "top down": replay_top_down,
    "race": replay_race,
}


def main(name):
    """Replay the file and print the result."""
    trace = json.loads(Path(name).read_text("utf-8"))
    claim(trace.get("format") == "piece-by-piece trace", f"{name} is not a trace")
    claim(trace["version"] == 1, "this script reads version 1 of the format")
    number = REPLAYS[trace["kind"]](trace)
    print(f"{trace['kind']}: {number:,} steps replayed, each as it was recorded.")


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except AssertionError as error:
        sys.exit(f"Not as recorded: {error}.")
