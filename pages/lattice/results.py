"""Films and lists of lattices, made in the worker pool."""

from pages.lattice import runs
from pages.shared.film.film import Film
from pages.shared.work.results import key_of, result_of
from tokenizers.lattice import Path


def lattice_film(name: str, *asked: object) -> tuple[str, Film]:
    """Return the film of a lattice that the function `name` of runs.py makes."""
    key = key_of(name, *asked)
    return key, result_of(key, getattr(runs, name), "Drawing the lattice …", *asked)


def segmentations(cut: runs.Cut) -> tuple[Path, ...]:
    """Return the first segmentations of a lattice, the best first."""
    key = key_of("segmentations", cut)
    return result_of(key, runs.list_segmentations, "Listing the segmentations …", cut)
