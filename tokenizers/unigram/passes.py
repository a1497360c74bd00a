"""The order of a pass over lattices: position by position, and at each node edge by edge.

`batch.py` makes the passes, forward and backward.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, starmap
from typing import NamedTuple

import numpy as np

from tokenizers.unigram.array_trie import stable_sort
from tokenizers.unigram.groups import Groups, by_size, rank_by_rank


@dataclass(frozen=True, slots=True, eq=False)
class NodeOrder:
    """The nodes whose values a pass computes, numbered position by position.

    A pass so reads and writes neighboring numbers, which are in the processor's caches. `numbers`
    maps each node to its number, and nodes that share a value to the same one; `nodes` maps each
    number to a node. The numbers at position p are `bounds[p]:bounds[p + 1]`; the values at
    position 0 are known.
    """

    numbers: np.ndarray
    nodes: np.ndarray
    bounds: list[int]

    @classmethod
    def by_position(cls, positions: np.ndarray, shared: np.ndarray) -> "NodeOrder":
        """Sort nodes by their `positions`; `shared` maps each node to the one with its value."""
        (nodes,) = np.nonzero(shared == np.arange(len(shared)))
        positions, order = stable_sort(positions[nodes])
        nodes, numbers = nodes[order], np.zeros(len(shared), np.int64)
        numbers[nodes] = np.arange(len(nodes))
        longest = int(positions.max(initial=0))
        return cls(
            numbers[shared], nodes, np.searchsorted(positions, np.arange(longest + 2)).tolist()
        )


class PassStep(NamedTuple):
    """The edges that lead to the nodes of one position: their slice, and the nodes' slice.

    `largest_first` contains the nodes in the order of their `groups` of edges (`groups.py`).
    """

    edges: slice
    nodes: slice
    largest_first: np.ndarray
    groups: Groups


class RankedPass(NamedTuple):
    """A pass with the edges of each position rank by rank (`groups.py`).

    For passes that are made several times: to sort the edges takes as long as to add them up.
    """

    nodes: NodeOrder
    edges: np.ndarray
    origins: np.ndarray
    steps: list[tuple[slice, np.ndarray, Groups]]


@dataclass(frozen=True, eq=False)
class PassOrder:
    """The order in which edges are processed: by the node that they lead to, position by position.

    `edges` contains the edges, and `origins` the number of the node that each comes from. The edges
    into node n are `bounds[n]:bounds[n + 1]`; the nodes of position 0 have none.
    """

    nodes: NodeOrder
    edges: np.ndarray
    origins: np.ndarray
    bounds: np.ndarray

    @cached_property
    def _by_size(self) -> tuple[np.ndarray, list[Groups]]:
        return by_size(np.diff(self.bounds), self.nodes.bounds)

    @cached_property
    def steps(self) -> list[PassStep]:
        """The steps of the pass, one for each position but the first."""
        order, groups = self._by_size
        nodes = starmap(slice, pairwise(self.nodes.bounds))
        edges = starmap(slice, pairwise(self.bounds[self.nodes.bounds].tolist()))
        positions = zip(edges, nodes, groups, strict=True)
        return [PassStep(its, here, order[here], some) for its, here, some in positions][1:]

    @cached_property
    def ranked(self) -> RankedPass:
        """The same pass with the edges of each position rank by rank."""
        owners, ranks = rank_by_rank(*self._by_size, self.nodes.bounds)
        rows = self.bounds[owners]
        rows += ranks
        steps = [(step.edges, step.largest_first, step.groups) for step in self.steps]
        return RankedPass(self.nodes, self.edges[rows], self.origins[rows], steps)

    def filter(self, numbers: np.ndarray) -> "PassOrder":
        """Return the order of the remaining edges by their new numbers; -1 for a removed edge.

        Every node must keep an edge.
        """
        edges = numbers[self.edges]
        is_kept = edges >= 0
        (kept,) = np.nonzero(is_kept)
        bounds = np.append(0, np.cumsum(is_kept))[self.bounds]
        return PassOrder(self.nodes, edges[kept].astype(np.int64), self.origins[kept], bounds)
