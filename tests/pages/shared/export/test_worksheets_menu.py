"""The worksheets of the export menu: as many as asked for, and all text as text."""

from html.parser import HTMLParser
from urllib.parse import parse_qsl

import pytest

from pages.bpe import worksheet as of_run
from pages.lattice.worksheet import worksheet as of_lattice
from pages.shared.drawing.display_text import escape_invisible
from pages.shared.export import menu
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
from pages.shared.export.worksheets.render_html import worksheet_html
from tests.pages.opening import checked, opened
from tokenizers import bpe
from tokenizers.lattice import Lattice
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus

HOSTILE = [
    "<b>", "</script>", "<!--", "&amp;", "'q'", '"', '" onload="', "\\", "\u202ea\u2066", "a\0b",
    "\ud800", "a\nb", "{a}", "{}", "https://a.b", "*a* _b_", "`raw`", "$x$",
]  # fmt: skip


def of_words(words: dict[str, int], number: int = 1) -> WorksheetSet:
    run = Trace.record(Corpus(words), bpe.Settings(base="end_of_word", num_merges=9))
    return of_run.worksheet(run, number, 1)


class Elements(HTMLParser):
    """The elements of an HTML file with their attributes, and its text."""

    def __init__(self, file: str):
        super().__init__()
        self.elements: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.text = ""
        self.feed(file)

    def handle_starttag(self, tag, attrs):
        if tag != "bdi":  # a tile's tint depends on its text
            self.elements.append((tag, [one for one in attrs if one[0] not in ("style", "dir")]))

    def handle_data(self, data):
        self.text += data


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
    plain, made = (Elements(worksheet_html(everywhere(one))) for one in ("word", text))
    assert made.elements == plain.elements
    assert escape_invisible(text) in made.text


def test_hostile_words_are_rendered_in_a_whole_sheet():
    words = {"#$*_`\\": 3, "<b>#": 2, "\u202ea": 2, '"+p()': 2, "السلام": 2}
    file = Elements(worksheet_html(of_words(words, 2)))
    assert [attrs for tag, attrs in file.elements if tag == "article"] == [
        [("class", kind)] for kind in ("sheet", "sheet", "sheet answers", "sheet answers")
    ]
    assert "<b>#" in file.text
    lattice = Lattice.build("<&\"'", {"<": -1.0, "&": -1.0, '"': -2.0, "'": -1.0, "<&": -3.0})
    assert "<&" in Elements(worksheet_html(of_lattice(lattice, 2, 1))).text


def test_more_sheets_than_are_made_are_refused_in_the_open():
    app = opened("bpe_train", sheets="60", take=menu.WORKSHEET)
    assert "At most 40 different sheets" in " ".join(one.value for one in app.error)
    assert not [one for one in app.get("download_button") if "answers" in one.proto.label]
    app = checked(app.number_input(key="sheets").set_value(40).run())
    assert not app.error
    offered = [one.proto.label for one in app.get("download_button")]
    assert "40 sheets and their answers" in offered


def test_a_text_without_worksheets_offers_one_with_them():
    words = {"corpus": "own", "text": "Kaiserslautern Kaiser Kaiserslautern laut lauter Kaisers"}
    app = opened("unigram_train", take=menu.WORKSHEET, **words)
    assert "There is none here" in " ".join(one.value for one in app.info)
    (link,) = [one.proto for one in app.get("page_link") if "Make sheets of" in one.proto.label]
    query = dict(parse_qsl(link.query_string))
    for page in ("unigram_train", "bpe_train", "wordpiece_train", "unigram_lattice"):
        app = opened(page, **query)
        assert [one for one in app.get("download_button") if "answers" in one.proto.label], page
