"""Pictures of what research asks about tokenizers, as values of the core: see `planning.py`."""

from lessons.format.reading import Picture
from lessons.format.trouble import LessonError
from lessons.pictures.plan import Plan
from tokenizers import bpe
from tokenizers.text.corpus import Corpus

MOST_MERGES = 6  # of which all orders are tried


def best_merges(picture: Picture) -> Plan:
    """Return the plan of a tiny corpus whose best merges are looked for. Raises LessonError."""
    counts, most = picture.values.get("counts", {}), picture.values.get("num_merges", 2)
    words = Corpus.from_counts(counts).word_counts
    if not words or most > MOST_MERGES:
        said = f"The picture {picture.name} needs words, and at most {MOST_MERGES} merges. "
        raise LessonError(picture.line, f"{said}Write: counts = {{ art = 4, forth = 3 }}")
    return Plan("best_merges", counts=words, settings=bpe.Settings(num_merges=most))
