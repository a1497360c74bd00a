"""Jobs of the lattice page that run in a worker process; they record frames and list segmentations.

A lattice is described by its text, the pieces that occur in it, and the log probability of an
unknown character, so that the worker need not receive a vocabulary of thousands of pieces.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from pages.lattice.backward import record_backward
from pages.lattice.building import record_building
from pages.lattice.filling import record_filling
from pages.lattice.frame_helpers import LONGEST_DRAWN
from pages.lattice.listing import record_listing
from pages.lattice.sampling import record_sampling
from pages.shared.recording.frame_types import Recording
from tokenizers.lattice import Lattice, Path
from tokenizers.lattice.n_best import segmentations
from tokenizers.lattice.sampling import Sampler
from tokenizers.progress import ProgressCallback

MOST_LISTED = 1_000
STEPS_LISTED = 30_000  # maximum number of pieces in all listed segmentations


@dataclass(frozen=True, slots=True)
class LatticeInput:
    """A text and the pieces that occur in it, with their log probabilities in nats."""

    text: str
    log_probs: Mapping[str, float]
    unknown: float

    def lattice(self) -> Lattice:
        """Build the lattice of the text."""
        return Lattice.build(self.text, self.log_probs, self.unknown)

    def truncated(self) -> "LatticeInput":
        """Return the input for the beginning of the text, because only this is drawn."""
        return LatticeInput(self.text[:LONGEST_DRAWN], self.log_probs, self.unknown)


@dataclass(frozen=True, slots=True)
class SamplingSettings:
    """The parameters for drawing segmentations, explained in `tokenizers.lattice.sampling`."""

    alpha: float
    seed: int
    convention: str


def record_lattice(
    report: ProgressCallback,
    mode: str,
    lattice_input: LatticeInput,
    sampling: SamplingSettings | None,
) -> Recording:
    """Record the computation that `mode` names; drawing at random needs `sampling`."""
    lattice = lattice_input.lattice()
    match mode:
        case "filling":
            return record_filling(lattice)
        case "building":
            return record_building(lattice)
        case "backward":
            return record_backward(lattice)
        case "listing":
            return record_listing(lattice)
        case _:
            assert sampling
            return record_sampling(
                Sampler(lattice, sampling.alpha, sampling.convention), sampling.seed
            )


def list_segmentations(report: ProgressCallback, lattice_input: LatticeInput) -> tuple[Path, ...]:
    """Return the most probable segmentations, fewer for a long text."""
    limit = max(10, min(MOST_LISTED, STEPS_LISTED // max(len(lattice_input.text), 1)))
    return tuple(islice(segmentations(lattice_input.lattice()), limit))
