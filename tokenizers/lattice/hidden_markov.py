"""The Unigram model as a hidden Markov model whose hidden state is a position inside a piece.

A *state* is a piece and the number of its characters emitted so far, counted from 1; it emits the
last of these characters with certainty. Inside a piece the only transition is to its next
character. From the end of a piece there is a transition to the start of every piece, with the
latter's probability. A text ends with a finished piece. Baum–Welch training of this model is the EM
of `unigram/em.py`. Characters that are not pieces are not covered.
"""

from collections.abc import Mapping

from tokenizers.lattice.lattice import LOG_ZERO, Lattice, log_sum_exp

State = tuple[str, int]
"""A piece, and how many of its characters have been emitted."""


def forward_by_state(lattice: Lattice) -> list[dict[State, float]]:
    """Return, for each character, the states that may emit it, with their log forward values.

    A forward value sums over all ways to emit the text up to there and end in that state.

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
    """Return the log sum over the states at the end of a piece: the lattice's α."""
    return log_sum_exp([log for (piece, done), log in column.items() if done == len(piece)])
