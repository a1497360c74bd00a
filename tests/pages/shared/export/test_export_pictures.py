"""Exported diagrams: SVG that parses, DOT and TikZ in which texts stay texts."""

import re
from xml.etree import ElementTree

import pytest

from pages.shared.drawing.trees import made_by
from pages.shared.export.pictures import (
    Diagram,
    as_dot,
    as_svg,
    as_tikz,
    lattice_diagram,
    tree_diagram,
)
from tokenizers import bpe
from tokenizers.lattice import Lattice
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus

SVG = "{http://www.w3.org/2000/svg}"
NASTY = ("</svg><script>x</script>", '"]; x [', "\\", "\\}{", "%#$&~^_", "a\u202eb", "\ud800", "\n")


def tree(word: str) -> Diagram:
    trace = Trace.record(Corpus.from_counts({word: 2}), bpe.Settings())
    return tree_diagram(trace.tokens[-1], made_by(trace))


def lattice(text: str) -> Diagram:
    spans = [(i, j) for i in range(len(text)) for j in range(i + 1, min(i + 4, len(text)) + 1)]
    return lattice_diagram(Lattice.build(text, {text[i:j]: -1.0 - j + i for i, j in spans}))


def test_a_tree_has_a_box_for_each_token_above_what_it_is_made_of():
    picture = tree("lowest")
    assert [box.text for box in picture.boxes if box.is_chosen] == ["lowest"]
    assert sorted(box.text for box in picture.boxes if not box.under) == sorted("lowest")
    places = {box.name: box.at for box in picture.boxes}
    assert all(
        places[above][1] < places[below][1] for above, below in (x.ends for x in picture.lines)
    )


def test_no_two_tiles_of_a_picture_cover_each_other():
    for picture in (tree("lowestlowerslowly"), lattice("international")):
        tiles = [box for box in picture.boxes if not box.is_position]
        assert len(tiles) > 20
        for n, one in enumerate(tiles):
            for other in tiles[:n]:
                apart = abs(one.at[0] - other.at[0]) >= (one.width + other.width) / 2 - 0.01
                assert apart or abs(one.at[1] - other.at[1]) >= 1.5, (one, other)


def test_everything_is_inside_the_picture():
    for picture in (tree("lowestlowerslowly"), lattice("international")):
        width, height = picture.size
        for box in picture.boxes:
            assert box.width / 2 <= box.at[0] <= width - box.width / 2
            assert 0.75 <= box.at[1] <= height - 0.75


def test_the_best_path_of_a_lattice_stands_out():
    picture = lattice_diagram(Lattice.build("hug", {"h": -1, "ug": -1, "u": -3, "g": -3, "hu": -9}))
    assert [box.text for box in picture.boxes if box.is_chosen] == ["h", "ug"]
    weights = {line.text: round(line.weight, 3) for line in picture.lines}
    assert weights["ug −1.00"] > 0.9 > weights["hu −9.00"]


@pytest.mark.parametrize("text", NASTY)
def test_svg_holds_a_text_as_text(text: str):
    for picture in (lattice(text), tree(text * 2) if text.isprintable() else lattice(text)):
        root = ElementTree.fromstring(as_svg(picture))
        assert root.tag == f"{SVG}svg"
        names = {element.tag.removeprefix(SVG) for element in root.iter()}
        assert names <= {"svg", "title", "rect", "path", "text"}


@pytest.mark.parametrize("text", NASTY)
def test_dot_holds_a_text_as_text(text: str):
    dot = as_dot(lattice(text))
    assert dot.encode()
    assert "\u202e" not in dot
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', "Q", dot.split("\n", 1)[1])
    assert '"' not in bare
    assert re.fullmatch(r"digraph \{(\s*[\w.]+( -> \w+)?( \[(\w+=[\w.Q-]+ ?)*\])?)*\s*\}\s*", bare)


@pytest.mark.parametrize("text", NASTY)
def test_tikz_holds_a_text_as_text(text: str):
    tikz = as_tikz(lattice(text))
    assert tikz.encode()
    depth = 0
    for sign in re.findall(r"(?<!\\)[{}]", tikz):
        depth += 1 if sign == "{" else -1
        assert depth >= 0
    assert depth == 0
    nodes = re.findall(r"\\node\[.*?\] at \(.*?\) \{(.*)\};", tikz)
    assert nodes
    for node in nodes:
        assert not re.search(
            r"(?<!\\)[#$%&_^~]", node.replace("$\\langle$", "").replace("$\\rangle$", "")
        )
        assert "\n" not in node
    assert tikz.count("\\begin{tikzpicture}") == tikz.count("\\end{tikzpicture}") == 1
