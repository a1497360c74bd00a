"""Worksheets as PDF: as many as requested, all text as text, no empty boxes, a time limit."""

import json
import random
import re
from functools import cache

import pytest

from pages.bpe import worksheet as of_run
from pages.lattice.worksheet import worksheet as of_lattice
from pages.shared.export import menu
from pages.shared.export.worksheets import compiling, pdf, render_typst
from pages.shared.export.worksheets.content import (
    AnswerCell,
    CheckBox,
    CheckBoxes,
    Paragraph,
    Strong,
    VisibleWord,
    Worksheet,
    WorksheetSet,
    answer_line,
    fill_template,
    grid,
    instruction,
    pair,
    pieces,
    task,
)
from pages.shared.export.worksheets.render_typst import worksheet_typst
from tests.pages.opening import checked, opened
from tokenizers import bpe
from tokenizers.lattice import Lattice
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus

typst = pytest.importorskip(
    "typst", reason="Typst is not installed: pip install -r requirements-pdf.txt"
)

PAPER = {"a4": (595, 842), "us-letter": (612, 792)}  # points
HOSTILE = [
    "#panic()", "$x$", "*a* _b_", "`raw`", "\\", '"', '\\"', '" + panic() + "', "// a", "/* a",
    "<b>", "</script>", "@ref <label>", "= h", "- x", "~", "[a]", "{a}", "#{", "https://a.b",
    "\u202ea\u2066", "a\0b", "\ud800", "\\u{41}", "a\nb", "...", "--", "'q'", "&amp;",
]  # fmt: skip


def go_on(done: int, total: int) -> bool:
    return False


def of_words(words: dict[str, int], number: int = 1) -> WorksheetSet:
    run = Trace.record(Corpus(words), bpe.Settings(base="end_of_word", num_merges=9))
    return of_run.worksheet(run, number, 1)


@cache
def fonts():
    """The fonts of Typst and the system; finding them takes ten times as long as typesetting."""
    return typst.Fonts()


def query(source: str, label: str) -> list:
    compiler = typst.Compiler(source.encode(), font_paths=fonts())
    found = compiler.query(f"<{label}>", field="value")
    return json.loads(found) if isinstance(found, str) else found


SMALL = {"low": 5, "lower": 2, "newest": 6, "widest": 3}


@pytest.mark.parametrize("paper", render_typst.PAPERS)
@pytest.mark.parametrize("number", [1, 3])
def test_there_are_as_many_sheets_as_requested_each_on_its_own_page(paper, number):
    source = worksheet_typst(of_words(SMALL, number), paper)
    assert query(source, "paper") == ["sheet"] * number + ["answers"] * number
    made = pdf.typeset(go_on, source)
    assert isinstance(made, bytes)
    sizes = re.findall(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", made)
    assert {(round(float(wide)), round(float(high))) for wide, high in sizes} == {PAPER[paper]}
    pages = len(re.findall(rb"/Type\s*/Page\b", made))
    assert 2 * number <= pages == len(sizes) <= 6 * number
    told_what = '[#metadata(if is-answers { "answers" } else { "sheet" })<paper>]'
    where = source.replace(told_what, "[#context [#metadata(here().page())<where>]]")
    starts = query(where, "where")
    assert len(set(starts)) == len(starts) == 2 * number


def test_text_is_only_text():
    rng = random.Random(5)
    signs = '#$*_`\\"/<>@=-+~[]{}()\n\t\r ab'
    texts = [*HOSTILE[:-9], *("".join(rng.choices(signs, k=12)) for _ in range(300))]
    strings = ", ".join(map(render_typst._string, texts))
    assert query(f"#metadata(({strings},))<x>", "x") == [texts]


def everywhere(text: str) -> WorksheetSet:
    """A worksheet with a text in every position that can have one."""
    rows = [[AnswerCell(VisibleWord(text)), pieces([text]), text, pair([text, text])]]
    blocks = (
        instruction("{} and {}", text, Strong((text,))),
        task(
            text, Paragraph(fill_template("{}", VisibleWord(text))), answer_line(text, text, True)
        ),
        grid({text: 40, "a": 20, "b": 20, "c": 20}, rows, True, tables=2),
        CheckBoxes((CheckBox("X", (text,), (VisibleWord(text),)),)),
    )
    return WorksheetSet(text, (Worksheet(blocks, blocks, text),), 1)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_a_hostile_text_is_text_in_every_position(text):
    source = worksheet_typst(everywhere(text), "a4")
    assert query(source, "paper") == ["sheet", "answers"]
    assert isinstance(pdf.typeset(go_on, source), bytes)


def test_hostile_words_are_rendered_in_a_whole_sheet():
    words = {"#$*_`\\": 3, "<b>#": 2, "\u202ea": 2, '"+p()': 2, "السلام": 2}
    source = worksheet_typst(of_words(words), "a4")
    assert query(source, "paper") == ["sheet", "answers"]
    assert isinstance(pdf.typeset(go_on, source), bytes)
    lattice = Lattice.build("<&\"'", {"<": -1.0, "&": -1.0, '"': -2.0, "'": -1.0, "<&": -3.0})
    assert isinstance(pdf.typeset(go_on, worksheet_typst(of_lattice(lattice, 2, 1), "a4")), bytes)


def test_a_character_that_no_font_has_is_named():
    made = pdf.typeset(go_on, worksheet_typst(of_words({"a\u0378b": 3, "ab": 2}), "a4"))
    assert isinstance(made, str)
    assert made.startswith("No font on the server has “\u0378” (U+0378)")
    assert "HTML file" in made


def test_a_slow_compilation_is_ended(monkeypatch):
    monkeypatch.setattr(compiling, "SECONDS", 0.01)
    made = pdf.typeset(go_on, worksheet_typst(of_words(SMALL), "a4"))
    assert isinstance(made, str)
    assert "took longer than 0.01 seconds" in made


def test_an_error_of_typst_gives_a_message():
    assert pdf.typeset(go_on, "#panic()") == (
        "Typst could not set these sheets. Print the HTML file from your browser instead."
    )


def test_no_file_of_the_server_can_be_read():
    made = pdf.typeset(go_on, '#read("/etc/hostname")')
    assert isinstance(made, str)


def test_the_menu_has_a_pdf():
    app = opened("bpe_train", sheets="2", sheets_as="pdf", paper="us-letter")
    app.session_state["export"] = True
    checked(app.run())
    assert "2 sheets and their answers" in [one.proto.label for one in app.get("download_button")]


def test_the_menu_explains_how_to_install_typst(monkeypatch):
    monkeypatch.setattr(pdf, "is_installed", lambda: False)
    app = opened("bpe_train", sheets_as="pdf")
    app.session_state["export"] = True
    checked(app.run())
    (told_there,) = [one.value for one in app.info if "typst" in one.value]
    assert "pip install -r requirements-pdf.txt" in told_there
    assert told_there == pdf.HOW_TO_GET_IT


def test_more_sheets_than_are_made_are_refused_in_the_open():
    app = opened("bpe_train", sheets="60", take=menu.WORKSHEET)
    assert "At most 40 different sheets" in " ".join(one.value for one in app.error)
    assert not [one for one in app.get("download_button") if "answers" in one.proto.label]
    app = checked(app.number_input(key="sheets").set_value(40).run())
    assert not app.error
    offered = [one.proto.label for one in app.get("download_button")]
    assert "40 sheets and their answers" in offered
