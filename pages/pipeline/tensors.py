"""The end of the pipeline shows ids as a language model's tensors x and y, in HTML and text."""

from collections.abc import Sequence

from markupsafe import Markup

from pages.pipeline.rows import TokenTile
from pages.shared.drawing.markup import html, table
from pages.shared.drawing.phrasing import count_of
from tokenizers.text.sequences import num_sequences


def html_shifted(tiles: Sequence[TokenTile], length: int) -> Markup:
    """Return the first sequence as a table: the inputs, and below them the targets."""
    places = range(1, min(length, len(tiles) - 1) + 1)
    rows = (("x, given", 0), ("y, next", 1))
    return table(
        ("place", *places),
        ((name, *(_tile(tiles[place - 1 + later]) for place in places)) for name, later in rows),
        box="pp-xy",
        label="A sequence",
    )


def _tile(tile: TokenTile) -> Markup:
    return html('<bdi class="t{}">{}</bdi><small>{:,}</small>', tile.tint, tile.text, tile.id)


def describe_prediction(tiles: Sequence[TokenTile], length: int) -> str:
    """Describe the prediction at one position: the third, or the last one."""
    place = min(3, length, len(tiles) - 1)
    read = " ".join(f"“{tile.text}”" for tile in tiles[:place])
    return f"At place {place}, the model has read {read}. Next comes “{tiles[place].text}”."


def describe_shapes(num_ids: int, length: int, vocabulary: int) -> str:
    """Return the shapes of the tensors, and how many sequences the ids make.

    >>> describe_shapes(6, 2, 100).partition(".")[0]
    '6 ids make 2 sequences of 2 that share no place: x and y have the shape [B, T] = [2, 2]'
    """
    batch, overlapping = (num_sequences(num_ids, length, step) for step in (length, 1))
    left = num_ids - 1 - batch * length
    last = "id" if left == 1 else f"{left:,} ids"
    unused = f" The last {last} would be left out." if left else ""
    each = ""
    if overlapping > batch:
        each = f" Starting one at every id gives {overlapping:,} that overlap."
    return (
        f"{num_ids:,} ids make {count_of(batch, 'sequence')} of {length:,} that share no place: x "
        f"and y have the shape [B, T] = [{batch:,}, {length:,}].{unused}{each} The embedding turns "
        "each id into d numbers: [B, T, d]. The model's answers, the logits, have the shape "
        f"[B, T, V] = [{batch:,}, {length:,}, {vocabulary:,}]: at every place a number for each id "
        "there is. The softmax makes probabilities of these, and training raises that of y."
    )
