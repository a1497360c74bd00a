"""Charts as SVG: lines, scales, legends and clipping."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import plotly.graph_objects as go
import pytest

from pages.shared.drawing.svg.curves import DASHES
from pages.shared.drawing.svg.drawing import LEFT, WIDTH, render_svg

SVG = "{http://www.w3.org/2000/svg}"
NUMBER = r"-?\d+(?:\.\d+)?"


def figure(lines: list[dict], **layout) -> go.Figure:
    return go.Figure({"data": [{"type": "scatter", **line} for line in lines], "layout": layout})


def render(lines: list[dict], **layout) -> ElementTree.Element:
    return ElementTree.fromstring(render_svg(figure(lines, **layout), "what it shows"))


def paths(root: ElementTree.Element) -> list[ElementTree.Element]:
    return [one for one in root.iter(f"{SVG}path") if one.get("clip-path")]


def points(path: ElementTree.Element) -> list[tuple[float, float]]:
    found = re.findall(rf"[ML]({NUMBER}) ({NUMBER})", path.get("d") or "")
    return [(float(x), float(y)) for x, y in found]


def texts(root: ElementTree.Element) -> list[str]:
    return [one.text or "" for one in root.iter(f"{SVG}text")]


def test_a_line_goes_through_its_values_in_proportion():
    (line,) = paths(render([{"x": [0, 1, 4], "y": [10, 30, 20]}], xaxis={"range": [0, 4]}))
    (a, b), (c, d), (e, f) = points(line)
    assert a == LEFT
    assert (e - a) == pytest.approx(4 * (c - a), abs=0.2)
    assert (b - d) == pytest.approx(2 * (b - f), abs=0.2)
    assert d < f < b


def test_on_a_logarithmic_scale_a_power_is_a_straight_line():
    sizes = [32, 64, 128, 256]
    axis = {"type": "log", "dtick": 1}
    root = render([{"x": sizes, "y": [n**2 for n in sizes]}], xaxis=axis, yaxis=axis)
    (line,) = paths(root)
    slopes = [(b - d) / (c - a) for (a, b), (c, d) in pairwise(points(line))]
    assert slopes == pytest.approx(slopes[:1] * 3, abs=0.005)
    assert "1,000" in texts(root)


def test_missing_values_break_the_line():
    axis = {"type": "log"}
    (line,) = paths(render([{"x": [1, 2, 3, 4, 5], "y": [1, 0, 3, None, 5]}], yaxis=axis))
    assert (line.get("d") or "").count("M") == 3


def test_a_line_in_steps_turns_at_right_angles():
    line = {"x": [0, 1, 2], "y": [1, 2, 1], "line": {"shape": "hv", "dash": "dot"}}
    (path,) = paths(render([line]))
    assert re.fullmatch(rf"M{NUMBER} {NUMBER}(H{NUMBER}V{NUMBER}){{2}}", path.get("d") or "")
    assert path.get("stroke-dasharray") == DASHES["dot"]


def test_rows_lie_below_each_other_and_lines_are_clipped_to_them():
    root = render(
        [{"x": [0, 1], "y": [1, 9]}, {"x": [0, 1], "y": [5, 50], "yaxis": "y2"}],
        xaxis={"anchor": "y2"},
        yaxis={"domain": [0.6, 1], "range": [0, 4]},
        yaxis2={"domain": [0, 0.4]},
    )
    clips = {one.get("id") or "": one[0] for one in root.iter(f"{SVG}clipPath")}
    for path in paths(root):
        assert (path.get("clip-path") or "").strip("url(#)") in clips
    above, below = (clips[name] for name in sorted(clips))
    assert [name[-7:] for name in sorted(clips)] == ["-plot-y", "plot-y2"]
    ends = float(above.get("y") or 0) + float(above.get("height") or 0)
    assert ends < float(below.get("y") or 0)
    assert points(paths(root)[0])[1][1] < float(above.get("y") or 0)  # 9 is above 4


def test_the_legend_names_each_visible_line_once():
    lines = [
        {"x": [1], "y": [1], "name": "first", "mode": "markers"},
        {"x": [1], "y": [1], "name": "claim", "showlegend": False},
    ]
    assert "first" in texts(render(lines, showlegend=True))
    assert "claim" not in texts(render(lines, showlegend=True))
    assert "first" not in texts(render(lines, showlegend=False))


def test_ticks_lie_on_the_scale():
    axis = {"range": [0, 10], "tickvals": [-5, 0, 10, 99], "ticktext": ["w", "x", "y", "z"]}
    found = texts(render([{"x": [0, 10], "y": [0, 1]}], xaxis=axis))
    assert {"x", "y"} <= set(found)
    assert not {"w", "z"} & set(found)


def test_rules_and_headings_are_drawn():
    root = render(
        [{"x": [0, 10], "y": [0, 1]}],
        shapes=[{"type": "line", "x0": 5, "x1": 5, "y0": 0, "y1": 1, "yref": "paper"}],
        annotations=[{"text": "here", "x": 5, "y": 1, "yref": "paper", "showarrow": False}],
    )
    (here,) = [one for one in root.iter(f"{SVG}text") if one.text == "here"]
    x = float(here.get("x") or 0)
    assert LEFT < x < WIDTH
    assert any(f"M{x:.1f} " in (one.get("d") or "") for one in root.iter(f"{SVG}path"))


def test_texts_are_escaped():
    nasty = "</svg><script>x</script>\u202e\ud800&"
    svg = render_svg(figure([{"x": [1], "y": [1], "name": nasty}], showlegend=True), nasty)
    svg.encode()
    root = ElementTree.fromstring(svg)
    assert not list(root.iter(f"{SVG}script"))
    assert "\u202e" not in svg


def test_an_empty_chart_is_a_valid_picture():
    assert ElementTree.fromstring(render_svg(figure([{"x": [], "y": []}]), "")).tag == f"{SVG}svg"
