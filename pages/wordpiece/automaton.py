"""LinMaxMatch's walk for one word, as a graph in the DOT language and as a list of moves.

The graph has the visited nodes, their ancestors in the trie, and the edges between them. Solid
edges read a letter; dashed failure links output pieces. The automaton itself is built in
tokenizers/wordpiece/automaton.py.
"""

from collections.abc import Sequence

import graphviz

from pages.shared.drawing.display_text import INK, LIGHT, tint
from pages.shared.drawing.trees import MAX_NODES, label
from tokenizers.text.encoding import UNK
from tokenizers.wordpiece.automaton import Automaton, Move

GREY, WALKED = "#7a766f", "#c4571b"  # legible on light and dark backgrounds
NONE = "–"
COLUMNS = ("move", "from", "reads", "to", "outputs")


def walk_graph(automaton: Automaton, word: str) -> tuple[graphviz.Digraph, int]:
    """Return the walk for `word` as a graph of at most `MAX_NODES`, and the moves drawn."""
    parents = {child: n for n, node in enumerate(automaton.nodes) for child in node.edges.values()}
    moves, drawn = _limit_nodes(list(automaton.walk(word)), parents)
    graph = graphviz.Digraph(
        graph_attr={"bgcolor": "transparent", "rankdir": "LR", "nodesep": "0.25", "ranksep": "0.3"},
        node_attr={"shape": "box", "style": "filled,rounded", "fontname": "Source Code Pro"},
        edge_attr={"fontname": "Source Code Pro", "fontsize": "12", "arrowsize": "0.7"},
    )
    visited = {0, *(move.target for move in moves)}
    for number in sorted(drawn):
        _draw_node(graph, automaton, number, number in visited)
    edges = _edge_labels(moves)
    for number in sorted(drawn):
        parent = parents.get(number)
        if parent is not None and (parent, number, False) not in edges:
            read = automaton.nodes[number].text[-1]
            graph.edge(str(parent), str(number), label=label(read), color=GREY, fontcolor=GREY)
    for (start, end, is_link), labels in edges.items():
        _draw_move(graph, start, end, is_link, labels)
    return graph, len(moves)


def _limit_nodes(moves: Sequence[Move], parents: dict[int, int]) -> tuple[list[Move], set[int]]:
    """Return as many moves as fit into `MAX_NODES`, and their nodes with all ancestors."""
    fit: list[Move] = []
    drawn = {0, 1}
    for move in moves:
        path, node = set[int](), move.target
        while node is not None and node not in drawn:
            path.add(node)
            node = parents.get(node)
        if len(drawn | path) > MAX_NODES:
            break
        drawn |= path
        fit.append(move)
    return fit, drawn


def _edge_labels(moves: Sequence[Move]) -> dict[tuple[int, int | None, bool], list[str]]:
    """Return the labels of each visited edge and link; the first has the numbers of its moves."""
    labels: dict[tuple[int, int | None, bool], list[str]] = {}
    for number, move in enumerate(moves, start=1):
        edge = (move.node, move.target, not move.read)
        numbers = f"{labels[edge][0]}, {number}" if edge in labels else f"{number}"
        labels[edge] = [numbers, *([move.read] if move.read else move.pops)]
    return labels


def _draw_node(graph: graphviz.Digraph, automaton: Automaton, number: int, visited: bool) -> None:
    node = automaton.nodes[number]
    text, under = node.text, "piece" if node.piece else ""
    if number == 0:
        text, under = "start", "of a word"
    elif number == 1:
        text, under = node.text or NONE, "after a piece"
    graph.node(
        str(number),
        label=label(text, under),
        fillcolor=LIGHT[tint(node.text)] if visited else "transparent",
        fontcolor=INK[0] if visited else GREY,
        color=WALKED if number == 0 else GREY,
        penwidth="2" if number == 0 else "1" if node.piece else "0",
        height="0.3",
        margin="0.12,0.05",
    )


def _draw_move(
    graph: graphviz.Digraph, start: int, end: int | None, is_link: bool, labels: Sequence[str]
) -> None:
    """Draw a visited edge or link; a link to nowhere leads to `[UNK]`."""
    numbers, *texts = labels
    if end is None:
        graph.node(UNK, label=label(UNK), style="", color="transparent", fontcolor=WALKED)
    graph.edge(
        str(start),
        UNK if end is None else str(end),
        label=label("+".join(texts), numbers) if texts else numbers,
        style="dashed" if is_link else "solid",
        color=WALKED,
        fontcolor=WALKED,
        penwidth="1.6",
    )


def move_rows(automaton: Automaton, word: str) -> list[tuple[int, str, str, str, str]]:
    """Return the walk as rows for a table with `COLUMNS`.

    >>> move_rows(Automaton(["a", "##b"]), "ab")[1:3]
    [(2, 'a', '↩', '##', 'a'), (3, '##', 'b', '##b', '–')]
    """

    def name(number: int | None) -> str:
        if number is None:
            return UNK
        return automaton.nodes[number].text or "start"

    return [
        (n, name(move.node), move.read or "↩", name(move.target), "+".join(move.pops) or NONE)
        for n, move in enumerate(automaton.walk(word), start=1)
    ]
