"""The corpus's loss without a piece when the others are renormalised, for many pieces at a time.

If the probabilities of all other pieces grow, the value of every word changes, not only of those
that contain the removed piece. So one pass over the lattices computes many removals: every node has
a row of values, with a *column* for each removed piece. In a column, all log probabilities are
greater by the same amount.

This is what differs from `losses.removals`, which builds lattices without the piece, and why the
results are the same, to the last bit: the edges of the removed piece stay in the lattices, but the
nodes that they lead to are computed again without them, as there. All other nodes have the same
edges as there, in the same order.
"""

from collections.abc import Callable

import numpy as np

from tokenizers.text.alignment import ranges
from tokenizers.unigram.batch import Lattices, PassOrder
from tokenizers.unigram.groups import Groups
from tokenizers.unigram.pieces import TrainingModel

VALUES_AT_ONCE = 600_000
"""The number of values (edges times columns) computed between two progress calls."""

Addition = Callable[[Groups, np.ndarray], np.ndarray]
"""Returns each group's value, given the edges' values."""


def renormalised_losses(
    model: TrainingModel,
    previous: TrainingModel,
    lattices: Lattices,
    ids: np.ndarray,
    loss: str,
    whole: np.ndarray,
    on_progress: Callable[[float], None],
) -> np.ndarray:
    """Return the corpus's loss without each of the pieces `ids`, in nats.

    `whole` contains the value of each word with all pieces; see `losses.removal_losses`.
    """
    losses = np.zeros(len(ids))
    at_once = max(VALUES_AT_ONCE // max(len(lattices.ends), 1), 1)
    old_rest, new_rest = log_rest(previous), log_rest(model)
    for first in range(0, len(ids), at_once):
        removed = ids[first : first + at_once]
        columns = Columns(lattices, removed, len(model.names))
        new = columns.weights(model, new_rest[removed])
        if loss == "exact":
            values = columns.q(columns.weights(previous, old_rest[removed]), new)
        else:
            add = Groups.log_sums if loss == "likelihood" else Groups.maxima
            values = columns.forward(new, add)[lattices.last_nodes]
        falls = lattices.counts[:, None] * (whole[:, None] - values)
        losses[first : first + len(removed)] = falls.sum(axis=0)
        on_progress((first + len(removed)) / len(ids))
    return losses


def log_rest(model: TrainingModel) -> np.ndarray:
    """Return for each name the log of the fraction of probability that the other pieces have.

    Dividing by this fraction restores the total probability after the piece is removed. If there is
    only one piece, the log is 0, so nothing changes.
    """
    log_probs = model.log_probs.astype(float)
    probs = np.exp(log_probs)
    total = probs[model.ids].sum()
    rests = np.log1p(-np.minimum(probs / total, 0.5))
    for number in model.ids[probs[model.ids] > total / 2]:  # 1 - p would lose precision
        others = log_probs[model.ids[model.ids != number]]
        rests[number] = np.logaddexp.reduce(others) - np.log(total) if len(others) else 0.0
    return rests


class Columns:
    """Lattices with a column for each of the pieces `removed`; their rows are edges or nodes.

    In its own column, a removed piece of one character is an unknown character; the edges of a
    longer one must not count.
    """

    def __init__(self, lattices: Lattices, removed: np.ndarray, num_names: int) -> None:
        self.lattices, self.num_columns = lattices, len(removed)
        column_of = np.full(num_names + 1, -1)
        column_of[removed] = np.arange(len(removed))
        self.own_columns = column_of[lattices.pieces]  # the column in which an edge is removed
        self.own = np.flatnonzero(self.own_columns >= 0)
        self.is_single = lattices.ends - lattices.starts == 1

    def weights(self, model: TrainingModel, rests: np.ndarray) -> np.ndarray:
        """Return the log probability of each edge, the total probability being 1."""
        weights = model.weights(self.lattices)[:, None] - rests
        single = self.own[self.is_single[self.own]]
        columns = self.own_columns[single]
        weights[single, columns] = model.unknown - rests[columns]
        return weights

    def forward(self, weights: np.ndarray, add: Addition) -> np.ndarray:
        """Return the value of every node from the beginning of its word."""
        return self._values(self.lattices.forward_order, weights, add)

    def q(self, old: np.ndarray, new: np.ndarray) -> np.ndarray:
        """Return Q of each word, see `losses`."""
        lattices = self.lattices
        alpha = self.forward(old, Groups.log_sums)
        beta = self._values(lattices.backward_order, old, Groups.log_sums)
        log_shares = alpha.take(lattices.starts, axis=0)
        log_shares += old
        log_shares += beta.take(lattices.ends, axis=0)
        log_shares -= alpha.take(lattices.last_nodes, axis=0).take(lattices.words, axis=0)
        gone = self.own[~self.is_single[self.own]]
        log_shares[gone, self.own_columns[gone]] = -np.inf
        terms = np.exp(log_shares, out=log_shares)
        terms *= new
        cells = lattices.words[:, None] * self.num_columns + np.arange(self.num_columns)
        num_words = len(lattices.lengths)
        sums = np.bincount(cells.ravel(), terms.ravel(), minlength=num_words * self.num_columns)
        return sums.reshape(num_words, self.num_columns)

    def _values(self, passes: PassOrder, weights: np.ndarray, add: Addition) -> np.ndarray:
        """Return the value of every node after a pass in which edges are added up by `add`."""
        values = np.zeros((len(passes.nodes.nodes), self.num_columns))
        columns = self.own_columns[passes.edges]
        own = np.flatnonzero(columns >= 0)
        for edges, nodes, groups in passes.steps:
            totals = values.take(passes.origins[edges], axis=0)
            totals += weights.take(passes.edges[edges], axis=0)
            found = add(groups, totals)
            here = own[slice(*np.searchsorted(own, [edges.start, edges.stop]))]
            if len(here):
                is_single, at = self.is_single[passes.edges[here]], columns[here]
                others, rest = _without(here - edges.start, is_single, groups)
                owners = groups.owners[here - edges.start]
                found[owners, at] = add(rest, totals[others, at[rest.owners]])
            values[nodes] = found
        return values.take(passes.nodes.numbers, axis=0)


def _without(
    places: np.ndarray, is_single: np.ndarray, groups: Groups
) -> tuple[np.ndarray, Groups]:
    """Return the edges of each edge's group without the edge itself, grouped by that edge.

    A single character is not left out, but comes last, as unknown characters do.
    """
    own, begins = groups.owners[places], groups.begins
    sizes = np.diff(begins, append=len(groups.owners))[own]
    members = ranges(begins[own], sizes)
    owners = np.repeat(np.arange(len(places)), sizes)
    is_own = members == places[owners]
    order = np.argsort(2 * owners + is_own, kind="stable")
    order = order[(~is_own | is_single[owners])[order]]
    owners = owners[order]
    return members[order], Groups(owners, np.searchsorted(owners, np.arange(len(places))))
