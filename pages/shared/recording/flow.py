"""The E step's picture, in which counts flow from the arcs of words' lattices to pieces' bars.

A `Flow` is what stays the same in a recording, a `FlowFrame` its state at one position. Numbers are
given twice, for drawing and as text. `pages/unigram/frames/flow.py` selects words and arcs,
`pages/shared/player/picture/flow.js` draws the picture.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lessons.format.words import RichText
from pages.shared.drawing.display_text import escape_invisible, show_spaces
from tokenizers.errors import UserError

PHASES = ("seed", "expectation", "maximization", "prune", "final")


@dataclass(frozen=True, slots=True)
class FlowArc:
    """A piece in a word, from one position to a later one; `row` is its row in the word's list.

    An arc without a row is drawn only in the lattice, and nothing flows from it.
    """

    start: int
    end: int
    piece: int | None
    row: int | None


@dataclass(frozen=True, slots=True)
class FlowWord:
    """A word with its lattice; `label` is its count as text."""

    label: str
    letters: tuple[str, ...]
    arcs: tuple[FlowArc, ...]


@dataclass(frozen=True, slots=True)
class Flow:
    """What stays the same: the words, the pieces that have bars, and the whole curve.

    `strongest` is the largest flow and `widest` the largest sum of flows into one bar, in counts;
    `longest` is the longest bar as a fraction of all counts. `curve` has points (position, value).
    """

    words: tuple[FlowWord, ...]
    pieces: tuple[str, ...]
    strongest: float
    widest: float
    longest: float
    curve: tuple[tuple[int, float], ...]
    curve_title: str = ""


@dataclass(frozen=True, slots=True)
class FlowBar:
    """A piece's bar; its `length` now and `before` the step (if known) are fractions of all counts.

    `subtext` is shown beside the number, `reason` when the piece is selected. `state` is "", "gone"
    (no longer a piece) or "removed" (in this step).
    """

    length: float
    before: float | None
    number: str
    subtext: str = ""
    state: str = ""
    reason: RichText = ()


@dataclass(frozen=True, slots=True)
class FlowArcFrame:
    """An arc at one position; `amount` is its flow in counts, `share` its posterior share.

    `text` shows both. `is_present` is false after the arc's piece was removed; the arcs that are
    `is_best` form the best segmentation. `quotient` is how the share comes about: the probability
    of the segmentations with the arc, divided by that of all.
    """

    amount: float
    share: float
    text: str
    is_present: bool = True
    is_best: bool = False
    quotient: str = ""


@dataclass(frozen=True, slots=True)
class FlowWays:
    """The most probable segmentations of a word as (numbers of arcs, pieces, probability).

    Probabilities are text, in multiples of `unit`. `total` is the sum over all segmentations;
    `rest` says how many of them are not listed, and their sum.
    """

    ways: tuple[tuple[tuple[int, ...], tuple[str, ...], str], ...]
    unit: str
    total: str
    rest: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class FlowFrame:
    """The picture at one position.

    `arcs` are listed by word, and so are `ways`, if they are known; `head` says what the bars are,
    `number_head` what the numbers beside them are; `total` is the sum of all counts, `focus` the
    piece that the sentence is about, `num_known` how many points of the curve are known, `value`
    the last known as text; `rest` and `left_out` describe what is not drawn.
    """

    phase: str
    arcs: tuple[tuple[FlowArcFrame, ...], ...]
    bars: tuple[FlowBar, ...]
    head: str
    number_head: str
    rest: str
    total: float
    focus: int | None
    num_known: int
    value: str
    left_out: str
    ways: tuple[FlowWays | None, ...] = ()


def pack_flow(flow: Flow, token: Callable[[str], int]) -> dict[str, Any]:
    """Return the constant part as compact JSON values; `token` maps a token to its number."""
    return {
        "words": [
            [
                escape_invisible(word.label),
                [show_spaces(letter) for letter in word.letters],
                [[arc.start, arc.end, arc.piece, arc.row] for arc in word.arcs],
            ]
            for word in flow.words
        ],
        "pieces": [token(piece) for piece in flow.pieces],
        "strongest": flow.strongest,
        "widest": flow.widest,
        "longest": flow.longest,
        "curve": flow.curve,
        "curveTitle": escape_invisible(flow.curve_title),
    }


def pack_flow_frame(
    flow: Flow, value: FlowFrame, pack_text: Callable[[RichText], list[Any]]
) -> dict[str, Any]:
    """Return a position as compact JSON values. Raises UserError if `value` does not fit `flow`."""
    if (
        value.phase not in PHASES
        or [len(word.arcs) for word in flow.words] != [len(arcs) for arcs in value.arcs]
        or len(value.bars) != len(flow.pieces)
        or not 0 <= value.num_known <= len(flow.curve)
        or len(value.ways) not in (0, len(flow.words))
    ):
        raise UserError("the flow of a frame does not fit its part")
    return {
        "phase": value.phase,
        "arcs": [
            [
                [
                    *(arc.amount, arc.share, arc.text, int(arc.is_present), int(arc.is_best)),
                    arc.quotient,
                ]
                for arc in arcs
            ]
            for arcs in value.arcs
        ],
        "bars": [
            [bar.length, bar.before, bar.number, bar.subtext, bar.state, pack_text(bar.reason)]
            for bar in value.bars
        ],
        "head": escape_invisible(value.head),
        "numberHead": escape_invisible(value.number_head),
        "rest": escape_invisible(value.rest),
        "total": value.total,
        "focus": value.focus,
        "known": value.num_known,
        "value": value.value,
        "leftOut": escape_invisible(value.left_out),
        "ways": [_pack_ways(ways, pack_text) if ways else None for ways in value.ways],
    }


def _pack_ways(ways: FlowWays, pack_text: Callable[[RichText], list[Any]]) -> list[Any]:
    listed = [
        [list(arcs), pack_text(tuple([("token", piece) for piece in pieces])), p]
        for arcs, pieces, p in ways.ways
    ]
    return [listed, ways.unit, ways.total, list(ways.rest or ())]
