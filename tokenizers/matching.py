"""Longest match first: how WordPiece cuts up one word by a vocabulary, without any merges.

From where the last piece ended, the longest piece that the vocabulary has is taken; a word for
which that fails anywhere has no split. Two ways that give the same: `match_steps` tries the
candidates one after the other, longest first; `Automaton` (LinMaxMatch, Song et al. 2021) reads
each character once, and where it cannot go on follows a link that knows the pieces passed.
A *mark* stands in front of every piece but the first of a word: un ##able. Leaves out the text
around the words and the ids: see `wordpiece.encode`.
"""

from collections import deque
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field

from tokenizers.merging import Split


@dataclass(frozen=True, slots=True)
class Match:
    """One piece of a word, which begins at character `start`, or the failure to find one there.

    `rejected` are the candidates that are not in the vocabulary, longest first. `piece` is the
    first that is, and ends before `end`; it is None, and `end` is `start`, if none is.
    """

    start: int
    end: int
    rejected: tuple[str, ...]
    piece: str | None


def match_steps(word: str, vocab: Container[str], mark: str = "##") -> Iterator[Match]:
    """Yield the matches that split `word`, from left to right; one without a piece is the last.

    >>> [match.piece for match in match_steps("unable", {"un", "##a", "##ab", "##le"})]
    ['un', '##ab', '##le']
    """
    start = 0
    while start < len(word):
        match = _longest(word, start, vocab, mark if start else "")
        yield match
        if match.piece is None:
            return
        start = match.end


def _longest(word: str, start: int, vocab: Container[str], mark: str) -> Match:
    rejected = []
    for end in range(len(word), start, -1):
        candidate = mark + word[start:end]
        if candidate in vocab:
            return Match(start, end, tuple(rejected), candidate)
        rejected.append(candidate)
    return Match(start, start, tuple(rejected), None)


def split_by(steps: Iterable[Match]) -> Split | None:
    """Return the pieces that `match_steps` found; None for a word that has no split."""
    pieces = [step.piece for step in steps]
    known = tuple([piece for piece in pieces if piece is not None])
    return known if len(known) == len(pieces) else None


# --- LinMaxMatch ----------------------------------------------------------------------------------


@dataclass(slots=True)
class Node:
    """A state of the automaton: what has been read since the last piece that is given out.

    `text` is spelled as in the vocabulary, `edges` lead on by one character. If there is none for
    the character that comes, `pops` are the pieces to give out and `failure` is the node that
    stands for what is left of `text` after them; None if nothing can be made of it.
    """

    text: str
    piece: bool = False
    edges: dict[str, int] = field(default_factory=dict)
    pops: Split = ()
    failure: int | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """One step of a walk, before character `at`: from `node` along an edge or a failure link.

    `read` is the character of the edge, empty for a link; `pops` are the pieces that the link gives
    out. `to` is None where there is no link: the word has no split.
    """

    at: int
    node: int
    read: str
    pops: Split
    to: int | None


class Automaton:
    """A vocabulary as a trie with failure links, which splits a word in time linear in its length.

    Node 0 is the beginning of a word, node 1 the place right after a piece: from there on, the
    pieces are those that have the mark.
    """

    def __init__(self, pieces: Iterable[str], mark: str = "##") -> None:
        self.nodes = [Node(""), Node(mark)]
        for piece in pieces:
            self._add(0, piece)
            if piece.startswith(mark):
                self._add(1, piece[len(mark) :])
        self._link()

    def _add(self, root: int, text: str) -> None:
        """Add the path that spells `text` from `root`, and note that it ends in a piece."""
        at = root
        for character in text:
            edges = self.nodes[at].edges
            if character not in edges:
                edges[character] = len(self.nodes)
                self.nodes.append(Node(self.nodes[at].text + character))
            at = edges[character]
        self.nodes[at].piece = at != root  # no piece is empty

    def _link(self) -> None:
        """Give every node its pieces and its link, those nearer to the beginning first."""
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
        """Yield the moves that split `word`; after the last character, links until node 1."""
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
            if move.to is None:
                return
            node = move.to

    def split(self, word: str) -> Split | None:
        """Return the pieces of `word`; None if it has no split.

        >>> Automaton(["un", "##a", "##ab", "##le", "##abler"]).split("unable")
        ('un', '##ab', '##le')
        """
        pieces: Split = ()
        for move in self.walk(word):
            if move.to is None:
                return None
            pieces += move.pops
        return pieces
