"""What Compare · Vocabulary size shows below its slider, as blocks, and its document."""

from collections.abc import Callable, Sequence

from lessons.trained import SIZE
from pages.shared.drawing.display_text import plain_table
from pages.shared.drawing.phrasing import count_of
from pages.shared.export.document.blocks import (
    ComponentBlock,
    Document,
    Heading,
    Html,
    Note,
    StatePart,
    StaticBlock,
    TokenRow,
    quote_beginning,
)
from pages.shared.training.published import is_published
from pages.sizes.by_size import MOST_PIECES
from pages.sizes.size_message import (
    SIZE_SLIDER,
    SizeComparison,
    describe_sizes,
    finding,
    message,
    name_of,
    newest,
    size_table,
)

LEFT_OUT = ("A list of whole words instead",)
KEYS = "← → Home End Page up Page down move the slider; so does a click on the curves."
STATE_NAME = "size"  # the state value in which size_slider.js reports the size
Read = Callable[[str, Sequence[str]], list[str]]
"""Returns a tokenizer's pieces, given its kind, as displayed."""
PUBLISHED_NOTE = (
    "A published model was trained to one size. BPE is greedy, so its first merges are those that "
    "the same training would have made had it stopped earlier. What its file does not say: the "
    "text it was trained on, how often each pair occurred there, and whether somebody added or "
    "removed pieces by hand."
)


def recorded_sizes(comparison: SizeComparison, *, is_pretrained: bool) -> tuple[StaticBlock, ...]:
    """Return which sizes are recorded, and what the vocabulary size counts."""
    notes = [" ".join(map(describe_sizes, comparison.tokenizers))]
    if any(is_published(one.kind) for one in comparison.tokenizers):
        notes.append(PUBLISHED_NOTE)
    most = SIZE if is_pretrained else MOST_PIECES
    notes.append(
        "Between two sizes on record, a row shows the smaller one. The piece for the "
        "unknown is not counted, but costs an id. BPE and WordPiece learn up to "
        f"{most:,} pieces here. A word is what stands between spaces: this text has "
        f"{count_of(comparison.words, 'word')}."
    )
    return tuple(map(Note, notes))


def newest_pieces(comparison: SizeComparison, at: int, read: Read) -> tuple[StaticBlock, ...]:
    """Return the pieces that each vocabulary gained last up to the size `at`."""
    blocks: list[StaticBlock] = [Heading(f"The newest pieces, up to size {at:,}")]
    for one in comparison.tokenizers:
        name, size = name_of(one.kind), count_of(one.sizes[one.index(at)], "piece")
        pieces = read(one.kind, newest(one, at))
        if not pieces:
            blocks.append(Note(f"{name} has none yet: at {size} it has only what it started with."))
            continue
        shrinks = one.kind == "unigram"
        order = "those the next pruning removes come first" if shrinks else "newest first"
        blocks += [Note(f"{name}, {size}; {order}"), TokenRow(pieces, f"newest pieces of {name}")]
    return tuple(blocks)


def sizes(comparison: SizeComparison, width: int, at: int) -> tuple[StaticBlock, ...]:
    """Return the table of tokens and embedding parameters by size."""
    return (Html(plain_table(finding(comparison), *size_table(comparison, width, at))),)


def document(
    comparison: SizeComparison,
    text: str,
    at: int,
    model: tuple[int, str],
    below: Sequence[StaticBlock],
) -> Document:
    """Return the slider at the size `at`, and the blocks that the page shows `below` it."""
    entry = StatePart("at", "at", at, comparison.sizes, list(map(str, comparison.sizes)))
    header = message(comparison, model)
    blobs = tuple(one.packed for one in comparison.tokenizers)
    slider = ComponentBlock(SIZE_SLIDER, header, KEYS, STATE_NAME, (entry,), blobs)
    by = ", ".join(name_of(one.kind) for one in comparison.tokenizers)
    about = f"{quote_beginning(text)} by {by}, at every size on record."
    return Document("", about, (slider, *map(Note, comparison.notes), *below), LEFT_OUT)
