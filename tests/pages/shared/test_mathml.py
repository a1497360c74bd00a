"""Formulas as MathML; unsupported ones are shown as source."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.shared.drawing.mathml import html_formula

WRITTEN = {
    r"\frac{1}{2}": "<mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac>",
    r"c_{v'}^2": "<msubsup><mi>c</mi><mrow><mi>v</mi><mo>′</mo></mrow><mn>2</mn></msubsup>",
    r"\sum_t p": '<munder><mo largeop="true">∑</mo><mi>t</mi></munder><mi>p</mi>',
    r"\hat L": '<mover accent="true"><mi>L</mi><mo stretchy="false">^</mo></mover>',
    r"\text{a b} < 1,200": "<mtext>a b</mtext><mo>&lt;</mo><mn>1,200</mn>",
    r"\left( -1 \right)": "<mo>(</mo><mo>−</mo><mn>1</mn><mo>)</mo>",
}


@pytest.mark.parametrize("source", WRITTEN)
def test_the_latex_of_lessons_is_drawn(source: str):
    assert html_formula(source) == f'<math display="block"><mrow>{WRITTEN[source]}</mrow></math>'


def test_rows_are_aligned():
    drawn = html_formula("\\begin{aligned}\na &= b \\\\[0.5em]\n&= c\n\\end{aligned}")
    rows = ET.fromstring(drawn).findall("mtable/mtr")
    assert [["".join(cell.itertext()) for cell in row] for row in rows] == [["a", "=b"], ["", "=c"]]


@pytest.mark.parametrize(
    "source",
    [r"\oint x", "a}", "{a", r"\frac{1}", "a_", "&", r"\words{0}", "{" * 99, r"\begin{aligned}a"],
)
def test_unknown_latex_is_shown_as_its_source(source: str):
    assert html_formula(source).unescape() == f"<pre><code>{source}</code></pre>"


PARTS = st.sampled_from([*r"\{}_^&<>'ax1 ", r"\frac", r"\text{", r"\hat", "</math>", "\x00"])


@given(st.lists(PARTS).map("".join))
def test_any_source_is_one_element(source: str):
    assert ET.fromstring(html_formula(source)).tag in ("math", "pre")
