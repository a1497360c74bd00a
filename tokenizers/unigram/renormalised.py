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

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from tokenizers.unigram.batch import Lattices
from tokenizers.unigram.groups import Groups
from tokenizers.unigram.passes import RankedPass
from tokenizers.unigram.pieces import TrainingModel

VALUES_AT_ONCE = 1_200_000
"""The number of values (edges times columns) computed between two progress calls."""
VALUES_IN_CACHE = 50_000
"""How many values are taken through all steps of a product, to stay in the processor's cache."""

Addition = Callable[[Groups, np.ndarray], np.ndarray]
"""Returns each group's value, given the edges' values, which it may overwrite."""


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
    old_weights, new_weights = previous.weights(lattices), model.weights(lattices)
    for first in range(0, len(ids), at_once):
        removed = ids[first : first + at_once]
        columns = Columns(lattices, removed, len(model.names))
        new = ColumnWeights(new_weights, model.unknown, new_rest[removed])
        if loss == "exact":
            old = ColumnWeights(old_weights, previous.unknown, old_rest[removed])
            values = columns.q(old, new)
        else:
            add = Groups.log_sums if loss == "likelihood" else Groups.maxima
            values = columns.totals(new, add)
        falls = lattices.counts[:, None] * (whole[:, None] - values)
        # In the order of the words: `sum` would add up a single column in another one.
        losses[first : first + len(removed)] = falls.cumsum(axis=0)[-1]
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


class ColumnWeights(NamedTuple):
    """The log probability of each edge, the total probability in each column being 1.

    In a column, it is the edge's entry in `weights` minus the column's in `rests`. In its own
    column, a removed piece of one character has `unknown` in place of its weight.
    """

    weights: np.ndarray
    unknown: float
    rests: np.ndarray

    def of(self, edges: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return a row for each of these edges; `rows` and `columns` are the removed characters."""
        found = self.weights[edges][:, None] - self.rests
        found[rows, columns] = self.unknown - self.rests[columns]
        return found


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
        self.is_single = lattices.ends - lattices.starts == 1

    def totals(self, weights: ColumnWeights, add: Addition) -> np.ndarray:
        """Return the value of each word after a forward pass in which edges are added by `add`."""
        passes = self.lattices.forward_order.ranked
        numbers = passes.nodes.numbers[self.lattices.last_nodes]
        return self._values(passes, weights, add).take(numbers, axis=0)

    def q(self, old: ColumnWeights, new: ColumnWeights) -> np.ndarray:
        """Return Q of each word, see `losses`."""
        lattices = self.lattices
        forward, backward = lattices.forward_order.ranked, lattices.backward_order.ranked
        alpha = self._values(forward, old, Groups.log_sums)
        beta = self._values(backward, old, Groups.log_sums)
        order, words, groups = lattices.by_word
        log_z = alpha.take(forward.nodes.numbers[lattices.last_nodes[words]], axis=0)
        starts = forward.nodes.numbers[lattices.starts[order]]
        ends = backward.nodes.numbers[lattices.ends[order]]
        own_columns, is_single = self.own_columns[order], self.is_single[order]
        all_own = np.flatnonzero(own_columns >= 0)
        sums = np.zeros((len(words), self.num_columns))
        for ranks in _batches(groups, max(VALUES_IN_CACHE // self.num_columns, 1)):
            first, end = ranks[0][0], ranks[-1][1]
            edges = order[first:end]
            own = all_own[slice(*np.searchsorted(all_own, [first, end]))]
            single, longer = own[is_single[own]], own[~is_single[own]]
            shares = old.of(edges, single - first, own_columns[single])
            shares += alpha.take(starts[first:end], axis=0)
            shares += beta.take(ends[first:end], axis=0)
            for begin, stop in ranks:
                shares[begin - first : stop - first] -= log_z[: stop - begin]
            shares[longer - first, own_columns[longer]] = -np.inf
            terms = np.exp(shares, out=shares)
            terms *= new.of(edges, single - first, own_columns[single])
            for begin, stop in ranks:  # from left to right
                sums[: stop - begin] += terms[begin - first : stop - first]
        by_word = np.empty_like(sums)
        by_word[words] = sums
        return by_word

    def _values(self, passes: RankedPass, weights: ColumnWeights, add: Addition) -> np.ndarray:
        """Return the value of every node of a pass in which edges are added by `add`."""
        values = np.zeros((len(passes.nodes.nodes), self.num_columns))
        own_columns, is_single = self.own_columns[passes.edges], self.is_single[passes.edges]
        all_own = np.flatnonzero(own_columns >= 0)
        for edges, nodes, groups in passes.steps:
            own = all_own[slice(*np.searchsorted(all_own, [edges.start, edges.stop]))]
            single, columns = own[is_single[own]] - edges.start, own_columns[own]
            totals = weights.of(passes.edges[edges], single, columns[is_single[own]])
            totals += values.take(passes.origins[edges], axis=0)
            if not len(own):
                values[nodes] = add(groups, totals)
                continue
            rows, owners, rest = _without(own - edges.start, is_single[own], groups)
            without = add(rest, totals[rows, columns[owners[rest.owners]]])
            found = add(groups, totals)
            found[groups.owners[own - edges.start][owners], columns[owners]] = without
            values[nodes] = found
        return values


def _batches(groups: Groups, num_rows: int) -> Iterator[list[tuple[int, int]]]:
    """Yield where each rank of the groups begins and ends, some ranks of `num_rows` at a time."""
    ranks = list[tuple[int, int]]()
    for rank in groups.ranks:
        ranks.append(rank)
        if rank[1] - ranks[0][0] >= num_rows:
            yield ranks
            ranks = []
    if ranks:
        yield ranks


def _without(
    places: np.ndarray, is_single: np.ndarray, groups: Groups
) -> tuple[np.ndarray, np.ndarray, Groups]:
    """Return the edges of each edge's group without the edge itself, grouped by that edge.

    The edges come rank by rank; the second array tells which of `places` each group belongs to. A
    single character is not left out, but comes last, as unknown characters do.
    """
    owners, starts = groups.owners[places], np.array(groups.ranks)[:, 0]
    sizes = groups.sizes[owners] - ~is_single
    order = np.argsort(-sizes, kind="stable")
    rest = Groups.of_sizes(sizes[order])
    group = order[rest.owners]
    own_ranks = np.searchsorted(starts, places, side="right") - 1
    ranks = np.repeat(np.arange(len(rest.counts)), rest.counts)
    is_last = is_single[group] & (ranks == sizes[group] - 1)
    ranks += ranks >= own_ranks[group]
    ranks[is_last] = own_ranks[group[is_last]]
    return starts[ranks] + owners[group], order, rest
