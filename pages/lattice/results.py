"""Films and lists of lattices, made in the worker pool."""

from pages.lattice import runs
from pages.lattice.runs import Chance, Cut
from pages.shared.film.film import Film
from pages.shared.work.results import key_of, result_of
from tokenizers.lattice import Path


def lattice_film(shown: str, cut: Cut, how: Chance | None) -> tuple[str, Film]:
    """Return one of the films of a lattice, and its key."""
    key = key_of("lattice film", shown, cut, how)
    return key, result_of(key, runs.film, "Drawing the lattice …", shown, cut, how)


def segmentations(cut: Cut) -> tuple[Path, ...]:
    """Return the first segmentations of a lattice, the best first."""
    key = key_of("segmentations", cut)
    return result_of(key, runs.list_segmentations, "Listing the segmentations …", cut)
