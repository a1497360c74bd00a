"""LinMaxMatch (Song et al. 2021): longest match first, in time linear in the length of the word.

The vocabulary becomes an automaton that reads each character once and, where no edge matches,
follows a failure link that emits pieces. It finds the same pieces as `matching.match_steps`.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tokenizers.text.symbols import Split


@dataclass(slots=True)
class Node:
    """A state of the automaton: the text read since the last emitted piece.

    `text` is spelled as in the vocabulary; `edges` maps a next character to the index of a node. If
    there is no edge for it, the pieces `pops` are emitted, and the walk continues at `failure`, the
    node for the rest of `text`. `failure` is None if the rest cannot be split.
    """

    text: str
    piece: bool = False
    edges: dict[str, int] = field(default_factory=lambda: {})
    pops: Split = ()
    failure: int | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """One step of a walk, before character `position`: from `node` along an edge or a failure link.

    `read` is the edge's character, empty for a link; `pops` are the pieces that the link emits.
    `target` is the next node, or None if there is no link, i.e. the word has no split.
    """

    position: int
    node: int
    read: str
    pops: Split
    target: int | None


class Automaton:
    """A vocabulary as a trie with failure links, which splits a word in time linear in its length.

    Node 0 is the start of a word. Node 1 is the state right after a piece, from which the pieces
    that have the mark are spelled.
    """

    def __init__(self, pieces: Iterable[str], mark: str = "##") -> None:
        self.nodes = [Node(""), Node(mark)]
        for piece in pieces:
            self._add(0, piece)
            if piece.startswith(mark):
                self._add(1, piece[len(mark) :])
        self._link()

    def _add(self, root: int, text: str) -> None:
        """Add a path from node `root` that spells `text`, and make its last node a piece."""
        at = root
        for character in text:
            edges = self.nodes[at].edges
            if character not in edges:
                edges[character] = len(self.nodes)
                self.nodes.append(Node(self.nodes[at].text + character))
            at = edges[character]
        self.nodes[at].piece = at != root  # no piece is empty

    def _link(self) -> None:
        """Compute the pieces and the failure link of every node, breadth first."""
        waiting = deque([0, 1])
        while waiting:
            parent = waiting.popleft()
            for character, child in self.nodes[parent].edges.items():
                self._link_child(self.nodes[parent], character, self.nodes[child])
                waiting.append(child)

    def _link_child(self, parent: Node, character: str, child: Node) -> None:
        if child.piece:
            child.pops, child.failure = (child.text,), 1
            return
        pops, link = parent.pops, parent.failure
        while link is not None and character not in self.nodes[link].edges:
            pops += self.nodes[link].pops
            link = self.nodes[link].failure
        if link is not None:
            child.pops, child.failure = pops, self.nodes[link].edges[character]

    def walk(self, word: str) -> Iterator[Move]:
        """Yield the moves that split `word`; after its last character, follow links to node 1."""
        at, node = 0, 0
        while at < len(word) or node > 1:
            here = self.nodes[node]
            read = word[at : at + 1]
            if read in here.edges:
                move = Move(at, node, read, (), here.edges[read])
                at += 1
            else:
                move = Move(at, node, "", here.pops, here.failure)
            yield move
            if move.target is None:
                return
            node = move.target

    def split(self, word: str) -> Split | None:
        """Return the pieces of `word`; None if it has no split.

        >>> Automaton(["un", "##a", "##ab", "##le", "##abler"]).split("unable")
        ('un', '##ab', '##le')
        """
        pieces: Split = ()
        for move in self.walk(word):
            if move.target is None:
                return None
            pieces += move.pops
        return pieces
