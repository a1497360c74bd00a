"""What a worker process does for the lattice page: the films, and the list of segmentations.

A lattice is named by its text, the pieces that occur in it, and the price of an unknown character,
so that a vocabulary of thousands need not cross to the worker.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from pages.lattice.backward import backward_film
from pages.lattice.building import building_film
from pages.lattice.filling import filling_film
from pages.lattice.frame_helpers import LONGEST_DRAWN
from pages.lattice.listing import listing_film
from pages.lattice.sampling import sampling_film
from pages.shared.recording.frame_types import Recording
from pages.shared.training.source import ProgressCallback
from tokenizers.lattice import Lattice, Path
from tokenizers.lattice.n_best import segmentations
from tokenizers.lattice.sampling import Sampler

MOST_LISTED = 1_000
STEPS_LISTED = 30_000  # so many pieces of segmentations are listed at most


@dataclass(frozen=True, slots=True)
class Cut:
    """A text and the pieces that occur in it, with their log probabilities in nats."""

    text: str
    log_probs: Mapping[str, float]
    unknown: float

    def lattice(self) -> Lattice:
        """Build the lattice."""
        return Lattice.build(self.text, self.log_probs, self.unknown)

    def drawn(self) -> "Cut":
        """Return the cut of the beginning of the text, which is what is drawn."""
        return Cut(self.text[:LONGEST_DRAWN], self.log_probs, self.unknown)


@dataclass(frozen=True, slots=True)
class Chance:
    """How segmentations are drawn: see `tokenizers.sampling`."""

    alpha: float
    seed: int
    convention: str


def film(report: ProgressCallback, shown: str, cut: Cut, how: Chance | None) -> Recording:
    """Make one of the films of a lattice; the one of draws at random needs `how`."""
    lattice = cut.lattice()
    match shown:
        case "filling":
            return filling_film(lattice)
        case "building":
            return building_film(lattice, cut.log_probs, cut.unknown)
        case "backward":
            return backward_film(lattice)
        case "listing":
            return listing_film(lattice)
        case _:
            assert how
            return sampling_film(Sampler(lattice, how.alpha, how.convention), how.seed)


def list_segmentations(report: ProgressCallback, cut: Cut) -> tuple[Path, ...]:
    """Return the first segmentations, fewer of a long text."""
    limit = max(10, min(MOST_LISTED, STEPS_LISTED // max(len(cut.text), 1)))
    return tuple(islice(segmentations(cut.lattice()), limit))
