"""Frames of building a lattice; each adds the pieces that begin at one position."""

from collections.abc import Iterator, Mapping, Sequence

from pages.lattice.frame_helpers import (
    DEFAULT_WEIGHT,
    ROWS,
    lattice_part,
    more_pieces,
    nats,
    pieces_phrase,
    text_phrase,
)
from pages.shared.drawing.phrasing import RichText, count_of, ways_text
from pages.shared.recording.frame_types import (
    Frame,
    LatticeFrame,
    NoteFrame,
    PicturePart,
    Recording,
    TableFrame,
    TableRow,
    make_columns,
)
from pages.shared.recording.packing import pack_frames
from tokenizers.lattice import Lattice, build_steps, num_segmentations

BUILDING = make_columns({"piece": "tokens", "ends at": "number", "log p": "number"})


def record_building(
    lattice: Lattice, pieces: Mapping[str, float], unknown: float | None
) -> Recording:
    """Record how `lattice` is built; each step adds the pieces that begin at one position."""
    parts = (
        lattice_part(lattice, "The lattice so far"),
        PicturePart("table", "Pieces that begin here", BUILDING),
        PicturePart("note", ""),
    )
    return pack_frames("Building the lattice", parts, _frames(lattice, pieces, unknown), ())


def _frames(
    lattice: Lattice, pieces: Mapping[str, float], unknown: float | None
) -> Iterator[Frame]:
    size = len(lattice.edges)
    nodes = ("",) * (len(lattice.text) + 1)
    empty = LatticeFrame(" " * size, "0" * size, nodes, 0)
    sentence: RichText = (
        "The letters of ",
        *text_phrase(lattice),
        f" have {len(lattice.text) + 1:,} positions around them. Which pieces begin at each?",
    )
    yield Frame(sentence, (empty, TableFrame(()), NoteFrame(())))
    why = tuple(
        (f"The letters from position {edge.start:,} to {edge.end:,}. ", *_edge_reason(edge.known))
        for edge in lattice.edges
    )
    drawn = 0
    for step in build_steps(lattice.text, pieces, unknown):
        numbers = range(drawn, drawn + len(step.edges))
        arcs = "o" * drawn + "c" * len(numbers)
        drawn += len(numbers)
        picture = LatticeFrame(arcs.ljust(size), DEFAULT_WEIGHT * size, nodes, step.position, why)
        rows = tuple(
            TableRow(((edge.piece,), edge.end, nats(edge.log_prob)), "", _edge_reason(edge.known))
            for edge in step.edges[:ROWS]
        )
        table = TableFrame(rows, more_pieces(len(step.edges)))
        note = NoteFrame((f"{count_of(drawn, 'edge')} so far",))
        yield Frame(_describe_edges(lattice, step.position, numbers), (picture, table, note))
    number = num_segmentations(lattice)
    done = LatticeFrame("o" * size, DEFAULT_WEIGHT * size, nodes, None, why)
    sentence = ("The lattice is complete: ", ("strong", ways_text(number)), " to split the text.")
    if not number:
        sentence = ("No path leads from the first position to the last: a piece is missing.",)
    yield Frame(sentence, (done, TableFrame(()), NoteFrame((f"{count_of(size, 'edge')} in all",))))


def _edge_reason(known: bool) -> RichText:
    if known:
        return ("It is in the vocabulary.",)
    return ("The character is not in the vocabulary: it gets an edge of its own, at a high price.",)


def _describe_edges(lattice: Lattice, position: int, numbers: Sequence[int]) -> RichText:
    at = f"At position {position:,} "
    if not numbers:
        return (at, "no piece begins.")
    first = lattice.edges[numbers[0]]
    if not first.known:
        also = (
            (" Besides, ", *pieces_phrase(lattice, numbers[1:]), " begins.") if numbers[1:] else ()
        )
        absent = " is not in the vocabulary: it gets an edge of its own, at a high price."
        return (at, ("token", first.piece), absent, *also)
    verb = " begins." if len(numbers) == 1 else " begin."
    return (at, *pieces_phrase(lattice, numbers), verb)
