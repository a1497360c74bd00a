"""Worksheets of encoding: words split as by the plain code; all sheets are equally hard."""

import re

import pytest

from pages.bpe import encoding_worksheet as of_bpe
from pages.shared.export.worksheets.render_html import worksheet_html
from pages.wordpiece import worksheet as of_wordpiece
from tests.pages.bpe.test_worksheet import read, rows_of, sheets_of
from tests.pages.opening import checked, opened
from tokenizers import bpe, plain, wordpiece
from tokenizers.errors import UserError
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus

CORPUS = Corpus({"low": 5, "lower": 2, "newest": 6, "widest": 3, "new": 4})
TEXT_WORDS = ["lowest", "newer", "wide"]
HOSTILE = Corpus({"</script>": 3, "<b>#$": 2, "\u202ea\\": 2, "{{link}}": 1})
BASES = ("characters", "end_of_word", "bytes", "metaspace")
PIECE = re.compile(r'<bdi class="piece">(.*?)</bdi>')


def bpe_model(corpus: Corpus = CORPUS, **asked) -> bpe.Model:
    return Trace.record(corpus, bpe.Settings(num_merges=14, **asked)).model()


def wordpiece_model(corpus: Corpus = CORPUS) -> wordpiece.Model:
    return Trace.record(corpus, wordpiece.Settings(num_merges=14)).model()


def tasks(html: str) -> list[str]:
    """The tasks of a sheet, without the givens."""
    return re.findall(r"<h3>\d+\. Split a word</h3>.*?</section>", html, re.DOTALL)


def split_of(task: str) -> tuple[str, ...]:
    """The split of a word in the answers."""
    (told,) = re.findall(r"Its tokens:</span><b>(.*?)</b></p>", task)
    return tuple(read(told).split())


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_words_are_merged_as_the_plain_code_merges_them(base, seed):
    model = bpe_model(base=base)
    html = worksheet_html(of_bpe.worksheet(TEXT_WORDS, model, 4, seed))
    _, answers = sheets_of(html)
    hard = []
    for n, sheet in enumerate(answers):
        given = [row[1].split(" + ") for row in rows_of(sheet, "The merges")]
        merges = [(left, right) for left, right in given]
        ranks = {pair: rank for rank, pair in enumerate(merges)}
        for word_text, task in zip(TEXT_WORDS, tasks(sheet), strict=True):
            word = tuple(read(re.findall(r"The word is (.*?)\.</p>", task)[0]).split())
            if not n:
                assert word == model.settings.symbols(word_text)
                assert split_of(task) == model.encode(word_text).tokens
            assert split_of(task) == plain.encode_bpe(word, ranks)
            rows = rows_of(f"{task}", task[4 : task.index("</h3>")])
            assert [row[0] for row in rows] == [f"{k + 1}" for k in range(len(rows))]
            now = word
            for row in rows:
                known = {ranks[pair] + 1 for pair in plain.count_pairs([now], [1]) if pair in ranks}
                assert row[1] == ", ".join(map(str, sorted(known)))
                assert row[2] == " + ".join(merges[min(known) - 1])
                now = tuple(row[3].split())
            assert now == split_of(task)
        hard.append([(len(rows_of(t, "")), len(split_of(t))) for t in tasks(sheet)])
    assert hard[1:] == hard[:-1]
    assert len(set(answers)) == 4


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_words_are_matched_as_the_plain_code_matches_them(seed):
    model = wordpiece_model()
    _, answers = sheets_of(
        worksheet_html(of_wordpiece.worksheet([*TEXT_WORDS, "xyz"], model, 4, seed))
    )
    hard = []
    for n, sheet in enumerate(answers):
        given = sheet[sheet.index("The pieces") : sheet.index("1. Split")]
        vocab = set(map(read, PIECE.findall(given)))
        for word_text, task in zip(TEXT_WORDS, tasks(sheet), strict=True):
            (word,) = re.findall(r'The word is <bdi class="word">(.*?)</bdi>', task)
            if not n:
                assert word == word_text
                assert split_of(task) == model.encode(word).tokens
            assert split_of(task) == plain.longest_match(word, vocab)
            rows = rows_of(task, "")
            assert tuple(row[2] for row in rows) == split_of(task)
            assert not {one for row in rows for one in row[1].split()} & vocab
        hard.append(
            [
                (len(split_of(t)), sum(len(row[1].split()) for row in rows_of(t, "")))
                for t in tasks(sheet)
            ]
        )
    assert hard[1:] == hard[:-1]
    assert len(set(answers)) == 4


def test_a_word_of_which_nothing_fits_is_unknown_on_paper_too():
    sheets = of_wordpiece.worksheet(["lowx"], wordpiece_model(), 1, 1)
    _, (answers,) = sheets_of(worksheet_html(sheets))
    (task,) = tasks(answers)
    assert split_of(task) == ("[UNK]",)
    assert rows_of(task, "")[-1][2] == "nothing fits"


@pytest.mark.parametrize("base", BASES)
def test_a_hostile_text_is_shown_as_text(base):
    words = list(HOSTILE.word_counts)
    for html in (
        worksheet_html(of_bpe.worksheet(words, bpe_model(HOSTILE, base=base), 1, 1)),
        worksheet_html(of_wordpiece.worksheet(words, wordpiece_model(HOSTILE), 1, 1)),
    ):
        assert html.count("<script") == html.count("</script>") == 1
        assert "\u202e" not in html
        assert "&lt;" in html


def test_a_blank_sheet_gives_nothing_away():
    for printout in (
        of_bpe.worksheet(TEXT_WORDS, bpe_model(), 2, 1),
        of_wordpiece.worksheet(TEXT_WORDS, wordpiece_model(), 2, 1),
    ):
        blank, _ = sheets_of(worksheet_html(printout))
        for sheet in blank:
            assert set(re.findall(r'<td class="write".*?>(.*?)</td>', sheet)) == {""}
            assert set(re.findall(r"Its tokens:</span><b>(.*?)</b>", sheet)) == {""}


def test_input_too_long_for_paper_raises_a_user_error():
    with pytest.raises(UserError, match="needs a word of at most 14 symbols"):
        of_bpe.worksheet(["lowlowlowlowlow", "x"], bpe_model(), 1, 1)
    with pytest.raises(UserError, match="all of them in the vocabulary"):
        of_bpe.worksheet(["lowx"], bpe_model(), 1, 1)
    with pytest.raises(UserError, match="needs a word of 2 to 12 characters"):
        of_wordpiece.worksheet(["lowlowlowlowl", "x"], wordpiece_model(), 1, 1)


@pytest.mark.parametrize(
    "page", ["bpe_encode", "wordpiece_encode", "unigram_lattice", "unigram_train"]
)
def test_every_algorithm_has_a_worksheet_in_the_menu(page):
    app = opened(page)
    app.session_state["export"] = True
    checked(app.run())
    assert [tab.label for tab in app.tabs] == ["Files", "Worksheet", "Link"]
    labels = [one.proto.label for one in app.get("download_button")]
    assert "1 sheet and its answers" in labels or any("pencil" in one.value for one in app.info)
