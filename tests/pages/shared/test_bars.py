"""Bars of charts as SVG: length, orientation, grouping and hatching."""

import re
from html import escape
from xml.etree import ElementTree

import plotly.graph_objects as go
import pytest

from pages.shared.drawing.charts import Chart
from pages.shared.drawing.svg.drawing import LEFT, WIDTH, render_svg
from pages.shared.export.charts import as_html, chart_values
from pages.shared.export.tables import as_csv

SVG = "{http://www.w3.org/2000/svg}"
NASTY = "</svg></script><script>window.ran=1</script>\u202e\ud800&<b>"


def figure(bars: list[dict], **layout) -> go.Figure:
    return go.Figure({"data": [{"type": "bar", **one} for one in bars], "layout": layout})


def render(bars: list[dict], **layout) -> ElementTree.Element:
    return ElementTree.fromstring(render_svg(figure(bars, **layout), "what it shows"))


def boxes(root: ElementTree.Element) -> list[dict[str, float]]:
    found = [one for one in root.iter(f"{SVG}rect") if one.get("class") == "bar"]
    names = ("x", "y", "width", "height")
    return [{name: float(one.get(name) or "nan") for name in names} for one in found]


def texts(root: ElementTree.Element) -> list[str]:
    return [one.text or "" for one in root.iter(f"{SVG}text")]


def test_a_bar_is_as_long_as_its_number_and_begins_at_zero():
    one, two, nothing = boxes(render([{"x": ["a", "b", "c"], "y": [10, 30, 0]}]))
    assert two["height"] == pytest.approx(3 * one["height"], abs=0.3)
    assert one["y"] + one["height"] == pytest.approx(two["y"] + two["height"], abs=0.2)
    assert nothing["height"] == 0
    assert one["x"] < two["x"] < nothing["x"]


def test_a_horizontal_bar_goes_from_the_left_and_the_first_is_at_the_bottom():
    root = render([{"orientation": "h", "y": ["a long name indeed", "b"], "x": [10, 30]}])
    one, two = boxes(root)
    assert two["width"] == pytest.approx(3 * one["width"], abs=0.3)
    assert one["x"] == two["x"] > LEFT
    assert one["y"] > two["y"]
    assert {"a long name indeed", "b"} <= set(texts(root))


def test_a_negative_bar_hangs_from_zero():
    up, down = boxes(render([{"x": ["a", "b"], "y": [2, -4]}]))
    assert up["y"] + up["height"] == pytest.approx(down["y"], abs=0.2)
    assert down["height"] == pytest.approx(2 * up["height"], abs=0.3)


def test_a_missing_value_has_no_bar():
    assert len(boxes(render([{"x": ["a", "b", "c"], "y": [1, None, 2]}]))) == 2


def test_sets_stand_side_by_side_and_overlaid_ones_at_one_place():
    sets = [{"x": ["a"], "y": [1]}, {"x": ["a"], "y": [2]}]
    one, two = boxes(render(sets, showlegend=False))
    assert one["x"] + one["width"] == pytest.approx(two["x"], abs=0.2)
    one, two = boxes(render(sets, showlegend=False, barmode="overlay"))
    assert one["x"] == two["x"]


def test_sets_differ_by_their_hatching_and_the_legend_shows_it():
    sets = [
        {"x": ["a"], "y": [1], "name": "plain"},
        {"x": ["a"], "y": [2], "name": "hatched", "marker": {"pattern": {"shape": "/"}}},
    ]
    root = render(sets)
    (pattern,) = root.iter(f"{SVG}pattern")
    fills = [one.get("fill") for one in root.iter(f"{SVG}rect") if one.get("class") == "bar"]
    assert fills.count(f"url(#{pattern.get('id')})") == 2  # its bar, and its sample
    assert {"plain", "hatched"} <= set(texts(root))


def test_symbols_lie_on_the_bars_of_the_same_names():
    exact = {"type": "scatter", "mode": "markers", "x": ["a", "b"], "y": [20, 10]}
    exact["marker"] = {"symbol": "line-ew-open"}
    root = render([{"x": ["a", "b"], "y": [20, 10]}, exact])
    signs = [one for one in root.iter(f"{SVG}path") if "scale" in (one.get("transform") or "")]
    for sign, bar in zip(signs, boxes(root), strict=True):
        x, y = map(float, re.findall(r"translate\((\S+) (\S+)\)", sign.get("transform") or "")[0])
        assert x == pytest.approx(bar["x"] + bar["width"] / 2, abs=0.2)
        assert y == pytest.approx(bar["y"], abs=0.2)


def test_names_without_room_side_by_side_are_slanted_and_stay_in_the_picture():
    names = [f"a|long|way|to|split|{n}" for n in range(12)]
    short = render([{"x": list("abc"), "y": [1, 2, 3]}])
    root = render([{"x": names, "y": [1] * 12}])
    slanted = [one for one in root.iter(f"{SVG}text") if one.get("transform")]
    assert [one.text for one in slanted] == names
    assert float(root.get("height") or 0) > float(short.get("height") or 0) + 60
    assert not [one for one in short.iter(f"{SVG}text") if one.get("transform")]
    assert all(0 <= float(one.get("x") or -1) <= WIDTH for one in root.iter(f"{SVG}text"))


def test_texts_are_escaped_and_equal_those_on_screen():
    names = [escape(NASTY.replace("\ud800", ""), quote=False) + "\u200b" * n for n in range(2)]
    svg = render_svg(figure([{"x": names, "y": [1, 2], "name": NASTY}], showlegend=True), NASTY)
    svg.encode()
    root = ElementTree.fromstring(svg)
    assert not list(root.iter(f"{SVG}script"))
    assert "\u202e" not in svg
    assert texts(root).count("</svg></script><script>window.ran=1</script>⟨U+202E⟩&<b>") == 2
    html = as_html([Chart(NASTY, figure([{"x": names, "y": [1, 2]}]), NASTY)])
    html.encode()
    assert "<script" not in html
    assert "\u202e" not in html
    assert len(boxes(root)) == 3


def test_two_charts_in_one_page_share_no_names():
    bars = figure([{"x": ["a"], "y": [1], "marker": {"pattern": {"shape": "x"}}}])
    line = go.Figure({"data": [{"type": "scatter", "x": [0, 1], "y": [0, 1]}]})
    charts = [Chart("one", bars, "same"), Chart("two", bars, "same"), Chart("three", line, "same")]
    html = as_html(charts)
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids)) == 5
    assert set(re.findall(r"url\(#([^)]+)\)", html)) <= set(ids)


def test_inside_a_page_a_chart_has_the_pages_colors_and_its_numbers():
    chart = Chart("Bars", figure([{"x": ["a", "b"], "y": [10, 0.5], "name": "set"}]), "A finding")
    html = as_html([chart])
    assert 'fill="currentColor"' in html
    assert "#FFFFFF" not in html
    assert "<figcaption>A finding</figcaption>" in html
    assert "<summary>Bars, in numbers (2)</summary>" in html
    table = chart_values(chart)
    assert [list(row) for row in table.rows] == [["set", "a", 10], ["set", "b", 0.5]]
    assert as_csv(table).decode("utf-8-sig").splitlines()[1:] == ["set,a,10", "set,b,0.5"]


def test_numbers_in_a_table_of_the_page_are_not_repeated():
    chart = Chart("Bars", figure([{"x": ["a"], "y": [1]}]), "A finding", table="Steps")
    assert "<details>" not in as_html([chart])


def test_points_keep_their_names():
    dots = {"type": "scatter", "mode": "markers", "x": [1, 2], "y": [2, 1], "text": ["lo", "&lt;"]}
    table = chart_values(Chart("Dots", go.Figure({"data": [dots]}), ""))
    assert [row[-1] for row in table.rows] == ["lo", "<"]
