"""The recording of the ways to split one word, one at each step, the best first.

The page Unigram · Lattice shows how they are found.
"""

from collections.abc import Collection
from itertools import islice
from math import exp

from pages.lattice.frame_helpers import LatticeFrames, lattice_part, path_phrase, percent, weight
from pages.shared.drawing.phrasing import RichText, ways_text
from pages.shared.recording.frame_types import Frame, LatticeFrame, Recording
from pages.shared.recording.packing import record
from tokenizers.lattice import Lattice, Path, forward_values, num_segmentations, posteriors
from tokenizers.lattice.n_best import segmentations

MAX_SHOWN = 12  # segmentations shown, after the picture of all of them
BEST_STEP = 1  # the step that shows the best segmentation


def best_splits_recording(lattice: Lattice) -> Recording:
    """Return the recording, whose step 0 shows all segmentations; the most probable ones follow."""
    part = lattice_part(lattice, "Every piece that fits, with its log probability (in nats)")
    return record("Ways to cut a word", (part,), _BestSplits(lattice), ())


class _BestSplits(LatticeFrames):
    """The frames of all segmentations together, and of the most probable ones."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.paths = tuple(islice(segmentations(lattice), MAX_SHOWN))

    def __len__(self) -> int:
        return len(self.paths) + 1

    @property
    def largest(self) -> Collection[int]:
        return ()  # all are in the first window

    def frame(self, k: int) -> Frame:
        """Return the frame of all segmentations, or of the `k`-th best."""
        lattice = self.lattice
        nodes = ("",) * (len(lattice.text) + 1)
        if k:
            path = self.paths[k - 1]
            states = "".join("b" if i in path else "o" for i in range(len(lattice.edges)))
            weights = "".join("7" if i in path else "2" for i in range(len(lattice.edges)))
            picture = LatticeFrame(states, weights, nodes)
            return Frame(describe_split(lattice, k, path), (picture,))
        shares = "".join(map(weight, posteriors(lattice)))
        text = (
            "Every path from left to right is a way to cut the word: ",
            ("strong", ways_text(num_segmentations(lattice))),
            ".",
        )
        return Frame(text, (LatticeFrame("k" * len(lattice.edges), shares, nodes),))


def describe_split(lattice: Lattice, n: int, path: Path) -> RichText:
    """Describe the segmentation `path` by its rank `n` and its part of the total probability."""
    number = num_segmentations(lattice)
    if number == 1:
        return "The only way: ", *path_phrase(lattice.pieces(path)), "."
    rank = "The best" if n == BEST_STEP else f"Number {n:,}"
    share = percent(exp(lattice.log_prob(path) - forward_values(lattice)[-1]))
    return (
        f"{rank} of {ways_text(number)}: ",
        *path_phrase(lattice.pieces(path)),
        ", with ",
        ("strong", share),
        " of the probability of all of them.",
    )
