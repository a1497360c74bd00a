"""A BPE run on bytes without words as Gage's compression: its sizes, and what each step pays."""

from collections.abc import Sequence
from dataclasses import dataclass

from pages.shared.drawing.charts import (
    FIXED,
    CachedFigure,
    cached_by_trace,
    figure,
    line,
    row_heading,
)
from pages.shared.drawing.display_text import show_spaces
from pages.shared.drawing.phrasing import count_of
from tokenizers.bpe.any_bytes import bytes_of_glyphs
from tokenizers.experiments.research.compression import (
    BYTES,
    ENTRY,
    THRESHOLD,
    first_shortest,
    with_table,
)
from tokenizers.record.trace import Trace

COLUMNS = (
    "step",
    "code",
    "stands for",
    "pair occurs",
    "bytes saved",
    "after its table entry",
)
MOST_SHOWN = 12  # replacements in the table


def is_stream(trace: Trace) -> bool:
    """Return whether a run is on the bytes of one text that is not split into words."""
    pipeline, settings = trace.corpus.pipeline, trace.settings
    return (
        getattr(settings, "base", "") == "bytes"
        and pipeline.pre_tokenizer == "none"
        and list(trace.corpus.word_counts.values()) == [1]
    )


@dataclass(frozen=True, slots=True)
class Compression:
    """The bytes of the data after each replacement; `codes` are the unused bytes, in their order.

    There are no more replacements than codes, though the run may have more merges.
    """

    data: Sequence[int]
    codes: Sequence[int]

    @property
    def last(self) -> int:
        """The number of replacements."""
        return len(self.data) - 1

    @property
    def sizes(self) -> list[int]:
        """The bytes of data and table, at the start and after each replacement."""
        return [with_table(left, k) for k, left in enumerate(self.data)]

    @property
    def shortest(self) -> int:
        """The number of replacements after which data and table are shortest."""
        return first_shortest(iter(self.sizes))


def compression_of(trace: Trace) -> Compression:
    """Return a run as compression; the run is on bytes without words."""
    used = set(next(iter(trace.corpus.word_counts)).encode())
    codes = [byte for byte in range(BYTES - 1, -1, -1) if byte not in used]
    return Compression(trace.num_tokens[: len(codes) + 1], codes)


@cached_by_trace
def compression_chart(trace: Trace) -> CachedFigure:
    """Draw the bytes of the data, and of data and table, after each replacement."""
    packed = compression_of(trace)
    steps = range(packed.last + 1)
    return figure(
        [
            line(steps, packed.data, "data alone", "dash"),
            line(steps, packed.sizes, "data and table"),
        ],
        packed.last,
        yaxis={"title": "bytes", "rangemode": "tozero", **FIXED},
        annotations=[row_heading("Data and table; dashed, the data alone", 1)],
    )


def finding(packed: Compression, k: int) -> str:
    """Describe the size after `k` replacements, and where it is smallest."""
    k, sizes = min(k, packed.last), packed.sizes
    if not k:
        return f"At first the data has {count_of(sizes[0], 'byte')}, and no table"
    after = f"After {count_of(k, 'replacement')}: {packed.data[k]:,} + {ENTRY * k:,}"
    return f"{after} = {sizes[k]:,} bytes, {sizes[k] / sizes[0]:.1%} of the {sizes[0]:,}"


def verdict(packed: Compression, trace: Trace) -> str:
    """Say where the run is shortest, and when replacements stop paying."""
    best, sizes = packed.shortest, packed.sizes
    if not best:
        return (
            f"No replacement makes this text shorter: an entry of the table costs {ENTRY} bytes, "
            f"so a pair pays only if more than {ENTRY} can be replaced."
        )
    parts = [
        f"It is shortest after {count_of(best, 'replacement')}: "
        f"{count_of(sizes[best], 'byte')}, {sizes[best] / sizes[0]:.1%} of the original."
    ]
    if best < packed.last:
        parts.append("From there on, no replacement saves more than its entry costs.")
    if len(trace) > packed.last:
        parts.append(
            f"The text leaves {count_of(len(packed.codes), 'byte')} unused, so compression ends "
            "there. A tokenizer goes on: its ids need not fit in a byte."
        )
    return " ".join(parts)


def rows(packed: Compression, trace: Trace, k: int) -> list[tuple[str | int, ...]]:
    """Return the rows of the table of replacements up to step `k`, the newest first."""
    k = min(k, packed.last)
    found: list[tuple[str | int, ...]] = []
    for step in range(k, max(k - MOST_SHOWN, 0), -1):
        saved = packed.data[step - 1] - packed.data[step]
        net = f"{saved - ENTRY:+,}".replace("-", "−")
        spelled = bytes_of_glyphs(trace.tokens[step - 1]).decode(errors="replace")
        code = f"{packed.codes[step - 1]:02X}"
        found.append((f"{step:,}", code, show_spaces(spelled), trace.counts[step - 1], saved, net))
    return found


def threshold_note() -> str:
    """Say what is counted, and how Gage's own program differs."""
    return (
        f"Each entry is counted with {ENTRY} bytes, the pair that it stands for; Gage's file adds "
        "a few that tell which codes are in use, and it compresses blocks of at most 5,000 bytes. "
        f"His program stops at pairs that occur fewer than {THRESHOLD} times, which is where an "
        "entry begins to pay. A pair such as `aa` in `aaa` is counted twice and replaced once."
    )
