"""Training time by size of the text, compared to each library: a table and a picture.

    python benchmarks/growth.py                       # some ten minutes
    python benchmarks/growth.py --picture docs/growth.svg

The text is the prose of the tests, then modules of the standard library, repeated if necessary:
every size is a prefix of the same text. Our recorded runs and the library's are interleaved; the
median counts. For encoding see real.py and unigram_encoding.py.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from math import log10
from pathlib import Path
from statistics import median
from typing import NamedTuple

import training
import unigram
import wordpiece
from common import library, options, seconds_of

from pages.shared.work.worker import tune_memory
from tests.parity.corpora import english_prose
from tokenizers.text.corpus import Corpus, Pipeline

SIZES = (20_000, 100_000, 500_000, 1_000_000, 2_000_000, 5_000_000)  # characters
FOR_COUNTS = (*SIZES, 20_000_000)
FOR_UNIGRAM = (200_000, *SIZES[2:])  # a smaller text has too few substrings for its vocabulary
TimedRun = Callable[[], float]


class Point(NamedTuple):
    """A size of the text, and the medians of both, in seconds."""

    size: int
    ours: float
    theirs: float


def text_of(size: int) -> str:
    """Return the first `size` characters of the text."""
    folder = Path(os.__file__).parent
    parts, length = [english_prose()], len(english_prose())
    for module in sorted(folder.rglob("*.py")):
        if length >= size:
            break
        parts.append(module.read_text(encoding="utf-8", errors="replace"))
        length += len(parts[-1]) + 2
    text = "\n\n".join(parts)
    return (text * -(-size // len(text)))[:size]


# --- Measurements ---------------------------------------------------------------------------------


@contextmanager
def counting(text: str) -> Iterator[tuple[TimedRun, TimedRun]]:
    """Count words by GPT-2's pattern, without learning merges."""
    with library("library.py") as theirs:
        ours = partial(seconds_of, Corpus.from_text, text, Pipeline((), "gpt2"))
        yield ours, lambda: theirs(texts=text, num_merges=0)["seconds"]


@contextmanager
def bpe(text: str) -> Iterator[tuple[TimedRun, TimedRun]]:
    """Train as many merges as training.py, over bytes."""
    with library("library.py") as theirs:
        request = {"texts": text, "num_merges": training.NUM_MERGES}
        yield lambda: training.timed_record(text)[0], lambda: theirs(**request)["seconds"]


@contextmanager
def wordpiece_by_count(text: str) -> Iterator[tuple[TimedRun, TimedRun]]:
    """Train as many merges as wordpiece.py, by count like the library."""
    size = wordpiece.record(text, "hugging_face").vocab_sizes[-1]
    with library("library.py") as theirs:
        ours = partial(seconds_of, wordpiece.record, text, "hugging_face")
        yield ours, lambda: theirs(texts=text, vocab_size=size)["seconds"]


@contextmanager
def unigram_by_em(text: str) -> Iterator[tuple[TimedRun, TimedRun]]:
    """Train as many pieces as unigram.py, against the newest SentencePiece."""
    version = "0.2.3"
    with unigram.sentencepiece(version, text) as theirs:
        yield partial(seconds_of, unigram.record, text, unigram.CONVENTIONS[version]), theirs


KINDS = {
    "Counting words / HF": (counting, FOR_COUNTS),
    "BPE, 8,000 merges / HF": (bpe, SIZES),
    "WordPiece by count / HF": (wordpiece_by_count, SIZES),
    "Unigram / SentencePiece 0.2.3": (unigram_by_em, FOR_UNIGRAM),
}


def measure(kind: str, repeats: int) -> Iterator[Point]:
    """Yield the point of each size."""
    start, sizes = KINDS[kind]
    for size in sizes:
        with start(text_of(size)) as (ours, theirs):
            times = [(ours(), theirs()) for _ in range(repeats + 1)][1:]
        yield Point(size, *map(median, zip(*times, strict=True)))


# --- The picture ----------------------------------------------------------------------------------

WIDE, HIGH, LEFT, TOP = 300, 200, 60, 34  # px of a field, and where it begins
SLOWEST, QUICKEST = 100.0, 0.001  # seconds at its edges
STYLE = (
    "text{font:13px sans-serif;fill:#333}.ours{stroke:#0072B2}.theirs{stroke:#B0470A;"
    "stroke-dasharray:5 4}polyline{fill:none;stroke-width:2}line{stroke:#ddd}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}line{stroke:#444}.ours{stroke:#56B4E9}"
    ".theirs{stroke:#E69F00}}"
)


def _x(size: int) -> float:
    low, high = log10(SIZES[0]), log10(FOR_COUNTS[-1])
    return round(LEFT + WIDE * (log10(size) - low) / (high - low), 1)


def _y(seconds: float) -> float:
    low, high = log10(QUICKEST), log10(SLOWEST)
    return round(TOP + HIGH * (high - log10(seconds)) / (high - low), 1)


def _field(title: str, points: Sequence[Point]) -> Iterator[str]:
    yield f'<text x="{LEFT}" y="{TOP - 12}" font-weight="bold">{title}</text>'
    for power in range(-3, 3):
        y = _y(10.0**power)
        label = f"{10**power} s" if power >= 0 else f"{10 ** (power + 3)} ms"
        yield f'<line x1="{LEFT}" x2="{LEFT + WIDE}" y1="{y}" y2="{y}"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{label}</text>'
    for size, label in ((20_000, "20 kB"), (500_000, "500 kB"), (5_000_000, "5 MB")):
        y = TOP + HIGH + 18
        yield f'<text x="{_x(size)}" y="{y}" text-anchor="middle">{label}</text>'
    for name in ("ours", "theirs"):
        path = " ".join(f"{_x(point.size)},{_y(getattr(point, name))}" for point in points)
        yield f'<polyline class="{name}" points="{path}"/>'


def build_svg(found: Mapping[str, Sequence[Point]]) -> str:
    """Return the curves as SVG, one field for each kind, both axes logarithmic."""
    fields = []
    for n, (title, points) in enumerate(found.items()):
        position = f"translate({(WIDE + 90) * (n % 2)} {(HIGH + 70) * (n // 2)})"
        fields.append(f'<g transform="{position}">{"".join(_field(title, points))}</g>')
    width, height = 2 * (WIDE + 90), 2 * (HIGH + 70) + 20
    key = f'<text x="{LEFT}" y="{height - 4}">solid: ours, recorded; dashed: the library</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="Time of training by size of the text"><style>{STYLE}</style>'
        f"{''.join(fields)}{key}</svg>\n"
    )


def main() -> None:
    """Print the table; write the picture if requested."""
    parser = options(__doc__)
    parser.add_argument("--repeats", type=int, default=3, help="how often each size is measured")
    parser.add_argument("--picture", type=Path, help="where to write the picture, as SVG")
    arguments = parser.parse_args()
    tune_memory()  # as in the app
    found: dict[str, list[Point]] = {}
    for kind in KINDS:
        print(f"\n{kind:32}{'ours':>10}{'theirs':>10}{'ratio':>8}")
        for point in measure(kind, arguments.repeats):
            found.setdefault(kind, []).append(point)
            size, ours, theirs = point
            print(
                f"{size:>12,} characters{ours:>17.3f} s{theirs:>8.3f} s{ours / theirs:>8.2f}",
                flush=True,
            )
    if arguments.picture:
        arguments.picture.write_text(build_svg(found), "utf-8")


if __name__ == "__main__":
    main()
