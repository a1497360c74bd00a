"""A lattice read as a hidden Markov model: what is hidden is in which piece we are, and how far.

A *state* is a piece and the number of its characters that have been written, from 1 on. A state
writes its last character, with certainty. From within a piece it goes on to the next character of
the same piece; from a finished one to the beginning of any piece, with that piece's probability,
whatever came before. A text ends in a finished piece. Left out: training (Baum–Welch is the EM of
`unigram/em.py`), and characters that are no piece.
"""

from collections.abc import Mapping

from tokenizers.lattice.lattice import LOG_ZERO, Lattice, log_sum_exp

State = tuple[str, int]
"""A piece, and how many of its characters are written."""


def forward_by_state(lattice: Lattice) -> list[dict[State, float]]:
    """Return for each character of the text the states it may be written in, with their log sums.

    The sum of a state is over all ways to write the text up to there and end in it.

    >>> columns = forward_by_state(Lattice.build("at", {"a": -1, "t": -2, "at": -2.5}))
    >>> [list(column) for column in columns]
    [[('a', 1), ('at', 1)], [('t', 1), ('at', 2)]]
    """
    pieces = {edge.piece: edge.log_prob for edge in lattice.edges}
    columns, finished = list[dict[State, float]](), 0.0
    for character in lattice.text:
        before = columns[-1] if columns else {}
        begun = {
            (piece, 1): finished + log
            for piece, log in pieces.items()
            if piece[0] == character and finished > LOG_ZERO
        }
        inside = {
            (piece, done + 1): log
            for (piece, done), log in before.items()
            if done < len(piece) and piece[done] == character
        }
        columns.append(begun | inside)
        finished = finished_sum(columns[-1])
    return columns


def finished_sum(column: Mapping[State, float]) -> float:
    """Return the log of the sum of the states in which a piece is finished: the lattice's α."""
    return log_sum_exp([log for (piece, done), log in column.items() if done == len(piece)])
