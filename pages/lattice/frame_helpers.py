"""Helpers shared by the recordings of a lattice, such as its picture and number formats."""

import math
from collections.abc import Callable, Sequence

from lessons.format.words import RichText, Segment, percent
from pages.shared.drawing.phrasing import (
    count_of,
    format_sum,
    format_sums,
    list_pieces,
    ways_text,
    word_segment,
)
from pages.shared.recording.frame_types import (
    Arc,
    Cell,
    FrameSource,
    PicturePart,
    TableFrame,
    TableRow,
)
from tokenizers import lattice as core
from tokenizers.lattice import LOG_ZERO, TIE_EPS, Edge, Lattice, NodeScore
from tokenizers.text.symbols import Split
from tokenizers.unigram import UNKNOWN_PENALTY

LONGEST_DRAWN = 240  # characters of a text whose lattice is drawn
ROWS = 8  # rows of a table
POSITIONS = 12  # rows of a table of all positions
NAMED = 4  # pieces named in a sentence
LONGEST_ROW = 16  # pieces of a path that are shown in a row
UNUSED: RichText = ("No segmentation of the whole text uses it.",)
DEFAULT_WEIGHT = "4"  # line thickness where it has no meaning
Cells = tuple[Cell, ...]


def nats(value: float) -> str:
    """Return a log probability as text.

    >>> nats(-2.0794), nats(0.0), nats(-math.inf)
    ('−2.08', '0', '−∞')
    """
    if value == LOG_ZERO:
        return "−∞"
    return f"{value:.2f}".replace("-", "−") if round(value, 2) else "0"


def share_cell(share: float) -> str:
    """Return a share as a percentage, short enough for a column of numbers.

    >>> share_cell(0.00001), share_cell(0.99999), share_cell(0.5)
    ('< 0.1%', '> 99.9%', '50%')
    """
    return percent(share).replace("under", "<").replace("over", ">")


def weight(share: float) -> str:
    """Return the line thickness for a share as a digit from 0 to 9."""
    return str(round(9 * min(max(share, 0.0), 1.0)))


class LatticeFrames(FrameSource):
    """The frames of a computation on one lattice."""

    lattice: Lattice

    @property
    def content(self) -> object:
        return self.lattice.text, self.lattice.edges

    def busiest(self, edges: Sequence[Sequence[int]]) -> int:
        """Return the position with the most of the given edges."""
        return max(range(len(edges)), key=lambda position: len(edges[position]))


def lattice_part(lattice: Lattice, caption: str) -> PicturePart:
    """Return a lattice's part of the picture, which is constant throughout a recording."""
    arcs = [Arc(e.start, e.end, e.piece, nats(e.log_prob), e.known) for e in lattice.edges]
    return PicturePart("lattice", caption, letters=tuple(lattice.text), arcs=tuple(arcs))


def best_through(lattice: Lattice) -> list[float]:
    """Return, for each edge, the log probability of the best segmentation that uses it, in nats.

    >>> best_through(Lattice.build("at", {"a": -1, "t": -2, "at": -2.5}))
    [-3.0, -2.5, -3.0]
    """
    before = core.viterbi_values(lattice)
    behind = [LOG_ZERO] * len(lattice.text) + [0.0]
    for edges in lattice.arriving[:0:-1]:
        for edge in (lattice.edges[n] for n in edges):
            behind[edge.start] = max(behind[edge.start], edge.log_prob + behind[edge.end])
    return [before[edge.start] + edge.log_prob + behind[edge.end] for edge in lattice.edges]


def describe_gaps(lattice: Lattice) -> tuple[RichText, ...]:
    """Describe how far the best segmentation with each edge falls short of the overall best."""
    totals = best_through(lattice)
    most = max(totals, default=LOG_ZERO)
    return tuple([_gap_text(most - total) if total > LOG_ZERO else UNUSED for total in totals])


def _gap_text(by: float) -> RichText:
    if by < TIE_EPS:
        return ("The best segmentation of all uses it, or ties with one that does.",)
    return (f"The best segmentation with it is {nats(by)} nats behind the best of all.",)


def unknown_note(edge: Edge) -> RichText:
    """Return a note if the edge is not a piece of the vocabulary, or else ()."""
    if edge.known:
        return ()
    return (
        f" It is not in the vocabulary: {UNKNOWN_PENALTY:g} nats below the least probable piece.",
    )


def pieces_phrase(lattice: Lattice, numbers: Sequence[int]) -> RichText:
    """Return the pieces of the edges `numbers` as a list for use in a sentence."""
    named = [lattice.edges[n].piece for n in numbers[:NAMED]]
    return list_pieces(named, len(numbers), NAMED)


def path_phrase(pieces: Sequence[str], kind: str = "new") -> RichText:
    """Return a path's pieces for a sentence, joined by plus signs; long paths end in an ellipsis.

    >>> path_phrase(["hell", "o"])
    (('new', 'hell'), ' + ', ('new', 'o'))
    """
    phrase: list[Segment] = []
    for piece in pieces[:LONGEST_ROW]:
        if phrase:
            phrase.append(" + ")
        phrase.append((kind, piece))
    return (*phrase, " …") if len(pieces) > LONGEST_ROW else tuple(phrase)


def path_cell(pieces: Split) -> Split:
    """Return a path's pieces for a table cell; long paths end in an ellipsis."""
    return (*pieces[:LONGEST_ROW], "…") if len(pieces) > LONGEST_ROW else pieces


def number_word(number: int) -> str:
    """Return a number in the form used at the beginning of a sentence.

    >>> number_word(2), number_word(12)
    ('Two', '12')
    """
    words = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
    return words[number] if number < len(words) else f"{number:,}"


def text_phrase(lattice: Lattice) -> RichText:
    """Return the text to begin a sentence with; for a long one, say how much of it is drawn.

    >>> text_phrase(Lattice.build("at", {"at": -2.5}))
    (('word', 'at'),)
    """
    if len(lattice.text) < LONGEST_DRAWN:
        return (word_segment(lattice.text),)
    return f"The first {LONGEST_DRAWN:,} characters, ", word_segment(lattice.text), ","


def describe_count(lattice: Lattice) -> str:
    """Return a phrase with the number of segmentations."""
    length = f"all {len(lattice.text):,} characters" if len(lattice.text) > LONGEST_DRAWN else "it"
    return f"{ways_text(core.num_segmentations(lattice))} to split {length}"


def describe_counts(lattice: Lattice) -> str:
    """Return a phrase that counts all segmentations and the ones without unknown characters.

    >>> describe_counts(Lattice.build("at", {"a": -1, "t": -2, "at": -2.5}))
    '2 ways to split it'
    >>> describe_counts(Lattice.build("at", {"a": -1, "at": -2.5}, unknown=-9))
    '2 ways to split it, 1 of them without unknown characters'
    """
    text = describe_count(lattice)
    if all(edge.known for edge in lattice.edges):
        return text
    number = core.num_segmentations(Lattice(lattice.text, [e for e in lattice.edges if e.known]))
    few = f"{number:,}" if number < 10**15 else ways_text(number)
    return f"{text}, {few if number else 'none'} of them without unknown characters"


def more_pieces(number: int) -> str:
    """Return the last line of a table of `number` pieces; "" if all fit."""
    return count_of(number - ROWS, "more piece") if number > ROWS else ""


def visible_positions(here: int, last: int) -> tuple[range, str]:
    """Return the positions that a table shows around `here`, and a line that counts hidden ones.

    >>> visible_positions(2, 5), visible_positions(9, 16)
    ((range(0, 6), ''), (range(3, 15), '5 more positions'))
    """
    first = max(min(here - POSITIONS // 2, last + 1 - POSITIONS), 0)
    shown = range(first, min(first + POSITIONS, last + 1))
    hidden = last + 1 - len(shown)
    return shown, count_of(hidden, "more position") if hidden else ""


def nats_sum(first: float, second: float) -> tuple[str, str, str]:
    """Return two log probabilities and their sum as text, rounded so that the texts add up.

    >>> nats_sum(-2.996, -1.897), nats_sum(0.0, -1.5)
    (('−2.996', '−1.897', '−4.893'), ('0', '−1.50', '−1.50'))
    """
    if LOG_ZERO in (first, second):
        return nats(first), nats(second), nats(LOG_ZERO)
    (one, other), total = format_sum([first, second])
    return one, other, total


def signed(value: float) -> str:
    """Return a number with its sign, in the form of a sum's further term."""
    return f"− {nats(-value)}" if value < 0 else f"+ {nats(value)}"


def nats_sums(pairs: Sequence[tuple[float, float]]) -> list[tuple[str, str]]:
    """Return sums of two log probabilities as (sum, value), all with the same number of digits.

    >>> nats_sums([(-2.996, -1.897), (-1.0, 0.0)])
    [('−2.996 − 1.897', '−4.893'), ('−1.000 + 0', '−1.000')]
    """
    written = []
    for (one, other), total in format_sums(pairs):
        second = f"− {other[1:]}" if other.startswith("−") else f"+ {other}"
        written.append((f"{one} {second}", total))
    return written


def format_probability(log_prob: float) -> str:
    """Return, as text, the probability whose logarithm is `log_prob`.

    >>> [format_probability(value) for value in (math.log(0.0123), LOG_ZERO, -30.0)]
    ['0.0123', '0', '9.36e−14']
    """
    return f"{math.exp(log_prob):.3g}".replace("-", "−")


def reachable_edges(step: NodeScore) -> list[int]:
    """Return the edges of a step whose total is finite, i.e. which lie on some path."""
    return [n for n, total in zip(step.edges, step.totals, strict=True) if total > LOG_ZERO]


def winners(step: NodeScore) -> list[int]:
    """Return the edges with the highest total; there are several if they tie."""
    least = max(step.totals, default=LOG_ZERO) - TIE_EPS
    rows = zip(step.edges, step.totals, strict=True)
    return [n for n, total in rows if total > LOG_ZERO and total > least]


def shares_of(step: NodeScore) -> dict[int, float]:
    """Return the fraction that each edge contributes to the sum of a step."""
    most = max(step.totals, default=LOG_ZERO)
    if most == LOG_ZERO:
        return dict.fromkeys(step.edges, 0.0)
    parts = [math.exp(total - most) for total in step.totals]
    return {n: part / math.fsum(parts) for n, part in zip(step.edges, parts, strict=True)}


def largest_shares(
    lattice: Lattice, why: Sequence[RichText], heads: Sequence[str], cells: Callable[[Edge], Cells]
) -> TableFrame:
    """Return the table of the largest posterior shares; `why` has a reason for each edge.

    `cells` returns the cells between an edge's piece and its share, `heads` has their headings.
    """
    shares, edges = core.posteriors(lattice), lattice.edges
    rows = [
        TableRow(
            ((edges[n].piece,), *cells(edges[n]), share_cell(shares[n]), shares[n]), "", why[n]
        )
        for n in sorted(range(len(shares)), key=lambda n: -shares[n])[:ROWS]
    ]
    caption = "Each piece's share of all segmentations, largest first"
    return TableFrame(
        tuple(rows), more_pieces(len(shares)), caption, ("piece", *heads, "share", "")
    )
