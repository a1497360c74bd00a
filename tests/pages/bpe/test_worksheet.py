"""Worksheet of a run: no answer on the blank sheet, and answers as the plain code counts."""

import re
from html import unescape

import pytest

from pages.bpe import worksheet as of_run
from pages.shared.export.worksheets.content import (
    AnswerCell,
    Paragraph,
    VisibleWord,
    Worksheet,
    WorksheetSet,
    answer_line,
    grid,
    pair,
    pieces,
)
from pages.shared.export.worksheets.render_html import html_of, worksheet_html
from pages.shared.export.worksheets.tasks.variants import variants
from tests.pages.opening import checked, opened
from tokenizers import bpe, plain, wordpiece
from tokenizers.errors import UserError
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus

WORDS = Corpus({"low": 5, "lower": 2, "newest": 6, "widest": 3})
HOSTILE = Corpus(
    {"</script>": 3, "<b>": 2, "\u202ea\u2066": 2, "a\0b": 1, "{{link}}": 1, "&lt;": 1}
)
BPE = bpe.Settings(base="end_of_word", num_merges=10)
WORDPIECE = wordpiece.Settings(num_merges=10)
BY_COUNT = wordpiece.Settings(num_merges=10, convention="hugging_face", ties="smallest_ids")
EVERY = {
    "bpe": BPE,
    "bpe, limited": bpe.Settings(
        base="bytes", min_count=2, max_token_length=3, ties="smallest_ids"
    ),
    "bpe, metaspace": bpe.Settings(base="metaspace", num_merges=3, ties="smallest_string"),
    "wordpiece": WORDPIECE,
    "wordpiece by count": BY_COUNT,
}


def worksheet(trace: Trace, number: int, seed: int) -> str:
    """The sheets of a run as a file."""
    return worksheet_html(of_run.worksheet(trace, number, seed))


def sheets_of(html: str) -> tuple[list[str], list[str]]:
    """The sheets of a file, and its answers."""
    articles = re.findall(r'<article class="(.*?)">(.*?)</article>', html, re.DOTALL)
    is_answers = [kind == "sheet answers" for kind, _ in articles]
    assert is_answers == sorted(is_answers)  # they come last
    parts = [inside for _, inside in articles]
    return parts[: is_answers.count(False)], parts[is_answers.count(False) :]


def rows_of(html: str, heading: str) -> list[list[str]]:
    """The rows of the tables under a heading, as text."""
    (part,) = re.findall(rf"<h3>{re.escape(heading)}.*?</section>", html, re.DOTALL)
    return [
        [read(cell) for cell in re.findall("<td.*?>(.*?)</td>", row)]
        for row in re.findall("<tr>(.*?)</tr>", re.sub("<thead>.*?</thead>", "", part))
    ]


def recounted(trace: Trace, k: int) -> dict[str, int]:
    counts = list(trace.corpus.word_counts.values())
    found = plain.count_pairs(trace.state(k).splits, counts)
    return {" + ".join(one): count for one, count in found.items()}


def read(html: str) -> str:
    return unescape(re.sub("<.*?>", "", html))


RUNS = [(settings, seed) for settings in (BPE, WORDPIECE, BY_COUNT) for seed in range(1, 6)]


@pytest.fixture(params=RUNS, ids=str)
def answered(request) -> list[tuple[Trace, str]]:
    """The runs of three sheets, each with its answers."""
    settings, seed = request.param
    first = Trace.record(WORDS, settings)
    _, answers = sheets_of(worksheet(first, 3, seed))
    runs = variants(first.truncated(of_run.MOST_STEPS[settings.by_score]), 3, seed)
    return list(zip(runs, answers, strict=True))


def test_the_pairs_are_counted_as_the_plain_code_counts_them(answered):
    for trace, html in answered:
        before, after = recounted(trace, 0), recounted(trace, 1)
        assert {row[0]: int(row[1]) for row in rows_of(html, "1. Count")} == before
        assert {row[0]: (int(row[1]), int(row[2])) for row in rows_of(html, "2. Merge")} == {
            name: (before.get(name, 0), after.get(name, 0))
            for name in before | after
            if before.get(name) != after.get(name)
        }


def test_the_steps_are_those_that_the_plain_code_takes(answered):
    for trace, html in answered:
        settings, counts = trace.settings, list(trace.corpus.word_counts.values())
        worth = plain.scores if settings.by_score else plain.count_pairs
        splits = list(trace.state(0).splits)
        run = plain.train_merges(
            splits, counts, worth, settings.ties, settings.mark, trace.alphabet
        )
        rows = rows_of(html, "3. Go on")
        assert len(rows) == len(trace) == of_run.MOST_STEPS[settings.by_score]
        for row, (merged, value, tied, split) in zip(rows, run, strict=False):
            tokens = sum(len(one) * count for one, count in zip(split, counts, strict=True))
            named = "only this one" if len(tied) == 1 else f"{len(tied)}: {' + '.join(merged)}"
            assert row[1:3] == [" + ".join(merged), str(value)]
            assert row[3].startswith(named)
            assert row[4] == str(tokens)
        ends = [tuple(row[1].split()) for row in rows_of(html, "4. Write")]
        assert ends == trace.state(len(trace)).splits


def test_the_new_word_is_split_as_the_tokenizer_splits_it(answered):
    for trace, html in answered:
        (new,) = re.findall(r'The word is <bdi class="word">(.*?)</bdi>', html)
        (told,) = re.findall(r"<span>Its tokens:</span><b>(.*?)</b>", html)
        assert new not in trace.words
        assert tuple(read(told).split()) == trace.model().encode(new).tokens
        last = rows_of(html, "5. Split")[-1]
        is_bpe = isinstance(trace.settings, bpe.Settings)
        assert last[2 if is_bpe else 1] == (read(told) if is_bpe else read(told).split()[-1])


@pytest.mark.parametrize("settings", EVERY.values(), ids=EVERY)
def test_a_blank_sheet_differs_from_its_answers_by_what_is_to_be_written(settings):
    blank, filled = sheets_of(worksheet(Trace.record(WORDS, settings), 2, 1))
    for one, answers in zip(blank, filled, strict=True):
        assert set(re.findall('<td class="write">(.*?)</td>', one)) == {""}
        assert all(re.findall('<td class="write">(.*?)</td>', answers)[:3])
        assert one.count("<td") == answers.count("<td")
        assert "<span>Name</span>" in one
        assert "<span>Name</span>" not in answers
        shown = re.findall('class="piece">(.*?)</bdi>', one.replace("<bdi>", ""))
        symbols = {unescape(piece) for piece in shown} - {"</w>"}
        assert symbols
        assert all(len(piece.removeprefix("##")) == 1 for piece in symbols)  # not one was merged


def test_sheets_differ_by_number_and_seed():
    html = worksheet(Trace.record(WORDS, BPE), 3, 42)
    for parts in sheets_of(html):
        notes = [re.findall(r'<p class="label">(.*?)</p>', one)[0] for one in parts]
        assert notes == [
            "Sheet 1 of 3 · seed 42",
            "Sheet 2 of 3 · seed 42 · the words are made up",
            "Sheet 3 of 3 · seed 42 · the words are made up",
        ]
    assert 'class="label"></p>' in worksheet(Trace.record(WORDS, BPE), 1, 42)


@pytest.mark.parametrize("settings", EVERY.values(), ids=EVERY)
def test_a_hostile_text_is_shown_as_text(settings):
    html = worksheet(Trace.record(HOSTILE, settings), 1, 1)
    assert html.count("<script") == html.count("</script>") == 1
    assert "&amp;lt;" in html
    assert '<bdi class="word">&lt;b&gt;</bdi>' in html
    for unseen in ("\u202e", "\u2066", "\0"):
        assert unseen not in html
    assert "⟨U+202E⟩" in html
    assert "{{link}}" in html  # is not filled in


def test_half_a_character_does_not_break_the_file():
    blocks = [Paragraph((pieces(["\ud800"]), pair(["\udfff", "a"]), VisibleWord("\ud801")))]
    blocks += [
        answer_line("x", "\ud802", True),
        grid({"y": 100}, [[AnswerCell(VisibleWord("\ud803"))]], True),
    ]
    html = worksheet_html(WorksheetSet("\ud804", (Worksheet(tuple(blocks), ()),), 1))
    assert "⟨U+D803⟩" in html
    html.encode()


def test_a_table_of_few_rows_is_as_narrow_as_one_of_many():
    assert html_of(grid({"a": 100}, [["x"]], True, tables=3)).count("<div>") == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({f"word{n}": 1 for n in range(13)}, "13 distinct words"),
        ({"abcdefghijklmnopq": 1}, "of at most 16 letters"),
        ({chr(a) + chr(b): 1 for a in range(97, 103) for b in range(97, 103)}, "36 pairs"),
        ({"a": 3}, "merges nothing"),
    ],
)
def test_input_too_long_for_paper_raises_a_user_error(words, message):
    with pytest.raises(UserError, match=message):
        worksheet(Trace.record(Corpus(words), bpe.Settings(num_merges=3)), 1, 1)


@pytest.mark.parametrize(
    ("page", "asked"),
    [("bpe_train", {}), ("wordpiece_train", {}), ("lessons", {"lesson": "bpe-by-hand"})],
)
def test_the_menu_has_the_number_of_sheets_and_the_file(page, asked):
    app = opened(page, **asked)
    app.session_state["export"] = True
    checked(app.run())
    platforms = ["For Moodle"] if page == "lessons" else []
    assert [tab.label for tab in app.tabs] == ["Files", "Worksheet", *platforms, "Link"]
    checked(app.number_input(key="sheets").set_value(7).run())
    labels = [one.proto.label for one in app.get("download_button")]
    assert "7 sheets and their answers" in labels


def test_the_menu_gives_the_reason_for_a_missing_worksheet():
    app = opened("bpe_train", corpus="prose")
    app.session_state["export"] = True
    checked(app.run())
    assert any("A worksheet is for pencil and paper" in one.value for one in app.info)
