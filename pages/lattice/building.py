"""Frames of building a lattice; each adds the pieces that begin at one position."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from pages.lattice.frame_helpers import (
    DEFAULT_WEIGHT,
    ROWS,
    LatticeFrames,
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
from pages.shared.recording.packing import record
from tokenizers.lattice import Lattice, num_segmentations

BUILDING = make_columns({"piece": "tokens", "ends at": "number", "log p": "number"})


def record_building(lattice: Lattice) -> Recording:
    """Record how `lattice` is built; each step adds the pieces that begin at one position."""
    parts = (
        lattice_part(lattice, "The lattice so far"),
        PicturePart("table", "Pieces that begin here", BUILDING),
        PicturePart("note", ""),
    )
    return record("Building the lattice", parts, _BuildingFrames(lattice), ())


@dataclass(frozen=True)
class _BuildingFrames(LatticeFrames):
    """The frames for the start, each position from left to right, and the whole lattice."""

    lattice: Lattice

    def __len__(self) -> int:
        return len(self.lattice.text) + 2

    def frame(self, k: int) -> Frame:
        """Return the frame of position `k` - 1."""
        if not k:
            return self._first()
        return self._result() if k == len(self) - 1 else self._begins(k - 1)

    @property
    def largest(self) -> Collection[int]:
        return {self.busiest(self.lattice.leaving) + 1, len(self) - 1}

    @cached_property
    def _why(self) -> tuple[RichText, ...]:
        return tuple(
            (
                f"The letters from position {edge.start:,} to {edge.end:,}. ",
                *_edge_reason(edge.known),
            )
            for edge in self.lattice.edges
        )

    def _picture(self, arcs: str, here: int | None) -> LatticeFrame:
        nodes = ("",) * (len(self.lattice.text) + 1)
        return LatticeFrame(arcs, DEFAULT_WEIGHT * len(arcs), nodes, here, self._why)

    def _first(self) -> Frame:
        empty = self._picture(" " * len(self.lattice.edges), 0)
        sentence: RichText = (
            "The letters of ",
            *text_phrase(self.lattice),
            f" have {len(self.lattice.text) + 1:,} positions around them. Which pieces begin at "
            "each?",
        )
        return Frame(sentence, (empty, TableFrame(()), NoteFrame(())))

    def _begins(self, position: int) -> Frame:
        edges, numbers = self.lattice.edges, self.lattice.leaving[position]
        states = "".join(
            "o" if edge.start < position else "c" if edge.start == position else " "
            for edge in edges
        )
        rows = tuple(
            TableRow(((edge.piece,), edge.end, nats(edge.log_prob)), "", _edge_reason(edge.known))
            for edge in (edges[number] for number in numbers[:ROWS])
        )
        table = TableFrame(rows, more_pieces(len(numbers)))
        drawn = sum(edge.start <= position for edge in edges)
        note = NoteFrame((f"{count_of(drawn, 'edge')} so far",))
        parts = (self._picture(states, position), table, note)
        return Frame(_describe_edges(self.lattice, position, numbers), parts)

    def _result(self) -> Frame:
        size, number = len(self.lattice.edges), num_segmentations(self.lattice)
        sentence: RichText = (
            "The lattice is complete: ",
            ("strong", ways_text(number)),
            " to split the text.",
        )
        if not number:
            sentence = ("No path leads from the first position to the last: a piece is missing.",)
        note = NoteFrame((f"{count_of(size, 'edge')} in all",))
        return Frame(sentence, (self._picture("o" * size, None), TableFrame(()), note))


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
