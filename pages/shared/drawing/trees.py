"""Draw the tree of the merges that built a token, as a graph in the DOT language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import graphviz

from pages.shared.drawing.display_text import INK, LIGHT, NOW, show_spaces, tint
from tokenizers.merging.state import Pair

MAX_NODES = 61  # still legible on one screen


def label(text: str, under: str = "") -> str:
    """Return a DOT label that shows `text`, escaped, and `under` in a second line.

    >>> label("<b>", "step 1")
    '<b>\\\\nstep 1'
    """
    shown = graphviz.escape(show_spaces(text).replace("&", "&amp;"))  # DOT reads entities
    return graphviz.nohtml(shown + (f"\\n{under}" if under else ""))


class MergeSequence(Protocol):
    """The merges of a run in order, with the token that each made."""

    @property
    def pairs(self) -> Sequence[Pair]: ...
    @property
    def tokens(self) -> Sequence[str]: ...


@dataclass(frozen=True, slots=True)
class Tree:
    """The arguments of `merge_tree`, for export."""

    name: str
    token: str
    made_by: Mapping[str, tuple[int, Pair]]
    noun: str = "step"


def made_by(trace: MergeSequence) -> dict[str, tuple[int, Pair]]:
    """Return for each token the step that first made it, and the merged pair."""
    steps = reversed(list(enumerate(zip(trace.tokens, trace.pairs, strict=True), start=1)))
    return {token: (step, pair) for step, (token, pair) in steps}


def merge_tree(
    token: str, made_by: Mapping[str, tuple[int, Pair]], noun: str = "step"
) -> graphviz.Digraph:
    """Return the tree of the merges that made `token`; its leaves are base symbols.

    `made_by` maps tokens to their step and pair; `noun` precedes a step's number. A tree of more
    than `MAX_NODES` is cut, and cut nodes are marked with "…".
    """
    graph = graphviz.Digraph(
        graph_attr={"bgcolor": "transparent", "ranksep": "0.2", "nodesep": "0.15"},
        node_attr={"shape": "box", "style": "filled,rounded", "fontname": "Source Code Pro"},
        edge_attr={"arrowhead": "none", "color": "#8a867e"},
    )
    queue, count = [("0", token)], 1
    for name, text in queue:  # breadth first: the deepest nodes are cut
        step, pair = made_by.get(text, (0, None))
        expanded = pair is not None and count + 2 <= MAX_NODES
        under = f"{noun} {step:,}{'' if expanded else ' …'}" if pair else ""
        is_root = name == "0"
        graph.node(
            name,
            label=label(text, under),
            fillcolor=LIGHT[tint(text)],
            fontcolor=INK[0],
            color=NOW[0] if is_root else "transparent",
            penwidth="2" if is_root else "0",
            height="0.3",
            margin="0.12,0.05",
        )
        if expanded and pair:
            count += 2
            for side, part in zip("ab", pair, strict=True):
                graph.edge(name, name + side)
                queue.append((name + side, part))
    return graph
