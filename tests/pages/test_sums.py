"""The written terms of every sum add up to the written result, digit by digit.

Checked with the sums of recordings and formulas, by adding up the written numbers.
"""

import math
import re
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from pages.lattice.backward import _BackwardFrames
from pages.lattice.filling import _Filling
from pages.lattice.formulas import arrival_formula, path_formula
from pages.lattice.frame_helpers import nats
from pages.shared.drawing.phrasing import (
    MAX_DECIMALS,
    format_quotients,
    format_sum,
    format_sums,
    read_formatted,
)
from pages.shared.recording.frame_types import Frame, NoteFrame, TableFrame, plain_text
from pages.unigram.formulas import likelihood_formula, maximization_formula, removal_formula
from pages.unigram.numbers import probability
from tests.call_counts import examples
from tokenizers.lattice import Lattice, best_path, forward_values, viterbi_steps, viterbi_values
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus
from tokenizers.unigram.settings import convention_settings
from tokenizers.unigram.steps import Expectation

PIECES = ("a", "b", "ab", "ba", "aba")
numbers = st.floats(-1e4, 1e4, allow_nan=False)
often = examples(60)
lattices = st.builds(
    lambda text, logs: Lattice.build(text, dict(zip(PIECES, logs, strict=True)), -12.345),
    st.text("ab", min_size=1, max_size=6),
    st.lists(st.floats(-9, -0.01), min_size=len(PIECES), max_size=len(PIECES)),
)


def read(written: str) -> Decimal:
    return Decimal(re.sub(r"[,{}]", "", written.replace("−", "-")))


@often
@given(st.lists(numbers, min_size=1, max_size=8), st.integers(0, 4))
def test_a_written_sum_adds_up_and_is_right_to_the_last_digit(terms, digits):
    written, total = format_sum(terms, digits)
    assert sum(map(read, written)) == read(total)
    places = [-int(read(one).as_tuple().exponent) for one in (*written, total)]
    used = max(places)
    assert used <= max(MAX_DECIMALS, digits)
    assert abs(float(read(total)) - math.fsum(terms)) <= 0.5 * 10**-used + 1e-9
    for one, term in zip(written, terms, strict=True):
        room = 0.5 * 10**-used if used < MAX_DECIMALS else len(terms) * 10**-used
        assert abs(float(read(one)) - term) <= room + 1e-9


def filling_frames(lattice: Lattice, is_sum: bool) -> list[Frame]:
    filling = _Filling(lattice, is_sum)
    return [filling.frame(k) for k in range(len(lattice.text) + 2)]


@often
@given(lattices)
def test_all_numbers_that_are_compared_in_a_formula_have_as_many_digits(lattice):
    for frame in filling_frames(lattice, False):
        note = next(part for part in frame.parts if isinstance(part, NoteFrame))
        written = plain_text(note.text)
        compared = written.partition(" = ")[2]
        digits = {len(one) for one in re.findall(r"\d\.(\d+)", compared)}
        assert len(digits) <= 1


@often
@given(st.lists(st.floats(1e-5, 1e4), min_size=1, max_size=6), st.floats(1, 1e3))
def test_a_written_quotient_is_that_of_the_written_numbers(parts, more):
    whole = math.fsum(parts) * more
    texts, below = format_quotients(parts, whole, probability)
    for part, text in zip(parts, texts, strict=True):
        written = read_formatted(text) / read_formatted(below)
        assert probability(written) == probability(part / whole)


def test_the_quotient_that_was_another_one():
    """It was written as 0.01 / 6.3 = 0.00225."""
    assert format_quotients([0.0141789], 6.30102, probability) == (["0.0142"], "6.301")


@often
@given(st.floats(1e-3, 1e3), st.floats(1, 1e4))
def test_the_quotient_of_a_formula_is_that_of_the_written_numbers(count, more):
    lines = maximization_formula(count, count * more, 1 / more, by_digamma=False).split("\n")
    ((above, below),) = re.findall(r"frac\{(.*?)\}\{(.*?)\}\\\\$", lines[2])
    if "cdot" not in above + below + lines[3]:
        assert f"{float(above) / float(below):.3g}" == f"{float(lines[3][3:]):.3g}"


def test_the_maximum_that_was_written_with_five_digits_and_with_two():
    said = format_sums([[-2.99573, -2.52573], [-1.9, -1.61]])
    assert [total for _, total in said] == ["−5.52146", "−3.51000"]


def test_the_sum_that_did_not_add_up():
    """It was written as −3.00 − 1.90 = −4.89."""
    assert (nats(-2.9957), nats(-1.8971), nats(-4.8928)) == ("−3.00", "−1.90", "−4.89")
    assert format_sum([-2.9957, -1.8971]) == (["−2.996", "−1.897"], "−4.893")


@often
@given(lattices)
def test_every_row_of_the_tables_of_a_lattice_adds_up(lattice):
    for film in (
        filling_frames(lattice, False),
        filling_frames(lattice, True),
        _BackwardFrames(lattice),
    ):
        for frame in film:
            table = next(part for part in frame.parts if isinstance(part, TableFrame))
            if table.headings:  # at the end: shares, which are added to nothing
                continue
            for row in table.rows:
                before, log, total = (str(cell) for cell in row.cells[1:4])
                if "−∞" not in (before, log, total):
                    assert read(before) + read(log) == read(total)


@often
@given(lattices)
def test_a_written_maximum_is_one_of_the_sums(lattice):
    for frame in filling_frames(lattice, False):
        note = plain_text(note_of(frame))
        if "max(" in note and "…" not in note:
            ((inside, value),) = re.findall(r"^.*max\((.*)\) = (.*)$", note)
            sums = [total(one.split(" ")) for one in inside.split(", ")]
            assert read(value) in sums


def note_of(frame: Frame):
    return next(part for part in frame.parts if isinstance(part, NoteFrame)).text


def total(words: list[str]) -> Decimal:
    first, sign, second = words
    return read(first) + read(second) * (-1 if sign in "−-" else 1)


@often
@given(lattices)
def test_the_formulas_of_a_lattice_add_up(lattice):
    path = best_path(lattice)
    values = viterbi_values(lattice)
    for step in viterbi_steps(lattice):
        if found := re.search(r"max\(([^c]*?)\)\\\\\n&= (.*?)\\text", arrival_formula(
                lattice, values, step, is_sum=False)):  # fmt: skip
            sums = [total(one.split(" ")) for one in found[1].split(r",\ ")]
            assert read(found[2]) in sums
    if path and len(path) <= 4:
        line = path_formula(lattice, path, forward_values(lattice)[-1]).split("\n")[2]
        ((summed, whole),) = re.findall(r"^&= (.*) = (.*?)\\text", line)
        assert sum(map(read, summed.replace("- ", "-").replace("+ ", "").split(" "))) == read(whole)


def test_the_formulas_of_a_run_add_up():
    counts = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    trace = UnigramTrace.record(Corpus.from_counts(counts), convention_settings("textbook", 11))
    for step in trace.steps:
        if isinstance(step, Expectation):
            _, parts, whole = likelihood_formula(step).split("&= ")[1:]
            q, entropy = parts.removesuffix("\\\\\n").split(" + ")
            assert read(q) + read(entropy) == read(whole.split(r"\text")[0])


@often
@given(st.floats(-1e4, -1), st.floats(1e-3, 50))
def test_a_loss_is_the_written_difference(whole, loss):
    _, put_in, value = removal_formula(whole, loss, "Q").split("&= ")[1:]
    ((before, rest),) = re.findall(r"^(.*) - \((.*)\)\\\\\n", put_in)
    assert read(before) - read(rest) == read(value.split(r"\text")[0])
