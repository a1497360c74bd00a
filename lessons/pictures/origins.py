"""Plans for the pictures on compression, on units of text, on chunks, and on images and sound."""

from collections.abc import Mapping
from typing import Any

from lessons.facts.chunks import Vectors
from lessons.facts.signals import Codec, ImageGrid
from lessons.format.errors import LessonError
from lessons.format.reading import PictureSpec
from lessons.models import MODELS
from lessons.picture_schema import LONGEST_MATERIAL, is_number
from lessons.pictures.plan import Plan, sample_of, stepped_text
from lessons.pictures.published import models_of
from lessons.units import MODELS_SHOWN

MOST_VECTORS = 60
MOST_DIMENSIONS = 8
LARGEST_NUMBER = 1_000


def compression(picture: PictureSpec) -> Plan:
    """Return the plan of a text to compress. Raises LessonError if it is invalid."""
    values = picture.values
    if ("text" in values) == ("corpus" in values):
        message = f"The picture {picture.name} compresses one thing."
        raise LessonError(picture.line, f"{message} Write either corpus or text.")
    text = values.get("text") or ("corpus" in values and sample_of(picture).text) or ""
    if not 0 < len(text) <= LONGEST_MATERIAL:
        message = f"The picture {picture.name} needs a text of 1 to {LONGEST_MATERIAL:,} characters"
        raise LessonError(picture.line, f'{message}. Write: text = "ABABCABCD"')
    return Plan("compression", input_text=text, settings=values.get("threshold", 3))


def units(picture: PictureSpec) -> Plan:
    """Return the plan of a text in several kinds of unit. Raises LessonError if it is invalid."""
    models = models_of(picture) if "models" in picture.values else MODELS_SHOWN
    assert all(name in MODELS for name in models)
    return Plan("units", input_text=stepped_text(picture), models=models)


def chunks(picture: PictureSpec) -> Plan:
    """Return the plan of a text with a vector for each letter. Raises LessonError if invalid."""
    text, vectors = stepped_text(picture), _vectors(picture, "vectors")
    if not text.isascii() or len(text) != len(vectors):
        message = f"In the picture {picture.name}, the text has letters of one byte each, and "
        raise LessonError(picture.line, f"{message}vectors has one for each: [[1, 0], [0, 1]]")
    return Plan("chunks", input_text=text, settings=vectors)


def signals(picture: PictureSpec) -> Plan:
    """Return the plan of an image and a codec. Raises LessonError if it is invalid."""
    values: Mapping[str, Any] = picture.values
    image = ImageGrid(values.get("width", 224), values.get("height", 224), values.get("patch", 16))
    codec = Codec(
        values.get("rate", 24_000),
        values.get("hop", 320),
        values.get("codebooks", 8),
        values.get("entries", 1_024),
    )
    vectors, codebook = _vectors(picture, "vectors"), _vectors(picture, "codebook")
    if len(vectors[0]) != len(codebook[0]):
        message = f"In the picture {picture.name}, vectors and codebook have as many dimensions."
        raise LessonError(picture.line, f"{message} Write: codebook = [[0, 0], [1, 0]]")
    return Plan("signals", settings=(image, codec, vectors, codebook))


def _vectors(picture: PictureSpec, key: str) -> Vectors:
    """Return a list of vectors of one length. Raises LessonError if it is none."""
    given = picture.values.get(key)
    rows = given if isinstance(given, list) else []
    sizes = {len(row) if isinstance(row, list) else 0 for row in rows}
    fits = len(sizes) == 1 and 0 < min(sizes) <= MOST_DIMENSIONS and len(rows) <= MOST_VECTORS
    if not fits or not all(is_number(x) and abs(x) <= LARGEST_NUMBER for row in rows for x in row):
        message = f"In the picture {picture.name}, {key} is a list of 1 to {MOST_VECTORS} vectors"
        raise LessonError(picture.line, f"{message}. Write: {key} = [[1, 0], [0, 1]]")
    return tuple(tuple(float(x) for x in row) for row in rows)
