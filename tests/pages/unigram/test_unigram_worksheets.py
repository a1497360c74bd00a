"""Worksheets of Unigram: every answer is recomputed from the givens on the sheet alone."""

import math
import re
from itertools import accumulate, pairwise

import pytest

from lessons.texts import TEXTS
from pages.lattice.worksheet import worksheet as of_lattice
from pages.shared.export.worksheets.render_html import worksheet_html
from pages.unigram.worksheet import worksheet as of_run
from tests.pages.bpe.test_worksheet import read, rows_of, sheets_of
from tokenizers import plain
from tokenizers.errors import UserError
from tokenizers.lattice import Lattice, expected_counts, forward_values
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus
from tokenizers.unigram.settings import convention_settings

PIECES = {"un": -2.3, "u": -4.1, "n": -3.2, "a": -2.9, "b": -3.9, "l": -3.3, "e": -2.2}
PIECES |= {"able": -3.7, "ab": -4.4, "le": -3.1, "una": -6.1}
UNABLE = Lattice.build("unable", PIECES)
SEEDS = [1, 2, 3]


def run_of(name: str, convention: str = "textbook") -> UnigramTrace:
    corpus = Corpus.from_counts(TEXTS[name].counts or {})
    return UnigramTrace.record(corpus, convention_settings(convention, 12))


def number(written: str) -> float:
    """A number as printed."""
    plain_digits = written.translate(str.maketrans("−⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "--0123456789"))
    return float(plain_digits.replace(" × 10", "e").rstrip("%"))


def given(sheet: str, heading: str, column: int) -> dict[str, float]:
    return {row[0]: number(row[column]) for row in rows_of(sheet, heading)}


def segmentations_of(text: str, pieces: dict[str, float]) -> dict[plain.Split, float]:
    return {way: float(prob) for way, prob in plain.segmentations(text, pieces).items()}


# ---- the lattice ----


@pytest.mark.parametrize("seed", SEEDS)
def test_the_best_scores_and_the_sums_are_those_of_all_segmentations(seed):
    _, answers = sheets_of(worksheet_html(of_lattice(UNABLE, 3, seed)))
    assert len(set(answers)) == 3
    for sheet in answers:
        text = read(re.findall(r"The text is (.*?)\.", sheet)[0])
        logs, probs = (given(sheet, "The pieces", n) for n in (1, 2))
        for row in rows_of(sheet, "2. The best scores"):
            all_ways = plain.segmentations(text[: int(row[0])], dict.fromkeys(logs, 1.0))
            scores = {way: sum(logs[piece] for piece in way) for way in all_ways}
            best = max(scores.values())
            assert number(row[2]) == pytest.approx(best, abs=0.0051)
            assert row[3].split(" or ")[0] in {w[-1] for w, s in scores.items() if s > best - 1e-9}
            assert row[1].count(" = ") == len({way[-1] for way in all_ways})
            for one in row[1].split(", "):
                _, first, sign, second, _, total = one.split(" ")
                added = number(first) + (1 if sign == "+" else -1) * number(second)
                assert added == pytest.approx(number(total), abs=0.0101)
        for row in rows_of(sheet, "4. All"):
            n = int(row[0])
            assert number(row[1]) == pytest.approx(
                sum(segmentations_of(text[:n], probs).values()), rel=0.006
            )
            assert number(row[2]) == pytest.approx(
                sum(segmentations_of(text[n:], probs).values()), rel=0.006
            )
        tasks = re.findall(r"<b>(?:<span.*?</span>)  (.*?)</b>", sheet)
        best_score, share = (number(one) for one in tasks)
        assert best_score == number(rows_of(sheet, "2. The best scores")[-1][2])
        start, end = map(int, re.findall(r"from position (\d+) to (\d+)", sheet)[0])
        found = segmentations_of(text, probs)
        through = [
            prob
            for way, prob in found.items()
            if (start, end) in pairwise(accumulate(map(len, way), initial=0))
        ]
        assert share == pytest.approx(100 * sum(through) / sum(found.values()), abs=0.051)


def test_a_lattice_too_large_or_without_choice_raises_a_user_error():
    long = Lattice.build("a" * 13, {"a": -1.0})
    with pytest.raises(UserError, match="13 characters and 13 pieces"):
        of_lattice(long, 1, 1)
    with pytest.raises(UserError, match="no choice"):
        of_lattice(Lattice.build("ab", {"a": -1.0, "b": -1.0}), 1, 1)
    with pytest.raises(UserError, match="no choice"):
        of_lattice(Lattice.build("ab", {"a": -1.0}), 1, 1)


def test_characters_that_are_no_pieces_are_named():
    (sheet, _) = (
        one[0]
        for one in sheets_of(
            worksheet_html(
                of_lattice(Lattice.build("abc", {"a": -1.0, "ab": -2.0, "b": -3.0}, -9.0), 1, 1)
            )
        )
    )
    assert "counted as unknown" in sheet
    assert given(sheet, "The pieces", 1)["c"] == -9.0


# ---- a round of EM ----


@pytest.mark.parametrize("name", ["hats", "course", "u4"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_round_of_em_is_that_of_the_lattice(name, seed):
    _, answers = sheets_of(worksheet_html(of_run(run_of(name), 3, seed)))
    assert len(set(answers)) == 3
    for sheet in answers:
        probs = given(sheet, "The words", 1)
        (tasks,) = re.findall(r"The whole text: (.*?)\. The", sheet)
        counts = {w: int(n) for w, n in (one.split(" × ") for one in read(tasks).split(", "))}
        logs = {piece: math.log(prob) for piece, prob in probs.items()}
        lattices = {word: Lattice.build(word, logs) for word in counts}
        rows = rows_of(sheet, "1. The ways") + (
            rows_of(sheet, "The next word") if len(counts) > 1 else []
        )
        listed = iter(rows)
        for word in counts:
            total = sum(segmentations_of(word, probs).values())
            for way, prob in segmentations_of(word, probs).items():
                row = next(listed)
                assert row[1].split() == list(way)
                assert number(row[2].split(" = ")[-1]) == pytest.approx(prob, rel=0.006)
                assert number(row[3]) == pytest.approx(100 * prob / total, abs=0.051)
            assert number(next(listed)[2]) == pytest.approx(total, rel=0.006)
        assert next(listed, None) is None
        expected = dict.fromkeys(probs, 0.0)
        for word, count in counts.items():
            for piece, value in expected_counts(lattices[word]).items():
                expected[piece] += count * value
        together = {row[0]: number(row[-1]) for row in rows_of(sheet, "2. E step")}
        assert together == pytest.approx(expected, abs=0.0051)
        after = {row[0]: number(row[2]) for row in rows_of(sheet, "3. M step")}
        total = sum(expected.values())
        assert after == pytest.approx({p: v / total for p, v in expected.items()}, abs=0.00051)
        losses = {row[0]: number(row[-1]) for row in rows_of(sheet, "4. Remove")}
        recounted = {piece: 0.0 for piece in probs if len(piece) > 1}
        for piece in recounted:
            for word, count in counts.items():
                left = Lattice.build(word, {p: v for p, v in logs.items() if p != piece})
                fallen = forward_values(lattices[word])[-1] - forward_values(left)[-1]
                recounted[piece] += count * fallen
        assert losses == pytest.approx(recounted, abs=0.0051)
        (removed,) = re.findall(r"Remove:</span><b>(.*?)</b></p>", sheet)
        least = min(recounted.values())
        tied = {p for p, v in recounted.items() if v < least + 1e-9}
        assert set(read(removed).split(" or ")) == tied


def test_sheets_are_equally_hard_and_a_seed_gives_them_again():
    html = worksheet_html(of_run(run_of("hats"), 5, 7))
    _, answers = sheets_of(html)
    hard = [
        [len(rows_of(sheet, f"{task}. ")) for task in (1, 2, 3, 4)]
        + [read(re.findall(r"Remove:</span><b>(.*?)</b></p>", sheet)[0]).count(" or ")]
        for sheet in answers
    ]
    assert hard[1:] == hard[:-1]
    assert html == worksheet_html(of_run(run_of("hats"), 5, 7))
    assert html != worksheet_html(of_run(run_of("hats"), 5, 8))


def test_a_blank_sheet_gives_nothing_away():
    for printout in (of_run(run_of("hats"), 2, 1), of_lattice(UNABLE, 2, 1)):
        blank, filled = sheets_of(worksheet_html(printout))
        for one, answers in zip(blank, filled, strict=True):
            assert set(re.findall(r'<td class="write".*?>(.*?)</td>', one)) == {""}
            assert all(re.findall(r'<td class="write".*?>(.*?)</td>', answers))
            lines = re.findall(r'<p class="line"><span>.*?</span><b>(.*?)</b>', one)
            assert set(lines) == {""}
            assert 'class="instruction"' in one
            assert 'class="instruction"' not in answers
    blank, filled = sheets_of(worksheet_html(of_lattice(UNABLE, 1, 1)))
    assert "<path" not in blank[0]
    assert filled[0].count("<path") == len(UNABLE.edges)


def test_a_run_without_a_short_word_raises_a_user_error():
    trace = UnigramTrace.record(
        Corpus({"internationalization": 2}), convention_settings("textbook", 30)
    )
    with pytest.raises(UserError, match="needs a word of at most 7 characters"):
        of_run(trace, 1, 1)


@pytest.mark.parametrize("words", [{"<u>": 3, "<u": 2}, {"\u202ea\\": 3, "\u202ea": 2}])
def test_a_hostile_text_is_shown_as_text(words):
    logs = {p: -2.0 for word in words for i in range(3) for j in range(4) if (p := word[i:j])}
    trace = UnigramTrace.record(Corpus(words), convention_settings("textbook", 4))
    for html in (
        worksheet_html(of_run(trace, 1, 1)),
        worksheet_html(of_lattice(Lattice.build(next(iter(words)), logs), 1, 1)),
    ):
        assert "<u" not in html
        assert "\u202e" not in html
        assert html.count("<script") == 1
