"""The recording of the ways to split one word, one at each step, the best first.

The page Unigram · Lattice shows how they are found.
"""

from collections.abc import Iterator
from itertools import islice
from math import exp

from pages.lattice.frame_helpers import lattice_part, path_phrase, percent, weight
from pages.shared.drawing.phrasing import RichText, ways_text
from pages.shared.recording.frame_types import Frame, LatticeFrame, Recording
from pages.shared.recording.packing import pack_frames
from tokenizers.lattice import Lattice, Path, forward_values, num_segmentations, posteriors
from tokenizers.lattice.n_best import segmentations

MAX_SHOWN = 12  # segmentations shown, after the picture of all of them
BEST_STEP = 1  # the step that shows the best segmentation


def best_splits_recording(lattice: Lattice) -> Recording:
    """Return the recording, whose step 0 shows all segmentations; the most probable ones follow."""
    part = lattice_part(lattice, "Every piece that fits, with its log probability (in nats)")
    return pack_frames("Ways to cut a word", (part,), _frames(lattice), [])


def _frames(lattice: Lattice) -> Iterator[Frame]:
    number = num_segmentations(lattice)
    shares = "".join(map(weight, posteriors(lattice)))
    nodes = ("",) * (len(lattice.text) + 1)
    text = (
        "Every path from left to right is a way to cut the word: ",
        ("strong", ways_text(number)),
        ".",
    )
    yield Frame(text, (LatticeFrame("k" * len(lattice.edges), shares, nodes),))
    for n, path in enumerate(islice(segmentations(lattice), MAX_SHOWN), start=1):
        states = "".join("b" if i in path else "o" for i in range(len(lattice.edges)))
        weights = "".join("7" if i in path else "2" for i in range(len(lattice.edges)))
        yield Frame(describe_split(lattice, n, path), (LatticeFrame(states, weights, nodes),))


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
