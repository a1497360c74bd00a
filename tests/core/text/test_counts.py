"""Tables of words and counts: every word is read back as it was written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers.text.counts import most_frequent, read_counts, write_counts

WORDS = st.text(min_size=1, max_size=5).filter(lambda word: not word.isspace())
CHARACTERS = st.text('a,";\r\n\t \u2028\x85\0', min_size=1, max_size=4)


@pytest.mark.parametrize("word", ["a\rb", "\r", "\r\n", "a\nb", 'say "low"', "a,b", "\u2028", "\0"])
def test_a_word_may_hold_what_ends_a_row_or_a_cell(word):
    assert read_counts(write_counts({word: 3, "low": 2})) == {word: 3, "low": 2}


@examples(200)
@given(st.dictionaries(WORDS | CHARACTERS, st.integers(1, 10**6)))
def test_what_is_written_is_read(counts):
    assert read_counts(write_counts(counts)) == counts


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_rows_may_end_as_on_any_system(end):
    assert read_counts(end.join(["word,count", "low,5", '"a', 'b",2', ""])) == {
        "low": 5,
        f"a{end}b": 2,
    }


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("separator", [",", "\t", ";"])
@pytest.mark.parametrize("head", [[], [["id", "Count", " word "]], [["word", "count"]]])
def test_cells_are_separated_by_commas_tabs_or_semicolons(mark, separator, head):
    rows = [["low", "5"], ['"a,b;c\td"', "2"], ["lower", "3.0"]]
    if head and head[0][0] == "id":
        rows = [["7", count, word] for word, count in rows]
    text = mark + "\r\n".join(separator.join(row) for row in [*head, *rows])
    assert read_counts(text) == {"low": 5, "a,b;c\td": 2, "lower": 3}


def test_other_separators_inside_words_do_not_count():
    assert read_counts("a;b,5\nc\td,2") == {"a;b": 5, "c\td": 2}
    assert read_counts("a,b\t5\nc,d\t2") == {"a,b": 5, "c,d": 2}


@examples(200)
@given(
    st.lists(st.tuples(WORDS, st.integers(1, 9) | st.integers(1, 9).map(float))), st.integers(1, 6)
)
def test_the_most_frequent_are_those_of_sorting_them_all(counts, most):
    kept, number, part = most_frequent(counts, most)
    largest = sorted(range(len(counts)), key=lambda n: -counts[n][1])[:most]  # stable: first wins
    assert kept == [counts[n] for n in sorted(largest)]
    assert number == len(counts)
    if total := sum(count for _, count in counts):
        assert part == pytest.approx(sum(counts[n][1] for n in largest) / total)


@pytest.mark.parametrize(
    "bad", [("x", "many"), ("x", None), ("x", -1), ("x", 0), ("x", 1.5), ("x", 10**400), ("", 1)]
)
def test_a_row_that_is_wrong_is_kept_to_be_reported(bad):
    assert most_frequent([("low", 5), bad, ("lower", 2)], 2)[0] == [("low", 5), bad]
