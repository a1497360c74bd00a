"""Build pictures on compression, units of text, chunks, and tokens of images and sound."""

from collections.abc import Iterator

from markupsafe import Markup

from lessons.facts.chunks import ChunksFacts, vector_text
from lessons.facts.compression import CompressionFacts
from lessons.facts.signals import Codec, ImageGrid, SignalsFacts
from lessons.facts.units import UnitsFacts
from lessons.format.words import count_of, decimal
from lessons.pictures.plan import Plan
from lessons.units import units_of
from pages.lesson.pictures.lesson_picture import HtmlRow, LessonPicture
from pages.shared.drawing.display_text import escape_invisible, html_tiles, shorten, show_spaces
from pages.shared.drawing.markup import html
from pages.shared.drawing.phrasing import times
from tokenizers.experiments.research.chunks import BOUNDARY
from tokenizers.experiments.research.codebooks import grid
from tokenizers.experiments.research.compression import ENTRY, compress
from tokenizers.progress import ProgressCallback

MOST_STEPS = 6  # replacements that are shown, and as many bytes of data
MOST_TILES = 60  # in a row
MOST_LINES = 40  # of a grid, in each direction
GRID_SIZE = 140  # px, the longer edge of the image


# --- Compression ----------------------------------------------------------------------------------


def compressed(report: ProgressCallback, plan: Plan) -> LessonPicture:
    """Compress a text as Gage did."""
    steps = tuple(compress(plan.input_text.encode(), plan.settings))
    facts = CompressionFacts(plan.input_text, steps, plan.settings)
    before = (("The data", escape_invisible(shorten(plan.input_text, 200))),)
    return LessonPicture(plan, facts, rows=tuple(_html_steps(facts)), preview=before)


def _html_steps(facts: CompressionFacts) -> Iterator[HtmlRow]:
    """Yield the data at first and after some replacements, with the bytes of data and table."""
    beginning = "; here, and below, its beginning" if len(facts.raw) > MOST_TILES else ""
    yield f"The data: {count_of(len(facts.raw), 'byte')}{beginning}", _html_data(facts, 0)
    last = len(facts.steps)
    shown = range(1, last + 1)
    if last > MOST_STEPS:
        shown = [*range(1, MOST_STEPS), last]
    for k in shown:
        step = facts.steps[k - 1]
        pair = " ".join(show_spaces(facts.name(byte)) for byte in step.pair)
        left, table = len(step.data), ENTRY * k
        caption = f"Replacement {k:,}: {facts.name(step.code)} for {pair}, which occurs "
        caption += f"{times(step.count)} · {left:,} bytes and a table of {table:,} make "
        yield f"{caption}{facts.total(k):,}", _html_data(facts, k)


def _html_data(facts: CompressionFacts, k: int) -> str:
    names = [facts.name(byte) for byte in facts.data(k)[:MOST_TILES]]
    code = facts.name(facts.steps[k - 1].code) if k else ""
    new = [n for n, name in enumerate(names) if name == code]
    return html_tiles(names, new=new, label="data")


# --- One axis -------------------------------------------------------------------------------------


def on_one_axis(report: ProgressCallback, plan: Plan) -> LessonPicture:
    """Count a text in each kind of unit."""
    facts = UnitsFacts(plan.input_text, units_of(plan.input_text, plan.models))
    before = (("The text", escape_invisible(plan.input_text)),)
    return LessonPicture(plan, facts, rows=tuple(_html_units(facts)), preview=before)


def _html_units(facts: UnitsFacts) -> Iterator[HtmlRow]:
    """Yield the units of each kind, the longest sequence first."""
    for row in sorted(facts.rows.values(), key=lambda row: -len(row.tokens)):
        caption = f"{row.title}: {len(row.tokens):,} · vocabulary: {row.vocabulary}"
        yield caption, html_tiles(row.tokens[:MOST_TILES], label=row.title)


# --- Chunks ---------------------------------------------------------------------------------------


def chunked(report: ProgressCallback, plan: Plan) -> LessonPicture:
    """Cut a text into chunks by the angles of its vectors."""
    facts = ChunksFacts(plan.input_text, plan.settings)
    vectors = [vector_text(vector) for vector in facts.vectors]
    tiles = html_tiles(tuple(facts.text), ids=vectors, label="letters, with vectors")
    before = (("The letters and their vectors", tiles),)
    return LessonPicture(plan, facts, rows=tuple(_html_chunks(facts, vectors)), preview=before)


def _html_chunks(facts: ChunksFacts, vectors: list[str]) -> Iterator[HtmlRow]:
    letters = tuple(facts.text)
    yield "Each letter with its vector", html_tiles(letters, ids=vectors, label="vectors")
    starts = [n for n, one in enumerate(facts.probabilities) if one > BOUNDARY]
    numbers = [decimal(one) for one in facts.probabilities]
    caption = "The probability of a boundary before each: half of 1 − the cosine"
    yield caption, html_tiles(letters, ids=numbers, new=starts, label="probabilities")
    cut = facts.cut()
    caption = f"{count_of(len(cut), 'chunk')}: a new one where it is above {BOUNDARY:g}"
    yield caption, html_tiles(cut, label="chunks")


# --- Images and sound -----------------------------------------------------------------------------


def image_and_sound(report: ProgressCallback, plan: Plan) -> LessonPicture:
    """Cut an image into patches and code vectors by a codebook."""
    image, codec, vectors, codebook = plan.settings
    facts = SignalsFacts(image, codec, vectors, codebook)
    before = (
        ("An image", f"{image.width:,} × {image.height:,} pixels"),
        ("A second of sound", f"{codec.rate:,} samples"),
        ("Vectors", " · ".join(map(vector_text, vectors))),
        ("A codebook", _html_codebook(facts)),
    )
    return LessonPicture(plan, facts, rows=tuple(_html_signals(facts)), preview=before)


def _html_codebook(facts: SignalsFacts) -> str:
    entries = [vector_text(entry) for entry in facts.codebook]
    indices = [f"{n}" for n in range(len(entries))]
    return html_tiles(indices, ids=entries, label="the codebook, indices with vectors")


def _html_signals(facts: SignalsFacts) -> Iterator[HtmlRow]:
    image, codec = facts.image, facts.codec
    columns, rows = grid(image.width, image.height, image.patch)
    caption = f"An image of {image.width:,} × {image.height:,} pixels in patches of "
    caption += f"{image.patch:,} × {image.patch:,}: {columns:,} × {rows:,} = "
    yield f"{caption}{count_of(columns * rows, 'token')}, and no vocabulary", _html_grid(image)
    caption = f"A second of sound: {codec.rate:,} samples, {codec.hop:,} in a frame, "
    caption += f"{count_of(codec.codebooks, 'codebook')} with {codec.entries:,} entries each"
    yield caption, _html_rates(facts, codec)
    yield "A small codebook: indices, and under each its vector", _html_codebook(facts)
    vectors = [vector_text(one) for one in facts.vectors]
    tiles = html_tiles([f"{n}" for n in facts.indices()], ids=vectors, label="tokens of vectors")
    yield "Other vectors, and the token of each: the index of the nearest entry", tiles


def _html_rates(facts: SignalsFacts, codec: Codec) -> Markup:
    frames, tokens, bits = (
        facts.field(name, "", 0)[0] for name in ("frames", "per_second", "bits")
    )
    sentence = "{} frames × {} = {} tokens, {} bits"
    return html("<p>{}</p>", sentence.format(frames, f"{codec.codebooks:,}", tokens, bits))


def _html_grid(image: ImageGrid) -> Markup:
    """Return a grid of patches, drawn by its lines; of a fine one, fewer lines are drawn."""
    columns, rows = grid(image.width, image.height, image.patch)
    scale = GRID_SIZE / max(image.width, image.height)
    width, height = (round(n * image.patch * scale, 1) for n in (columns, rows))
    across, down = (max(min(n, MOST_LINES), 1) for n in (columns, rows))
    return html(
        '<div class="pp-grid" role="img" aria-label="{} by {} patches" style="width:{}px;'
        'height:{}px;background-size:{:.3f}px {:.3f}px"></div>',
        columns,
        rows,
        width,
        height,
        width / across,
        height / down,
    )
